package sales

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Filter narrows a list of orders; its zero value takes all.
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
		Key:    []string{"o.order_date desc", "o.number_key"},
		Stamp:  "o.changed_at", Resources: []string{Orders.Name},
		Sorts: map[string][]string{
			"number": {"o.number_key"}, "date": {"o.order_date", "o.number_key desc"},
			"customer": {"lower(o.customer_name)", "o.number_key"},
			"status":   {"o.status", "o.order_date desc", "o.number_key"},
			"total":    {"o.total_amount", "o.number_key"},
		},
	}
	q.Given("o.status = :status", f.Status)
	q.Given("o.customer_key = :customer", record.Fold(f.CustomerNumber))
	q.Given("o.channel_key = :channel", record.Fold(f.ChannelCode))
	q.Given("o.order_date >= :dateFrom", f.From)
	q.Given("o.order_date <= :dateTo", f.To)
	if f.NewestFirst {
		q.Name, q.Key = "sales.List newest first", []string{"o.order_date desc", "o.id desc"}
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
