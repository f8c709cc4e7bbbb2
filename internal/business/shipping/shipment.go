// Package shipping is the way of goods out of the house: a shipment takes the allocated quantities of one
// or several released orders from the warehouse through picking, packing and booking a carrier to the
// hand-over, where the stock is issued and the orders learn what was delivered.
//
// Locks are taken in this order: the shipment, its orders, stock levels.
package shipping

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Shipments is the resource of this room.
var Shipments = record.Define("shipments", "shipment", "Shipment", "shipment_line", "shipment_pick", "shipment_package")

// What this room refuses.
var (
	ErrNotFound           = fault.New(fault.NotFound, "Shipment.NotFound")
	ErrInvalidStatus      = fault.New(fault.Conflict, "Shipment.InvalidStatus")
	ErrInvalid            = fault.New(fault.Invalid, "Shipment.Invalid")
	ErrOrderNotFound      = fault.New(fault.Invalid, "SalesOrder.NotFound")
	ErrOrderStatus        = fault.New(fault.Invalid, "SalesOrder.InvalidStatus")
	ErrNoDeliveryAddress  = fault.New(fault.Conflict, "SalesOrder.NoDeliveryAddress")
	ErrNoAllocations      = fault.New(fault.Conflict, "Shipment.NoHardAllocations")
	ErrNoDeliverable      = fault.New(fault.Conflict, "Shipment.NoDeliverableLines")
	ErrNoMethod           = fault.New(fault.Invalid, "Shipment.NoShippingMethod")
	ErrMethodNotFound     = fault.New(fault.Invalid, "ShippingMethod.NotFound")
	ErrDifferentCustomers = fault.New(fault.Invalid, "Shipment.DifferentCustomers")
	ErrDifferentAddresses = fault.New(fault.Invalid, "Shipment.DifferentAddresses")
	ErrDifferentMethods   = fault.New(fault.Invalid, "Shipment.DifferentShippingMethods")
	ErrShipGroup          = fault.New(fault.Conflict, "Shipment.ShipGroupOrderCannotBeConsolidated")
	ErrIsPickup           = fault.New(fault.Conflict, "Shipment.IsPickup")
	ErrTrackingRequired   = fault.New(fault.Invalid, "Shipment.TrackingRequired")
	ErrLineNotFound       = fault.New(fault.Invalid, "ShipmentLine.NotFound")
	ErrExceedsLine        = fault.New(fault.Invalid, "Shipment.QuantityExceedsLine")
	ErrLocationNotFound   = fault.New(fault.Invalid, "WarehouseLocation.NotFound")
	ErrPackageNotFound    = fault.New(fault.NotFound, "ShipmentPackage.NotFound")
)

// Status is where a shipment stands.
type Status string

// The statuses, in the order goods pass through them.
const (
	Hold           Status = "Hold"
	Released       Status = "Released"
	Picking        Status = "Picking"
	Picked         Status = "Picked"
	ReadyForPickup Status = "ReadyForPickup"
	Packing        Status = "Packing"
	Packed         Status = "Packed"
	Booked         Status = "Booked"
	PickedUp       Status = "PickedUp"
	InTransit      Status = "InTransit"
	Delivered      Status = "Delivered"
	Failed         Status = "Failed"
	Cancelled      Status = "Cancelled"
)

// Values are all statuses.
func (Status) Values() []Status {
	return []Status{Hold, Released, Picking, Picked, ReadyForPickup, Packing, Packed, Booked, PickedUp, InTransit,
		Delivered, Failed, Cancelled}
}

var inHouse = []Status{Hold, Released, Picking, Picked, ReadyForPickup, Packing, Packed, Booked}

// Moves are the moves of a shipment. Where the table leaves the goal open, the verb decides: picking by
// what is still to be picked, packing and handing over by whether the customer fetches the goods. Packing
// and booking may be skipped unless the company forbids it; picking may stop short of the whole.
var Moves = lifecycle.Moves[Status]{
	"change": {From: inHouse, Done: "changed"},
	"hold":   {From: []Status{Released}, To: Hold, Done: "held"},
	"unhold": {From: []Status{Hold}, To: Released, Done: "let go on"},
	"pick":   {From: []Status{Released, Picking}, Done: "picked"},
	"change packages": {From: []Status{Picking, Picked, ReadyForPickup, Packing, Packed, Booked},
		Done: "packed otherwise"},
	"pack": {From: []Status{Picking, Picked, Packing}, Done: "packed"},
	"book": {From: []Status{Picking, Picked, Packing, Packed}, To: Booked,
		Done: "booked with the carrier"},
	"hand-over": {From: []Status{Picking, Picked, ReadyForPickup, Packing, Packed, Booked},
		Done: "handed over"},
	"deliver":    {From: []Status{PickedUp, InTransit}, To: Delivered, Done: "delivered"},
	"fail":       {From: []Status{InTransit}, To: Failed, Done: "reported as failed"},
	"send-again": {From: []Status{Failed}, To: InTransit, Done: "sent again"},
	"take-back":  {From: []Status{Failed}, To: Cancelled, Done: "taken back"},
	"cancel":     {From: inHouse, To: Cancelled, Done: "cancelled"},
}

