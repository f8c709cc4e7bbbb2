package stock

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/engine/costing"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Receipts is the resource of goods receipts.
var Receipts = record.Define("receipts", "goods_receipt", "Receipt", "goods_receipt_line", "goods_receipt_charge",
	"goods_receipt_share")

// What receipts refuse besides what the ledger does.
var (
	ErrReceiptNotFound      = fault.New(fault.NotFound, "Receipt.NotFound")
	ErrReceiptInvalidStatus = fault.New(fault.Conflict, "Receipt.InvalidStatus")
	ErrTrackingRequired     = fault.New(fault.Invalid, "Receipt.TrackingRequired")
	ErrExpiryDiffers        = fault.New(fault.Invalid, "Receipt.ExpiryDiffers")
	ErrGoodsGone            = fault.New(fault.Conflict, "Receipt.GoodsGone")
)

// ReceiptStatus is where a receipt stands.
type ReceiptStatus string

// The statuses. A receipt is Completed at once; Cancelled is one that was reversed.
const (
	ReceiptDraft      ReceiptStatus = "Draft"
	ReceiptInProgress ReceiptStatus = "InProgress"
	ReceiptCompleted  ReceiptStatus = "Completed"
	ReceiptCancelled  ReceiptStatus = "Cancelled"
)

// Values are all statuses.
func (ReceiptStatus) Values() []ReceiptStatus {
	return []ReceiptStatus{ReceiptDraft, ReceiptInProgress, ReceiptCompleted, ReceiptCancelled}
}

// ReceiptMoves are the moves of a receipt.
var ReceiptMoves = lifecycle.Moves[ReceiptStatus]{
	"reverse": {From: []ReceiptStatus{ReceiptCompleted}, To: ReceiptCancelled, Done: "reversed"},
	"charge":  {From: []ReceiptStatus{ReceiptCompleted}, Done: "charged with costs"},
	"bill":    {From: []ReceiptStatus{ReceiptCompleted}, Done: "billed"},
}

// The kinds of documents that entries refer to besides those of the rooms above.
const (
	RefPurchaseOrder = "PurchaseOrder"
	RefTransfer      = "Transfer"
)

// GoodsReceipt is goods that came in against a document.
type GoodsReceipt struct {
	record.Root
	Number    string
	Status    ReceiptStatus
	Warehouse string
	At        db.Time `db:"received_at"` // the business moment
	Notes     string
	Lines     []ReceiptLine
	Charges   []Charge // freight, customs: known of a receipt that is read alone
}

// ReceiptLine is one entry of the ledger: pieces with serial numbers have a line each.
type ReceiptLine struct {
	Number        int    `db:"line"`
	ItemID        string `log:"-"`
	Item          string
	ItemName      string
	Quantity      dec.Dec // base units
	UnitCost      dec.Dec // base currency, of one base unit
	Location      string
	Batch, Serial string
	PurchaseOrder string // number of the document, one of the two
	TransferOrder string
	SourceLine    int // the document's line
	Notes         string
	EntryID       string  `log:"-"`
	CounterID     string  `log:"-"`
	Billed        dec.Dec // by the supplier
}

// Incoming is what arrived of one document.
type Incoming struct {
	RefType   string // RefPurchaseOrder or RefTransfer
	RefID     string // the document's number
	Warehouse string // code
	At        db.Time
	Notes     string
	Lines     []IncomingLine
}

// IncomingLine is what arrived of one line of the document, of one batch and at one place.
type IncomingLine struct {
	Field    string // prefix of the fields in refusals, such as "lines[2]."
	Line     int    // of the document
	ItemID   string
	Item     string // number
	ItemName string
	Tracking catalog.TrackingType
	Quantity dec.Dec  // base units, above zero
	UnitCost *dec.Dec // base currency, of one base unit; nil = the average cost of the warehouse
	Location string   // "" = the first pickable one
	Batch    string
	Serials  []string // as many as the quantity
	Expiry   day.Date // of the batch
	Notes    string
}

// TakeIn books goods that arrived of one document as Receipt entries, or as Transfer entries where they come from
// another warehouse, writes the receipt, which is Completed at once, and covers back-orders. The document is locked by
// the caller.
// Number series are drawn from last. Refusals: Receipt.TrackingRequired, Receipt.ExpiryDiffers, Inventory.NotTracked,
// WarehouseLocation.NotFound, Inventory.LocationInactive (400), Timestamp.InFuture, Inventory.SerialInStock (409) and
// those of Receive.
func TakeIn(tx *db.Tx, in Incoming) (GoodsReceipt, error) {
	if err := in.check(tx); err != nil {
		return GoodsReceipt{}, err
	}
	at, err := record.Happened(tx, "receiptDate", in.At)
	if err != nil {
		return GoodsReceipt{}, err
	}
	kind := Receipt
	if in.RefType == RefTransfer {
		kind = Transferred
	}
	moves, lines := in.moves()
	entries, err := Receive(tx, kind, moves)
	if err != nil {
		return GoodsReceipt{}, err
	}
	r := GoodsReceipt{Root: record.New(tx), Status: ReceiptCompleted, Warehouse: in.Warehouse, At: at,
		Notes: in.Notes}
	for i, e := range entries {
		l := lines[e.Move]
		l.enter(i+1, &e)
		r.Warehouse, r.Lines = e.Warehouse, append(r.Lines, l)
	}
	return r, goodsReceipts.Create(tx, &r)
}

