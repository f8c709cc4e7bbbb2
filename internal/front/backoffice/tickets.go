package backoffice

import (
	"cmp"
	"net/url"
	"strings"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var ticketBadge = tones[support.Status]{support.New: page.Warn, support.Triaged: page.Warn,
	support.InProgress: page.Calm, support.WaitingForCustomer: page.Calm, support.Resolved: page.Good}.badge

func priorityBadge(p support.Priority) page.Value {
	switch p {
	case support.Urgent:
		return page.Badge(p, page.Bad)
	case support.High:
		return page.Badge(p, page.Warn)
	}
	return page.Word(page.Words(string(p)))
}

// ticketState is where a ticket stands, and whether it is late.
func (o Office) ticketState(t support.Ticket) page.Value {
	if t.DueAt > 0 && t.IsOverdue(o.Store.Now()) {
		return page.Each(ticketBadge(t.Status), page.Badge("Late", page.Bad))
	}
	return ticketBadge(t.Status)
}

// tickets are the pages of what customers ask.
func (o Office) tickets() []page.Page {
	return []page.Page{o.ticketRecords(), o.answerWithFile()}
}

func ticketNumber(t support.Ticket) string { return t.Number }

func toTicket(c *page.Ctx) string { return page.Path("tickets", c.Path("number")) }

// ticketAbout leads from a document to a new ticket about its order.
func ticketAbout(order string) page.Go {
	return page.Go{Label: "New ticket", Path: "/new/tickets?order=" + query(order)}
}

// withTickets shows the latest tickets about a record beside it, to who may see them; about says which those are.
func withTickets[T any](show func(*page.Ctx, T) (page.Sheet, error),
	about func(T) support.Filter) func(*page.Ctx, T) (page.Sheet, error) {
	return func(c *page.Ctx, record T) (page.Sheet, error) {
		s, err := show(c, record)
		if err != nil || !c.May("tickets:read") {
			return s, err
		}
		f := about(record)
		if f.Customer == "" && len(f.Orders) == 0 { // it is about none, and not about all
			return s, nil
		}
		found, err := support.List(c.Tx, f, latest)
		if err != nil || len(found.Items) == 0 {
			return s, err
		}
		g := page.Grid{Title: "Tickets", Heads: []string{"Number", "Subject", "Status"}}
		for _, t := range found.Items {
			g.Rows = append(g.Rows, []page.Value{page.To(t.Number, page.Path("tickets", t.Number)), page.T(t.Subject),
				ticketBadge(t.Status)})
		}
		s.Side = append(s.Side, g)
		return s, nil
	}
}

// latest are as many as stand beside something.
var latest = record.Page{Number: 1, Size: 5}

func (o Office) ticketList() page.List[support.Ticket] {
	return page.List[support.Ticket]{Latest: true, Search: "Number, subject or contact",
		Filters: []page.Filter{page.ChoiceOf("queue", "Queue", ticketQueues.offered),
			page.Choice("status", "Status", page.Options(support.Status("").Values())),
			page.Choice("priority", "Priority", page.Options(support.Priority("").Values())),
			page.Flag("open", "Open", "Open", "All"), page.Flag("overdue", "Late", "Late", "All"),
			page.Match("customer", "Customer").Lookup(findCustomers),
			page.Match("order", "Order")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[support.Ticket], error) {
			return support.List(c.Tx, support.Filter{Search: q.Search, Status: support.Status(q.Get("status")),
				Open: q.Is("open"), Overdue: q.Is("overdue"), Queue: q.Get("queue"),
				Priority: support.Priority(q.Get("priority")), Customer: q.Get("customer"), Order: q.Get("order")}, q.Page)
		},
		Columns: func(t support.Ticket) []page.Column {
			return []page.Column{page.Col("Number", page.T(t.Number)),
				page.Col("Subject", page.T(t.Subject)), page.Col("Status", o.ticketState(t)),
				page.Minor("At the latest", page.At(t.DueAt)),
				page.Minor("Last word", page.Word(page.Words(string(t.LastAuthor)))),
				page.Minor("Priority", priorityBadge(t.Priority)), page.Minor("Queue", ticketQueues.of(t.QueueCode)),
				page.Minor("Customer", page.Each(page.T(cmp.Or(t.ContactName, t.ContactEmail)), page.T(t.CustomerNumber))),
				page.Minor("Created", page.At(t.CreatedAt))}
		}}
}

func ticketFields(c *page.Ctx, t *support.Ticket) []page.Field {
	return []page.Field{page.Text("subject", "Subject", &t.Subject).Required().Wide(),
		page.Prose("description", "Description", &t.Description), page.Select("queueCode", "Queue", &t.QueueCode,
			ticketQueues.offered(c)),
		page.OneOf("priority", "Priority", &t.Priority).Required(),
		page.Text("categoryCode", "Category", &t.CategoryCode).Max(50),
		page.Code("customerNumber", "Customer", &t.CustomerNumber).Lookup(findCustomers),
		page.Text("contactName", "Contact", &t.ContactName), page.Email("contactEmail", "E-mail", &t.ContactEmail).
			Hint("Where answers are mailed to."), page.Code("orderNumber", "Order", &t.OrderNumber),
		page.Code("itemNumber", "Item", &t.ItemNumber).
			Lookup(findItems)}
}

// beginTicket begins with what its link says: orders, returns and shipments lead here.
func beginTicket(c *page.Ctx) (support.Ticket, error) {
	t := support.Ticket{Source: support.ERP, Priority: support.Normal, OrderNumber: c.Query("order"),
		CustomerNumber: c.Query("customer"), Subject: c.Query("about")}
	if t.OrderNumber == "" {
		return t, nil
	}
	o, err := sales.Find(c.Tx, t.OrderNumber)
	t.CustomerNumber, t.ContactName, t.ContactEmail = o.CustomerNumber, o.DeliveryAddress.ContactPerson,
		o.DeliveryAddress.Email
	return t, err
}

// answer is a message as an agent's form asks for it.
type answer struct {
	body   string
	upload page.Upload
}

// answerWithFile sends a file with an answer. The file is kept before the transaction that records it.
func (o Office) answerWithFile() page.Page {
	return page.Form[answer]{Path: "/tickets/{number}/files/new", Title: "Answer with a file",
		Permission: "tickets:write", Where: page.Outside, Settles: true,
		Back: toTicket, Submit: "Send", Lead: "The customer reads it in the portal and gets it by mail.",
		Load: func(c *page.Ctx) (answer, error) {
			return answer{}, o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) error {
				_, err := support.Find(tx, c.Path("number"))
				return err
			})
		},
		Fields: func(_ *page.Ctx, a *answer) []page.Field {
			return []page.Field{page.Prose("body", "Answer", &a.body).Required(),
				page.File("file", "File", &a.upload).Required().
					Hint("A picture as PNG, JPEG, GIF, WebP or SVG, or a document as PDF; at most 10 MB.")}
		},
		Save: page.Made(answer{}, func(c *page.Ctx, a answer) (page.Done, error) {
			kept, err := support.KeepFile(c.Context(), o.Files, c.Visitor.Company, a.upload.Name, a.upload.Bytes)
			if err != nil {
				return page.Done{}, err
			}
			return page.Went(toTicket(c), "The answer is sent."),
				o.Store.Write(c.Context(), inCompany(c), func(tx *db.Tx) error {
					_, _, err := support.Say(tx, c.Path("number"),
						support.Message{Body: a.body, AuthorType: support.Agent,
							Attachments: kept})
					return err
				})
		})}
}

