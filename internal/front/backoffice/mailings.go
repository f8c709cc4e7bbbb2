package backoffice

import (
	"html/template"
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/business/mailing"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

const (
	readsNewsletter  = "newsletter:read"
	writesNewsletter = "newsletter:write"
)

var mailingBadge = tones[mailing.Status]{mailing.Draft: page.Plain, mailing.Sending: page.Calm,
	mailing.Stopped: page.Warn, mailing.Sent: page.Good}.badge

// mailings are the pages on which letters to the readers of newsletters are written, tried and sent.
func mailings() []page.Page {
	return []page.Page{
		page.Records[mailing.Mailing]{Path: "/mailings", Title: "Mailings", Area: "newsletter", By: "id",
			Key: mailingID, Find: mailing.Find, Resource: mailing.Mailings, List: mailingList(),
			Record: mailingRecord(), New: page.Form[mailing.Mailing]{Title: "New mailing"},
			Edit:   page.Form[mailing.Mailing]{Title: "Edit mailing"},
			Fields: mailingFields, Begin: beginMailing, Create: mailing.Create, Made: "Saved.", Change: mailing.Change},
		mailingPreview(), recipients(),
	}
}

func mailingID(m mailing.Mailing) string { return m.ID }

func mailingList() page.List[mailing.Mailing] {
	type row = mailing.Mailing
	return page.List[row]{Search: "Subject or who wrote it",
		Lead: "Letters to those who have confirmed that they want a store's newsletter: each address gets one, slowly.",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(mailing.Status("").Values())),
			page.ChoiceOf("store", "Store", channels.offered)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[row], error) {
			return mailing.List(c.Tx, mailing.Filter{Status: mailing.Status(q.Get("status")),
				ChannelCode: q.Get("store"), Search: q.Search}, q.Page)
		},
		Columns: func(m row) []page.Column {
			return []page.Column{page.Col("Subject", page.T(m.Subject)),
				page.Col("Status", mailingBadge(m.Status)), page.Minor("Store", channels.of(m.ChannelCode)),
				page.Minor("Recipients", page.Count(m.Counts.All())),
				page.Col("Letters sent", page.Count(m.Counts.Sent)),
				page.Minor("Came back", page.Count(m.Counts.Bounced)),
				page.Minor("Written by", page.T(m.By)), page.Minor("Begun", page.At(m.BeganAt))}
		}}
}

func loadMailing(c *page.Ctx) (mailing.Mailing, error) { return mailing.Find(c.Tx, c.Path("id")) }

func mailingRecord() page.Record[mailing.Mailing] {
	may := allowed(mailing.Moves, func(m mailing.Mailing) mailing.Status { return m.Status })
	return page.Record[mailing.Mailing]{Show: showMailing,
		Again: func(m mailing.Mailing) bool { return m.Status == mailing.Sending },
		Edit: func(_ *page.Ctx, m mailing.Mailing) []page.Go {
			return []page.Go{{Label: "As it will look", Path: page.Path("mailings", m.ID, "letter")},
				editing("mailings", m.ID).If(may("edit")(m))}
		},
		Actions: []page.Action[mailing.Mailing]{
			{Name: "try", Label: "Send a trial to me",
				Do: func(c *page.Ctx, m mailing.Mailing) (page.Done, error) {
					return page.Did("The trial is on its way to %s.", c.Visitor.Email), mailing.Try(c.Tx, m.ID,
						mail.Address{Name: c.Visitor.Actor.Name, Email: c.Visitor.Email})
				}},
			{Name: "send", Label: "Send", Tone: page.Primary, When: may("send"),
				Confirm: "The letter goes to everybody whom it is for now, once, and cannot be taken back.",
				Do:      done("The mailing has begun.", mailing.Begin, mailingID)},
			{Name: "stop", Label: "Stop", Tone: page.Bad, When: may("stop"),
				Confirm: "Letters that have left arrive; the others wait until you resume.",
				Do:      done("Stopped.", mailing.Stop, mailingID)},
			{Name: "resume", Label: "Resume", Tone: page.Primary, When: may("resume"),
				Do: done("The mailing goes on.", mailing.Resume, mailingID)},
			{Name: "delete", Label: "Delete", Tone: page.Bad, When: may("delete"),
				Confirm: "The draft is gone for good.", Do: func(c *page.Ctx, m mailing.Mailing) (page.Done, error) {
					return page.Went("/mailings", "The mailing is deleted."), mailing.Delete(c.Tx, m.ID)
				}},
		}}
}

