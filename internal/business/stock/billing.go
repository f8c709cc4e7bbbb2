package stock

import (
	"cmp"
	"maps"
	"slices"

	"kontor/internal/engine/costing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// ErrExceedsUnbilled refuses to bill more than came in.
var ErrExceedsUnbilled = fault.New(fault.Conflict, "Receipt.QuantityExceedsUnbilled")

// Billing is the receipts that a supplier's invoice is held against, under lock.
type Billing struct {
	receipts map[string]*GoodsReceipt // by folded number
	before   map[string]GoodsReceipt
}

// Part is what a receipt brought in of one line of a purchase order, at one cost: pieces with serial numbers have a
// line of the receipt each, and are billed together.
type Part struct {
	ReceiptLine // the first of its lines
	Quantity    dec.Dec
	Billed      dec.Dec
}

// Unbilled is what no invoice has asked for.
func (p Part) Unbilled() dec.Dec { return p.Quantity.Sub(p.Billed) }

// Parts are what a receipt brought in, in the order of its lines.
func (r *GoodsReceipt) Parts() (parts []Part) {
	for _, l := range r.Lines {
		i := slices.IndexFunc(parts, func(p Part) bool { return p.holds(&l) })
		if i < 0 {
			i, parts = len(parts), append(parts, Part{ReceiptLine: l})
		}
		parts[i].Quantity = parts[i].Quantity.Add(l.Quantity)
		parts[i].Billed = parts[i].Billed.Add(l.Billed)
	}
	return parts
}

func (p *Part) holds(l *ReceiptLine) bool {
	return p.SourceLine == l.SourceLine && p.UnitCost == l.UnitCost
}

// part is the one that a line of the receipt belongs to.
func (r *GoodsReceipt) part(line int) (Part, bool) {
	if line < 1 || line > len(r.Lines) {
		return Part{}, false
	}
	parts := r.Parts()
	i := slices.IndexFunc(parts, func(p Part) bool { return p.holds(&r.Lines[line-1]) })
	return parts[i], true
}

// OpenBilling locks receipts that stand, in the order of their ids. Refusals: Receipt.NotFound, Receipt.InvalidStatus.
func OpenBilling(tx *db.Tx, numbers []string) (*Billing, error) {
	found, err := goodsReceipts.LockMany(tx, numbers)
	if err != nil {
		return nil, err
	}
	b := &Billing{make(map[string]*GoodsReceipt, len(found)), make(map[string]GoodsReceipt, len(found))}
	for key, r := range found {
		b.receipts[key] = &r
	}
	for _, r := range b.inOrder() {
		if err := readCharges(tx, r); err != nil {
			return nil, err
		}
		if _, err := ReceiptMoves.Check(ErrReceiptInvalidStatus, "goods receipt", r.Number, r.Status, "bill"); err != nil {
			return nil, err
		}
		b.before[record.Fold(r.Number)] = goodsReceipts.Copy(r)
	}
	for _, n := range numbers {
		if b.receipts[record.Fold(n)] == nil {
			return nil, goodsReceipts.Missing(n)
		}
	}
	return b, nil
}

// Receipt is one of those under lock.
func (b *Billing) Receipt(number string) *GoodsReceipt { return b.receipts[record.Fold(number)] }

// Take bills a quantity of what a line of a receipt, and others like it, brought in. It answers the part as it was
// before. Refusals, in the field of what is wrong: Receipt.NotFound for a line that there is not,
// Receipt.QuantityExceedsUnbilled.
func (b *Billing) Take(field func(name string) string, number string, line int, quantity dec.Dec) (Part, error) {
	r := b.Receipt(number)
	p, ok := r.part(line)
	if !ok {
		return p, ErrReceiptNotFound.Because("receipt %s has no line %d", r.Number, line).In(field("lineNumber"))
	}
	if quantity > p.Unbilled() {
		return p, ErrExceedsUnbilled.Because(
			"%s of item %s came in with receipt %s, of which %s are billed already: %s are too many", p.Quantity, p.Item,
			r.Number, p.Billed, quantity).In(field("quantity"))
	}
	for i := range r.Lines {
		if l := &r.Lines[i]; p.holds(l) {
			q := min(quantity, l.Quantity.Sub(l.Billed))
			l.Billed, quantity = l.Billed.Add(q), quantity.Sub(q)
		}
	}
	return p, nil
}

// Give takes back what was billed.
func (b *Billing) Give(number string, line int, quantity dec.Dec) {
	r := b.Receipt(number)
	p, _ := r.part(line)
	for i := range slices.Backward(r.Lines) {
		if l := &r.Lines[i]; p.holds(l) {
			q := min(quantity, l.Billed)
			l.Billed, quantity = l.Billed.Sub(q), quantity.Sub(q)
		}
	}
}

// Save writes what was billed, or is no longer, and reports it as verb.
func (b *Billing) Save(tx *db.Tx, verb string) error {
	for _, r := range b.inOrder() {
		before := b.before[record.Fold(r.Number)]
		if slices.Equal(r.Lines, before.Lines) {
			continue
		}
		if err := goodsReceipts.Act(tx, verb, before, r); err != nil {
			return err
		}
	}
	return nil
}

func (b *Billing) inOrder() []*GoodsReceipt {
	return slices.SortedFunc(maps.Values(b.receipts), func(x, y *GoodsReceipt) int { return cmp.Compare(x.ID, y.ID) })
}

// Repricing is that goods of a receipt cost Amount more than they came in at, or less where it is below zero, spread
// over so many units.
type Repricing struct {
	Receipt string
	Line    int
	Amount  dec.Dec // base currency
	Over    dec.Dec
	Notes   string
	// What came of it: the units on hand, what of the amount is in the value of the stock now, and the ledger's entry,
	// "" where none was needed.
	OnHand, InStock dec.Dec
	EntryID         string
}

// Reprice books prices that differ from what goods came in at as Revaluation entries. It locks the levels of all goods
// of the receipts, so that charges may follow.
func (b *Billing) Reprice(tx *db.Tx, rows []*Repricing) error {
	var keys []Key
	for _, r := range b.receipts {
		for _, l := range r.Lines {
			keys = append(keys, Key{l.ItemID, r.Warehouse})
		}
	}
	if err := Lock(tx, keys); err != nil || len(rows) == 0 {
		return err
	}
	moves := make([]Move, len(rows))
	for i, x := range rows {
		r := b.Receipt(x.Receipt)
		l := r.Lines[x.Line-1]
		moves[i] = Move{ItemID: l.ItemID, Item: l.Item, Warehouse: r.Warehouse, Location: l.Location,
			RefType: RefPurchaseOrder, RefID: l.PurchaseOrder, Notes: x.Notes}
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return err
	}
	for i, x := range rows {
		m := &moves[i]
		at := p.at(placeOf(Key{m.ItemID, p.warehouse(m.Warehouse)}, m.Location, "", ""), "", "")
		l := p.levels[at.Key]
		var each dec.Dec
		x.OnHand = l.OnHand
		if each, x.InStock = costing.Repriced(x.Amount, x.Over, l.OnHand, l.Average); each != 0 {
			x.EntryID = p.revalue(m, i, at, l.Average.Add(each)).ID
		}
	}
	return p.write(tx)
}

// billed reports whether some of the receipt was billed.
func (r *GoodsReceipt) billed() bool {
	return slices.ContainsFunc(r.Lines, func(l ReceiptLine) bool { return l.Billed > 0 })
}