func (o Office) ticketRecords() page.Page {
	return page.Records[support.Ticket]{Path: "/tickets", Title: "Tickets", Area: "tickets", By: "number",
		Key: ticketNumber, Find: support.Find, Resource: support.Tickets,
		List: o.ticketList(), Record: page.Record[support.Ticket]{Show: o.showTicket, Actions: ticketActions(),
			Edit: func(_ *page.Ctx, t support.Ticket) []page.Go {
				if t.Status == support.Closed {
					return nil
				}
				return []page.Go{{Label: "Answer with a file", Path: page.Path("tickets", t.Number, "files", "new")},
					editing("tickets", t.Number)}
			}},
		New:  page.Form[support.Ticket]{Title: "New ticket", Submit: "Submit"},
		Edit: page.Form[support.Ticket]{Title: "Edit ticket"}, Fields: ticketFields, Begin: beginTicket,
		Create: support.Create, Made: "Ticket %s is made.", Change: support.Change}
}

func ticketActions() []page.Action[support.Ticket] {
	action := func(verb, label string, tone page.Tone) page.Action[support.Ticket] {
		return page.Action[support.Ticket]{Name: verb, Label: label, Tone: tone,
			When: allows(support.Moves, verb, func(t support.Ticket) support.Status { return t.Status })}
	}
	start := action("start", "Start work", "")
	start.Do = func(c *page.Ctx, t support.Ticket) (page.Done, error) {
		t, err := support.Start(c.Tx, t.Number)
		if err == nil {
			err = takeCharge(c, aboutTicket(&t))
		}
		return page.Did("The work has begun."), err
	}
	closing := action("close", "Close the ticket", page.Bad)
	closing.Confirm = "A closed ticket stays closed: what the customer writes from then on is another."
	closing.Do = done("The ticket is closed.", support.Close, ticketNumber)
	return []page.Action[support.Ticket]{answering(action("answer", "Answer", page.Primary), false),
		noting(action("answer", "Internal note", "")), start, triaging(action("triage", "Triage", "")),
		routing(action("route", "Move to a queue", "")), resolving(action("resolve", "Resolve", page.Good)), closing}
}

