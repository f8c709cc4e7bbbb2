package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/checkout"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// logged is an entry of the activity log as the list shows it.
type logged struct {
	record.Entry
	who    string
	detail string
}

// system are the pages of what happened, and of work that waits.
func system() []page.Page {
	return append([]page.Page{activity()}, jobPages()...)
}

// activity is the log of who did what.
func activity() page.Page {
	return page.List[logged]{Path: "/activity", Title: "Activity", Permission: "activity:read", Menu: true,
		Lead: "Who did what, when, and what it changed.",
		Filters: []page.Filter{page.Choice("resource", "Kind", []page.Option{{Value: "orders", Label: "Orders"},
			{Value: "customers", Label: "Customers"}, {Value: "items", Label: "Items"},
			{Value: "shipments", Label: "Shipments"}, {Value: "invoices", Label: "Invoices"},
			{Value: "returns", Label: "Returns"}, {Value: "price-lists", Label: "Price lists"},
			{Value: "price-list-lines", Label: "Prices"}, {Value: "inventory-transactions", Label: "Stock ledger"},
			{Value: "channels", Label: "Channels"}, {Value: "categories", Label: "Categories"},
			{Value: "brands", Label: "Brands"}}),
			page.Match("key", "Number"), page.Choice("by", "Done by", []page.Option{{Value: "user", Label: "Users"},
				{Value: "apiKey", Label: "API keys"}, {Value: "contact", Label: "Contacts"},
				{Value: "system", Label: "The system"}}), page.From("from", "From"), page.From("to", "To")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[logged], error) {
			f := record.ActivityFilter{Resource: q.Get("resource"), Key: q.Get("key"), ActorKind: q.Get("by"),
				Actor: q.Get("actor")}
			if d := q.Date("from"); d != "" {
				f.From = c.Tx.BeginningOf(d)
			}
			if d := q.Date("to"); d != "" {
				f.To = c.Tx.BeginningOf(d.AddDays(1))
			}
			found, err := record.Activities(c.Tx, f, q.Page)
			return listed(found, func(e record.Entry) logged { return logged{e, c.Who(e.Actor), c.LogDetail(e)} }), err
		},
		Columns: func(e logged) []page.Column {
			return []page.Column{page.Col("When", page.At(e.At)), page.Col("Who", page.T(e.who)),
				page.Col("What", page.Word(page.Words(e.Action))),
				page.Minor("Kind", page.Word(page.Words(e.Resource))),
				page.Col("Number", about(e.Entry)),
				page.Minor("Changes", page.T(e.detail))}
		}}
}

// about is the record that an entry of the log is about. A record that has no number of its own is opened by a word.
func about(e record.Entry) page.Value {
	to := href(e.Resource, e.Key)
	if len(e.Key) == 36 && strings.Count(e.Key, "-") == 4 {
		if to == "" {
			return page.None()
		}
		return page.T(e.Key).Linked(to).Called(func(c *page.Ctx) page.Value { return page.T(c.Say("Show")) })
	}
	return page.T(e.Key).Linked(to)
}

var jobBadge = tones[jobs.Status]{jobs.Waiting: page.Calm, jobs.Running: page.Warn, jobs.Done: page.Good,
	jobs.Failed: page.Bad}.badge

// whyFailed is why a job failed last, without the code that programs go by.
func whyFailed(j jobs.Job) string {
	code, why, isCoded := strings.Cut(j.LastError, ": ")
	if !isCoded || !strings.Contains(code, ".") || strings.ContainsAny(code, " \"/") {
		return j.LastError
	}
	return why
}

