package payable

import (
	"fmt"

	"kontor/internal/engine/costing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Verify recomputes the sums of suppliers' invoices, what receipts say was billed, and what differences made of the
// value of the stock. It reports every difference in a sentence.
func Verify(tx *db.Tx, report func(string)) error {
	if err := invoices.Every(tx, func(v *Invoice) { v.verify(report) }); err != nil {
		return err
	}
	return record.Verify(tx, report, verifyBilled, verifyBooked)
}

func (v *Invoice) verify(report func(string)) {
	say := func(format string, args ...any) {
		report("supplier invoice " + v.Number + ": " + fmt.Sprintf(format, args...))
	}
	is := invoices.Copy(v)
	if is.derive(); is.Net != v.Net || is.LineCount != v.LineCount {
		say("stored with %s of %d lines, its lines say %s of %d", v.Net, v.LineCount, is.Net, is.LineCount)
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		if is.Lines[i].Amount != l.Amount {
			say("line %d: %s at %s is stored as %s", l.Number, l.Quantity, l.UnitPrice, l.Amount)
		}
		if !l.IsMatched && v.Status == Approved && v.DecidedAt == 0 {
			say("line %d differs, and nobody has approved it", l.Number)
		}
		dearer := l.Dearer(v.BaseDigits)
		if dearer <= 0 || v.Status != Approved && v.Status != Paid { // what is cheaper is bounded by the average then
			continue
		}
		if _, inStock := costing.Landed(dearer, l.Quantity, l.OnHand); inStock != l.InStock {
			say("line %d: of %s more with %s on hand %s are stored as in stock, it should be %s", l.Number, dearer,
				l.OnHand, l.InStock, inStock)
		}
	}
}