// answering asks for what the customer is told.
func answering(a page.Action[support.Ticket], internal bool) page.Action[support.Ticket] {
	say := "The answer is sent."
	if internal {
		say = "The note is kept."
	}
	return page.Ask(a, canned,
		func(c *page.Ctx, t support.Ticket, body *string) []page.Field {
			text := page.Prose("body", "Text", body).Required()
			if !internal {
				text = text.Offer("Begin with", cannedAnswers(c, t))
			}
			return []page.Field{text}
		},
		func(c *page.Ctx, t support.Ticket, body string) (page.Done, error) {
			t, _, err := support.Say(c.Tx, t.Number, support.Message{Body: body, AuthorType: support.Agent,
				IsInternal: internal})
			if err == nil && !internal {
				err = takeCharge(c, aboutTicket(&t))
			}
			return page.Did(say), err
		})
}

// cannedAnswers are links to the form of an answer that begins with one of them: those of the company in use.
func cannedAnswers(c *page.Ctx, t support.Ticket) (links []page.Link) {
	found, err := reference.ListCannedAnswers(c.Tx, reference.Filter{IsActive: new(true)}, all())
	if err != nil {
		return nil // the form takes an answer without them
	}
	for _, a := range found.Items {
		label := a.Name
		if a.Language != "" {
			label += " (" + a.Language + ")"
		}
		links = append(links, page.Link{Label: label,
			Href: page.Path("tickets", t.Number, "answer") + "?" + url.Values{"canned": {a.Code}}.Encode()})
	}
	return links
}

// canned is what the form of an answer begins with: nothing, or the canned answer that its address names, filled in.
func canned(c *page.Ctx, t support.Ticket) (string, error) {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return "", err
	}
	a, _ := book.CannedAnswer(c.Query("canned"))
	values := map[string]string{"contactName": t.ContactName, "customerName": t.ContactName,
		"ticketNumber": t.Number, "subject": t.Subject, "orderNumber": t.OrderNumber, "itemNumber": t.ItemNumber,
		"agentName": c.Tx.Actor.Name}
	if t.CustomerNumber != "" {
		owner, err := party.Find(c.Tx, t.CustomerNumber)
		if err != nil {
			return "", err
		}
		values["customerName"] = owner.Name
	}
	return a.Filled(values), nil
}

// noting asks for what only the company's own people read.
func noting(a page.Action[support.Ticket]) page.Action[support.Ticket] {
	a.Name, a.Confirm = "note", "No customer ever sees it."
	return answering(a, true)
}

func triaging(a page.Action[support.Ticket]) page.Action[support.Ticket] {
	return page.Ask(a, func(_ *page.Ctx, t support.Ticket) (support.Sorting, error) {
		return support.Sorting{Priority: t.Priority, CategoryCode: t.CategoryCode, QueueCode: t.QueueCode}, nil
	}, func(c *page.Ctx, _ support.Ticket, s *support.Sorting) []page.Field {
		return []page.Field{page.OneOf("priority", "Priority", &s.Priority).Required(),
			page.Text("categoryCode", "Category", &s.CategoryCode).Max(50),
			page.Select("queueCode", "Queue", &s.QueueCode, ticketQueues.offered(c)).Required()}
	}, told("The ticket is sorted.", support.Triage, ticketNumber))
}

// rerouted is where a ticket goes, and why.
type rerouted struct{ queue, note string }

func routing(a page.Action[support.Ticket]) page.Action[support.Ticket] {
	return page.Ask(a, func(_ *page.Ctx, t support.Ticket) (rerouted,
		error) {
		return rerouted{queue: t.QueueCode}, nil
	},
		func(c *page.Ctx, _ support.Ticket, m *rerouted) []page.Field {
			return []page.Field{page.Select("queueCode", "Queue", &m.queue, ticketQueues.offered(c)).Required(),
				page.Prose("note", "Internal note", &m.note)}
		},
		func(c *page.Ctx, t support.Ticket, m rerouted) (page.Done, error) {
			_, err := support.Route(c.Tx, t.Number, m.queue, m.note)
			return page.Did("The ticket is moved."), err
		})
}

func resolving(a page.Action[support.Ticket]) page.Action[support.Ticket] {
	return worded(a, func(text *string) page.Field {
		return page.Prose("resolution", "Resolution", text).Required().Hint("The customer reads it.")
	}, "The ticket is resolved.", support.Resolve, ticketNumber)
}

