package backoffice

import (
	"cmp"
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/paper"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var quoteBadge = tones[quoting.Status]{quoting.Draft: page.Calm, quoting.Sent: page.Warn, quoting.Accepted: page.Good,
	quoting.Converted: page.Good, quoting.Declined: page.Bad}.badge

// quotes are the pages of what is offered to customers.
func (o Office) quotes() []page.Page {
	return []page.Page{quoteList(), o.quoteRecord(), newQuote(), quoteHead(), quoteLines(),
		page.Document{Path: "/quotes/{number}/pdf", Permission: "quotes:read",
			Make: printed(loadQuote, paper.QuoteFor)}}
}

func loadQuote(c *page.Ctx) (quoting.Quote, error) { return quoting.Find(c.Tx, c.Path("number")) }

func toQuote(c *page.Ctx) string { return page.Path("quotes", c.Path("number")) }

func quoteList() page.Page {
	return page.List[quoting.Quote]{Path: "/quotes", Latest: true, Own: page.Own("number"),
		Title: "Quotes", Permission: "quotes:read", Menu: true, Search: "Quote number, title, customer",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(quoting.Status("").Values())),
			page.Match("customer", "Customer").Lookup(findCustomers)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[quoting.Quote], error) {
			return quoting.List(c.Tx, quoting.Filter{Shown: q.Search, Status: quoting.Status(q.Get("status")),
				Customer: q.Get("customer")}, q.Page)
		},
		Href: func(q quoting.Quote) string { return page.Path("quotes", q.Number) },
		Columns: func(q quoting.Quote) []page.Column {
			return []page.Column{page.Col("Number", page.T(q.Number)).By("number"),
				page.Minor("Date", page.Day(q.QuoteDate)).By("date"),
				page.Col("Customer", page.T(q.CustomerName)).By("customer"),
				page.Minor("Title", page.T(q.Title)), page.Col("Status", quoteBadge(q.Status)).By("status"),
				page.Minor("Valid until", page.Day(q.ValidUntil)).By("valid"),
				page.Col("Total", page.Money(q.TotalAmount, q.CurrencyCode)).By("total")}
		},
		New: []page.Go{{Label: "New quote", Path: "/new/quotes", Primary: true}}}
}

// draftQuote is a quote as a form asks for it.
type draftQuote struct {
	head  quoting.Head
	lines []draftLine
}

func quoteFields(c *page.Ctx, h *quoting.Head) []page.Field {
	return []page.Field{
		page.Code("customerNumber", "Customer", &h.CustomerNumber).Lookup(findCustomers),
		page.Text("prospectName", "Or a prospect's name", &h.ProspectName), page.Text("title", "Title", &h.Title),
		page.Prose("description", "Description", &h.Description), page.Date("quoteDate", "Date", &h.QuoteDate),
		page.Date("validUntil", "Valid until", &h.ValidUntil), page.Select("currencyCode", "Currency", &h.CurrencyCode,
			currencies.offered(c)),
		page.Text("contactName", "Contact", &h.ContactName), page.Email("contactEmail", "E-mail", &h.ContactEmail),
	}
}

func quoteLinesField(lines *[]draftLine) page.Field {
	return page.Lines("lines", "Lines", lines, func(l *draftLine) []page.Field {
		return append([]page.Field{page.Mark("lineNumber", &l.was)}, l.fields()...)
	}).
		Hint("Without a price the line gets the customer's. A line without an item is free text with a price.")
}

func quotedLines(lines []draftLine) []quoting.NewLine {
	return each.Of(lines, func(l draftLine) quoting.NewLine {
		return quoting.NewLine{Item: l.item, Description: l.description, Quantity: l.quantity, Unit: l.unit,
			UnitPrice: l.price, DiscountPercent: l.discount, ConfigurationNumber: l.configuration,
			Was: cmp.Or(l.was, quoting.OfItsOwn)}
	})
}

func newQuote() page.Page {
	return page.Form[draftQuote]{Path: "/new/quotes", Title: "New quote", Permission: "quotes:write",
		Settles: true, Load: func(c *page.Ctx) (draftQuote, error) {
			return draftQuote{head: quoting.Head{CustomerNumber: c.Query("customer"), QuoteDate: c.Tx.Today()}}, nil
		},
		Fields: func(c *page.Ctx, d *draftQuote) []page.Field {
			return append(quoteFields(c, &d.head), quoteLinesField(&d.lines))
		},
		Save: page.Made(draftQuote{}, func(c *page.Ctx, d draftQuote) (page.Done, error) {
			q, err := quoting.Create(c.Tx, quoting.New{Head: d.head, Lines: quotedLines(d.lines)})
			return page.Went(page.Path("quotes", q.Number), "Quote %s is made.", q.Number), err
		})}
}

