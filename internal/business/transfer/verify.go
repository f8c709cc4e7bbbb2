package transfer

import (
	"fmt"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Verify recomputes what is derived of transfers: statuses and counts from the lines, lines from parcels, receipts and
// the ledger, and what stock expects of them. It reports every difference in a sentence.
func Verify(tx *db.Tx, report func(string)) error {
	expected, err := stock.AllExpected(tx, stock.RefTransfer)
	if err != nil {
		return err
	}
	err = transfers.Through(tx, func(list []Transfer) error {
		all, err := bookedOf(tx, list)
		if err != nil {
			return err
		}
		for i := range list {
			t := &list[i]
			say := func(format string, args ...any) {
				report("transfer " + t.Number + ": " + fmt.Sprintf(format, args...))
			}
			t.verify(all[t.ID], say)
			t.verifyExpected(expected, say)
		}
		return nil
	})
	for at := range expected {
		report(fmt.Sprintf("transfer %s: stock expects goods of this line, which is not there", at))
	}
	return err
}

func (t *Transfer) verify(b *booked, say func(format string, args ...any)) {
	is := transfers.Copy(t)
	if is.derive(); is.Status != t.Status || is.LineCount != t.LineCount {
		say("stored as %s with %d lines; its lines say %s and %d", t.Status, t.LineCount, is.Status, is.LineCount)
	}
	ledger := map[entryKey]dec.Dec{}
	add := func(itemID, warehouse string, kind stock.Kind, q dec.Dec) {
		k := entryKey{stock.Key{ItemID: itemID, Warehouse: warehouse}, kind}
		ledger[k] = ledger[k].Add(q)
	}
	for i := range t.Lines {
		l := &t.Lines[i]
		reserved := dec.Dec(0)
		if t.Status == Released {
			reserved = l.Quantity
		}
		if l.Allocated != reserved {
			say("line %d has %s allocated, while it is %s that should be %s", l.Number, l.Allocated, t.Status, reserved)
		}
		if p := b.parcels[l.Number]; p.Quantity != l.Shipped || p.Received != l.Received ||
			p.WrittenOff != l.WrittenOff {
			say("line %d is stored with %s shipped, %s received and %s written off; its parcels say %s, %s and %s",
				l.Number, l.Shipped, l.Received, l.WrittenOff, p.Quantity, p.Received, p.WrittenOff)
		}
		if q := b.receipts[l.Number]; q != l.Received {
			say("line %d is stored with %s received, the receipts say %s", l.Number, l.Received, q)
		}
		add(l.ItemID, t.From, stock.Transferred, l.WrittenOff.Sub(l.Shipped))
		add(l.ItemID, t.From, stock.Adjusted, l.WrittenOff.Neg())
		add(l.ItemID, t.To, stock.Transferred, l.Received)
	}
	for k, q := range ledger {
		if b.entries[k] != q {
			say("the ledger has %s of item %s as %s in warehouse %s, its lines say %s", b.entries[k], k.ItemID, k.kind,
				k.Warehouse, q)
		}
		delete(b.entries, k)
	}
	for k, q := range b.entries {
		say("the ledger has %s of item %s as %s in warehouse %s, its lines know nothing of it", q, k.ItemID, k.kind,
			k.Warehouse)
	}
}

// verifyExpected holds what stock expects of a transfer against its lines, and takes it off what is expected.
func (t *Transfer) verifyExpected(expected map[string]stock.Expectation, say func(format string, args ...any)) {
	for _, e := range t.expectations() {
		at := stock.ExpectedAt(t.Number, e.Line)
		if has := expected[at]; !has.Meets(e) {
			say("%s of line %d are to come for %s in %s, stock expects %s for %s in %s", e.Quantity, e.Line, e.Due,
				e.Warehouse, has.Quantity, has.Due, has.Warehouse)
		}
		delete(expected, at)
	}
}
