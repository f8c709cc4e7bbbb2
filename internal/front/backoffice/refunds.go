package backoffice

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/checkout"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// refund is money that somebody transfers back, with the order that it was paid for.
type refund struct {
	checkout.HandRefund
	order    sales.Order
	document string // the credit note that it pays out, as people outside know it
}

// reference is what the buyer knows the transfer by.
func (r refund) reference() string { return strings.TrimSpace(r.OrderNumber + " " + r.document) }

// buyer is who gets the money.
func (r refund) buyer() string { return cmp.Or(r.order.InvoiceAddress.Name, r.order.CustomerName) }

func (r refund) badge() page.Value {
	if r.TransferredOn == "" {
		return page.Badge("To transfer", page.Warn)
	}
	return page.Badge("Transferred", page.Good)
}

// refundsWithOrders are refunds with what they are about.
func refundsWithOrders(tx *db.Tx, all []checkout.HandRefund) ([]refund, error) {
	if len(all) == 0 {
		return nil, nil
	}
	orders, err := sales.FindMany(tx, each.Of(all, func(r checkout.HandRefund) string { return r.OrderNumber }))
	if err != nil {
		return nil, err
	}
	documents, err := invoicing.Documents(tx, each.Of(all, func(r checkout.HandRefund) string { return r.Invoice }))
	return each.Of(all, func(r checkout.HandRefund) refund {
		one := refund{HandRefund: r, document: documents[record.Fold(r.Invoice)]}
		if o := orders[record.Fold(r.OrderNumber)]; o != nil {
			one.order = *o
		}
		return one
	}), err
}

// refunds are the pages of money that nobody moves but people.
func refunds() []page.Page {
	return []page.Page{page.List[refund]{Path: "/refunds", Title: "Refunds to transfer", Permission: "invoices:read",
		Menu: true, Own: page.Own("transferred"),
		Lead:    "Money that goes back to buyers who paid in advance. No provider moves it: make the transfers at your bank, and note them here.",
		Filters: []page.Filter{page.Flag("waits", "Status", "To transfer", "Transferred")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[refund], error) {
			found, err := checkout.ListHandRefunds(c.Tx, checkout.HandRefundFilter{Waits: q.Bool("waits")}, q.Page)
			if err != nil {
				return record.Found[refund]{}, err
			}
			rows, err := refundsWithOrders(c.Tx, found.Items)
			return record.Found[refund]{Items: rows, Total: found.Total}, err
		},
		Href: func(r refund) string { return page.Path("refunds", r.ID) },
		Key: func(r refund) string {
			if r.TransferredOn != "" {
				return ""
			}
			return r.ID
		},
		Bulk: []page.Go{{Label: "Note the chosen as transferred", Path: "/new/transferred"}},
		Columns: func(r refund) []page.Column {
			return []page.Column{page.Col("Order", page.T(r.OrderNumber)), page.Col("Buyer", page.T(r.buyer())),
				page.Col("Amount", page.Money(r.Amount, r.Currency)),
				page.Minor("Reference", page.T(r.reference())),
				page.Minor("Since", page.At(r.CreatedAt)).By("since"), page.Col("Status", r.badge()),
				page.Minor("Transferred on", page.Day(r.TransferredOn)).By("transferred")}
		}},
		page.Record[refund]{Path: "/refunds/{id}", Permission: "invoices:read", Resource: checkout.HandRefunds,
			Show: showRefund,
			Load: func(c *page.Ctx) (refund, error) {
				r, err := checkout.FindHandRefund(c.Tx, c.Path("id"))
				if err != nil {
					return refund{}, err
				}
				one, err := refundsWithOrders(c.Tx, []checkout.HandRefund{r})
				if err != nil {
					return refund{}, err
				}
				return one[0], nil
			},
			Actions: []page.Action[refund]{transferRefund(), reopenRefund()}},
		transferChosen(),
	}
}

// reopenRefund lets a refund wait again that was noted by mistake, or that the bank sent back.
func reopenRefund() page.Action[refund] {
	return page.Action[refund]{Name: "reopen", Label: "It was not transferred",
		Confirm: "The refund waits again. The buyer was told that the money is on its way, and hears nothing of this.",
		When:    func(r refund) bool { return r.TransferredOn != "" },
		Do: func(c *page.Ctx, r refund) (page.Done, error) {
			return page.Did("The refund waits again."), checkout.NotTransferred(c.Tx, r.ID)
		}}
}

// transferred are refunds that were transferred on one day.
type transferred struct {
	among []checkout.HandRefund // the chosen ones
	ids   []string
	on    day.Date
}

