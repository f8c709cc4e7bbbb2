package preview

import (
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// RowError is why a row of a batch failed.
type RowError struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func rowError(err error) *RowError {
	if err == nil {
		return nil
	}
	f := fault.As(err)
	return &RowError{Code: f.Code, Detail: f.Detail}
}

// tally counts what became of the rows of a batch: failed, created, or changed.
type tally struct {
	CreatedCount int `json:"createdCount"`
	UpdatedCount int `json:"updatedCount"`
	FailedCount  int `json:"failedCount"`
}

// outcome counts a row, and answers the word for what became of it; there is the word for a row of what was there.
func (t *tally) outcome(err error, created bool, there string) string {
	switch {
	case err != nil:
		t.FailedCount++
		return "failed"
	case created:
		t.CreatedCount++
		return "created"
	}
	t.UpdatedCount++
	return there
}

// itemOutcome is what became of a row of a batch that is of an item.
type itemOutcome struct {
	Index      int       `json:"index"`
	ItemNumber string    `json:"itemNumber"`
	Outcome    string    `json:"outcome" doc:"created, updated or failed."`
	Error      *RowError `json:"error"`
}

// ofItem counts a row of a batch that is of an item.
func (t *tally) ofItem(index int, item string, err error, created bool) itemOutcome {
	return itemOutcome{index, item, t.outcome(err, created, "updated"), rowError(err)}
}

// byBook is a view that shows values with the names of the company's codes.
func byBook[T, Out any](show func(*reference.Book, T) Out) rest.View[T, Out] {
	return func(tx *db.Tx) (func(T) Out, error) {
		book, err := reference.Of(tx)
		return func(v T) Out { return show(book, v) }, err
	}
}

// inTx is a view by who shows a value in a transaction.
func inTx[T, Out any](show func(tx *db.Tx, v T) Out) rest.View[T, Out] {
	return func(tx *db.Tx) (func(T) Out, error) { return func(v T) Out { return show(tx, v) }, nil }
}

// byDigits is a view that shows amounts with the minor digits of the company's currency.
func byDigits[T, Out any](show func(digits int, v T) Out) rest.View[T, Out] {
	return func(tx *db.Tx) (func(T) Out, error) {
		digits, err := baseDigits(tx)
		return func(v T) Out { return show(digits, v) }, err
	}
}

// spelling is a list whose filter names warehouses: their codes become as the company spells them.
func spelling[F, T any](warehouses func(*F) []*string,
	list func(*db.Tx, F, record.Page) (record.Found[T], error)) func(*db.Tx, F, record.Page) (record.Found[T], error) {
	return func(tx *db.Tx, f F, p record.Page) (record.Found[T], error) {
		book, err := reference.Of(tx)
		if err != nil {
			return record.Found[T]{}, err
		}
		for _, code := range warehouses(&f) {
			if w, ok := book.Warehouse(*code); ok {
				*code = w.Code
			}
		}
		return list(tx, f, p)
	}
}

// baseDigits are the minor digits of the company's currency.
func baseDigits(tx *db.Tx) (int, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return 0, err
	}
	return book.Base().Decimals, nil
}
