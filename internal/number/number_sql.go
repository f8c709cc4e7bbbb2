// Package number gives out business numbers: the company's series with prefix, next number and width.
package number

import (
	"fmt"

	"kontor/internal/db"
)

// series that a company has without setting them up: prefix, first number, width.
func defaults(series string) (prefix string, next int64, width int) {
	switch series {
	case "customer":
		return "", 10000, 0
	case "item":
		return "I-", 10000, 0
	case "order":
		return "SO-", 100001, 0
	case "shipment":
		return "SH-", 100001, 0
	case "invoice":
		return "INV-", 100001, 0
	case "invoice-document":
		return "", 1000001, 0
	case "return":
		return "RMA-", 10001, 0
	}
	return "", 1, 0
}

// Next draws the next number of a series that taken does not know: unique and increasing, but not without gaps.
func Next(tx *db.Tx, series string, taken func(candidate string) (bool, error)) (string, error) {
	for {
		drawn, err := NextMany(tx, series, 1)
		if err != nil {
			return "", err
		}
		used, err := taken(drawn[0])
		if err != nil || !used {
			return drawn[0], err
		}
	}
}

// NextMany draws the next numbers of a series at once, in their order, for documents that take no number from elsewhere.
func NextMany(tx *db.Tx, series string, count int) ([]string, error) {
	if count == 0 {
		return nil, nil
	}
	prefix, first, width, err := tx.NextNumbers(series, int64(count), func() (string, int64, int) { return defaults(series) })
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
		db.Args{"series": series, "prefix": prefix, "next": next + int64(count), "count": count, "width": width}, &prefix, &first, &width)
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

// Configure sets a series' prefix, next number and width.
func Configure(tx *db.Tx, series, prefix string, next int64, width int) error {
	_, err := tx.Exec(`-- number.Configure
		insert into number_series (company, series, prefix, next, width) values (:company, :series, :prefix, :next, :width)
		on conflict (company, series) do update set prefix = excluded.prefix, next = excluded.next, width = excluded.width`,
		db.Args{"series": series, "prefix": prefix, "next": next, "width": width})
	return err
}
