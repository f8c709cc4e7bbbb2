package sales

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Filter narrows a list of orders; its zero value takes all but drafts.
type Filter struct {
	Search string // number, customer's reference
	// what people see of it: also the customer's name, as the order has it and as it is now, and the channel's
	Shown          string
	Status         Status
	CustomerNumber string
	ChannelCode    string
	From, To       day.Date // order date, both inclusive
	// NewestFirst puts the orders of one day in the order in which they were made, the last one first, instead of that
	// of their numbers.
	NewestFirst bool
}

// List reads a page of orders without their lines, the latest order date first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Order], error) {
	q := record.Query{
		Name:   "sales.List",
		Select: listRow.Select("o"),
		From:   "sales_order o",
		Key:    []record.Order{{Column: "o.order_date", Desc: true}, {Column: "o.number_key"}},
		Stamp:  "o.changed_at", Resources: []string{Orders.Name},
		Sorts: func(by string) []record.Order {
			switch by {
			case "number":
				return []record.Order{{Column: "o.number_key"}}
			case "date":
				return []record.Order{{Column: "o.order_date"}, {Column: "o.number_key", Desc: true}}
			case "customer":
				return []record.Order{{Column: "lower(o.customer_name)"}, {Column: "o.number_key"}}
			case "status":
				return []record.Order{{Column: "o.status"}, {Column: "o.order_date", Desc: true},
					{Column: "o.number_key"}}
			case "total":
				return []record.Order{{Column: "o.total_amount"}, {Column: "o.number_key"}}
			}
			return nil
		},
	}
	if f.Status != "" {
		q.Where("o.status = :status", db.Args{"status": f.Status})
	} else {
		q.Standing("o.status <> 'Draft'", nil)
	}
	if f.CustomerNumber != "" {
		q.Where("o.customer_key = :customer", db.Args{"customer": record.Fold(f.CustomerNumber)})
	}
	if f.ChannelCode != "" {
		q.Where("o.channel_key = :channel", db.Args{"channel": record.Fold(f.ChannelCode)})
	}
	if f.From != "" {
		q.Where("o.order_date >= :dateFrom", db.Args{"dateFrom": f.From})
	}
	if f.To != "" {
		q.Where("o.order_date <= :dateTo", db.Args{"dateTo": f.To})
	}
	if f.NewestFirst {
		q.Name, q.Key = "sales.List newest first", []record.Order{{Column: "o.order_date", Desc: true},
			{Column: "o.id", Desc: true}}
	}
	q.Search("o.search", f.Search)
	q.SearchAny(f.Shown, "instr(o.search, {word}) > 0", "instr(fold(o.customer_name), {word}) > 0",
		"instr(fold(o.channel_name), {word}) > 0",
		"o.customer_key in (select c.number_key from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	return record.ListOf(tx, q, p, listRow.Scan)
}

// listRow is what a row of the list shows.
var listRow = db.Map[Order](record.RootColumns + `, number, status, delivery_status, delivered_percent, customer, customer_name,
	reference, order_date, requested_on, planned_on, currency, digits,
	total_amount, total_vat, line_count, channel, channel_name, external_number, external_scope`)
