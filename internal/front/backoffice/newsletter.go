package backoffice

import (
	"kontor/internal/business/newsletter"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var subscriberBadge = tones[newsletter.Status]{newsletter.Pending: page.Warn, newsletter.Confirmed: page.Good,
	newsletter.Stopped: page.Bad}.badge

// subscribers are the pages of who gets the newsletters of the stores.
func subscribers() []page.Page {
	type row = newsletter.Subscriber
	return []page.Page{
		page.Records[row]{Path: "/subscribers", Title: "Newsletter", Area: "newsletter", By: "id",
			Key: func(s row) string { return s.ID }, Find: newsletter.Find, Resource: newsletter.Subscribers,
			Record: page.Record[row]{Show: showSubscriber, Actions: subscriberActions()},
			List: page.List[row]{Latest: true, Search: "E-mail or name",
				Lead: "Only who has confirmed the address is written to.",
				Filters: []page.Filter{page.Choice("status", "Status", page.Options(newsletter.Status("").Values())),
					page.ChoiceOf("store", "Store", channels.offered)},
				Find: func(c *page.Ctx, q page.Query) (record.Found[row], error) {
					return newsletter.List(c.Tx, newsletter.Filter{Status: newsletter.Status(q.Get("status")),
						ChannelCode: q.Get("store"), Search: q.Search}, q.Page)
				},
				Columns: func(s row) []page.Column {
					return []page.Column{page.Col("E-mail", page.T(s.Email)), page.Minor("Name", page.T(s.Name)),
						page.Col("Status", subscriberBadge(s.Status)), page.Minor("Store", channels.of(s.ChannelCode)),
						page.Minor("Language", page.Word(languageNames[s.Language])),
						page.Minor("Source", page.T(s.Source)),
						page.Minor("Asked", page.At(s.CreatedAt)), page.Minor("Confirmed", page.At(s.ConfirmedAt))}
				}}},
	}
}

func showSubscriber(c *page.Ctx, s newsletter.Subscriber) (page.Sheet, error) {
	facts := []page.Fact{{Label: "Store", Value: channels.called(c, s.ChannelCode)},
		{Label: "Language", Value: page.Word(languageNames[s.Language])}, {Label: "Source", Value: page.T(s.Source)},
		{Label: "Asked", Value: page.At(s.CreatedAt)}, {Label: "Confirmation mailed", Value: page.At(s.MailedAt)},
		{Label: "Confirmed", Value: page.At(s.ConfirmedAt)}, {Label: "Ended", Value: page.At(s.EndedAt)},
		{Label: "Reason", Value: page.T(s.Reason)}}
	return page.Sheet{Title: s.Email, Subtitle: s.Name, Badges: []page.Value{subscriberBadge(s.Status)},
		Parts: []page.Part{page.Facts{Title: "Subscription", Facts: facts}}}, nil
}

func subscriberActions() []page.Action[newsletter.Subscriber] {
	return []page.Action[newsletter.Subscriber]{
		{Name: "remind", Label: "Mail the confirmation again",
			When: func(s newsletter.Subscriber) bool { return s.Status == newsletter.Pending },
			Do: func(c *page.Ctx, s newsletter.Subscriber) (page.Done, error) {
				return page.Did("The confirmation is on its way."), newsletter.Remind(c.Tx, s.ID)
			}},
		{Name: "unsubscribe", Label: "Unsubscribe",
			Confirm: "No newsletter is sent to this address any more.", When: func(s newsletter.Subscriber) bool {
				return s.Status == newsletter.Pending || s.Status == newsletter.Confirmed
			},
			Do: func(c *page.Ctx, s newsletter.Subscriber) (page.Done, error) {
				return page.Did("The subscription has ended."), newsletter.Unsubscribe(c.Tx, s.ID)
			}},
		{Name: "erase", Label: "Erase", Confirm: "Address and name are forgotten for good.",
			Do: func(c *page.Ctx, s newsletter.Subscriber) (page.Done, error) {
				return page.Went("/subscribers", "The subscriber is erased."), newsletter.Erase(c.Tx, s.ID)
			}},
	}
}
