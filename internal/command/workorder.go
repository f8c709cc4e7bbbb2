package command

import (
	"context"
	"strings"

	"kontor/internal/business/production"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

type workOrderFamily struct {
	Create   workOrderCreate   `cmd:"" help:"Make a work order from the item's bill of materials, and reserve its components."`
	Complete workOrderComplete `cmd:"" help:"Complete a work order, or a part of it: components go out of stock, the output comes in at what they cost."`
}

type workOrderCreate struct {
	Company   string `required:"" help:"Code or id of the company."`
	Item      string `arg:"" help:"Number of the item to make."`
	Quantity  string `arg:"" help:"How many, in the item's base unit."`
	Warehouse string `placeholder:"CODE" help:"Where it is made; the company's warehouse if left out."`
	Deep      bool   `help:"Take what the components are made of, through all levels, instead of components that are made themselves."`
	Draft     bool   `help:"Leave it as a draft: nothing is reserved."`
}

// Run makes the order and, unless it is to stay a draft, plans it.
func (c *workOrderCreate) Run(ctx context.Context, env *Env) error {
	quantity, err := quantityOf("quantity", c.Quantity)
	if err != nil {
		return err
	}
	return onWorkOrder(ctx, env, c.Company, func(tx *db.Tx) (production.Order, error) {
		o, err := production.Create(tx, production.New{Item: c.Item, Quantity: quantity, Warehouse: c.Warehouse,
			Deep: c.Deep})
		if err != nil || c.Draft {
			return o, err
		}
		return production.Plan(tx, o.Number)
	})
}

type workOrderComplete struct {
	Company  string   `required:"" help:"Code or id of the company."`
	Number   string   `arg:"" help:"Number of the work order."`
	Quantity string   `arg:"" optional:"" help:"How many good pieces are done; all that are left if left out."`
	Scrap    string   `placeholder:"QUANTITY" help:"How many were spoilt."`
	Location string   `placeholder:"CODE" help:"Where the output is put."`
	Batch    string   `help:"Batch of the output, where that is tracked by batch."`
	Serial   []string `placeholder:"NUMBER" help:"Serial number of a piece of the output; may be repeated."`
	Last     bool     `help:"Nothing more is made, though less was than planned."`
}

// Run completes the order.
func (c *workOrderComplete) Run(ctx context.Context, env *Env) error {
	quantity, err := quantityOf("quantity", c.Quantity)
	if err != nil {
		return err
	}
	scrap, err := quantityOf("scrap", c.Scrap)
	if err != nil {
		return err
	}
	return onWorkOrder(ctx, env, c.Company, func(tx *db.Tx) (production.Order, error) {
		o, err := production.Find(tx, c.Number)
		if err != nil {
			return o, err
		}
		q := quantity
		if c.Quantity == "" {
			q = max(0, o.Open().Sub(scrap))
		}
		return production.Complete(tx, o.Number, production.Completing{Quantity: q, Scrapped: scrap,
			Location: c.Location, Batch: c.Batch, Serials: c.Serial, IsLast: c.Last})
	})
}

// quantityOf reads a quantity; an empty one is 0.
func quantityOf(name, text string) (dec.Dec, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	q, err := dec.Parse(text)
	if err != nil {
		return 0, fault.ErrInvalid.At(name, "%q is not a quantity such as 12 or 2.5", text)
	}
	return q, nil
}

// onWorkOrder runs a verb and prints the order it answers.
func onWorkOrder(ctx context.Context, env *Env, company string, verb func(*db.Tx) (production.Order, error)) error {
	var o production.Order
	err := env.App.InCompany(ctx, company, db.Into(&o, verb))
	if err != nil {
		return err
	}
	return env.Print(map[string]any{
		"workOrderNumber": o.Number, "status": o.Status, "outputItemNumber": o.Item, "plannedOutputQuantity": o.Planned,
		"producedQuantity": o.Produced, "scrappedQuantity": o.Scrapped, "cost": o.Cost, "warehouseCode": o.Warehouse,
	}, "%s: %s, %s of %s %s made, %s scrapped, cost %s\n", o.Number, o.Status, o.Produced, o.Planned, o.Item,
		o.Scrapped, o.Cost)
}
