package backoffice

import (
	"cmp"
	"context"
	"strings"

	"kontor/internal/business/identity"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/media"
	"kontor/internal/business/notice"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

const (
	notificationsPath = "/notifications"
	readAll           = "Mark all as read"
)

// discussions are how people of the office speak of records.
func (o Office) discussions() page.Discussions {
	return page.Discussions{People: colleagues, Notifications: notificationsPath,
		Keep: func(ctx context.Context, company string, u page.Upload) (discussion.File, error) {
			f, err := o.Files.Take(ctx, company, u.Name, u.Bytes, true)
			return discussion.File{FileName: f.FileName, Hash: f.Hash, ContentType: f.ContentType, FileSize: f.FileSize,
				Width: f.Width, Height: f.Height}, err
		},
		URL: func(company string, f discussion.File) string {
			return here(o.Files.AttachmentURL(company, f.ID, media.File{ContentType: f.ContentType}))
		}}
}

// colleagues are the people of the company whose role has a permission.
func colleagues(c *page.Ctx, permission string) (all []discussion.Person, err error) {
	var members []identity.Member
	err = c.Control(false, db.Into(&members,
		func(tx *db.Tx) ([]identity.Member, error) { return identity.Members(tx, c.Visitor.Company) }))
	for _, m := range members {
		if m.IsMember && m.IsActive && (permission == "" || m.Role.Permits(permission)) {
			all = append(all, discussion.Person{ID: m.ID, Name: m.Name, Email: m.Email,
				Language: cmp.Or(m.Language, reference.LanguageOf(c.Tx.Info.Country))})
		}
	}
	return all, err
}

// notifications are what a person was told.
func notifications() []page.Page {
	return []page.Page{
		page.List[discussion.Notification]{Path: notificationsPath, Title: "Notifications",
			Lead:    "What colleagues and customers have said of what concerns you.",
			Filters: []page.Filter{page.Flag("unread", "Read", "Not read yet", "All")},
			Find: func(c *page.Ctx, q page.Query) (record.Found[discussion.Notification], error) {
				found, err := discussion.Notifications(c.Tx, q.Is("unread"), q.Page)
				for i := range found.Items { // whose role is another now does not read on
					if n := &found.Items[i]; n.Permission != "" && !c.May(n.Permission) {
						n.Excerpt = ""
					}
				}
				return found, err
			},
			Href: func(n discussion.Notification) string { return n.Path },
			Columns: func(n discussion.Notification) []page.Column {
				return []page.Column{page.Col("About", page.T(n.Title)),
					page.Col("", page.Badge("New", page.Warn).If(n.ReadAt <= 0)),
					page.Col("What", page.Word(whyTold[n.Reason])), page.Minor("Who", page.T(n.By)),
					page.Minor("Said", page.T(n.Excerpt)), page.Minor("When", page.At(n.ToldAt))}
			},
			New: []page.Go{{Label: readAll, Path: notificationsPath + "/read"}}},
		page.Form[struct{}]{Path: notificationsPath + "/read", Title: readAll, Submit: readAll, Settles: true,
			Fields: func(*page.Ctx, *struct{}) []page.Field { return nil },
			Save: func(c *page.Ctx, _ func(*struct{}) error) (page.Done, error) {
				return page.Did("All are read."), discussion.ReadAll(c.Tx)
			}},
	}
}

var whyTold = map[discussion.Reason]string{discussion.Mentioned: "Mentioned you", discussion.Commented: "Commented",
	discussion.Charged: "Made you responsible", discussion.Answered: "A customer wrote",
	discussion.Accepted: "Accepted", discussion.Declined: "Declined", discussion.Overdue: "Late",
	discussion.Undelivered: "A mail was not delivered"}

func aboutTicket(t *support.Ticket) discussion.About {
	return discussion.About{Resource: support.Tickets.Name, ID: t.ID, Path: page.Path("tickets", t.Number),
		Permission: "tickets:read", Title: func(string) string { return t.Number + ": " + t.Subject }}
}

// OnCustomerWrote tells whoever is responsible for a ticket that its customer wrote.
func OnCustomerWrote(tx *db.Tx, e support.CustomerWrote) error {
	_, err := discussion.TellResponsible(tx, aboutTicket(e.Ticket), discussion.Notification{Reason: discussion.Answered,
		By:      cmp.Or(e.Message.AuthorName, e.Ticket.ContactName, e.Ticket.ContactEmail),
		Excerpt: e.Message.Body})
	return err
}

// OnOverdue tells whoever is responsible for a ticket that it is late; where nobody is, whoever is responsible for what
// the company promises.
func OnOverdue(tx *db.Tx, e support.Overdue) error {
	n := discussion.Notification{Reason: discussion.Overdue,
		By: cmp.Or(e.Ticket.ContactName, e.Ticket.ContactEmail, e.Ticket.CustomerNumber, "–")}
	about := aboutTicket(e.Ticket)
	told, err := discussion.TellResponsible(tx, about, n)
	if err != nil || told {
		return err
	}
	level, err := support.Level(tx)
	if err != nil {
		return err
	}
	p, err := discussion.Responsible(tx, discussion.About{Resource: support.ServiceLevels.Name, ID: level.ID})
	if err != nil || p.ID == "" {
		return err
	}
	return discussion.Tell(tx, about, p, n)
}

func aboutQuote(q *quoting.Quote) discussion.About {
	return discussion.About{Resource: quoting.Quotes.Name, ID: q.ID, Path: page.Path("quotes", q.Number),
		Permission: "quotes:read", Title: func(string) string { return strings.TrimSpace(q.Number + " " + q.Title) }}
}

// OnQuoteDecided tells whoever is responsible for a quote what became of it.
func OnQuoteDecided(tx *db.Tx, e quoting.Decided) error {
	n := discussion.Notification{Reason: discussion.Accepted, By: cmp.Or(e.Quote.ContactName, e.Quote.CustomerName)}
	if tx.Actor.Kind == "user" {
		n.By = tx.Actor.Name // a colleague heard of it
	}
	if e.Quote.Status == quoting.Declined {
		n.Reason, n.Excerpt = discussion.Declined, e.Quote.DeclinedReason
	}
	_, err := discussion.TellResponsible(tx, aboutQuote(e.Quote), n)
	return err
}

// documents are those that are mailed, by their kind.
var documents = map[string]struct {
	record.Resource
	permission string
}{
	quoting.Quotes.Name:            {quoting.Quotes, "quotes:read"},
	sales.Orders.Name:              {sales.Orders, "sales-orders:read"},
	invoicing.Invoices.Name:        {invoicing.Invoices, "invoices:read"},
	purchasing.PurchaseOrders.Name: {purchasing.PurchaseOrders, "purchase-orders:read"},
}

// OnUndelivered notes on a document that the mail with it was not delivered, and tells whoever is responsible for it.
func OnUndelivered(tx *db.Tx, e notice.Undelivered) error {
	d, ok := documents[e.Resource]
	if !ok {
		return nil
	}
	number, found, err := d.NumberOf(tx, e.ID)
	if err != nil || !found {
		return err
	}
	*e.IsKnown = true
	about := discussion.About{Resource: e.Resource, ID: e.ID, Path: page.Path(d.Name, number), Permission: d.permission,
		Title: func(string) string { return number }}
	return discussion.Note(tx, about, discussion.Undelivered, cmp.Or(e.To, "–"),
		letters.UndeliveredNote(reference.LanguageOf(tx.Info.Country), e.Why))
}

// takeCharge makes the person responsible for what they work on where nobody is.
func takeCharge(c *page.Ctx, about discussion.About) error {
	return discussion.TakeCharge(c.Tx, about, discussion.Person{ID: c.Tx.Actor.ID, Name: c.Tx.Actor.Name,
		Language: c.Language()})
}
