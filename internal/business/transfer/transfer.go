// Package transfer moves goods between the company's warehouses.
//
// A transfer is released, which reserves its goods at the source; shipped, which takes them out of the source's stock;
// and received, in one go or several, which puts them into the stock of the destination. In between the goods are in
// transit: on hand in no warehouse, expected at the destination, and known by *parcels*: what left of each line, by
// batch and serial number, and at which cost. So the same pieces arrive, at the cost they left with. Goods that get
// lost on the way are written off at the source.
//
// Who changes one locks the transfer first, then the orders that its goods may serve, then all levels of both
// warehouses at once.
package transfer

import (
	"cmp"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Transfers is the resource of transfers.
var Transfers = record.Define("transfers", "transfer", "Transfer", "transfer_line", "transfer_parcel")

// What this room refuses.
var (
	ErrNotFound      = fault.New(fault.NotFound, "Transfer.NotFound")
	ErrExists        = fault.New(fault.Conflict, "Transfer.AlreadyExists")
	ErrInvalidStatus = fault.New(fault.Conflict, "Transfer.InvalidStatus")
	ErrUnknownCode   = fault.New(fault.Invalid, "Transfer.UnknownCode")
	ErrSameWarehouse = fault.New(fault.Invalid, "Transfer.SameWarehouse")
	ErrNoLines       = fault.New(fault.Conflict, "Transfer.NoLines")
	ErrInvalid       = fault.New(fault.Invalid, "Transfer.Invalid")
	ErrLineNotFound  = fault.New(fault.Invalid, "TransferLine.NotFound")
	ErrLineInvalid   = fault.New(fault.Invalid, "TransferLine.Invalid")
	ErrExceeds       = fault.New(fault.Conflict, "TransferLine.QuantityExceedsOutstanding")
	ErrNotShipped    = fault.New(fault.Conflict, "TransferLine.NotShipped")
)

// Status is where a transfer stands.
type Status string

// The statuses. PartiallyReceived and Received follow from the lines.
const (
	Draft             Status = "Draft"
	Released          Status = "Released"
	InTransit         Status = "InTransit"
	PartiallyReceived Status = "PartiallyReceived"
	Received          Status = "Received"
	Cancelled         Status = "Cancelled"
)

// Values are all statuses.
func (Status) Values() []Status {
	return []Status{Draft, Released, InTransit, PartiallyReceived, Received, Cancelled}
}

// Moves are the moves of a transfer. Where a verb names no status, the lines decide.
var Moves = lifecycle.Moves[Status]{
	"change":    {From: []Status{Draft}, Done: "changed"},
	"release":   {From: []Status{Draft}, To: Released, Done: "released"},
	"ship":      {From: []Status{Released}, To: InTransit, Done: "shipped"},
	"receive":   {From: []Status{InTransit, PartiallyReceived}, Done: "received"},
	"write off": {From: []Status{InTransit, PartiallyReceived}, Done: "written off"},
	"cancel":    {From: []Status{Draft, Released}, To: Cancelled, Done: "cancelled"},
}

// MaxLines is how many lines a transfer has at most.
const MaxLines = 5000

// Head is what may be changed of a draft besides its lines.
type Head struct {
	From           string `db:"from_warehouse"` // code of the warehouse the goods leave
	To             string `db:"to_warehouse"`   // and of the one they go to
	ShippingMethod string
	RequestedDate  day.Date // when the goods are wanted at the destination
	Notes          string
}

// Transfer is goods that go from one warehouse to another.
type Transfer struct {
	record.Root
	Number string
	Status Status
	Head
	ExpectedDate day.Date // told as the goods left
	ReleasedAt   db.Time
	ShippedAt    db.Time
	ReceivedAt   db.Time // the last of the goods came, or was given up
	LineCount    int
	Lines        []Line
}

// Line is one item that goes along. Quantities are in base units.
type Line struct {
	Number     int    `db:"line"`
	ItemID     string `log:"-"`
	Item       string
	ItemName   string
	Unit       string
	Decimals   int `log:"-"`
	Quantity   dec.Dec
	Allocated  dec.Dec // at the source, from release until the goods leave
	Shipped    dec.Dec
	Received   dec.Dec
	WrittenOff dec.Dec // shipped, and lost on the way
}

// Outstanding is what is in transit.
func (l *Line) Outstanding() dec.Dec { return l.Shipped.Sub(l.Received).Sub(l.WrittenOff) }

// coming is what the destination may count on: what is reserved at the source, then what is in transit.
func (l *Line) coming() dec.Dec { return l.Allocated.Add(l.Outstanding()) }

// line finds a line by its number: they are numbered from 1 without gaps. nil when there is none.
func (t *Transfer) line(number int) *Line { return each.Numbered(t.Lines, number) }

// IsInTransit reports whether goods of it are on their way.
func (t *Transfer) IsInTransit() bool { return t.Status == InTransit || t.Status == PartiallyReceived }

// derive writes what follows from the lines: how many there are, and the status of a transfer that has left.
func (t *Transfer) derive() {
	t.LineCount = len(t.Lines)
	t.Status = t.derivedStatus()
}

// derivedStatus is the status that the lines make of a transfer that has left; before that it stays as it is.
func (t *Transfer) derivedStatus() Status {
	if t.Status == Draft || t.Status == Released || t.Status == Cancelled {
		return t.Status
	}
	came, isWhole := false, true
	for i := range t.Lines {
		l := &t.Lines[i]
		came = came || l.Received > 0
		isWhole = isWhole && l.Outstanding() == 0
	}
	switch {
	case isWhole:
		return Received
	case came:
		return PartiallyReceived
	}
	return InTransit
}

// due is when the goods are expected: as was told when they left, else when they are wanted.
func (t *Transfer) due() day.Date {
	return cmp.Or(t.ExpectedDate, t.RequestedDate)
}

// expectations are what the destination expects of the lines.
func (t *Transfer) expectations() []stock.Expectation {
	rows := make([]stock.Expectation, len(t.Lines))
	for i := range t.Lines {
		l := &t.Lines[i]
		rows[i] = stock.Expectation{Line: l.Number, ItemID: l.ItemID, Item: l.Item, Warehouse: t.To, Due: t.due(),
			Quantity: l.coming()}
	}
	return rows
}

// levels are those that a verb may touch, in both warehouses. They are locked at once, because several verbs of stock
// follow each other.
func (t *Transfer) levels() []stock.Key {
	keys := make([]stock.Key, 0, 2*len(t.Lines))
	for i := range t.Lines {
		keys = append(keys, stock.Key{ItemID: t.Lines[i].ItemID, Warehouse: t.From},
			stock.Key{ItemID: t.Lines[i].ItemID, Warehouse: t.To})
	}
	return keys
}

// Parcel is what left of a line, of one batch or under one serial number. Cost is that of one base unit, in the base
// currency.
type Parcel struct {
	Number        int `db:"parcel"`
	Line          int
	Location      string // where it lay
	Batch, Serial string
	Quantity      dec.Dec
	UnitCost      dec.Dec
	Received      dec.Dec
	WrittenOff    dec.Dec
}

// Left is what of it is in transit.
func (p *Parcel) Left() dec.Dec { return p.Quantity.Sub(p.Received).Sub(p.WrittenOff) }
