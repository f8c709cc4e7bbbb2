package preview

import (
	"kontor/internal/dec"
	"kontor/internal/fault"
	"kontor/internal/record"
	"kontor/internal/rest"
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

// pageOfAll is a page of rows that are all in memory.
func pageOfAll[T any](all []T, p rest.Paging) record.Found[T] {
	from := min((p.Page-1)*p.PageSize, len(all))
	return record.Found[T]{Items: all[from:min(from+p.PageSize, len(all))], Total: len(all)}
}

// fixedOrNull is a nullable price with at least the currency's digits.
func fixedOrNull(d *dec.Dec, digits int) *dec.Fixed {
	if d == nil {
		return nil
	}
	return &dec.Fixed{Value: *d, Digits: digits}
}
