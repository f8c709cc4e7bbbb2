package stock

import (
	"cmp"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/engine/costing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

// ChargeKind is what a delivery cost on its way.
type ChargeKind string

// The kinds of charges.
const (
	Freight   ChargeKind = "Freight"
	Customs   ChargeKind = "Customs"
	Insurance ChargeKind = "Insurance"
	OtherCost ChargeKind = "Other"
)

// Values are all kinds.
func (ChargeKind) Values() []ChargeKind { return []ChargeKind{Freight, Customs, Insurance, OtherCost} }

// ChargeBasis is what a charge is spread by.
type ChargeBasis string

// The bases: what the goods cost, or what they weigh.
const (
	ByValue  ChargeBasis = "Value"
	ByWeight ChargeBasis = "Weight"
)

// Values are all bases.
func (ChargeBasis) Values() []ChargeBasis { return []ChargeBasis{ByValue, ByWeight} }

// Charge is a cost of a delivery, spread over what its receipt brought in: a part of the landed cost. Amounts are in
// the base currency.
type Charge struct {
	Number     int `db:"charge"`
	Kind       ChargeKind
	Basis      ChargeBasis
	Amount     dec.Dec
	Reference  string // of the carrier's or the customs' paper
	BookedAt   db.Time
	ReversedAt db.Time
	Reason     string // of the reversal
	Shares     []ChargeShare
}

// ChargeShare is an item's part of a charge. InStock is what made the stock dearer, the rest of Amount is cost of goods
// sold; Returned is what the reversal took out of the stock again.
type ChargeShare struct {
	ItemID             string `log:"-"`
	Item               string
	Amount             dec.Dec
	Quantity           dec.Dec // that the receipt brought in
	OnHand             dec.Dec // as it was booked
	InStock            dec.Dec
	Returned, LeftOver dec.Dec // LeftOver is on hand as it was reversed
	EntryID            string  `log:"-"`
	CounterID          string  `log:"-"`
}

// Sold is the part of the charge that is cost of goods sold.
func (s ChargeShare) Sold() dec.Dec { return s.Amount.Sub(s.InStock).Add(s.Returned) }

// NewCharge is what a caller says of a charge.
type NewCharge struct {
	Kind      ChargeKind
	Basis     ChargeBasis
	Amount    dec.Dec
	Reference string
}

// AddCharge spreads a charge over the lines of a receipt, by largest remainder in whole minor units, and books it as
// Revaluation entries: what lies in the warehouse still becomes dearer, the rest is cost of goods sold. Refusals:
// Receipt.NotFound, Receipt.InvalidStatus for a reversed one, and with 400 an amount that is not above 0 or finer than
// the currency, weights that are not known, goods that are worth nothing.
func AddCharge(tx *db.Tx, receiptNumber string, n NewCharge) (GoodsReceipt, error) {
	r, before, err := beginCharge(tx, receiptNumber)
	if err != nil {
		return r, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return r, err
	}
	digits := book.Base().Decimals
	var wrong fault.List
	wrong.If(n.Amount <= 0 || n.Amount.Decimals() > digits, fault.ErrInvalid, "amount",
		"must be above 0, with at most %d decimals", digits)
	limit.Amount.Check(&wrong, "amount", n.Amount)
	weights, err := r.weights(tx, &wrong, n.Basis)
	if err != nil {
		return r, err
	}
	if err := wrong.Err(); err != nil {
		return r, err
	}
	c := Charge{Number: len(r.Charges) + 1, Kind: n.Kind, Basis: n.Basis, Amount: n.Amount, Reference: n.Reference,
		BookedAt: tx.Now, Shares: r.shares(dec.Spread(n.Amount, digits, weights))}
	err = r.revalue(tx, c.Shares, n.Reference, func(s *ChargeShare, l *level) (each dec.Dec, entryID *string) {
		s.OnHand = l.OnHand
		each, s.InStock = costing.Landed(s.Amount, s.Quantity, l.OnHand)
		return each, &s.EntryID
	})
	if err != nil {
		return r, err
	}
	r.Charges = append(r.Charges, c)
	if err := insertCharge(tx, &r, &c); err != nil {
		return r, err
	}
	return r, Receipts.Acted(tx, &r.Root, r.Number, "charge", before, r)
}

// ReverseCharge takes a charge back by counter-entries: out of the value of what lies there still, the rest out of
// the cost of goods sold. Refusals: Receipt.NotFound, also for a charge that there is not, and
// Receipt.InvalidStatus for one that was reversed before.
func ReverseCharge(tx *db.Tx, receiptNumber string, number int, reason string) (GoodsReceipt, error) {
	r, before, err := beginCharge(tx, receiptNumber)
	if err != nil {
		return r, err
	}
	if number < 1 || number > len(r.Charges) {
		return r, ErrReceiptNotFound.Because("receipt %s has no charge %d", r.Number, number)
	}
	c := &r.Charges[number-1]
	if c.ReversedAt != 0 {
		return r, ErrReceiptInvalidStatus.Because("charge %d of receipt %s was reversed before", number, r.Number)
	}
	c.ReversedAt, c.Reason = tx.Now, reason
	err = r.revalue(tx, c.Shares, reason, func(s *ChargeShare, l *level) (each dec.Dec, entryID *string) {
		s.LeftOver = l.OnHand
		each, s.Returned = costing.Unlanded(s.InStock, s.OnHand, l.OnHand, l.Average)
		return each.Neg(), &s.CounterID
	})
	if err != nil {
		return r, err
	}
	if err := updateCharge(tx, &r, c); err != nil {
		return r, err
	}
	return r, Receipts.Acted(tx, &r.Root, r.Number, "reverse charge", before, r)
}

// beginCharge locks a receipt that stands.
func beginCharge(tx *db.Tx, receiptNumber string) (r, before GoodsReceipt, err error) {
	if r, err = lockReceipt(tx, receiptNumber); err != nil {
		return r, r, err
	}
	before = r
	before.Charges = slices.Clone(r.Charges)
	for i := range before.Charges {
		before.Charges[i].Shares = slices.Clone(r.Charges[i].Shares)
	}
	_, err = ReceiptMoves.Check(ErrReceiptInvalidStatus, "goods receipt", r.Number, r.Status, "charge")
	return r, before, err
}

// weights are what each line bears of a charge.
func (r *GoodsReceipt) weights(tx *db.Tx, wrong *fault.List, basis ChargeBasis) ([]dec.Dec, error) {
	ids := each.Of(r.Lines, func(l ReceiptLine) string { return l.ItemID })
	items, err := catalog.FindByID(tx, ids)
	if err != nil {
		return nil, err
	}
	out, any := make([]dec.Dec, len(r.Lines)), false
	for i, l := range r.Lines {
		each := l.UnitCost
		if basis == ByWeight {
			each = 0
			if w := items[l.ItemID].WeightKg; w != nil {
				each = *w
			}
			if each <= 0 {
				wrong.Add(fault.ErrInvalid, "basis", "item %s has no weight: give it one, or spread by value", l.Item)
				return out, nil
			}
		}
		out[i] = l.Quantity.Mul(each)
		any = any || out[i] > 0
	}
	wrong.If(!any, fault.ErrInvalid, "basis", "the goods of this receipt cost nothing: spread by weight")
	return out, nil
}

// shares gathers by item what each line bears.
func (r *GoodsReceipt) shares(amounts []dec.Dec) []ChargeShare {
	by := map[string]*ChargeShare{}
	for i, l := range r.Lines {
		s := by[l.ItemID]
		if s == nil {
			s = &ChargeShare{ItemID: l.ItemID, Item: l.Item}
			by[l.ItemID] = s
		}
		s.Amount, s.Quantity = s.Amount.Add(amounts[i]), s.Quantity.Add(l.Quantity)
	}
	out := make([]ChargeShare, 0, len(by))
	for _, s := range by {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b ChargeShare) int { return cmp.Compare(a.ItemID, b.ItemID) })
	return out
}

