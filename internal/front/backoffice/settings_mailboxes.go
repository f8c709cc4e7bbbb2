package backoffice

import (
	"strconv"

	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// inbox is a mailbox with how far it was read.
type inbox struct {
	support.Inbox
	read support.Reading
}

func withReading(c *page.Ctx, in support.Inbox) (inbox, error) {
	r, err := support.ReadingOf(c.Tx, in.ID)
	return inbox{in, r}, err
}

// inboxBadge says how a mailbox is.
func inboxBadge(in inbox) page.Value {
	switch {
	case !in.IsUsed:
		return page.Badge("Not used", page.Plain)
	case in.read.Reason != "":
		return page.Badge("Failing", page.Bad)
	case in.read.AskedAt == 0:
		return page.Badge("Waiting", page.Calm)
	}
	return page.Badge("Working", page.Good)
}

func toInbox(c *page.Ctx) string { return page.Path("settings", "mailboxes", c.Path("code")) }

// mailboxes are the pages of the mailboxes whose mails become tickets.
func (o Office) mailboxes() []page.Page {
	const list, making = "/settings/mailboxes", "/new/settings/mailboxes"
	return []page.Page{
		inboxList(list, making),
		page.Record[inbox]{Path: list + "/{code}", Permission: "settings:read", Resource: support.Inboxes,
			Load: func(c *page.Ctx) (inbox, error) {
				in, err := support.FindInbox(c.Tx, c.Path("code"))
				if err != nil {
					return inbox{}, err
				}
				return withReading(c, in)
			},
			Show: showInbox, Actions: inboxActions(), Edit: func(_ *page.Ctx, in inbox) []page.Go {
				return onlyEdit("settings", "mailboxes", in.Code)
			}},
		page.Records[support.Inbox]{Path: list, Title: "Mailboxes", Area: "settings", By: "code",
			Key: func(in support.Inbox) string { return in.Code }, Resource: support.Inboxes,
			Find: func(tx *db.Tx, code string) (support.Inbox, error) {
				in, err := support.FindInbox(tx, code)
				in.Password = "" // it is shown to nobody
				return in, err
			},
			New:    page.Form[support.Inbox]{Title: "New mailbox"},
			Edit:   page.Form[support.Inbox]{Title: "Edit mailbox"},
			Fields: inboxFields, Begin: func(*page.Ctx) (support.Inbox, error) { return support.NewInbox(), nil },
			Create: support.CreateInbox, Made: "%s is made.", Change: support.ChangeInbox},
		page.Deed{Path: list + "/{code}/try", Permission: "settings:write", Where: page.Outside, Do: o.tryInbox},
	}
}

func inboxList(list, making string) page.Page {
	return page.List[inbox]{Path: list, Own: page.Own("code"), Title: "Mailboxes", Permission: "settings:read",
		Menu: true, Lead: "Mailboxes at your mail provider. Kontor looks into them every minute, and each mail becomes a ticket or goes to the one that it answers.",
		Find: func(c *page.Ctx, q page.Query) (record.Found[inbox], error) {
			found, err := support.ListInboxes(c.Tx, q.Page)
			out := record.Found[inbox]{Total: found.Total}
			for i := 0; err == nil && i < len(found.Items); i++ {
				var in inbox
				in, err = withReading(c, found.Items[i])
				out.Items = append(out.Items, in)
			}
			return out, err
		},
		Href: func(in inbox) string { return page.Path("settings", "mailboxes", in.Code) },
		Columns: func(in inbox) []page.Column {
			return []page.Column{page.Col("Code", page.T(in.Code)), page.Col("E-mail", page.T(in.Address)),
				page.Minor("Queue", page.T(in.QueueCode)), page.Minor("Last read", page.At(in.read.AskedAt)),
				page.Minor("Mails taken", page.Count(in.read.Taken)), page.Col("Status", inboxBadge(in))}
		},
		New: []page.Go{{Label: "New mailbox", Path: making, Primary: true}}}
}

func securities(c *page.Ctx) []page.Option {
	out := []page.Option{{Value: string(support.TLS), Label: "TLS"},
		{Value: string(support.StartTLS), Label: "STARTTLS"}}
	if c.Tx.Info.Environment == "Test" {
		out = append(out, page.Option{Value: string(support.Bare), Label: c.Say("None (for trials alone)")})
	}
	return out
}

func inboxFields(c *page.Ctx, in *support.Inbox) []page.Field {
	password := "Sent to the mail server alone, and shown to nobody once it is saved."
	if in.ID != "" {
		password = "Left empty, it stays as long as the server and the user do; it is shown to nobody."
	}
	return []page.Field{
		page.Code("code", "Code", &in.Code).Required().Max(30).FixedIf(in.ID != ""),
		page.Check("isUsed", "Is read", &in.IsUsed).
			Hint("Mails that lie unread in it are taken too. Try the connection first: it says how many there are."),
		page.Email("address", "E-mail", &in.Address).Required().
			Hint("The address whose mails lie in it. Answers to your mails about tickets go there."),
		page.Select("queueCode", "Queue", &in.QueueCode, ticketQueues.offered(c)).
			Hint("Of the tickets that come from it. Left empty, it is the usual one."),
		page.Group("Mail server",
			page.Text("host", "Server (IMAP)", &in.Host).Required().Max(253).Hint("Such as imap.example.com."),
			page.Number("port", "Port", &in.Port).Required().Hint("Usually 993 with TLS, 143 with STARTTLS."),
			page.Select("security", "Encryption", &in.Security, securities(c)).Required(),
			page.Text("user", "User", &in.User).Required().Max(200).Hint("Often the address itself."),
			page.Password("password", "Password", &in.Password).Auto("new-password").Hint(password),
			page.Text("folder", "Folder", &in.Folder).Required().Max(200),
			page.Text("doneFolder", "Folder for mails that were taken", &in.DoneFolder).Max(200).
				Hint("It must be there already. Left empty, mails stay where they are and are marked as read."))}
}

func showInbox(c *page.Ctx, in inbox) (page.Sheet, error) {
	try := page.Post("Try the connection", page.Path("settings", "mailboxes", in.Code, "try"))
	done := page.Word("Stay, marked as read")
	if in.DoneFolder != "" {
		done = page.T(in.DoneFolder)
	}
	s := page.Sheet{Title: in.Address, Subtitle: in.Code, Badges: []page.Value{inboxBadge(in)}}
	if in.read.Reason != "" && in.IsUsed {
		s.Parts = append(s.Parts, page.Note{Title: "It cannot be read", Text: c.Say(in.read.Reason)})
	}
	reading := page.Facts{Title: "Reading", Facts: []page.Fact{{Label: "Last read", Value: page.At(in.read.AskedAt)},
		{Label: "Last mail", Value: page.At(in.read.TakenAt)}, {Label: "Mails taken", Value: page.Count(in.read.Taken)},
		{Label: "Failing since", Value: page.At(in.read.FailingAt)},
		{Label: "Attempts that failed", Value: page.Count(in.read.Fails).If(in.read.FailingAt != 0)},
		{Label: "Mails left in the mailbox", Value: page.Count(in.read.Left).If(in.read.Left > 0)},
		{Label: "Why the last was left", Value: page.T(c.Say(in.read.LeftReason)).If(in.read.Left > 0)}}}
	s.Parts = append(s.Parts, page.Facts{Title: "Mail server", Facts: []page.Fact{
		{Label: "Server (IMAP)", Value: page.T(in.Host)}, {Label: "Port", Value: page.T(strconv.Itoa(in.Port))},
		{Label: "Encryption", Value: page.T(string(in.Security))}, {Label: "User", Value: page.T(in.User)},
		{Label: "Folder", Value: page.T(in.Folder)}, {Label: "Mails that were taken", Value: done},
		{Label: "Queue", Value: ticketQueues.called(c, in.QueueCode)}, {Label: "", Value: try}}}, reading)
	return s, nil
}

func inboxActions() []page.Action[inbox] {
	return []page.Action[inbox]{
		{Name: "read", Label: "Read now", When: func(in inbox) bool { return in.IsUsed },
			Do: func(c *page.Ctx, in inbox) (page.Done, error) {
				return page.Did("The mailbox is being read, with what was left in it."), support.ReadAgain(c.Tx, in.Code)
			}},
		{Name: "delete", Label: "Delete", Tone: page.Bad,
			Confirm: "It is not read any more. The mails in it stay, and so do the tickets.",
			Do: func(c *page.Ctx, in inbox) (page.Done, error) {
				return page.Went("/settings/mailboxes", "The mailbox %s is deleted.", in.Code),
					support.DeleteInbox(c.Tx, in.Code)
			}},
	}
}

// tryInbox signs in to a mailbox and says in words what it found, or what is wrong.
func (o Office) tryInbox(c *page.Ctx) (page.Done, error) {
	var in support.Inbox
	var read support.Reading
	isTest := false
	err := o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) (err error) {
		isTest = tx.Info.Environment == "Test"
		if in, err = support.FindInbox(tx, c.Path("code")); err == nil {
			read, err = support.ReadingOf(tx, in.ID)
		}
		return err
	})
	if err != nil {
		return page.Done{}, err
	}
	found, err := o.Mailboxes.Try(c.Context(), in, read, isTest)
	if fault.Is(err, support.ErrInboxFails) {
		return page.Went(toInbox(c), "It does not work: %s", c.Refusal(err)), nil
	}
	if err != nil {
		return page.Done{}, err
	}
	if found.More {
		return page.Went(toInbox(c), "It works. %d mails lie in the folder; more than %d of them would be taken now.",
			found.Mails, found.Waiting), nil
	}
	return page.Went(toInbox(c), "It works. %d mails lie in the folder; %d of them would be taken now.", found.Mails,
		found.Waiting), nil
}