func quoteHead() page.Page {
	return page.Form[quoting.Head]{Path: "/quotes/{number}/edit", Title: "Edit quote", Permission: "quotes:write",
		Resource: quoting.Quotes, Back: toQuote,
		Load: func(c *page.Ctx) (quoting.Head, error) {
			q, err := loadQuote(c)
			return q.Head(), err
		},
		Fields: quoteFields,
		Save:   page.Changed("number", quoting.Change)}
}

func quoteLines() page.Page {
	return page.Form[[]draftLine]{Path: "/quotes/{number}/lines", Title: "Edit lines", Permission: "quotes:write",
		Back: toQuote, Of: func(c *page.Ctx, _ []draftLine) (page.Origin, error) {
			q, err := loadQuote(c)
			return page.Origin{Resource: quoting.Quotes, Root: q.Root}, err
		},
		Load: func(c *page.Ctx) ([]draftLine, error) {
			q, err := loadQuote(c)
			var out []draftLine
			for i := range q.Lines {
				l := &q.Lines[i]
				d := draftLine{was: l.Number, item: l.Item, description: l.Description, unit: l.Unit,
					quantity: l.Quantity, configuration: l.ConfigurationNumber}
				if l.IsManualPrice {
					d.price = &l.UnitPrice
				}
				if l.IsManualDiscount {
					d.discount = &l.DiscountPercent
				}
				out = append(out, d)
			}
			return out, err
		},
		Fields: func(_ *page.Ctx, lines *[]draftLine) []page.Field { return []page.Field{quoteLinesField(lines)} },
		Save: page.Made(nil, func(c *page.Ctx, lines []draftLine) (page.Done, error) {
			_, err := quoting.PutLines(c.Tx, c.Path("number"), quotedLines(lines))
			return page.Did("Saved."), err
		})}
}

func (o Office) quoteRecord() page.Page {
	may := allowed(quoting.Moves, func(q quoting.Quote) quoting.Status { return q.Status })
	return page.Record[quoting.Quote]{Path: "/quotes/{number}", Permission: "quotes:read", Resource: quoting.Quotes,
		Load: loadQuote, Show: o.showQuote,
		Actions: append(quoteMails(may), quoteAnswers(may)...), Edit: func(_ *page.Ctx, q quoting.Quote) []page.Go {
			at, open := page.Path("quotes", q.Number), may("change")(q)
			return []page.Go{{Label: "Print as PDF", Path: at + "/pdf"},
				page.Go{Label: "Edit lines", Path: at + "/lines"}.If(open),
				editing("quotes", q.Number).If(open)}
		}}
}

// quoteMails are what brings a quote to its reader.
func quoteMails(may func(verb string) func(quoting.Quote) bool) []page.Action[quoting.Quote] {
	mailed := func(verb, label, say string, do func(*db.Tx, string, quoting.Reader) (quoting.Quote,
		error)) page.Action[quoting.Quote] {
		a := page.Action[quoting.Quote]{Name: verb, Label: label, Tone: page.Primary, When: may(verb),
			Confirm: "The quote goes there as PDF, with a link to accept or decline it. Without an address nobody is written to."}
		return page.Ask(a,
			func(c *page.Ctx, q quoting.Quote) (quoting.Reader, error) {
				if q.ContactEmail != "" || q.IsProspect() {
					return quoting.Reader{Name: q.ContactName, Email: q.ContactEmail}, nil
				}
				return quoting.ReaderOf(c.Tx, q.CustomerNumber, q.ContactName)
			},
			func(_ *page.Ctx, _ quoting.Quote, r *quoting.Reader) []page.Field {
				return []page.Field{page.Text("contactName", "Contact", &r.Name),
					page.Email("contactEmail", "E-mail", &r.Email)}
			},
			func(c *page.Ctx, q quoting.Quote, r quoting.Reader) (page.Done, error) {
				if q.ValidUntil < c.Tx.Today() { // its reader could only be told that it is too late
					return page.Done{}, page.Refusal("", "quote %s was valid until %s, and nobody can accept it any more: give it a later day first",
						q.Number, q.ValidUntil)
				}
				q, err := do(c.Tx, q.Number, r)
				if err == nil {
					err = takeCharge(c, aboutQuote(&q))
				}
				if q.ContactEmail == "" {
					return page.Did("The quote counts as sent. Nobody was written to: there is no address."), err
				}
				return page.Did(say), err
			})
	}
	again := mailed("resend", "Send again", "The quote is sent again.", quoting.Resend)
	again.Tone = ""
	return []page.Action[quoting.Quote]{mailed("send", "Send", "The quote is sent.", quoting.Send), again}
}

