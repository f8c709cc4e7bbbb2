// Package replenishment is the planning run: what every item has in every warehouse, what is known to come and go, and
// what planning proposes to buy, move and make because of it. It writes nothing itself; proposals become drafts of the
// rooms that keep the documents.
package replenishment

import (
	"cmp"
	"slices"
	"time"

	"kontor/internal/business/production"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Proposal is something to order, with the numbers it follows from. One without a quantity says that something is short
// and what is missing to propose anything.
type Proposal struct {
	planning.Proposal
	ItemID, Item, Name string
	Warehouse          string
	Supplier           string // number; of what is bought
	MinOrder, Multiple *dec.Dec
	From               string   // warehouse; of what is transferred
	OrderOn, ComesOn   day.Date // the days to order on, and that it comes on
	Warnings           []Warning
}

// What a proposal says, in the words of planning.
type (
	// Way is where stock comes from.
	Way = planning.Way
	// Reason is why something is proposed.
	Reason = planning.Reason
	// Warning is what is missing to propose something well.
	Warning = planning.Warning
)

// Run plans everything: each item in each warehouse that has a row of its own, is asked for, or stands in what is made
// or moved because of that. Proposals are in the order of the day to order on, then of item and warehouse.
func Run(tx *db.Tx) ([]Proposal, error) {
	g, err := gather(tx, nil)
	if err != nil {
		return nil, err
	}
	return g.proposals(planning.RunAll(g.nodes), nil), nil
}

// RunFor is what Run proposes of some items, named by their numbers. It reads them and what is made of them alone.
func RunFor(tx *db.Tx, numbers []string) ([]Proposal, error) {
	wanted, scope, err := scopeOf(tx, numbers)
	if err != nil || len(wanted) == 0 {
		return nil, err
	}
	g, err := gather(tx, scope)
	if err != nil {
		return nil, err
	}
	return g.proposals(planning.RunAll(g.nodes), wanted), nil
}

// proposals are what plans propose, of all items or of those that are wanted, by id.
func (g *gathered) proposals(plans []planning.Plan, wanted map[string]bool) (all []Proposal) {
	for i, plan := range plans {
		if wanted == nil || wanted[g.keys[i].ItemID] {
			all = append(all, g.proposalsOf(i, plan)...)
		}
	}
	slices.SortFunc(all, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(a.OrderOn, b.OrderOn), cmp.Compare(a.Item, b.Item),
			cmp.Compare(a.Warehouse, b.Warehouse), cmp.Compare(a.ComesOn, b.ComesOn))
	})
	return all
}

func (g *gathered) proposalsOf(i int, plan planning.Plan) (all []Proposal) {
	k, n := g.keys[i], &g.nodes[i]
	it := g.items[k.ItemID]
	p := Proposal{ItemID: k.ItemID, Item: it.number, Name: it.name, Warehouse: k.Warehouse, Warnings: plan.Warnings,
		From: n.From}
	if s := n.Supplier; s != nil && n.Way == planning.Purchase {
		p.Supplier, p.MinOrder, p.Multiple = s.Number, s.MinOrder, s.Multiple
	}
	for _, one := range plan.Proposals {
		p.Proposal = one
		p.OrderOn, p.ComesOn = g.today.AddDays(one.Order), g.today.AddDays(one.Arrival)
		all = append(all, p)
	}
	if len(plan.Proposals) == 0 && len(plan.Warnings) > 0 {
		p.Proposal = planning.Proposal{Way: n.Way, Reason: planning.Short, Trigger: plan.Trigger, Safety: plan.Safety,
			Projected: lowest(plan)}
		p.OrderOn, p.ComesOn = g.today, g.today
		all = append(all, p)
	}
	return all
}

// lowest is the least that is projected.
func lowest(p planning.Plan) dec.Dec {
	low := p.Points[0].Stock
	for _, at := range p.Points {
		low = min(low, at.Stock)
	}
	return low
}

// item is what planning knows of an item.
type item struct {
	number, name  string
	replenishment string
	decimals      int
}

