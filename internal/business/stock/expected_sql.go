package stock

import (
	"fmt"

	"kontor/internal/foundation/db"
)

const expectedColumns = "ref_type, ref_id, ref_line, item_id, item, warehouse, due_date, quantity"

var expectedRow = db.Map[Expectation](expectedColumns)

// expectedOf is what a document expects, by its lines.
func expectedOf(tx *db.Tx, refType, refID string) (map[int]Expectation, error) {
	return db.ByKey(tx, `-- stock.expectedOf
		select `+expectedColumns+` from stock_expected where company = :company and ref_type = :type and ref_id = :id`,
		db.Args{"type": refType, "id": refID}, func(r db.Row, line *int, e *Expectation) error {
			err := expectedRow.Scan(r, e)
			*line = e.Line
			return err
		})
}

// Expectations are what is to come of items, by item, warehouse and day; those of which nobody has said when come
// first.
func Expectations(tx *db.Tx, itemIDs []string) (out []Expectation, err error) {
	err = eachOf(tx, itemIDs, `-- stock.Expectations
		select `+expectedColumns+` from stock_expected where company = :company and item_id in (:items)
		order by item_id, warehouse, due_date, ref_type, ref_id, ref_line`, db.Args{}, func(r db.Row) error {
		var e Expectation
		err := expectedRow.Scan(r, &e)
		out = append(out, e)
		return err
	})
	return out, err
}

// AllExpected is all that is expected by documents of a kind, by ExpectedAt, for who verifies them.
func AllExpected(tx *db.Tx, refType string) (map[string]Expectation, error) {
	return db.ByKey(tx, `-- stock.AllExpected
		select `+expectedColumns+` from stock_expected where company = :company and ref_type = :type`,
		db.Args{"type": refType}, func(r db.Row, at *string, e *Expectation) error {
			err := expectedRow.Scan(r, e)
			*at = ExpectedAt(e.RefID, e.Line)
			return err
		})
}

// ExpectedAt names a line of a document.
func ExpectedAt(number string, line int) string { return fmt.Sprint(number, " ", line) }

// Meets reports whether it is what a line lets stock expect.
func (e Expectation) Meets(line Expectation) bool {
	return e.Quantity == line.Quantity && (e.Quantity <= 0 || e.Due == line.Due && e.Warehouse == line.Warehouse)
}

func writeExpected(tx *db.Tx, refType, refID string, rows []Expectation) error {
	var gone []int64
	var still []Expectation
	for _, e := range rows {
		if e.Quantity == 0 {
			gone = append(gone, int64(e.Line))
		} else {
			still = append(still, e)
		}
	}
	if len(gone) > 0 {
		key := db.Args{"ref_type": refType, "ref_id": refID, "ref_line": gone}
		if err := tx.Delete(key, "stock_expected"); err != nil {
			return err
		}
	}
	return tx.Upsert("stock_expected", expectedColumns, len(still), func(i int) []any { return expectedRow.Of(&still[i]) },
		db.Overwriting("ref_type, ref_id, ref_line", expectedColumns))
}