// enter makes a line of what the ledger says of it.
func (l *ReceiptLine) enter(line int, e *Entry) {
	l.Number, l.Location, l.Batch, l.Serial, l.EntryID = line, e.Location, e.Batch, e.Serial, e.ID
	l.Quantity, l.UnitCost = e.Quantity, *e.UnitCost
}

// moves are the movements of what arrived, with the line of the receipt that each makes.
func (in *Incoming) moves() ([]Move, []ReceiptLine) {
	var moves []Move
	var lines []ReceiptLine
	for _, l := range in.Lines {
		m := Move{ItemID: l.ItemID, Item: l.Item, Tracking: l.Tracking, Warehouse: in.Warehouse, Location: l.Location,
			Batch: l.Batch, Expiry: l.Expiry, Quantity: l.Quantity, UnitCost: l.UnitCost, At: in.At,
			RefType: in.RefType, RefID: in.RefID, Notes: l.Notes}
		line := ReceiptLine{ItemID: l.ItemID, Item: l.Item, ItemName: l.ItemName, SourceLine: l.Line, Notes: l.Notes}
		if in.RefType == RefTransfer {
			line.TransferOrder = in.RefID
		} else {
			line.PurchaseOrder = in.RefID
		}
		if len(l.Serials) == 0 {
			moves, lines = append(moves, m), append(lines, line)
			continue
		}
		for _, serial := range l.Serials {
			m.Serial, m.Quantity = serial, dec.One
			moves, lines = append(moves, m), append(lines, line)
		}
	}
	return moves, lines
}

// Refused is why its document refuses what arrived, with what is wrong with it besides.
func (in *Incoming) Refused(tx *db.Tx, why error) error {
	document, also := fault.As(why), fault.As(in.check(tx))
	if document.Kind != fault.Invalid || also.Kind != fault.Invalid {
		return why
	}
	return document.And(also.Fields)
}

// check holds what arrived against the rules that need no lock, every fault at once.
func (in *Incoming) check(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var wrong fault.List
	if _, err := record.Happened(tx, "receiptDate", in.At); wrong.AddError(err) != nil {
		return err
	}
	named := make([]Move, 0, len(in.Lines))
	for i := range in.Lines {
		l := &in.Lines[i]
		l.check(&wrong)
		if l.Batch != "" {
			named = append(named, Move{ItemID: l.ItemID, Batch: l.Batch})
		}
		if l.Location != "" {
			l.Location = checkPlace(&wrong, book, &in.Warehouse, l.Field+"locationCode", l.Location, true)
		}
	}
	known, err := findBatches(tx, named)
	if err != nil {
		return err
	}
	for _, l := range in.Lines {
		b, ok := known[batchKey{l.ItemID, record.Fold(l.Batch)}]
		wrong.If(ok && l.Expiry != "" && b.Expiry != l.Expiry, ErrExpiryDiffers, l.Field+"expiryDate",
			"batch %s of item %s is known with another date of expiry, or none: leave the date out or name another batch",
			b.Number, l.Item)
	}
	return wrong.Err()
}

// check notes what is wrong with how the goods are told apart.
func (l *IncomingLine) check(wrong *fault.List) {
	wrong.If(l.Quantity <= 0, ErrQuantity, l.Field+"quantity", "must be above 0")
	if l.UnitCost != nil {
		limit.Amount.Of(wrong, l.Field+"unitCost", func() dec.Dec { return l.Quantity.Mul(*l.UnitCost) })
	}
	switch {
	case l.Tracking.Batches() && l.Batch == "":
		wrong.Add(ErrTrackingRequired, l.Field+"batchNumber", "item %s is tracked by batch: name the batch", l.Item)
	case !l.Tracking.Batches() && l.Batch != "":
		wrong.Add(ErrNotTracked, l.Field+"batchNumber", "item %s is not tracked by batch: leave the batch out", l.Item)
	case !l.Tracking.Batches() && l.Expiry != "":
		wrong.Add(ErrNotTracked, l.Field+"expiryDate", "item %s is not tracked by batch: leave the date of expiry out",
			l.Item)
	}
	switch {
	case !l.Tracking.Serials() && len(l.Serials) > 0:
		wrong.Add(ErrNotTracked, l.Field+"serialNumbers", "item %s is not tracked by serial number: leave them out",
			l.Item)
	case l.Tracking.Serials() && l.Quantity != dec.Int(int64(len(l.Serials))):
		wrong.Add(ErrTrackingRequired, l.Field+"serialNumbers",
			"item %s is tracked by serial number: name one for each of the %s pieces, not %d", l.Item, l.Quantity,
			len(l.Serials))
	}
	seen := map[string]bool{}
	for _, s := range l.Serials {
		if key := record.Fold(s); key == "" || seen[key] {
			wrong.Add(ErrTrackingRequired, l.Field+"serialNumbers",
				"%q is empty or named twice: each piece has a number of its own", s)
		} else {
			seen[key] = true
		}
	}
}

