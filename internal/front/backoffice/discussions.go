package backoffice

import (
	"cmp"
	"context"

	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/business/reference"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/discussion"
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
	err = c.Control(false, func(tx *db.Tx) (err error) {
		members, err = identity.Members(tx, c.Visitor.Company)
		return err
	})
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
			Lead: "What colleagues and customers have said of what concerns you.",
			Filters: func(*page.Ctx) []page.Filter {
				return []page.Filter{page.Flag("unread", "Read", "Not read yet", "All")}
			},
			Find: func(c *page.Ctx, q page.Query) (record.Found[discussion.Notification], error) {
				unread := q.Bool("unread")
				return discussion.Notifications(c.Tx, unread != nil && *unread, q.Page)
			},
			Href: func(n discussion.Notification) string { return n.Path },
			Columns: []page.Column[discussion.Notification]{
				page.Col("About", func(n discussion.Notification) page.Value { return page.T(n.Title) }),
				page.Col("", func(n discussion.Notification) page.Value {
					if n.ReadAt > 0 {
						return page.None()
					}
					return page.Badge("New", page.Warn)
				}),
				page.Col("What", func(n discussion.Notification) page.Value { return page.Word(whyTold[n.Reason]) }),
				page.Minor("Who", func(n discussion.Notification) page.Value { return page.T(n.By) }),
				page.Minor("Said", func(n discussion.Notification) page.Value { return page.T(n.Excerpt) }),
				page.Col("When", func(n discussion.Notification) page.Value { return page.At(n.ToldAt) })},
			New: []page.Go{{Label: readAll, Path: notificationsPath + "/read"}}},
		page.Form[struct{}]{Path: notificationsPath + "/read", Title: readAll, Submit: readAll, Settles: true,
			Crumbs: crumb("Notifications", notificationsPath),
			Back:   func(*page.Ctx) string { return notificationsPath },
			Fields: func(*page.Ctx, *struct{}) []page.Field { return nil },
			Save: func(c *page.Ctx, _ func(*struct{}) error) (page.Done, error) {
				return page.Did("All are read."), discussion.ReadAll(c.Tx)
			}},
	}
}

var whyTold = map[discussion.Reason]string{discussion.Mentioned: "Mentioned you", discussion.Commented: "Commented",
	discussion.Charged: "Made you responsible", discussion.Answered: "A customer wrote"}

// OnCustomerWrote tells whoever is responsible for a ticket that its customer wrote.
func OnCustomerWrote(tx *db.Tx, e support.CustomerWrote) error {
	return discussion.OnCustomerWrote(tx, discussion.About{Resource: support.Tickets.Name, ID: e.Ticket.ID,
		Path:  page.Path("tickets", e.Ticket.Number),
		Title: func(string) string { return e.Ticket.Number + ": " + e.Ticket.Subject }},
		cmp.Or(e.Message.AuthorName, e.Ticket.ContactName, e.Ticket.ContactEmail), e.Message.Body)
}