func (o Office) showTicket(c *page.Ctx, t support.Ticket) (page.Sheet, error) {
	s := page.Sheet{Title: c.Say("Ticket %s", t.Number), Subtitle: t.Subject,
		Badges: []page.Value{ticketBadge(t.Status)}}
	if t.Priority == support.High || t.Priority == support.Urgent {
		s.Badges = append(s.Badges, priorityBadge(t.Priority))
	}
	if t.IsOverdue(c.Tx.Now) {
		s.Badges = append(s.Badges, page.Badge("Late", page.Bad))
	}
	s.Parts = []page.Part{page.Noted("Description", t.Description)}
	thread, err := support.Messages(c.Tx, t.Number, record.Page{Number: 1, Size: 1000})
	if err != nil {
		return s, err
	}
	for _, m := range thread.Items {
		s.Parts = append(s.Parts, o.showMessage(c, m)...)
	}
	s.Parts = append(s.Parts, page.Noted("Resolution", t.Resolution))
	if t.CustomerNumber == "" {
		s.Side = []page.Part{ticketFacts(c, t, page.None())}
		return s, nil
	}
	customer, err := party.Find(c.Tx, t.CustomerNumber)
	if err != nil {
		return s, err
	}
	s.Side = []page.Part{ticketFacts(c, t, page.To(customer.Name, page.Path("customers", customer.Number)))}
	beside, err := besideTicket(c, t)
	s.Side = append(s.Side, beside...)
	return s, err
}

func (o Office) showMessage(c *page.Ctx, m support.Message) []page.Part {
	who := c.Say(page.Words(string(m.AuthorType)))
	if m.AuthorName != "" {
		who = m.AuthorName + " (" + who + ")"
	}
	if m.IsInternal {
		who = c.Say("Internal note") + ": " + who
	}
	parts := []page.Part{page.Note{Title: who + ", " + c.Show(page.At(m.CreatedAt)), Text: m.Body,
		IsInside: m.IsInternal}}
	if len(m.Attachments) == 0 {
		return parts
	}
	g := page.Gallery{Title: "Files"}
	for _, a := range m.Attachments {
		p := page.Picture{Name: a.FileName, Href: here(o.Files.AttachmentURL(c.Visitor.Company, a.ID, a.File))}
		if strings.HasPrefix(a.ContentType, "image/") {
			p.Source = p.Href + "?w=320"
		}
		g.Pictures = append(g.Pictures, p)
	}
	return append(parts, g)
}

func ticketFacts(c *page.Ctx, t support.Ticket, customer page.Value) page.Part {
	return page.Facts{Title: "Ticket", Facts: []page.Fact{
		{Label: "Queue", Value: ticketQueues.called(c, t.QueueCode)}, {Label: "Category", Value: page.T(t.CategoryCode)},
		{Label: "Source", Value: page.Word(page.Words(string(t.Source)))},
		{Label: "Priority", Value: priorityBadge(t.Priority)}, {Label: "Customer", Value: customer},
		{Label: "Contact", Value: page.T(t.ContactName)}, {Label: "E-mail", Value: page.T(t.ContactEmail)},
		{Label: "Order", Value: page.To(t.OrderNumber, page.Path("orders", t.OrderNumber))},
		{Label: "Item", Value: page.To(t.ItemNumber, page.Path("items", t.ItemNumber))},
		{Label: "Created", Value: page.At(t.CreatedAt)}, {Label: "Answer by", Value: page.At(t.AnswerBy)},
		{Label: "First answer", Value: page.At(t.FirstResponseAt)}, {Label: "Solve by", Value: page.At(t.SolveBy)},
		{Label: "Resolved", Value: page.At(t.ResolvedAt)}, {Label: "Closed", Value: page.At(t.ClosedAt)}}}
}

// besideTicket are the customer's latest orders and returns, for who may see them.
func besideTicket(c *page.Ctx, t support.Ticket) (parts []page.Part, err error) {
	if c.May("sales-orders:read") {
		found, err := sales.List(c.Tx, sales.Filter{CustomerNumber: t.CustomerNumber, NewestFirst: true}, latest)
		if err != nil {
			return nil, err
		}
		g := page.Grid{Title: "Orders", Heads: []string{"Number", "Date", "Status"}}
		for _, o := range found.Items {
			g.Rows = append(g.Rows, []page.Value{page.To(o.Number, page.Path("orders", o.Number)),
				page.Day(o.OrderDate), page.Word(page.Words(string(o.Status)))})
		}
		parts = append(parts, g)
	}
	if c.May("returns:read") {
		found, err := returns.List(c.Tx, returns.Filter{CustomerID: t.CustomerID}, latest)
		if err != nil {
			return nil, err
		}
		g := page.Grid{Title: "Returns", Heads: []string{"Number", "Date", "Status"}}
		for _, r := range found.Items {
			g.Rows = append(g.Rows, []page.Value{page.To(r.Number, page.Path("returns", r.Number)),
				page.Day(r.ReturnDate), returnBadge(r.Status)})
		}
		parts = append(parts, g)
	}
	return parts, nil
}