// jobPages are the pages of work after the commit: mails, refunds and the like.
func jobPages() []page.Page {
	id := func(j jobs.Job) string { return j.ID }
	may := allowed(jobs.Moves, func(j jobs.Job) jobs.Status { return j.Status })
	return []page.Page{page.Records[jobs.Job]{Path: "/jobs", Title: "Jobs and outbox", Area: "jobs", By: "id", Key: id,
		Find: jobs.Find,
		List: page.List[jobs.Job]{Own: page.Own("-made"), Search: "What it is about",
			Filters: []page.Filter{page.Choice("status", "Status", page.Options(jobs.Status("").Values())),
				page.ChoiceOf("kind", "Kind", func(c *page.Ctx) []page.Option {
					all, _ := jobs.Kinds(c.Tx)
					return page.Options(all)
				})},
			Find: func(c *page.Ctx, q page.Query) (record.Found[jobs.Job], error) {
				return jobs.List(c.Tx, jobs.Filter{Status: jobs.Status(q.Get("status")), Kind: q.Get("kind"),
					Search: q.Search}, q.Page)
			},
			Columns: func(j jobs.Job) []page.Column {
				return []page.Column{page.Col("About", page.T(j.Subject)),
					page.Col("Kind", page.Word(page.Words(j.Kind))), page.Col("Status", jobBadge(j.Status)),
					page.Minor("Attempts", page.Count(j.Attempts)),
					page.Minor("Made", page.At(j.CreatedAt)).By("made"), page.Minor("Next", nextRun(j)),
					page.Minor("Last failure", page.Word(whyFailed(j)))}
			},
			Empty: "No work waits."},
		Record: page.Record[jobs.Job]{
			Show: func(c *page.Ctx, j jobs.Job) (page.Sheet, error) {
				title := cmp.Or(j.Subject, page.Words(j.Kind))
				s := page.Sheet{Title: title, Subtitle: c.Say(page.Words(j.Kind)),
					Badges: []page.Value{jobBadge(j.Status)},
					Parts: []page.Part{page.Facts{Title: "Job", Facts: []page.Fact{
						{Label: "Made", Value: page.At(j.CreatedAt)}, {Label: "By", Value: page.T(c.Who(db.Actor{Name: j.Actor}))},
						{Label: "Attempts", Value: page.Count(j.Attempts)}, {Label: "Next", Value: nextRun(j)},
						{Label: "Done", Value: page.At(j.DoneAt)}}}, page.Noted("Last failure", c.Say(whyFailed(j)))}}
				letter, err := letterOf(c, j)
				if err != nil {
					return s, err
				}
				refund, err := refundOf(c, j)
				s.Parts = append(append(s.Parts, letter...), refund)
				return s, err
			},
			Actions: []page.Action[jobs.Job]{
				{Name: "retry", Label: "Try again now", Tone: page.Primary,
					When: may("retry"), Do: done("The job is tried again.", jobs.Retry, id)},
				{Name: "cancel", Label: "Give up", Tone: page.Bad, When: may("cancel"),
					Confirm: "The job is not tried any more.", Do: done("The job is given up.", jobs.Cancel, id)},
				{Name: "paid-back", Label: "Paid back another way", Permission: "invoices:write",
					When:    checkout.IsFailedRefund,
					Confirm: "The money has gone back to the buyer another way. It is booked as paid back, and the buyer hears of it.",
					Do:      done("The money is booked as paid back.", checkout.PaidBack, id)}}}}}
}

// refundOf is the money that a failed job was to give back.
func refundOf(c *page.Ctx, j jobs.Job) (page.Part, error) {
	m, err := checkout.FailedRefund(c.Tx, j)
	if err != nil || m == nil {
		return nil, err
	}
	p, err := checkout.FindStarted(c.Tx, m.PaymentID)
	if err != nil {
		return nil, err
	}
	return page.Facts{Title: "Refund", Facts: []page.Fact{{Label: "Amount", Value: page.Money(m.Amount, p.Currency)},
		{Label: "Payment method", Value: page.T(p.Method)},
		{Label: "Order", Value: page.To(p.OrderNumber, page.Path("orders", p.OrderNumber))}}}, nil
}

// letterOf is what a job mails, to whom, and what it says: while it waits, to who may read that. Once it is delivered
// only the readers are known.
func letterOf(c *page.Ctx, j jobs.Job) ([]page.Part, error) {
	if j.Kind != mail.Kind.Name {
		return nil, nil
	}
	var m mail.Message
	if err := j.Read(&m); err != nil {
		return nil, err
	}
	facts := page.Facts{Title: "Mail", Facts: []page.Fact{{Label: "Subject", Value: page.T(m.Subject)}}}
	for _, to := range m.To {
		facts.Facts = append(facts.Facts,
			page.Fact{Label: "To", Value: page.T(strings.TrimSpace(to.Name + " <" + to.Email + ">"))})
	}
	if m.Text != "" && !m.OfficeMay(c.May) {
		m.Text = c.Say("What it says is for its reader alone.")
	}
	return []page.Part{facts, page.Noted("Text", m.Text)}, nil
}

// nextRun is when a job that waits is tried next.
func nextRun(j jobs.Job) page.Value {
	return page.At(j.RunAt).If(j.Status == jobs.Waiting)
}