func showMailing(c *page.Ctx, m mailing.Mailing) (page.Sheet, error) {
	s := page.Sheet{Title: m.Subject, Subtitle: channels.name(c, m.ChannelCode),
		Badges: []page.Value{mailingBadge(m.Status)}}
	if m.Status == mailing.Draft {
		readers, err := mailing.Readers(c.Tx, m)
		if err != nil {
			return s, err
		}
		s.Parts = append(s.Parts, page.Figures{{Label: "Would get it now", Value: page.Count(len(readers))},
			{Label: "Would take", Value: lasts(c, len(readers), m.Pace)}})
	} else {
		n, at := m.Counts, page.Path("mailings", m.ID, "recipients")
		figures := page.Figures{{Label: "Recipients", Value: page.Count(n.All()), Href: at},
			{Label: "Letters sent", Value: page.Count(n.Sent), Href: at + "?status=Sent"},
			{Label: "Skipped", Value: page.Count(n.Skipped), Href: at + "?status=Skipped"},
			{Label: "Came back", Value: page.Count(n.Bounced), Href: at + "?status=Bounced"}}
		if n.Waiting > 0 {
			figures = append(figures, page.Figure{Label: "Wait", Value: page.Count(n.Waiting),
				Href: at + "?status=Waiting"}, page.Figure{Label: "Takes another", Value: lasts(c, n.Waiting, m.Pace)})
		}
		s.Parts = append(s.Parts, figures)
	}
	ch, err := channel.Find(c.Tx, m.ChannelCode)
	if err != nil {
		return s, err
	}
	text := template.HTML(mailing.Linked(m.HTML, ch.URL())) // sanitised when it was written
	s.Parts = append(s.Parts, page.Drawn{Title: "Text", HTML: `<div class="written">` + text + `</div>`})
	s.Side = []page.Part{whomFor(c, m), page.Facts{Title: "Sending", Facts: []page.Fact{
		{Label: "Letters a minute", Value: page.Count(m.Pace)},
		{Label: "Written by", Value: page.T(m.By)}, {Label: "Begun", Value: page.At(m.BeganAt)},
		{Label: "Ended", Value: page.At(m.EndedAt)}}}}
	return s, nil
}

// lasts is how long so many letters take at a pace.
func lasts(c *page.Ctx, letters, pace int) page.Value {
	minutes := (letters + pace - 1) / max(pace, 1)
	if minutes < 120 {
		return page.T(c.Say("%d minutes", minutes))
	}
	return page.T(c.Say("%d hours", (minutes+59)/60))
}

func whomFor(c *page.Ctx, m mailing.Mailing) page.Part {
	s := m.Segment
	return page.Facts{Title: "Whom it is for", Facts: []page.Fact{
		{Label: "Store", Value: channels.called(c, m.ChannelCode)},
		{Label: "Language", Value: page.Word(languageNames[m.Language])},
		{Label: "Only readers of this language", Value: page.YesNo(s.SameLanguage)},
		{Label: "Customer group", Value: customerGroups.called(c, s.GroupCode)},
		{Label: "Bought within days", Value: page.Count(s.BoughtDays).If(s.BoughtDays > 0)},
		{Label: "Bought the item", Value: page.T(s.ItemNumber)},
		{Label: "Bought of the category", Value: page.T(categoryName(c, s.CategoryCode))}}}
}