// Reverse takes the goods of a receipt that was keyed wrongly out again, by counter-entries at the cost they came in
// with. The caller has locked the document they came of, and undoes there what the receipt did. Refusals:
// Receipt.NotFound, Receipt.InvalidStatus, and Receipt.GoodsGone (409) where some of the goods do not lie where they
// were put, or less would be left than is promised to orders.
func Reverse(tx *db.Tx, receiptNumber, reason string) (GoodsReceipt, error) {
	r, err := lockReceipt(tx, receiptNumber)
	if err != nil {
		return r, err
	}
	before := goodsReceipts.Copy(&r)
	r.Status, err = ReceiptMoves.Check(ErrReceiptInvalidStatus, "goods receipt", r.Number, r.Status, "reverse")
	if err != nil {
		return r, err
	}
	if r.charged() {
		return r, ErrReceiptInvalidStatus.Because(
			"receipt %s bears costs of its delivery: reverse these first, so that they leave the value of the stock",
			r.Number)
	}
	if r.billed() {
		return r, ErrReceiptInvalidStatus.Because(
			"the supplier has billed goods of receipt %s: reject or cancel that invoice first", r.Number)
	}
	moves := make([]Move, len(r.Lines))
	for i, l := range r.Lines {
		moves[i] = Move{ItemID: l.ItemID, Item: l.Item, Warehouse: r.Warehouse, Location: l.Location, Batch: l.Batch,
			Serial: l.Serial, Quantity: l.Quantity, UnitCost: &r.Lines[i].UnitCost, RefType: RefPurchaseOrder,
			RefID: l.PurchaseOrder, Notes: reason}
		if l.TransferOrder != "" {
			moves[i].RefType, moves[i].RefID = RefTransfer, l.TransferOrder
		}
	}
	entries, err := takeBack(tx, moves)
	if err != nil {
		return r, err
	}
	for i := range r.Lines {
		r.Lines[i].CounterID = entries[i].ID
	}
	return r, goodsReceipts.Act(tx, "reverse", before, &r)
}

// takeBack books counter-entries of what a receipt brought in, one for each move, in their order.
func takeBack(tx *db.Tx, moves []Move) ([]Entry, error) {
	p, err := openFor(tx, moves)
	if err != nil {
		return nil, err
	}
	for i := range moves {
		m := &moves[i]
		k := Key{m.ItemID, p.warehouse(m.Warehouse)}
		b := p.at(placeOf(k, m.Location, m.Batch, m.Serial), m.Batch, m.Serial)
		if b.quantity < m.Quantity {
			return nil,
				ErrGoodsGone.Because(
					"%s of item %s came in, %s are left in %s: bring them back there first, or correct the stock by an adjustment",
					m.Quantity, m.Item, b.quantity, p.whereOf(k, m))
		}
		kind := Receipt
		if m.RefType == RefTransfer {
			kind = Transferred
		}
		p.enter(kind, m, i, b, m.Quantity.Neg(), m.UnitCost)
	}
	if err := p.write(tx); err != nil {
		return nil, err
	}
	return p.entries, p.refuseMissing(tx)
}

// refuseMissing refuses to take goods back that are promised: what is held covers no order, so it is not counted.
func (p *posting) refuseMissing(tx *db.Tx) error {
	var keys []Key
	for i := range p.entries {
		if e := &p.entries[i]; p.rank(e.Warehouse, e.Location) >= 0 {
			keys = append(keys, Key{e.ItemID, e.Warehouse})
		}
	}
	keys = sorted(keys)
	missing, err := p.missing(tx, keys)
	if err != nil || len(missing) == 0 {
		return err
	}
	k := keys[slices.IndexFunc(keys, func(k Key) bool { return missing[k] > 0 })]
	l := p.levels[k]
	return ErrGoodsGone.Because(
		"%s of item %s are promised to orders, and %s would be left in warehouse %s: cancel or change these orders first, or receive the right goods before this is reversed",
		l.Allocated, l.item, l.OnHand.Sub(l.held), l.Warehouse)
}

// movesAverage reports whether an entry comes in, or is taken back, at a cost of its own. All others move at the
// average.
func (e *Entry) movesAverage() bool {
	switch e.Kind {
	case Receipt:
		return true
	case Return:
		return e.Quantity > 0
	case Transferred:
		return e.TargetLocation == "" // between warehouses
	}
	return false
}

// averageAfter is the average cost once a signed quantity has moved at a cost of its own.
func averageAfter(onHand, average, quantity, cost dec.Dec) dec.Dec {
	if quantity < 0 {
		return costing.Without(onHand, average, quantity.Neg(), cost)
	}
	return costing.Average(onHand, average, quantity, cost)
}