// gathered is everything a run is made of.
type gathered struct {
	today    day.Date
	scope    []string // ids of the items it is about, nil = all
	book     *reference.Book
	items    map[string]item
	parts    map[string][]production.BOMLine // by item
	keys     []stock.Key
	nodes    []planning.Node
	at       map[stock.Key]int
	rows     map[stock.Key]row
	onHand   map[stock.Key]dec.Dec
	moves    map[stock.Key][]planning.Movement
	supplier map[string]*planning.Supplier // by item
}

// row is an item-warehouse as planning reads it.
type row struct {
	isActive                            bool
	replenishment, policy, lot          string
	min, max, reorder, safety, computed *dec.Dec
	lead, transferLead                  *int
	from                                string
	importance                          stock.Importance
	level                               *dec.Dec // of service
}

// on counts a day from today; what should have been is today.
func (g *gathered) on(d day.Date) int {
	if d == "" || d <= g.today {
		return 0
	}
	return int(d.Time().Sub(g.today.Time()) / (24 * time.Hour))
}

func (g *gathered) move(k stock.Key, d day.Date, q dec.Dec, cause planning.Cause) {
	g.moves[k] = append(g.moves[k], planning.Movement{Day: g.on(d), Quantity: q, Cause: cause})
}

// link makes the nodes, and those that they ask for something.
func (g *gathered) link() {
	for k := range g.rows {
		g.keys = append(g.keys, k)
	}
	for k := range g.moves {
		if _, known := g.rows[k]; !known {
			g.keys = append(g.keys, k)
		}
	}
	slices.SortFunc(g.keys, func(a, b stock.Key) int {
		return cmp.Or(cmp.Compare(a.ItemID, b.ItemID), cmp.Compare(a.Warehouse, b.Warehouse))
	})
	g.keys = slices.DeleteFunc(g.keys, func(k stock.Key) bool {
		r, known := g.rows[k]
		return known && !r.isActive || g.items[k.ItemID].number == ""
	})
	for i, k := range g.keys {
		g.at[k] = i
	}
	for i := 0; i < len(g.keys); i++ { // grows while it is walked
		g.node(g.keys[i])
	}
}

// ask is the node of a key, made where there is none yet; -1 for what is not planned.
func (g *gathered) ask(k stock.Key) int {
	if i, known := g.at[k]; known {
		return i
	}
	if r, known := g.rows[k]; known && !r.isActive || g.items[k.ItemID].number == "" {
		return -1
	}
	g.at[k] = len(g.keys)
	g.keys = append(g.keys, k)
	return g.at[k]
}

func (g *gathered) node(k stock.Key) {
	r, known := g.rows[k]
	if !known {
		r = row{policy: string(stock.ToStock), lot: string(stock.LotForLot)}
	}
	it := g.items[k.ItemID]
	n := planning.Node{Source: -1, Position: planning.Position{OnHand: g.onHand[k], Movements: g.moves[k],
		Rule: planning.Rule{Way: wayOf(cmp.Or(r.replenishment, it.replenishment)),
			IsToOrder: r.policy == string(stock.ToOrder), Lot: planning.Lot(r.lot), Min: r.min, Max: r.max,
			Reorder: r.reorder, Safety: r.safety, Calculated: r.computed, Lead: r.lead, TransferLead: r.transferLead,
			Supplier: g.supplier[k.ItemID], Decimals: it.decimals}}}
	switch n.Way {
	case planning.Transfer:
		if w, ok := g.book.Warehouse(r.from); ok {
			n.From, n.Transport = w.Code, w.TransportDays
			n.Source = g.ask(stock.Key{ItemID: k.ItemID, Warehouse: w.Code})
		}
	case planning.Manufacture:
		n.HasNoParts = len(g.parts[k.ItemID]) == 0
		for _, l := range g.parts[k.ItemID] {
			if to := g.ask(stock.Key{ItemID: l.ItemID, Warehouse: k.Warehouse}); to >= 0 {
				n.Parts = append(n.Parts, planning.Share{Node: to, Quantity: l.Quantity, ScrapPercent: l.ScrapPercent})
			}
		}
	}
	g.nodes = append(g.nodes, n)
}

// wayOf is where stock comes from by a type of replenishment: what is assembled is made, and what is subcontracted is
// bought.
func wayOf(replenishment string) planning.Way {
	switch replenishment {
	case "Manufacture", "Assembly":
		return planning.Manufacture
	case "Transfer":
		return planning.Transfer
	}
	return planning.Purchase
}