var languageNames = map[string]string{"da": "Danish", "de": "German", "en": "English", "fi": "Finnish",
	"nb": "Norwegian", "sv": "Swedish"}

func mailingLanguages() (out []page.Option) {
	for _, l := range mailing.Languages() {
		out = append(out, page.Option{Value: l, Label: languageNames[l]})
	}
	return out
}

// beginMailing begins with the store that its link names and the language of who writes it.
func beginMailing(c *page.Ctx) (mailing.Mailing, error) {
	m := mailing.New()
	m.ChannelCode = firstOf(channels.offered(c), c.Query("store"))
	if slices.Contains(mailing.Languages(), c.Language()) {
		m.Language = c.Language()
	}
	return m, nil
}

func mailingFields(c *page.Ctx, m *mailing.Mailing) []page.Field {
	s := &m.Segment
	return []page.Field{
		page.Group("Letter", page.Select("channel", "Store", &m.ChannelCode, channels.offered(c)).Required(),
			page.Select("language", "Language", &m.Language, mailingLanguages()).Required(),
			page.Text("subject", "Subject", &m.Subject).Required().Max(200).Wide(),
			page.Prose("html", "Text", &m.HTML).Required().Max(100_000).
				Hint("Plain text with an empty line between paragraphs, or HTML. Links may begin with / and lead into the shop.")),
		page.Group("Whom it is for", page.Check("sameLanguage", "Only readers of this language", &s.SameLanguage),
			page.Select("group", "Customer group", &s.GroupCode, customerGroups.offered(c)),
			page.Number("boughtDays", "Bought within days", &s.BoughtDays).Hint("0: whenever, or nothing at all."),
			page.Code("item", "Bought the item", &s.ItemNumber).Lookup(findItems),
			page.Code("category", "Bought of the category", &s.CategoryCode).Lookup(findCategories)),
		page.Group("Sending", page.Number("pace", "Letters a minute", &m.Pace).
			Hint("A mail server that is not known for sending much is soon believed to be abused: begin slowly.")),
	}
}

func addressOf(r mailing.Recipient) page.Value {
	if r.Email == "" {
		return page.Word("Erased")
	}
	return page.T(r.Email)
}

func whySkipped(r mailing.Recipient) page.Value {
	if r.Status == mailing.IsSkipped {
		return page.Word(r.Reason)
	}
	return page.T(r.Reason)
}

// recipients are who a mailing is for, and what became of their letters.
func recipients() page.Page {
	type row = mailing.Recipient
	return page.List[row]{Path: "/mailings/{id}/recipients", Title: "Recipients", Permission: readsNewsletter,
		Crumbs: func(c *page.Ctx) []page.Link {
			return []page.Link{{Label: c.Say("Mailings"), Href: "/mailings"},
				{Label: c.Say("Mailing"), Href: page.Path("mailings", c.Path("id"))}}
		},
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(mailing.RecipientStatus("").Values()))},
		Find: func(c *page.Ctx, q page.Query) (out record.Found[row], err error) {
			if _, err := loadMailing(c); err != nil {
				return out, err
			}
			return mailing.Recipients(c.Tx, mailing.RecipientFilter{MailingID: c.Path("id"),
				Status: mailing.RecipientStatus(q.Get("status"))}, q.Page)
		},
		Href: func(r row) string {
			if r.Email == "" {
				return ""
			}
			return page.Path("subscribers", r.SubscriberID)
		},
		Columns: func(r row) []page.Column {
			return []page.Column{page.Col("E-mail", addressOf(r)),
				page.Col("Status", page.Badge(r.Status, map[mailing.RecipientStatus]page.Tone{mailing.IsSent: page.Good, mailing.IsBounced: page.Bad, mailing.IsSkipped: page.Warn}[r.Status])),
				page.Col("Reason", whySkipped(r)), page.Minor("When", page.At(r.MovedAt))}
		}}
}