// quoteAnswers are what becomes of a quote.
func quoteAnswers(may func(verb string) func(quoting.Quote) bool) []page.Action[quoting.Quote] {
	ordered := func(q quoting.Quote, err error) (page.Done, error) {
		return page.Went(page.Path("orders", q.OrderNumber), "Order %s is placed.", q.OrderNumber), err
	}
	prospect := func(q quoting.Quote) bool {
		return q.IsProspect() && (q.Status == quoting.Draft || q.Status == quoting.Sent)
	}
	decline := worded(page.Action[quoting.Quote]{Name: "decline", Label: "Decline", When: may("decline")},
		func(text *string) page.Field { return page.Prose("reason", "Reason", text) }, "The quote is declined.",
		quoting.Decline, func(q quoting.Quote) string { return q.Number })
	return []page.Action[quoting.Quote]{enlist(prospect),
		{Name: "accept", Label: "Accept", Tone: page.Primary, When: may("accept"),
			Confirm: "The customer takes the offer: it becomes an order at its prices.",
			Do: func(c *page.Ctx, q quoting.Quote) (page.Done, error) {
				q, _, err := quoting.Accept(c.Tx, q.Number, quoting.Acceptance{})
				return ordered(q, err)
			}},
		decline,
		{Name: "convert", Label: "Make an order",
			When:    func(q quoting.Quote) bool { return may("convert")(q) && q.OrderNumber == "" },
			Confirm: "The quote becomes an order without waiting for the customer's answer.",
			Do: func(c *page.Ctx, q quoting.Quote) (page.Done,
				error) {
				return ordered(quoting.Convert(c.Tx, q.Number))
			}},
		{Name: "revise", Label: "New version",
			When:    func(q quoting.Quote) bool { return q.ReplacedBy == "" && (may("revise")(q) || may("rework")(q)) },
			Confirm: "The quote is copied to a new version. This one can no longer be accepted.",
			Do: func(c *page.Ctx, q quoting.Quote) (page.Done, error) {
				n, err := quoting.Revise(c.Tx, q.Number)
				return page.Went(page.Path("quotes", n.Number), "Quote %s is made.", n.Number), err
			}},
		{Name: "delete", Label: "Delete", Tone: page.Bad, When: may("delete"),
			Confirm: "The draft is removed.", Do: func(c *page.Ctx, q quoting.Quote) (page.Done, error) {
				return page.Went("/quotes", "Quote %s is removed.", q.Number), quoting.Delete(c.Tx, q.Number)
			}}}
}

// enlist makes a customer of a prospect.
func enlist(when func(quoting.Quote) bool) page.Action[quoting.Quote] {
	a := page.Action[quoting.Quote]{Name: "enlist", Label: "Make a customer", Permission: "customers:write", When: when}
	return page.Ask(a,
		func(c *page.Ctx, q quoting.Quote) (party.Customer, error) {
			return party.Customer{Name: q.CustomerName, InvoiceEmail: q.ContactEmail, CountryCode: c.Tx.Info.Country},
				nil
		},
		func(_ *page.Ctx, _ quoting.Quote, v *party.Customer) []page.Field { return joiningFields(v) },
		func(c *page.Ctx, q quoting.Quote, v party.Customer) (page.Done, error) {
			q, err := quoting.Enlist(c.Tx, q.Number, v)
			return page.Did("Customer %s is made.", q.CustomerNumber), err
		})
}

// joiningFields are what is asked of a prospect who becomes a customer.
func joiningFields(v *party.Customer) []page.Field {
	return []page.Field{page.Text("name", "Name", &v.Name), page.Text("organizationNumber", "Organisation number",
		&v.OrganizationNumber), page.Email("invoiceEmail", "E-mail", &v.InvoiceEmail),
		page.Text("street1", "Street", &v.Street1), page.Code("postalCode", "Postal code", &v.PostalCode),
		page.Text("city", "City", &v.City), country("countryCode", "Country", &v.CountryCode)}
}

