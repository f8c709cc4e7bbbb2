// Package planning says what to buy, move and make: for an item in a warehouse, from its stock projected by day and the
// rules of its replenishment. Days are counted from today, which is 0.
//
// The rules, as specified for item-warehouses: when projected stock falls below the greater of safety stock and reorder
// point, lot sizing says how much. LotForLot fills to the safety stock and ignores the reorder point;
// FixedReorderQuantity orders whole multiples of its quantity; FillToMax orders up to the maximum. Safety stock is the
// one set by hand, else the calculated one, else zero. What is bought is rounded up to the supplier's minimum and
// multiple.
//
// Nothing that is ordered today comes before its lead time is over. What falls short until then, and is covered by what
// is under way, is warned of but not ordered again.
package planning

import (
	"cmp"
	"slices"

	"kontor/internal/foundation/dec"
)

// Way is where new stock comes from.
type Way string

// The ways.
const (
	Purchase    Way = "Purchase"
	Transfer    Way = "Transfer"
	Manufacture Way = "Manufacture"
)

// Values are all ways.
func (Way) Values() []Way { return []Way{Purchase, Transfer, Manufacture} }

// Lot is how much is replenished at once.
type Lot string

// The ways of sizing a lot.
const (
	LotForLot            Lot = "LotForLot"
	FixedReorderQuantity Lot = "FixedReorderQuantity"
	FillToMax            Lot = "FillToMax"
)

// UsualLead is the lead time in days of what says none.
const UsualLead = 14

// Rule is how an item is replenished in a warehouse. Quantities are in base units, nil is not set.
type Rule struct {
	Way                Way
	IsToOrder          bool // nothing is kept ready: what is asked for is got, no more
	Lot                Lot
	Min, Max, Reorder  *dec.Dec
	Safety, Calculated *dec.Dec // safety stock: set by hand, and calculated
	Lead               *int     // days, of the item in the warehouse
	Agreement          *int     // days, of the active line of a purchase agreement
	Supplier           *Supplier
	TransferLead       *int   // days
	Transport          int    // days, of the warehouse goods are transferred from
	From               string // warehouse goods are transferred from; "" = none is set
	Decimals           int    // a quantity may have
	HasNoParts         bool   // is made, and has no bill of materials
}

// Supplier is who an item is bought from, and how it is ordered there.
type Supplier struct {
	Number             string
	MinOrder, Multiple *dec.Dec
	Lead               *int // days
}

// Movement is what will come in (above zero) or go out on a day. What should have moved already stands on day 0.
type Movement struct {
	Day      int
	Quantity dec.Dec
	Cause    Cause
}

// Cause is what stock is to come or go for.
type Cause string

// The causes.
const (
	ForSales      Cause = "SalesOrders"
	FromSuppliers Cause = "OnOrder"       // what documents of others say is to come
	FromDrafts    Cause = "DraftedOrders" // purchase orders that are not sent yet
	ByTransfers   Cause = "Transfers"
	FromWork      Cause = "WorkOrders"
	ForWork       Cause = "Components" // of work orders
	ForProposals  Cause = "Proposals"  // of what is made of it, or moved from here
)

// Values are all causes.
func (Cause) Values() []Cause {
	return []Cause{ForSales, FromSuppliers, FromDrafts, ByTransfers, FromWork, ForWork, ForProposals}
}

// Position is an item in a warehouse: its rule, what is there, and what is known to come and go.
type Position struct {
	Rule
	OnHand    dec.Dec
	Movements []Movement
}

// Reason says why something is proposed.
type Reason string

// The reasons.
const (
	BelowSafety  Reason = "BelowSafetyStock"
	BelowReorder Reason = "BelowReorderPoint"
	Short        Reason = "Shortage"
	ForOrder     Reason = "MadeToOrder"
)

// Values are all reasons.
func (Reason) Values() []Reason { return []Reason{BelowSafety, BelowReorder, Short, ForOrder} }

// Warning says what is missing, or cannot be helped.
type Warning string

// The warnings.
const (
	NoLeadTime        Warning = "NoLeadTime"        // the usual one is taken
	NoSupplier        Warning = "NoSupplier"        // nobody to buy it from
	NoReorderQuantity Warning = "NoReorderQuantity" // nothing is proposed
	NoMaxQuantity     Warning = "NoMaxQuantity"     // nothing is proposed
	MaxTooLow         Warning = "MaxBelowReorderPoint"
	NoTransferSource  Warning = "NoTransferSource"
	NoParts           Warning = "NoBillOfMaterials"
	ShortBefore       Warning = "ShortBeforeArrival" // nothing that is ordered today comes in time
	Circle            Warning = "TransferCircle"     // warehouses that fill each other in a circle
	TooLarge          Warning = "QuantityTooLarge"   // more would be needed than can be counted; nothing is proposed
)

