package replenishment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/transfer"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Made is what became of proposals.
type Made struct {
	PurchaseOrders []purchasing.Order
	Transfers      []transfer.Transfer
	WorkOrders     []production.Order
	LeftOut        []LeftOut
}

// LeftOut is a proposal of which no draft could be made.
type LeftOut struct {
	Proposal
	Because string
}

// Draft plans items, named by their numbers, and makes drafts of what is chosen of the proposals, which it answers.
// Nobody else does so meanwhile: who comes next plans with these drafts, so that two who draft at once draft nothing
// twice.
func Draft(tx *db.Tx, numbers []string, choose func(Proposal) bool) (chosen []Proposal, made Made, err error) {
	if err := tx.OneByOne("drafts"); err != nil {
		return nil, made, err
	}
	all, err := RunFor(tx, numbers)
	if err != nil {
		return nil, made, err
	}
	chosen = each.Where(all, choose)
	made, err = drafts(tx, chosen)
	return chosen, made, err
}

// drafts makes drafts of proposals: work orders of what is made, purchase orders of what is bought, one for each
// supplier and warehouse, and transfers of what is moved, one for each two warehouses, or several where they would have
// too many lines. A draft is planned with as what
// is to come and, of a transfer, to go, so that nothing is made twice of it. What has no supplier, no price with him or
// no warehouse to come from, and a line that the document refuses, is left out and named.
func drafts(tx *db.Tx, proposals []Proposal) (made Made, err error) {
	var buy, move, build []Proposal
	for _, p := range proposals {
		switch {
		case p.Quantity <= 0:
		case p.Way == planning.Transfer && p.From == "":
			made.LeftOut = append(made.LeftOut,
				LeftOut{p, "no warehouse is named that the item is transferred from"})
		case p.Way == planning.Transfer:
			move = append(move, p)
		case p.Way == planning.Purchase && p.Supplier == "":
			made.LeftOut = append(made.LeftOut, LeftOut{p, "the item has no primary supplier"})
		case p.Way == planning.Purchase:
			buy = append(buy, p)
		default:
			build = append(build, p)
		}
	}
	for i := range build {
		if err := made.without(tx, build[i:i+1], made.build); err != nil {
			return made, err
		}
	}
	err = eachDraft(buy, purchasing.MaxLines, func(p Proposal) string { return p.Supplier },
		func(lines []Proposal) error { return made.without(tx, lines, made.buy) })
	if err != nil {
		return made, err
	}
	return made, eachDraft(move, transfer.MaxLines, func(p Proposal) string { return p.From },
		func(lines []Proposal) error { return made.without(tx, lines, made.move) })
}

// eachDraft calls fn with the proposals of each source and warehouse, so many at most at once.
func eachDraft(all []Proposal, most int, source func(Proposal) string, fn func([]Proposal) error) error {
	slices.SortStableFunc(all, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(source(a), source(b)), cmp.Compare(a.Warehouse, b.Warehouse))
	})
	for len(all) > 0 {
		n := 1
		for n < min(len(all), most) && source(all[n]) == source(all[0]) && all[n].Warehouse == all[0].Warehouse {
			n++
		}
		if err := fn(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// without makes a draft of proposals, its lines, and once more without those that are refused.
func (m *Made) without(tx *db.Tx, lines []Proposal, draft func(*db.Tx, []Proposal) error) error {
	err := draft(tx, lines)
	if err == nil {
		return nil
	}
	f := fault.As(err)
	if f.Kind != fault.Invalid {
		return err
	}
	var good []Proposal
	for i, p := range lines {
		at := slices.IndexFunc(f.Fields,
			func(x fault.Field) bool { return strings.HasPrefix(x.Path, fmt.Sprintf("lines[%d].", i)) })
		if at < 0 {
			good = append(good, p)
		} else {
			m.LeftOut = append(m.LeftOut, LeftOut{p, f.Fields[at].Message})
		}
	}
	if len(good) == len(lines) { // it is the document itself that is refused
		for _, p := range good {
			m.LeftOut = append(m.LeftOut, LeftOut{p, f.Error()})
		}
		return nil
	}
	if len(good) == 0 {
		return nil
	}
	return m.without(tx, good, draft)
}

// build makes the work order of a proposal.
func (m *Made) build(tx *db.Tx, lines []Proposal) error {
	p := lines[0]
	o, err := production.Create(tx, production.New{Item: p.Item, Quantity: p.Quantity, Warehouse: p.Warehouse,
		PlannedFrom: tx.BeginningOf(p.OrderOn), PlannedTo: tx.BeginningOf(p.ComesOn)})
	if err == nil {
		m.WorkOrders = append(m.WorkOrders, o)
	}
	return err
}

// move makes the transfer of proposals between two warehouses, wanted on the first day that anything of them is to come
// on.
func (m *Made) move(tx *db.Tx, lines []Proposal) error {
	n := transfer.New{Head: transfer.Head{From: lines[0].From, To: lines[0].Warehouse,
		RequestedDate: lines[0].ComesOn}}
	for _, p := range lines {
		n.RequestedDate = min(n.RequestedDate, p.ComesOn)
		n.Lines = append(n.Lines, transfer.NewLine{Item: p.Item, Quantity: p.Quantity})
	}
	t, err := transfer.Create(tx, n)
	if err == nil {
		m.Transfers = append(m.Transfers, t)
	}
	return err
}

// buy makes the purchase order of proposals of one supplier and warehouse.
func (m *Made) buy(tx *db.Tx, lines []Proposal) error {
	n := purchasing.NewOrder{OrderHead: purchasing.OrderHead{SupplierNumber: lines[0].Supplier,
		WarehouseCode: lines[0].Warehouse}}
	for _, p := range lines {
		n.Lines = append(n.Lines, purchasing.NewLine{Item: p.Item, Quantity: p.Quantity, ExpectedDate: p.ComesOn})
	}
	o, err := purchasing.CreateOrder(tx, n)
	if err == nil {
		m.PurchaseOrders = append(m.PurchaseOrders, o)
	}
	return err
}