func (o Office) showQuote(c *page.Ctx, q quoting.Quote) (page.Sheet, error) {
	margins, err := marginsOf(c, q)
	if err != nil {
		return page.Sheet{}, err
	}
	grid := page.Grid{Title: "Lines", Heads: []string{"", "Item", "Quantity", "Price", "Total"},
		Foot: []page.Value{{}, page.T(c.Say("Total without tax")), {}, {}, page.Money(q.TotalAmount, "")}}
	if margins != nil {
		grid.Heads, grid.Foot = append(grid.Heads, "Margin"), append(grid.Foot, page.None())
	}
	chosen, err := quoting.Chosen(c.Tx, q.Lines)
	if err != nil {
		return page.Sheet{}, err
	}
	for i := range q.Lines {
		row := quoteRow(c, &q.Lines[i], chosen[i])
		if margins != nil {
			row = append(row, margins[i])
		}
		grid.Rows = append(grid.Rows, row)
	}
	customer := page.T(q.CustomerName)
	if !q.IsProspect() {
		customer = page.To(q.CustomerName, page.Path("customers", q.CustomerNumber))
	}
	facts := []page.Fact{{Label: "Customer", Value: customer}, {Label: "Contact", Value: page.T(q.ContactName)},
		{Label: "E-mail", Value: page.T(q.ContactEmail)}, {Label: "Date", Value: page.Day(q.QuoteDate)},
		{Label: "Valid until", Value: page.Day(q.ValidUntil)}, {Label: "Sent", Value: page.At(q.SentAt)},
		{Label: "Accepted", Value: page.At(q.AcceptedAt)}, {Label: "Declined", Value: page.At(q.DeclinedAt)},
		{Label: "Reason", Value: page.T(q.DeclinedReason)},
		{Label: "Order", Value: page.To(q.OrderNumber, page.Path("orders", q.OrderNumber))},
		{Label: "Replaced by", Value: page.To(q.ReplacedBy, page.Path("quotes", q.ReplacedBy))}}
	if q.IsOpen(c.Tx.Today()) && c.May("quotes:write") {
		link, err := o.QuoteLink(c.Tx, &q)
		if err != nil {
			return page.Sheet{}, err
		}
		facts = append(facts, page.Fact{Label: "Link for the customer", Value: page.Copied(link)})
	}
	return page.Sheet{Title: c.Say("Quote %s", q.Number), Subtitle: q.Title,
		Badges: []page.Value{quoteBadge(q.Status)},
		Parts: []page.Part{grid, page.Noted("Description", q.Description),
			page.Noted("The customer's message", q.CustomerMessage)},
		Side: []page.Part{page.Facts{Title: "Sum",
			Facts: []page.Fact{{Label: "Without tax", Value: page.Money(q.TotalAmount, q.CurrencyCode)},
				{Label: "Tax", Value: page.Money(q.TotalVAT, q.CurrencyCode)},
				{Label: "To be paid", Value: page.Money(q.TotalIncludingTax(), q.CurrencyCode).Strong()}}},
			page.Facts{Title: "Quote", Facts: facts}}}, nil
}

func quoteRow(c *page.Ctx, l *quoting.Line, chosen *configuration.Configuration) []page.Value {
	item := page.T(l.Description)
	if l.Item != "" {
		item = page.Each(page.To(l.Item, page.Path("items", l.Item)), item)
	}
	item = withChoices(c, item, chosen)
	if l.Notes != "" {
		item = page.Each(item, page.T(l.Notes))
	}
	price := linePrice(l.UnitPrice, l.IsPriceIncludingTax, l.DiscountPercent, 0)
	return []page.Value{page.Count(l.Number), item, page.QtyOf(l.Quantity, l.Unit), price, page.Money(l.LineTotal, "")}
}

// withChoices adds to the item of a line what was chosen of it, where it is made to order.
func withChoices(c *page.Ctx, item page.Value, chosen *configuration.Configuration) page.Value {
	if chosen == nil {
		return item
	}
	return page.Each(item, page.T(chosen.Number+": "+chosen.Summary(c.Say("yes"), c.Say("no"))))
}

// marginsOf are what each line leaves of its total after the average cost of its goods, in percent; nil for who may not
// see it, and of quotes in another currency than the costs'.
func marginsOf(c *page.Ctx, q quoting.Quote) ([]page.Value, error) {
	book, err := reference.Of(c.Tx)
	if err != nil || !c.May("reports:read") || book.Base().Code != q.CurrencyCode {
		return nil, err
	}
	var ids, numbers []string
	for i := range q.Lines {
		if l := &q.Lines[i]; l.ItemID != "" {
			ids, numbers = append(ids, l.ItemID), append(numbers, l.Item)
		}
	}
	costs, err := stock.AverageCosts(c.Tx, ids)
	if err != nil {
		return nil, err
	}
	items, err := catalog.FindMany(c.Tx, numbers)
	out := make([]page.Value, len(q.Lines))
	for i := range q.Lines {
		l := &q.Lines[i]
		item := items[record.Fold(l.Item)]
		factor, sold := item.Factor(l.Unit)
		cost, known := costs[l.ItemID]
		spent := func() dec.Dec { return dec.Product(q.Digits, l.Quantity, factor, cost, dec.One) }
		if known && sold && l.LineTotal > 0 && limit.Total.Holds(spent) {
			out[i] = page.Percent(l.LineTotal.Sub(spent()).MulDiv(100*dec.One, l.LineTotal).Round(1))
		}
	}
	return out, err
}