// Values are all warnings.
func (Warning) Values() []Warning {
	return []Warning{NoLeadTime, NoSupplier, NoReorderQuantity, NoMaxQuantity, MaxTooLow, NoTransferSource, NoParts,
		ShortBefore, Circle, TooLarge}
}

// LeadSource says which lead time was taken.
type LeadSource string

// The sources of a lead time, in the order in which the first that is set wins.
const (
	FromAgreement     LeadSource = "Agreement"
	FromSupplierItem  LeadSource = "SupplierItem"
	FromItemWarehouse LeadSource = "ItemWarehouse"
	FromTransport     LeadSource = "WarehouseTransport"
	FromNowhere       LeadSource = "Default"
)

// Values are all sources of a lead time.
func (LeadSource) Values() []LeadSource {
	return []LeadSource{FromAgreement, FromSupplierItem, FromItemWarehouse, FromTransport, FromNowhere}
}

// Proposal is something to order, with the numbers it follows from.
type Proposal struct {
	Way       Way
	Quantity  dec.Dec
	Order     int // day to order on
	Arrival   int // day it comes on
	Reason    Reason
	Projected dec.Dec // stock of the day it comes on, without it
	Trigger   dec.Dec // what stock fell below
	Safety    dec.Dec
	Needed    dec.Dec // before it was rounded up to minimum and multiple
	Lead      int
	LeadFrom  LeadSource
}

// Point is projected stock at the end of a day on which it changes; Planned is with what is proposed.
type Point struct {
	Day            int
	Stock, Planned dec.Dec
}

// Plan is what is proposed for a position.
type Plan struct {
	Proposals []Proposal
	Warnings  []Warning
	Points    []Point
	Trigger   dec.Dec
	Safety    dec.Dec
}

// LeadDays is how many days it takes until what is ordered is there.
func (r *Rule) LeadDays() int {
	days, _ := r.lead()
	return days
}

// lead is how many days the rule's way takes, and where that stands.
func (r *Rule) lead() (int, LeadSource) {
	switch r.Way {
	case Transfer:
		if r.TransferLead != nil {
			return *r.TransferLead, FromItemWarehouse
		}
		return r.Transport, FromTransport
	case Purchase:
		if r.Agreement != nil {
			return *r.Agreement, FromAgreement
		}
		if r.Supplier != nil && r.Supplier.Lead != nil {
			return *r.Supplier.Lead, FromSupplierItem
		}
	}
	if r.Lead != nil {
		return *r.Lead, FromItemWarehouse
	}
	return UsualLead, FromNowhere
}

// safety is the safety stock: set by hand, else calculated, else zero. What is got for orders alone keeps none.
func (r *Rule) safety() dec.Dec {
	switch {
	case r.IsToOrder:
		return 0
	case r.Safety != nil:
		return *r.Safety
	case r.Calculated != nil:
		return *r.Calculated
	}
	return 0
}

// trigger is what projected stock must not fall below.
func (r *Rule) trigger() dec.Dec {
	if r.IsToOrder || r.Lot == LotForLot || r.Min == nil {
		return r.safety()
	}
	return max(r.safety(), *r.Min)
}

// size is how much is ordered when stock is below the trigger; 0 where the rule lacks what it needs.
func (r *Rule) size(stock dec.Dec) dec.Dec {
	switch {
	case r.IsToOrder || r.Lot == LotForLot:
		return r.safety().Sub(stock)
	case r.Lot == FixedReorderQuantity:
		if r.Reorder == nil || *r.Reorder <= 0 {
			return 0
		}
		return multiple(r.trigger().Sub(stock), *r.Reorder)
	case r.Max == nil:
		return 0
	}
	return max(0, r.Max.Sub(stock))
}

// round is a quantity as it can be ordered: in what the item is counted in, and of what is bought at least the
// supplier's minimum and a multiple of his.
func (r *Rule) round(q dec.Dec) dec.Dec {
	if q <= 0 {
		return 0
	}
	q = multiple(q, dec.Unit(r.Decimals))
	if r.Way != Purchase || r.Supplier == nil {
		return q
	}
	if r.Supplier.MinOrder != nil {
		q = max(q, *r.Supplier.MinOrder)
	}
	if r.Supplier.Multiple != nil && *r.Supplier.Multiple > 0 {
		q = multiple(q, *r.Supplier.Multiple)
	}
	return q
}

