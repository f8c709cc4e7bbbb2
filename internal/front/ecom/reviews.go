package ecom

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/review"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// Reviews are what buyers think of products.
func Reviews(e Access) rest.Group {
	return rest.Group{Tag: "Reviews", Scope: rest.ScopeSession,
		Doc: "Reviews of products, seen once the merchant has published them.", Ops: []rest.Op{
			rest.List("listReviews", "/reviews", "The published reviews of a product, the newest first.", listReviews).
				NamedByQuery().Raises(assortment.ErrNotFound), rest.Get("getReviewSummary", "/reviews/summary",
				"Average and distribution of a product's published reviews.",
				getReviewSummary).
				NamedByQuery().Raises(assortment.ErrNotFound),
			rest.Before(rest.Do("createReview", "/reviews", "Submits a review: it waits for the merchant.",
				createReview),
				mayWrite[createReviewIn](e)).
				Answers(202).Raises(review.ErrProduct, review.ErrInvalid, review.ErrNotOffered).
				Example(
					`{"productId": "018f6f2e-7a10-7000-8000-000000000001", "rating": 5, "title": "Sharp", "body": "Cuts well.", "authorName": "Anna"}`),
			rest.Do("voteReview", "/reviews/{id}/vote",
				"Whether a review helped; a session's later word replaces its earlier one.", voteReview).
				Answers(204).Extension().Raises(review.ErrNotFound).Example(`{"isHelpful": true}`),
		}}
}

// Review is a published review.
type Review struct {
	ID                 string    `json:"id" format:"uuid"`
	ProductID          string    `json:"productId" format:"uuid" doc:"Id of the item."`
	Rating             int       `json:"rating" doc:"1 to 5, the best."`
	Title              rest.Text `json:"title"`
	Body               rest.Text `json:"body" doc:"Plain text."`
	AuthorName         string    `json:"authorName" doc:"Who says it."`
	IsVerifiedPurchase bool      `json:"isVerifiedPurchase" doc:"Whether the author had bought the product."`
	HelpfulCount       int       `json:"helpfulCount" doc:"Visitors whom it helped."`
	NotHelpfulCount    int       `json:"notHelpfulCount" doc:"Visitors whom it did not."`
	Answer             rest.Text `json:"answer" doc:"What the merchant says to it, plain text."`
	AnsweredAt         rest.Time `json:"answeredAt" doc:"When the merchant said so."`
	CreatedAt          db.Time   `json:"createdDate"`
}

type listReviewsIn struct {
	rest.Paging
	ProductID string `query:"productId" req:"true" format:"uuid" doc:"Id of the item."`
}

func listReviews(tx *db.Tx, in listReviewsIn) (rest.Paged[Review], error) {
	if _, err := articleOf(tx, storefront.Of(tx).Viewer(), in.ProductID); err != nil {
		return rest.Paged[Review]{}, err
	}
	found := record.Found[review.Review]{}
	if storefront.Of(tx).Channel.Store.Offers().Reviews {
		var err error
		if found, err = review.List(tx, review.Filter{Status: review.Published, ItemID: in.ProductID},
			in.Record()); err != nil {
			return rest.Paged[Review]{}, err
		}
	}
	ids := each.Of(found.Items, func(r review.Review) string { return r.ID })
	votes, err := review.Votes.On(tx, ids)
	return rest.PageOf(found, in.Paging, func(r review.Review) Review {
		return Review{r.ID, r.ItemID, r.Rating, rest.Text(r.Title), rest.Text(r.Body), r.AuthorName, r.IsVerified,
			votes[r.ID].Helpful, votes[r.ID].NotHelpful, rest.Text(r.Answer), rest.Time(r.AnsweredAt), r.CreatedAt}
	}), err
}

// ReviewSummary is what all published reviews of a product say together.
type ReviewSummary struct {
	ProductID     string        `json:"productId" format:"uuid" doc:"Id of the item."`
	RatingAverage *dec.Fixed    `json:"ratingAverage" doc:"Stars, of 5; null where nobody has said anything."`
	RatingCount   int           `json:"ratingCount" doc:"Published reviews."`
	Distribution  []RatingCount `json:"distribution" doc:"5 first."`
}

// RatingCount is how many reviews give a rating.
type RatingCount struct {
	Rating int `json:"rating" doc:"1 to 5, the best."`
	Count  int `json:"count" doc:"Reviews that give it."`
}

type getReviewSummaryIn struct {
	ProductID string `query:"productId" req:"true" format:"uuid" doc:"Id of the item."`
}

func getReviewSummary(tx *db.Tx, in getReviewSummaryIn) (ReviewSummary, error) {
	if _, err := articleOf(tx, storefront.Of(tx).Viewer(), in.ProductID); err != nil {
		return ReviewSummary{}, err
	}
	all, err := review.Summaries(tx, []string{in.ProductID})
	out, s := ReviewSummary{ProductID: in.ProductID, Distribution: []RatingCount{}}, all[in.ProductID]
	if s == nil {
		s = &review.Summary{}
	}
	if out.RatingCount = s.Count; s.Average != nil {
		out.RatingAverage = &dec.Fixed{Value: *s.Average, Digits: 1}
	}
	for rating := 5; rating >= 1; rating-- {
		out.Distribution = append(out.Distribution, RatingCount{rating, s.Of[rating-1]})
	}
	return out, err
}

type createReviewIn struct {
	Body struct {
		ProductID  string    `json:"productId" req:"true" format:"uuid" doc:"Id of the item."`
		Rating     int       `json:"rating" req:"true" doc:"1 to 5, the best."`
		Title      rest.Text `json:"title" text:"name"`
		Body       rest.Text `json:"body" text:"note" doc:"Plain text."`
		AuthorName rest.Text `json:"authorName" text:"name" doc:"Left out: the name of who is signed in."`
	}
}

// SubmittedReview is what becomes of a review that was submitted.
type SubmittedReview struct {
	ReviewID string `json:"reviewId" format:"uuid" doc:"Id of the review, which waits for the merchant."`
}

func createReview(tx *db.Tx, in createReviewIn) (SubmittedReview, error) {
	v := storefront.Of(tx)
	if !v.Channel.Store.Offers().Reviews {
		return SubmittedReview{}, review.ErrNotOffered.Because("the store takes no reviews")
	}
	b := in.Body
	r := review.Review{ItemID: b.ProductID, Rating: b.Rating, Title: string(b.Title), Body: string(b.Body),
		AuthorName: string(b.AuthorName)}
	if r.AuthorName == "" && v.SignedIn() {
		r.AuthorName = v.Contact.Name
	}
	r, err := review.Submit(tx, v.Viewer(), r)
	return SubmittedReview{r.ID}, err
}

func voteReview(tx *db.Tx, in rest.With[rest.ID, rateHelpArticleRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, review.Vote(tx, in.At.ID, storefront.Of(tx).Session.ID, in.Body.IsHelpful)
}
