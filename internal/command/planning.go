package command

import (
	"context"
	"fmt"
	"strings"

	"kontor/internal/business/production"
	"kontor/internal/business/replenishment"
	"kontor/internal/foundation/db"
)

type planningFamily struct {
	Run planningRun `cmd:"" help:"Say what to buy, transfer and make, and why."`
}

type planningRun struct {
	Company string `required:"" help:"Code or id of the company."`
	Create  bool   `help:"Turn proposals to make something into work orders, as drafts."`
}

// Run plans and prints the proposals.
func (c *planningRun) Run(ctx context.Context, env *Env) error {
	var found []replenishment.Proposal
	var made []production.Order
	err := env.House.InCompany(ctx, c.Company, func(tx *db.Tx) (err error) {
		if found, err = replenishment.Run(tx); err == nil && c.Create {
			made, err = replenishment.Drafts(tx, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	rows, drafts := make([]map[string]any, len(found)), make([]string, len(made))
	var lines strings.Builder
	for i, p := range found {
		rows[i] = map[string]any{"itemNumber": p.Item, "warehouseCode": p.Warehouse, "proposalType": p.Way, "quantity": p.Quantity,
			"orderDate": p.OrderOn, "expectedDate": p.ComesOn, "supplierNumber": p.Supplier, "reason": p.Reason, "warnings": p.Warnings}
		fmt.Fprintf(&lines, "%s  %s  %s %s of %s, here on %s: %s (%s against %s)", p.OrderOn, p.Warehouse, p.Way, p.Quantity, p.Item, p.ComesOn, p.Reason,
			p.Projected, p.Trigger)
		for _, w := range p.Warnings {
			fmt.Fprintf(&lines, "; warning: %s", w)
		}
		lines.WriteByte('\n')
	}
	for i := range made {
		drafts[i] = made[i].Number
	}
	return env.Print(map[string]any{"proposals": rows, "workOrders": drafts}, "%s%d proposals, %d work orders made\n", lines.String(), len(found), len(made))
}