// multiple is the smallest whole multiple of a unit above zero that is not below q.
func multiple(q, unit dec.Dec) dec.Dec {
	if q <= 0 {
		return 0
	}
	n := q.MulDivRound(dec.One, unit, 0)
	if unit.Mul(n) < q {
		n = n.Add(dec.One)
	}
	return unit.Mul(n)
}

// reason says why stock at a level is too low.
func (r *Rule) reason(stock dec.Dec) Reason {
	switch {
	case r.IsToOrder:
		return ForOrder
	case stock < 0:
		return Short
	case stock < r.safety():
		return BelowSafety
	}
	return BelowReorder
}

// warnings are what the rule lacks.
func (r *Rule) warnings(from LeadSource) (out []Warning) {
	note := func(lacks bool, w Warning) {
		if lacks {
			out = append(out, w)
		}
	}
	note(r.Way == Purchase && from == FromNowhere, NoLeadTime)
	note(r.Way == Purchase && r.Supplier == nil, NoSupplier)
	note(r.Way == Transfer && r.From == "", NoTransferSource)
	note(r.Way == Manufacture && r.HasNoParts, NoParts)
	if !r.IsToOrder {
		note(r.Lot == FixedReorderQuantity && (r.Reorder == nil || *r.Reorder <= 0), NoReorderQuantity)
		note(r.Lot == FillToMax && r.Max == nil, NoMaxQuantity)
		note(r.Lot == FillToMax && r.Max != nil && *r.Max < r.trigger(), MaxTooLow)
	}
	return out
}

// Run plans one position. Warnings are those of rules that were needed: what falls short of nothing lacks nothing.
func Run(p Position) Plan {
	lead, from := p.lead()
	plan := Plan{Trigger: p.trigger(), Safety: p.safety()}
	days := byDay(p.Movements)
	stock, planned := p.OnHand, p.OnHand
	isShort, shortBefore := false, false
	arriving := map[int]dec.Dec{}
	for i, d := range days {
		stock, planned = stock.Add(d.Quantity), planned.Add(d.Quantity)
		isShort = isShort || planned < plan.Trigger
		shortBefore = shortBefore || planned < 0 && d.Day < lead
		// Nothing comes before the lead time is over: until then only the last day before it is decided on.
		if planned >= plan.Trigger || d.Day < lead && i+1 < len(days) && days[i+1].Day <= lead {
			continue
		}
		arrival := max(d.Day, lead)
		needed := p.size(planned)
		q := p.round(needed)
		if q <= 0 {
			continue
		}
		plan.Proposals = append(plan.Proposals, Proposal{Way: p.Way, Quantity: q, Order: arrival - lead,
			Arrival: arrival, Reason: p.reason(planned), Projected: planned, Trigger: plan.Trigger, Safety: plan.Safety,
			Needed: needed, Lead: lead, LeadFrom: from})
		planned = planned.Add(q)
		arriving[arrival] = arriving[arrival].Add(q)
	}
	if isShort {
		plan.Warnings = p.warnings(from)
		if shortBefore {
			plan.Warnings = append(plan.Warnings, ShortBefore)
		}
	}
	plan.Points = points(p.OnHand, days, arriving)
	return plan
}

// byDay is what moves on each day on which anything does, in order; today is always among them.
func byDay(all []Movement) []Movement {
	days := make([]Movement, 0, len(all)+1)
	days = append(days, Movement{})
	days = append(days, all...)
	for i := range days {
		days[i].Day = max(0, days[i].Day)
	}
	slices.SortStableFunc(days, func(a, b Movement) int { return cmp.Compare(a.Day, b.Day) })
	last := 0
	for _, m := range days[1:] {
		if m.Day == days[last].Day {
			days[last].Quantity = days[last].Quantity.Add(m.Quantity)
			continue
		}
		last++
		days[last] = m
	}
	return days[:last+1]
}

// points are the stock of each day on which it changes, without and with what is proposed.
func points(onHand dec.Dec, days []Movement, arriving map[int]dec.Dec) []Point {
	all := make([]Movement, 0, len(days)+len(arriving))
	all = append(all, days...)
	for d := range arriving {
		all = append(all, Movement{Day: d})
	}
	out := make([]Point, 0, len(all))
	stock, planned := onHand, onHand
	for _, d := range byDay(all) {
		stock = stock.Add(d.Quantity)
		planned = planned.Add(d.Quantity).Add(arriving[d.Day])
		out = append(out, Point{d.Day, stock, planned})
	}
	return out
}
