// Package production is what the house makes itself: bills of materials, which say what an item is made of, and work
// orders, which reserve components, take them out of stock and put what was made of them in.
//
// A work order with its components is one aggregate. What went in is what the output costs: components leave stock at
// their average cost, each completed part takes its share of them, and the output comes in at the sum. Verify
// recomputes it from the ledger.
//
// Locks are taken in this order: sales orders by id, work orders by id, stock levels, number series. What a sales order
// or goods that arrive bring about on work orders is therefore done by a job, after their own transaction.
package production

import (
	"slices"

	"kontor/internal/engine/planning"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// The resources of this room.
var (
	Orders = record.Define("work-orders", "work_order", "WorkOrder", "work_order_line", "work_order_completion",
		"work_order_move")
	BOMs = record.Define("boms", "bom", "BillOfMaterials", "bom_line")
)

// What this room refuses.
var (
	ErrNotFound       = fault.New(fault.NotFound, "WorkOrder.NotFound")
	ErrInvalid        = fault.New(fault.Invalid, "WorkOrder.Invalid")
	ErrInvalidStatus  = fault.New(fault.Conflict, "WorkOrder.InvalidStatus")
	ErrExceeds        = fault.New(fault.Conflict, "WorkOrder.QuantityExceedsPlanned")
	ErrLineNotFound   = fault.New(fault.Invalid, "WorkOrderLine.NotFound")
	ErrNotIssued      = fault.New(fault.Conflict, "WorkOrderLine.NotIssued")
	ErrComponentsLeft = fault.New(fault.Conflict, "WorkOrder.ComponentsLeft")
	ErrItemNotFound   = fault.New(fault.Invalid, "Item.NotFound")
	ErrWarehouse      = fault.New(fault.Invalid, "Warehouse.NotFound")
	ErrBOMNotFound    = fault.New(fault.NotFound, "BillOfMaterials.NotFound")
	ErrBOMInvalid     = fault.New(fault.Invalid, "BillOfMaterials.Invalid")
	ErrCycle          = fault.New(fault.Invalid, "BillOfMaterials.Cycle")
)

// Status is where a work order stands.
type Status string

// The statuses. A Waiting order lacks components, a Planned one has all of them reserved.
const (
	Draft     Status = "Draft"
	Planned   Status = "Planned"
	Waiting   Status = "Waiting"
	Active    Status = "Active"
	Paused    Status = "Paused"
	Completed Status = "Completed"
	Closed    Status = "Closed"
	Cancelled Status = "Cancelled"
	Estimate  Status = "Estimate"
)

// Values are all statuses.
func (Status) Values() []Status {
	return []Status{Draft, Planned, Waiting, Active, Paused, Completed, Closed, Cancelled, Estimate}
}

// HoldsStock reports whether components may be reserved for an order of the status.
func (s Status) HoldsStock() bool { return s == Planned || s == Waiting || s == Active || s == Paused }

// IsOver reports whether nothing more is made, so that nothing more is waited for.
func (s Status) IsOver() bool { return s == Completed || s == Closed || s == Cancelled }

// Moves are the moves of a work order. Whether a planned one has all it needs, and whether a completion was the last,
// the verb decides.
var Moves = lifecycle.Moves[Status]{
	"change":   {From: []Status{Draft, Estimate}, Done: "changed"},
	"estimate": {From: []Status{Draft}, To: Estimate, Done: "estimated"},
	"plan":     {From: []Status{Draft, Estimate, Waiting}, Done: "planned"},
	"start":    {From: []Status{Planned, Waiting, Paused}, To: Active, Done: "started"},
	"pause":    {From: []Status{Active}, To: Paused, Done: "paused"},
	"issue":    {From: []Status{Planned, Waiting, Active}, To: Active, Done: "given its components"},
	"put back": {From: []Status{Active, Paused}, Done: "put back"},
	"complete": {From: []Status{Planned, Waiting, Active}, To: Active, Done: "completed"},
	"finish":   {From: []Status{Active, Paused}, To: Completed, Done: "finished"},
	"close":    {From: []Status{Completed}, To: Closed, Done: "closed"},
	"cancel":   {From: []Status{Draft, Estimate, Planned, Waiting}, To: Cancelled, Done: "cancelled"},
}

// Type is what kind of work it is.
type Type string

// The types.
const (
	Manufacturing Type = "Manufacturing"
	Project       Type = "Project"
	Service       Type = "Service"
	Maintenance   Type = "Maintenance"
)

// Values are all types.
func (Type) Values() []Type { return []Type{Manufacturing, Project, Service, Maintenance} }

// Priority is how urgent a work order is.
type Priority string

// The priorities.
const (
	Low    Priority = "Low"
	Normal Priority = "Normal"
	High   Priority = "High"
	Urgent Priority = "Urgent"
)

// Values are all priorities.
func (Priority) Values() []Priority { return []Priority{Low, Normal, High, Urgent} }

// Order is a work order with its components. Quantities are in base units.
type Order struct {
	record.Root
	Number         string
	Title          string
	Description    string
	Type           Type
	Status         Status
	Priority       Priority
	ItemID         string `log:"-"` // of the output; empty for work that makes no goods
	Item           string // its number
	Unit           string `log:"-"`
	Planned        dec.Dec
	Produced       dec.Dec // good pieces
	Scrapped       dec.Dec
	Cost           dec.Dec // of what was completed, in the base currency
	PlannedFrom    db.Time `db:"planned_from_at"`
	PlannedTo      db.Time `db:"planned_to_at"`
	Began          db.Time `db:"began_at"`
	Ended          db.Time `db:"ended_at"`
	CustomerNumber string
	OrderID        string `log:"-"` // the sales order it is made for
	OrderNumber    string
	OrderLine      int
	Configuration  string // number of the configuration the line was ordered with
	Warehouse      string
	Location       string // where the output is put; "" = chosen by the warehouse
	Lines          []Line
}

// Open is what is still to be made.
func (o *Order) Open() dec.Dec { return max(0, o.Planned.Sub(o.Produced).Sub(o.Scrapped)) }

// line finds a component by its number: lines are numbered from 1 without gaps. nil when there is none.
func (o *Order) line(number int) *Line { return each.Numbered(o.Lines, number) }

// Line is a component of a work order. Quantities are in the component's base unit, costs in the base currency.
type Line struct {
	Number       int    `db:"line"`
	ItemID       string `log:"-"`
	Item         string
	ItemName     string
	Unit         string
	Decimals     int  `log:"-"`
	IsStocked    bool `log:"-"` // kept in stock; others are done or bought outside the ledger and cost nothing here
	PerUnit      dec.Dec
	ScrapPercent dec.Dec
	Required     dec.Dec // for all that is planned
	Reserved     dec.Dec // in stock
	Issued       dec.Dec // out of stock
	IssuedCost   dec.Dec
	Used         dec.Dec // of what was issued: in what was completed
	UsedCost     dec.Dec
}

// Missing is what is neither reserved nor issued.
func (l *Line) Missing() dec.Dec {
	if !l.IsStocked {
		return 0
	}
	return max(0, l.Required.Sub(l.Reserved).Sub(l.Issued))
}

// need is what so many of the output take, rounded up to what the component is counted in.
func (l *Line) need(output dec.Dec) dec.Dec {
	return planning.Required(l.PerUnit, l.ScrapPercent, output, l.Decimals)
}

// isShort reports whether a component is missing.
func (o *Order) isShort() bool {
	return slices.ContainsFunc(o.Lines, func(l Line) bool { return l.Missing() > 0 })
}

// ready is the status of an order that was not begun: Planned with all components reserved, else Waiting.
func (o *Order) ready() Status {
	if o.isShort() {
		return Waiting
	}
	return Planned
}

// Part is a component in a quantity for one of the output.
type Part struct {
	Item         string // number
	Quantity     dec.Dec
	ScrapPercent dec.Dec
}
