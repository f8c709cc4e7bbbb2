package replenishment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Made is what became of proposals.
type Made struct {
	PurchaseOrders []purchasing.Order
	WorkOrders     []production.Order
	LeftOut        []LeftOut
}

// LeftOut is a proposal of which no draft could be made.
type LeftOut struct {
	Proposal
	Because string
}

// Drafts makes drafts of proposals: work orders of what is made, and purchase orders of what is bought, one for each supplier and
// warehouse. What is to be moved is left to whoever moves it. A draft is planned with as what is to come, so that nothing is made twice of
// it; what has no supplier, or no price with him, is left out and named.
func Drafts(tx *db.Tx, proposals []Proposal) (made Made, err error) {
	var buy []Proposal
	for _, p := range proposals {
		switch {
		case p.Quantity <= 0 || p.Way == planning.Transfer:
		case p.Way == planning.Purchase && p.Supplier == "":
			made.LeftOut = append(made.LeftOut, LeftOut{p, "the item has no primary supplier"})
		case p.Way == planning.Purchase:
			buy = append(buy, p)
		default:
			o, err := production.Create(tx, production.New{Item: p.Item, Quantity: p.Quantity, Warehouse: p.Warehouse,
				PlannedFrom: db.TimeOf(p.OrderOn.Time()), PlannedTo: db.TimeOf(p.ComesOn.Time())})
			if err != nil {
				return made, err
			}
			made.WorkOrders = append(made.WorkOrders, o)
		}
	}
	slices.SortStableFunc(buy, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(a.Supplier, b.Supplier), cmp.Compare(a.Warehouse, b.Warehouse))
	})
	for len(buy) > 0 {
		n := 1
		for n < len(buy) && buy[n].Supplier == buy[0].Supplier && buy[n].Warehouse == buy[0].Warehouse {
			n++
		}
		if err := made.buy(tx, buy[:n]); err != nil {
			return made, err
		}
		buy = buy[n:]
	}
	return made, nil
}

// buy makes the purchase order of proposals of one supplier and warehouse, without the lines that are refused.
func (m *Made) buy(tx *db.Tx, lines []Proposal) error {
	n := purchasing.NewOrder{OrderHead: purchasing.OrderHead{SupplierNumber: lines[0].Supplier, WarehouseCode: lines[0].Warehouse}}
	for _, p := range lines {
		n.Lines = append(n.Lines, purchasing.NewLine{Item: p.Item, Quantity: p.Quantity, ExpectedDate: p.ComesOn})
	}
	o, err := purchasing.CreateOrder(tx, n)
	if err == nil {
		m.PurchaseOrders = append(m.PurchaseOrders, o)
		return nil
	}
	f := fault.As(err)
	if f.Kind != fault.Invalid {
		return err
	}
	var good []Proposal
	for i, p := range lines {
		at := slices.IndexFunc(f.Fields, func(x fault.Field) bool { return strings.HasPrefix(x.Path, fmt.Sprintf("lines[%d].", i)) })
		if at < 0 {
			good = append(good, p)
		} else {
			m.LeftOut = append(m.LeftOut, LeftOut{p, f.Fields[at].Message})
		}
	}
	if len(good) == len(lines) { // it is the order itself that is refused
		for _, p := range good {
			m.LeftOut = append(m.LeftOut, LeftOut{p, f.Error()})
		}
		return nil
	}
	if len(good) == 0 {
		return nil
	}
	return m.buy(tx, good)
}
