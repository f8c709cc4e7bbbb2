// Package number gives out business numbers: the company's series with prefix, next number and width.
package number

import (
	"fmt"

	"kontor/internal/foundation/db"
)

// usual are the series that a company has without setting them up.
func usual() []Series {
	return []Series{
		{Name: "customer", Next: 10000},
		{Name: "item", Prefix: "I-", Next: 10000},
		{Name: "order", Prefix: "SO-", Next: 100001},
		{Name: "shipment", Prefix: "SH-", Next: 100001},
		{Name: "invoice", Prefix: "INV-", Next: 100001},
		{Name: "invoice-document", Next: 1000001},
		{Name: "return", Prefix: "RMA-", Next: 10001},
		{Name: "quote", Prefix: "Q-", Next: 10001},
		{Name: "configuration", Prefix: "CFG-", Next: 10001},
		{Name: "ticket", Prefix: "T-", Next: 10001},
		{Name: "supplier", Next: 50000},
		{Name: "purchase-order", Prefix: "PO-", Next: 100001},
		{Name: "receipt", Prefix: "GR-", Next: 100001},
		{Name: "supplier-invoice", Prefix: "SI-", Next: 100001},
		{Name: "transfer", Prefix: "TO-", Next: 100001},
		{Name: "work-order", Prefix: "WO-", Next: 100001},
		{Name: "count", Prefix: "CNT-", Next: 10001},
	}
}

// defaults are prefix, first number and width of a series that the company has not set up.
func defaults(series string) (prefix string, next int64, width int) {
	for _, s := range usual() {
		if s.Name == series {
			return s.Prefix, s.Next, s.Width
		}
	}
	return "", 1, 0
}

// Next draws the next number of a series that taken does not know: unique and increasing, but not without gaps. taken
// is nil where nobody gives a number by hand.
func Next(tx *db.Tx, series string, taken func(tx *db.Tx, candidate string) (bool, error)) (string, error) {
	for {
		drawn, err := NextMany(tx, series, 1)
		if err != nil {
			return "", err
		}
		if taken == nil {
			return drawn[0], nil
		}
		used, err := taken(tx, drawn[0])
		if err != nil || !used {
			return drawn[0], err
		}
	}
}

// NextMany draws the next numbers of a series at once, in their order, for documents that take no number from
// elsewhere.
func NextMany(tx *db.Tx, series string, count int) ([]string, error) {
	if count == 0 {
		return nil, nil
	}
	prefix, first, width, err := tx.NextNumbers(series, int64(count),
		func() (string, int64, int) { return defaults(series) })
	return numbers(prefix, first, width, count), err
}

// GapFree draws from a series that has no gaps. Its row stays locked until the commit, so it is called as the last
// statement of a transaction; a transaction that is rolled back gives its numbers back.
func GapFree(tx *db.Tx, series string, count int) ([]string, error) {
	if count == 0 {
		return nil, nil
	}
	prefix, next, width := defaults(series)
	var first int64
	_, err := tx.One(`-- number.GapFree
		insert into number_series (company, series, prefix, next, width) values (:company, :series, :prefix, :next, :width)
		on conflict (company, series) do update set next = number_series.next + :count
		returning prefix, next - :count, width`,
		db.Args{"series": series, "prefix": prefix, "next": next + int64(count), "count": count, "width": width},
		&prefix, &first, &width)
	return numbers(prefix, first, width, count), err
}

// numbers are count of a series, from the first on.
func numbers(prefix string, first int64, width, count int) []string {
	out := make([]string, count)
	for i := range out {
		out[i] = fmt.Sprintf("%s%0*d", prefix, width, first+int64(i))
	}
	return out
}

// Series is how the numbers of one sort of document look, and which comes next.
type Series struct {
	Name, Prefix string
	Next         int64
	Width        int // digits, filled with zeros from the left; 0 = as many as the number has
}

// Ahead are the next numbers of the series. Those that a record has been given by hand are passed over when they are
// drawn.
func (s Series) Ahead(count int) []string { return numbers(s.Prefix, s.Next, s.Width, count) }

// All are the company's series, those that it has not set up included.
func All(tx *db.Tx) ([]Series, error) {
	all := usual()
	at := make(map[string]int, len(all))
	for i, s := range all {
		at[s.Name] = i
	}
	err := tx.Each(`-- number.All
		select series, prefix, next, width from number_series where company = :company order by series`, nil,
		func(r db.Row) error {
			var s Series
			if err := r.Scan(&s.Name, &s.Prefix, &s.Next, &s.Width); err != nil {
				return err
			}
			if i, ok := at[s.Name]; ok {
				all[i] = s
			} else {
				all = append(all, s)
			}
			return nil
		})
	return all, err
}

// Set writes a series, and reports whether it did: a series does not go back while its prefix stays, since the numbers
// before the next one are taken.
func Set(tx *db.Tx, s Series) (bool, error) {
	n, err := tx.Exec(`-- number.Set
		insert into number_series (company, series, prefix, next, width) values (:company, :series, :prefix, :next, :width)
		on conflict (company, series) do update set prefix = excluded.prefix, next = excluded.next, width = excluded.width
		where excluded.next >= number_series.next or excluded.prefix <> number_series.prefix`,
		db.Args{"series": s.Name, "prefix": s.Prefix, "next": s.Next, "width": s.Width})
	return n == 1, err
}
