package stock

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// usedUp is what the ledger says of goods that came and went before the books began.
const usedUp = "Used up before the books began"

// TakeInPast is TakeIn for what arrived long ago, a receipt for each delivery, in a constant number of statements. Each
// delivery is of another document or another day than the ones before it. Unless the goods stay they are gone by now:
// what comes in leaves at the same moment, covers no order, and the average cost of what lies in the warehouse today is
// as it was; one that never was in stock has its last cost from then on. Refusals are those of TakeIn.
func TakeInPast(tx *db.Tx, deliveries []Incoming, stay bool) error {
	var moves []Move
	var lines []ReceiptLine
	var of []int // move -> delivery
	for i := range deliveries {
		if err := deliveries[i].check(tx); err != nil {
			return err
		}
		m, l := deliveries[i].moves()
		moves, lines = append(moves, m...), append(lines, l...)
		for range m {
			of = append(of, i)
		}
	}
	var entries []Entry
	var err error
	if stay {
		entries, err = Receive(tx, Receipt, moves)
	} else {
		entries, err = passThrough(tx, moves)
	}
	if err != nil || len(entries) == 0 {
		return err
	}
	receipts := make([]GoodsReceipt, len(deliveries))
	for i, d := range deliveries {
		receipts[i] = GoodsReceipt{Root: record.New(tx), Status: ReceiptCompleted, Warehouse: d.Warehouse, At: d.At,
			Notes: d.Notes}
	}
	for _, e := range entries {
		r, l := &receipts[of[e.Move]], lines[e.Move]
		l.enter(len(r.Lines)+1, &e)
		r.Warehouse, r.Lines = e.Warehouse, append(r.Lines, l)
	}
	drawn, err := number.NextMany(tx, "receipt", len(receipts))
	if err != nil {
		return err
	}
	for i, n := range drawn {
		receipts[i].Number = n
	}
	return goodsReceipts.CreateMany(tx, record.Pointers(receipts)...)
}

// passThrough books goods in and out again and answers the entries that brought them in.
func passThrough(tx *db.Tx, moves []Move) (in []Entry, err error) {
	p, into, err := openArrival(tx, Receipt, moves, false)
	if err != nil || p == nil {
		return nil, err
	}
	for i, m := range moves {
		b := into[i]
		before := p.levels[b.Key].Level
		in = append(in, *p.enter(Receipt, &m, i, b, m.Quantity, m.UnitCost))
		m.Notes = usedUp
		p.enter(Adjusted, &m, i, b, m.Quantity.Neg(), nil)
		if before.OnHand > 0 {
			p.revalue(&m, i, b, before.Average)
		}
	}
	return in, p.write(tx)
}

// revalue makes what lies in a warehouse worth another cost a unit from now on; nothing moves. It books nothing where
// that is its cost already.
func (p *posting) revalue(m *Move, index int, b *balance, average dec.Dec) *Entry {
	l := p.levels[b.Key]
	if l.Average == average {
		return nil
	}
	l.Average = average
	return p.append(Revaluation, m, index, b, 0, average)
}