// Shipment is goods that travel together. Fields are named as the wire and so the activity log names them.
type Shipment struct {
	record.Root
	Number                string
	Status                Status
	CustomerID            string `log:"-"`
	CustomerNumber        string
	WarehouseCode         string   `db:"warehouse"`
	ShippingMethodCode    string   `db:"method_code"`
	ShippingMethodName    string   `db:"method_name"`
	IsPickup              bool     // the customer fetches the goods
	PlannedShipDate       day.Date `db:"planned_on"`
	RequestedDeliveryDate day.Date `db:"requested_on"`
	ShippedDate           db.Time  `db:"shipped_at"`
	DeliveredDate         db.Time  `db:"delivered_at"`
	TrackingNumber        string
	TrackingURL           string
	ExternalBookingID     string `db:"booking_id"`
	GoodsLabel            string
	IncotermsCode         string `db:"incoterms"`
	Notes                 string
	DeliveryAddress       party.Postal `db:"address"`
	TotalWeightKg         *dec.Dec     `db:"weight_kg"`
	Packages              []Package    `db:"-"`
	PackageCount          int          `db:"packages" log:"-"` // what the head says
	PickCount             int          `db:"picks" log:"-"`    // likewise
	Lines                 []Line       `log:"-"`               // save logs what was picked of them

	picks     []pick
	unclaimed bool // its goods were never reserved: see Dispatch
}

// Line is what a shipment holds of one order line. Quantities are in the order line's unit.
type Line struct {
	Number      int `db:"line"`
	OrderID     string
	OrderNumber string
	OrderLine   int
	ItemID      string
	Item        string
	ItemName    string
	Unit        string
	Quantity    dec.Dec
	Factor      dec.Dec // base units per unit
	Picked      dec.Dec
	Returned    dec.Dec // base units that came back, of goods nobody tells apart
	Decimals    int     // decimals a quantity of the item may have
	Tracking    catalog.TrackingType
	WeightKg    *dec.Dec // of one base unit
	UnitCost    *dec.Dec // of one base unit when it left
}

// base is q of the line's unit in base units.
func (l Line) base(q dec.Dec) dec.Dec { return q.Mul(l.Factor) }

// Package is one parcel of a shipment.
type Package struct {
	Number         int `db:"package"`
	TrackingNumber string
	WeightKg       *dec.Dec
	LengthCm       *dec.Dec
	WidthCm        *dec.Dec
	HeightCm       *dec.Dec
	Notes          string
}

// pick is what a picker named: from where, which batch, which piece. Base units.
type pick struct {
	Number                  int `db:"pick"`
	Line                    int
	Location, Batch, Serial string
	Quantity, Returned      dec.Dec
}

// OrderNumbers are the orders the shipment delivers, in the order of its lines.
func (s *Shipment) OrderNumbers() []string {
	var numbers []string
	seen := map[string]bool{}
	for _, l := range s.Lines {
		if !seen[l.OrderID] {
			seen[l.OrderID] = true
			numbers = append(numbers, l.OrderNumber)
		}
	}
	return numbers
}

// weigh is the weight of the packages once one of them was weighed, else that of the goods as far as
// the items' weights are known; nil where it is not known, or more than anything weighs.
func (s *Shipment) weigh() (kg *dec.Dec) {
	dec.InRange(func() { kg = s.weighed() })
	return kg
}

func (s *Shipment) weighed() *dec.Dec {
	var sum dec.Dec
	weighed := false
	for _, p := range s.Packages {
		if p.WeightKg != nil {
			weighed, sum = true, sum.Add(*p.WeightKg)
		}
	}
	if weighed {
		return &sum
	}
	for _, l := range s.Lines {
		if l.WeightKg == nil {
			return nil
		}
		sum = sum.Add(l.base(l.Quantity).Mul(*l.WeightKg))
	}
	return &sum
}

// HandedOver is fired once goods have left and the orders are booked. Shipment is nil for an order
// that has nothing to ship: its services count as delivered on release.
type HandedOver struct {
	Shipment    *Shipment
	Orders      []*sales.Order
	On          day.Date
	IsDelivered bool // nothing is under way: the hand-over was the delivery
}

// PackedUp is fired once a shipment is packed: one that the customer fetches is ReadyForPickup from then on.
type PackedUp struct{ Shipment *Shipment }

// Delivery is fired once a shipment is marked delivered.
type Delivery struct {
	Shipment *Shipment
	Orders   []*sales.Order
	On       day.Date
}

// TakenBack is fired once a failed shipment's goods are back in stock and its orders know: what was
// invoiced of them must be credited.
type TakenBack struct {
	Shipment *Shipment
	Orders   []*sales.Order
	On       day.Date
}
