package planning

import (
	"kontor/internal/foundation/dec"
)

// Node is a position among others: what it is made of, and where it is transferred from, are positions too.
type Node struct {
	Position
	Parts  []Share // of what is made
	Source int     // node that goods are transferred from, -1 = none
}

// Share is a component: so many of it go into one, and ScrapPercent more are lost on the way.
type Share struct {
	Node                   int
	Quantity, ScrapPercent dec.Dec
}

// Required is what so many of the output take of a component with its scrap: worked out exactly, rounded once to
// millionths and then up to the decimals (0 to 6) that the component is counted in. A plan and the work order that it
// becomes take the same.
func Required(perUnit, scrapPercent, output dec.Dec, decimals int) dec.Dec {
	if output <= 0 {
		return 0
	}
	hundred := dec.Int(100)
	q := dec.Product(dec.Scale, perUnit, output, hundred.Add(scrapPercent), hundred)
	if cut := q.Cut(decimals); cut < q {
		return cut.Add(dec.Unit(decimals))
	}
	return q
}

// RunAll plans positions, each after all that may ask it for something: what is made asks for its parts on the day it
// is begun, what is transferred asks the warehouse it comes from on the day it leaves. The node's movements grow by
// what others ask.
// Positions that ask each other in a circle are planned last, with a warning, and ask nobody.
func RunAll(nodes []Node) []Plan {
	plans := make([]Plan, len(nodes))
	askers := make([]int, len(nodes)) // that are not planned yet
	for i := range nodes {
		for _, to := range nodes[i].asks() {
			askers[to]++
		}
	}
	var ready []int
	for i := len(nodes) - 1; i >= 0; i-- {
		if askers[i] == 0 {
			ready = append(ready, i)
		}
	}
	done := make([]bool, len(nodes))
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		n := &nodes[i]
		plans[i], done[i] = n.plan(nodes), true
		for _, to := range n.asks() {
			if askers[to]--; askers[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	for i := range nodes {
		if !done[i] {
			plans[i] = within(nodes[i].OnHand, func() Plan { return Run(nodes[i].Position) })
			if len(plans[i].Proposals) > 0 {
				plans[i].Warnings = append(plans[i].Warnings, Circle)
			}
		}
	}
	return plans
}

// asks are the nodes that one may ask for something.
func (n *Node) asks() (all []int) {
	switch {
	case n.Way == Transfer && n.Source >= 0:
		return []int{n.Source}
	case n.Way == Manufacture:
		for _, p := range n.Parts {
			all = append(all, p.Node)
		}
	}
	return all
}

// plan is that of one node, after all that ask it; it asks the others.
func (n *Node) plan(nodes []Node) Plan {
	var wants []want
	plan := within(n.OnHand, func() Plan {
		p := Run(n.Position)
		wants = n.wants(nodes, p.Proposals)
		return p
	})
	for _, w := range wants {
		nodes[w.node].Movements = append(nodes[w.node].Movements, w.Movement)
	}
	return plan
}

// within is a plan whose numbers keep to the range of a decimal; where they do not, nothing is proposed and a warning
// says so: one item that is set up wrongly does not leave all others without a plan.
func within(onHand dec.Dec, run func() Plan) (p Plan) {
	if !dec.InRange(func() { p = run() }) {
		return Plan{Warnings: []Warning{TooLarge}, Points: []Point{{0, onHand, onHand}}}
	}
	return p
}

// want is what one node takes from another.
type want struct {
	node int
	Movement
}

// wants are what proposals take from other nodes.
func (n *Node) wants(nodes []Node, proposals []Proposal) (all []want) {
	for _, p := range proposals {
		if n.Way == Transfer && n.Source >= 0 {
			all = append(all, want{n.Source, Movement{p.Order, p.Quantity.Neg(), ForProposals}})
			continue
		}
		if n.Way != Manufacture {
			continue
		}
		for _, part := range n.Parts {
			q := Required(part.Quantity, part.ScrapPercent, p.Quantity, nodes[part.Node].Decimals)
			all = append(all, want{part.Node, Movement{p.Order, q.Neg(), ForProposals}})
		}
	}
	return all
}
