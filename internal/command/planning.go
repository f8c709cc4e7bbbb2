package command

import (
	"context"
	"fmt"
	"strings"

	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/each"
	"kontor/internal/front/page"
)

type planningFamily struct {
	Run planningRun `cmd:"" help:"Say what to buy, transfer and make, and why."`
}

type planningRun struct {
	Company string `required:"" help:"Code or id of the company."`
	Create  bool   `help:"Turn proposals into drafts: purchase orders, one for each supplier and warehouse, transfers, and work orders."`
}

// Run plans and prints the proposals.
func (c *planningRun) Run(ctx context.Context, env *Env) error {
	found, made, err := env.App.Plan(ctx, c.Company, c.Create)
	if err != nil {
		return err
	}
	rows := make([]map[string]any, len(found))
	workOrders := each.Of(made.WorkOrders, func(o production.Order) string { return o.Number })
	purchaseOrders := each.Of(made.PurchaseOrders, func(o purchasing.Order) string { return o.Number })
	transfers := each.Of(made.Transfers, func(t transfer.Transfer) string { return t.Number })
	var lines strings.Builder
	for i, p := range found {
		rows[i] = map[string]any{"itemNumber": p.Item, "warehouseCode": p.Warehouse, "proposalType": p.Way,
			"quantity": p.Quantity, "orderDate": p.OrderOn, "expectedDate": p.ComesOn, "supplierNumber": p.Supplier,
			"reason": p.Reason, "warnings": p.Warnings}
		what := fmt.Sprintf("%s %s of %s, here on %s", page.Words(string(p.Way)), p.Quantity, p.Item, p.ComesOn)
		if p.Quantity == 0 {
			what = "Nothing more of " + p.Item
		}
		fmt.Fprintf(&lines, "%s  %s  %s: %s (%s against %s)", p.OrderOn, p.Warehouse, what,
			page.Words(string(p.Reason)), p.Projected, p.Trigger)
		for _, w := range p.Warnings {
			fmt.Fprintf(&lines, "; warning: %s", page.Words(string(w)))
		}
		lines.WriteByte('\n')
	}
	left := make([]map[string]any, len(made.LeftOut))
	for i, p := range made.LeftOut {
		left[i] = map[string]any{"itemNumber": p.Item, "warehouseCode": p.Warehouse, "quantity": p.Quantity,
			"reason": p.Because}
		fmt.Fprintf(&lines, "no draft for %s of %s in %s: %s\n", p.Quantity, p.Item, p.Warehouse, p.Because)
	}
	return env.Print(map[string]any{"proposals": rows, "purchaseOrders": purchaseOrders, "transfers": transfers,
		"workOrders": workOrders, "leftOut": left},
		"%s%d proposals, %d transfers, %d purchase orders and %d work orders made\n", lines.String(), len(found),
		len(transfers), len(purchaseOrders), len(workOrders))
}