// transferChosen notes the refunds that were chosen in the list as transferred, all of them or none.
func transferChosen() page.Page {
	begin := func(c *page.Ctx) (transferred, error) {
		among, err := checkout.FindHandRefunds(c.Tx, c.Chosen())
		ids := each.Of(among, func(r checkout.HandRefund) string { return r.ID })
		return transferred{among, ids, c.Tx.Today()}, err
	}
	return page.Form[transferred]{Path: "/new/transferred", Title: "Note refunds as transferred",
		Permission: "invoices:write", Settles: true, Submit: "Note as transferred",
		Lead: "Each buyer gets a mail that the money is on its way.", Crumbs: crumb("Refunds to transfer", "/refunds"),
		Load: begin,
		Fields: func(c *page.Ctx, v *transferred) []page.Field {
			options := each.Of(v.among, func(r checkout.HandRefund) page.Option {
				return page.Option{Value: r.ID,
					Label: r.OrderNumber + ", " + c.Show(page.Money(r.Amount, r.Currency)) + " " + r.Currency}
			})
			return []page.Field{page.Checks("refunds", "Refunds to transfer", &v.ids, options),
				page.Date("transferredOn", "Transferred on", &v.on).Required()}
		},
		Save: page.Remade(begin, func(c *page.Ctx, v transferred) (page.Done, error) {
			if len(v.ids) == 0 {
				return page.Done{}, page.Refusal("refunds", "choose at least one refund")
			}
			slices.Sort(v.ids) // records are locked in the order of their ids
			for _, id := range v.ids {
				if err := checkout.Transferred(c.Tx, id, v.on); err != nil {
					return page.Done{}, err
				}
			}
			return page.Went("/refunds?waits=yes", "Refunds noted as transferred: %d.", len(v.ids)), nil
		})}
}

// transferRefund is how somebody notes that the money has left the company's account.
func transferRefund() page.Action[refund] {
	return page.Ask(page.Action[refund]{Name: "repay", Label: "Note as transferred",
		Tone: page.Primary, Confirm: "The buyer gets a mail that the money is on its way.",
		When: func(r refund) bool { return r.TransferredOn == "" }},
		func(c *page.Ctx, _ refund) (day.Date, error) { return c.Tx.Today(), nil },
		func(_ *page.Ctx, _ refund, on *day.Date) []page.Field {
			return []page.Field{page.Date("transferredOn", "Transferred on", on).Required()}
		},
		func(c *page.Ctx, r refund, on day.Date) (page.Done, error) {
			return page.Did("The refund is noted as transferred."), checkout.Transferred(c.Tx, r.ID, on)
		})
}

func showRefund(c *page.Ctx, r refund) (page.Sheet, error) {
	why := "The order came to less than was paid."
	switch {
	case r.Invoice != "":
		why = "Goods came back."
	case r.order.Status == sales.Cancelled:
		why = "The order is cancelled."
	}
	return page.Sheet{Title: c.Say("Refund of order %s", r.OrderNumber), Subtitle: r.buyer(),
		Badges: []page.Value{r.badge()},
		Parts: []page.Part{page.Facts{Title: "Refund", Facts: []page.Fact{
			{Label: "Amount", Value: page.Money(r.Amount, r.Currency).Strong()},
			{Label: "Buyer", Value: page.T(r.buyer())},
			{Label: "E-mail", Value: page.T(cmp.Or(r.order.InvoiceAddress.Email, r.order.DeliveryAddress.Email))},
			{Label: "Reference", Value: page.Copied(r.reference())},
			{Label: "Transferred on", Value: page.Day(r.TransferredOn)}}}},
		Side: []page.Part{page.Facts{Title: "Why", Facts: []page.Fact{{Label: "Why", Value: page.Word(why)},
			{Label: "Order", Value: page.To(r.OrderNumber, page.Path("orders", r.OrderNumber))},
			{Label: "Credit note", Value: page.To(r.document, page.Path("invoices", r.Invoice)).If(r.Invoice != "")},
			{Label: "Since", Value: page.At(r.CreatedAt)}}}}}, nil
}

// refundsOf are the refunds of an order that people transfer: those that were stand among the facts of how it was paid,
// those that wait say so for themselves.
func refundsOf(c *page.Ctx, o sales.Order, facts *page.Facts) (waiting []page.Part, err error) {
	all, err := checkout.HandRefundsOf(c.Tx, o.ID)
	for _, r := range all {
		if r.TransferredOn != "" {
			facts.Facts = append(facts.Facts, page.Fact{Label: "Transferred back",
				Value: page.Each(page.Money(r.Amount, r.Currency), page.Day(r.TransferredOn))})
			continue
		}
		waiting = append(waiting, page.Note{Title: "Transfer the money back",
			Text: c.Say("%s %s go back to the buyer. No provider moves them: the transfer from your account is yours to make.",
				c.Show(page.Money(r.Amount, r.Currency)), r.Currency),
			Go: []page.Go{{Label: "Refund to transfer", Path: page.Path("refunds", r.ID)}}})
	}
	return waiting, err
}