// revalue books what shares make of the value of their levels: work says what a unit costs more, and where to note the
// entry.
func (r *GoodsReceipt) revalue(tx *db.Tx, shares []ChargeShare, notes string,
	work func(*ChargeShare, *level) (each dec.Dec, entryID *string)) error {
	at := map[string]ReceiptLine{}
	for _, l := range slices.Backward(r.Lines) {
		at[l.ItemID] = l
	}
	moves := make([]Move, len(shares))
	for i, s := range shares {
		l := at[s.ItemID]
		moves[i] = Move{ItemID: s.ItemID, Item: s.Item, Warehouse: r.Warehouse, Location: l.Location,
			RefType: RefPurchaseOrder, RefID: l.source(), Notes: notes}
		if l.TransferOrder != "" {
			moves[i].RefType = RefTransfer
		}
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return err
	}
	for i := range shares {
		b := p.at(placeOf(Key{shares[i].ItemID, p.warehouse(r.Warehouse)}, moves[i].Location, "", ""), "", "")
		l := p.levels[b.Key]
		if each, entryID := work(&shares[i], l); each != 0 {
			*entryID = p.revalue(&moves[i], i, b, l.Average.Add(each)).ID
		}
	}
	return p.write(tx)
}

// charged reports whether some charge of the receipt stands.
func (r *GoodsReceipt) charged() bool {
	return slices.ContainsFunc(r.Charges, func(c Charge) bool { return c.ReversedAt == 0 })
}
