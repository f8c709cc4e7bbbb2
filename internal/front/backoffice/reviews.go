package backoffice

import (
	"kontor/internal/business/party"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var reviewBadge = tones[review.Status]{review.Pending: page.Warn, review.Published: page.Good}.badge

// namedReview is a review with the name of its item.
type namedReview struct {
	review.Review
	name string
}

func findReviews(c *page.Ctx, q page.Query) (record.Found[namedReview], error) {
	found, err := review.List(c.Tx, review.Filter{Search: q.Search, Status: review.Status(q.Get("status"))}, q.Page)
	of := itemsCalled(c, each.Of(found.Items, func(r review.Review) string { return r.ItemNumber })...)
	return listed(found, func(r review.Review) namedReview {
		return namedReview{r, of[record.Fold(r.ItemNumber)].Name}
	}), err
}

// reviews are the pages on which the merchant looks at what buyers say.
func reviews() []page.Page {
	return []page.Page{
		page.List[namedReview]{Path: "/reviews", Title: "Reviews", Permission: "reviews:read", Menu: true,
			Search: "Item, title or author", Lead: "What buyers think of items. Visitors see what is published.",
			Filters: []page.Filter{page.Choice("status", "Status", page.Options(review.Status("").Values()))},
			Find:    findReviews, Href: func(r namedReview) string { return page.Path("reviews", r.ID) },
			Columns: func(r namedReview) []page.Column {
				return []page.Column{page.Col("Item", page.T(r.ItemNumber)), page.Minor("Name", page.T(r.name)),
					page.Col("Stars", page.Count(r.Rating)), page.Col("Title", page.T(r.Title)),
					page.Col("Status", reviewBadge(r.Status)), page.Minor("Store", channels.of(r.ChannelCode)),
					page.Minor("Verified", page.YesNo(r.IsVerified)), page.Minor("Author", page.T(r.AuthorName)),
					page.Minor("Created", page.At(r.CreatedAt))}
			}},
		page.Record[review.Review]{Path: "/reviews/{id}", Permission: "reviews:read", Resource: review.Reviews,
			Load: func(c *page.Ctx) (review.Review, error) { return review.Find(c.Tx, c.Path("id")) },
			Show: showReview, Actions: reviewActions()},
	}
}

func showReview(c *page.Ctx, r review.Review) (page.Sheet, error) {
	s := page.Sheet{Title: c.Say("Review of %s", r.ItemNumber), Subtitle: r.Title, Badges: []page.Value{reviewBadge(r.Status)}}
	if r.IsVerified {
		s.Badges = append(s.Badges, page.Badge("Has bought the item", page.Calm))
	}
	s.Parts = []page.Part{page.Note{Title: c.Say("%d of 5 stars", r.Rating), Text: r.Body},
		page.Noted("Answer", r.Answer), page.Noted("Reason of the rejection", r.Reason)}
	votes, err := review.Votes.On(c.Tx, []string{r.ID})
	if err != nil {
		return s, err
	}
	facts := page.Facts{Title: "Review",
		Facts: []page.Fact{{Label: "Item", Value: itemLink(c, r.ItemNumber)},
			{Label: "Author", Value: page.T(r.AuthorName)},
			{Label: "Store", Value: channels.called(c, r.ChannelCode).Linked(page.Path("stores", r.ChannelCode))},
			{Label: "Created", Value: page.At(r.CreatedAt)}, {Label: "Answered", Value: page.At(r.AnsweredAt)},
			{Label: "Helped", Value: page.Count(votes[r.ID].Helpful)},
			{Label: "Did not help", Value: page.Count(votes[r.ID].NotHelpful)}}}
	if r.CustomerID != "" {
		bought, err := purchaseOf(c, r)
		if err != nil {
			return s, err
		}
		facts.Facts = append(facts.Facts, bought...)
	}
	s.Side = []page.Part{facts}
	return s, nil
}

// purchaseOf is who wrote a review and by which order the item was bought.
func purchaseOf(c *page.Ctx, r review.Review) ([]page.Fact, error) {
	buyer, found, err := party.ByID(c.Tx, r.CustomerID)
	if err != nil || !found {
		return nil, err
	}
	order, err := sales.Bought(c.Tx, buyer.Number, r.ItemID, r.ItemNumber)
	return []page.Fact{
		{Label: "Customer", Value: page.To(named(buyer.Number, buyer.Name), page.Path("customers", buyer.Number))},
		{Label: "Bought by order", Value: page.To(order, page.Path("orders", order))}}, err
}

func reviewID(r review.Review) string { return r.ID }

func reviewActions() []page.Action[review.Review] {
	ask := func(a page.Action[review.Review], label string, now func(review.Review) string,
		do func(tx *db.Tx, id, text string) (review.Review, error), done string) page.Action[review.Review] {
		return page.Ask(a, func(_ *page.Ctx, r review.Review) (string, error) { return now(r), nil },
			func(_ *page.Ctx, _ review.Review, text *string) []page.Field {
				field := page.Prose("text", label, text)
				if a.Tone == page.Bad {
					field = field.Required() // a rejection says why
				}
				return []page.Field{field}
			},
			told(done, do, reviewID))
	}
	publish := page.Action[review.Review]{Name: "publish", Label: "Publish",
		Tone: page.Good, When: func(r review.Review) bool { return r.Status != review.Published },
		Do: done("The review is published.", review.Publish, reviewID)}
	reject := ask(page.Action[review.Review]{Name: "reject", Label: "Reject", Tone: page.Bad,
		Confirm: "Visitors do not see it, and the author is not told why.",
		When:    func(r review.Review) bool { return r.Status != review.Rejected }}, "Reason",
		func(r review.Review) string { return r.Reason },
		review.Reject, "The review is rejected.")
	answer := ask(page.Action[review.Review]{Name: "answer", Label: "Answer",
		Confirm: "It stands below the review in the store."}, "Text",
		func(r review.Review) string { return r.Answer },
		review.Answer, "The answer is kept.")
	return []page.Action[review.Review]{publish, reject, answer}
}
