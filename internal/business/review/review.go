// Package review is what buyers think of items: said in a store, looked at by the merchant before anybody else sees it,
// and answered by him. An item has one rating in all stores of the company.
package review

import (
	"net/url"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/sales"
	"kontor/internal/business/vote"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Reviews is the resource of this room. The assortment follows its changes: keys begin with the item's number.
var Reviews = record.Define("reviews", "review", "Review")

// Votes say whether reviews helped.
var Votes = vote.Box{Table: "review_vote", Of: "review_id"}

// What this room refuses.
var (
	ErrNotFound   = fault.New(fault.NotFound, "Review.NotFound")
	ErrInvalid    = fault.New(fault.Invalid, "Review.Invalid")
	ErrProduct    = fault.New(fault.Invalid, "Product.NotFound")
	ErrNotOffered = fault.New(fault.Denied, "Review.NotOffered")
)

// Status is how far a review has come.
type Status string

// The statuses.
const (
	Pending   Status = "Pending"
	Published Status = "Published"
	Rejected  Status = "Rejected"
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Pending, Published, Rejected} }

// Review is what somebody thinks of an item.
type Review struct {
	record.Root
	ChannelCode string // of the store it was said in
	ItemID      string `log:"-"`
	ItemNumber  string `db:"item"`
	Rating      int    // 1 to 5, the best
	Title       string
	Body        string
	AuthorName  string
	CustomerID  string `log:"-"` // "" = a guest
	IsVerified  bool   // the customer had bought the item
	Status      Status
	Reason      string // of a rejection, for the merchant alone
	Answer      string // of the merchant
	AnsweredAt  db.Time
}

// Key is the review's business key.
func (r *Review) Key() string { return url.PathEscape(r.ItemNumber) + "/" + r.ID }

// Submit takes a review, which nobody sees until it is published. That its author has bought the item, or a variant of
// it, is found out and never told. Refusals: Product.NotFound for what the store does not have; Review.Invalid.
func Submit(tx *db.Tx, v assortment.Viewer, r Review) (Review, error) {
	found, err := assortment.Articles(tx, v, []string{r.ItemID})
	if err != nil {
		return r, err
	}
	a := found[r.ItemID]
	if a == nil {
		return r, ErrProduct.At("productId", "the store has no product %q", r.ItemID)
	}
	var wrong fault.List
	wrong.If(r.Rating < 1 || r.Rating > 5, ErrInvalid, "rating", "must be a whole number from 1 to 5, the best")
	wrong.If(strings.TrimSpace(r.AuthorName) == "", ErrInvalid, "authorName", "says who the review is by")
	if err := wrong.Err(); err != nil {
		return r, err
	}
	r.Root, r.ChannelCode, r.ItemNumber, r.Status = record.New(tx), v.Channel.Code, a.Item.Number, Pending
	if v.Customer != nil {
		r.CustomerID = v.Customer.ID
		order, err := sales.Bought(tx, v.Customer.Number, a.Item.ID, a.Item.Number)
		if err != nil {
			return r, err
		}
		r.IsVerified = order != ""
	}
	return r, reviews.Create(tx, &r)
}

// Publish shows a review to visitors; one that is shown already stays as it is. Refusal: Review.NotFound.
func Publish(tx *db.Tx, id string) (Review, error) {
	return reviews.Do(tx, id, "published", func(r *Review) error {
		r.Status, r.Reason = Published, ""
		return nil
	})
}

// Reject keeps a review from visitors, for a reason that the merchant alone reads. Refusal: Review.NotFound.
func Reject(tx *db.Tx, id, reason string) (Review, error) {
	return reviews.Do(tx, id, "rejected", func(r *Review) error {
		r.Status, r.Reason = Rejected, strings.TrimSpace(reason)
		return nil
	})
}

// Answer puts the merchant's answer below a review; an empty one takes it away. Refusal: Review.NotFound.
func Answer(tx *db.Tx, id, text string) (Review, error) {
	return reviews.Do(tx, id, "answered", func(r *Review) error {
		before := r.Answer
		if r.Answer = strings.TrimSpace(text); r.Answer == "" {
			r.AnsweredAt = 0
		} else if r.Answer != before {
			r.AnsweredAt = tx.Now
		}
		return nil
	})
}

// Vote notes whether a published review helped a visitor; what he said before is replaced. Refusal: Review.NotFound.
func Vote(tx *db.Tx, id, sessionID string, isHelpful bool) error {
	r, err := Find(tx, id)
	if err == nil && r.Status != Published {
		err = missing(id)
	}
	if err != nil {
		return err
	}
	return Votes.Cast(tx, r.ID, sessionID, isHelpful)
}

func missing(id string) error { return ErrNotFound.Because("there is no review %q", id) }

// Summary is what all published reviews of an item say together.
type Summary struct {
	Average *dec.Dec // one digit; nil = nobody has said anything
	Count   int
	Of      [5]int // how many give 1 star to 5
}

func (s *Summary) add(rating, count int) {
	if rating >= 1 && rating <= 5 {
		s.Of[rating-1] += count
		s.Count += count
	}
}

func (s *Summary) finish() {
	if s.Count == 0 {
		return
	}
	var stars dec.Dec
	for i, n := range s.Of {
		stars = stars.Add(dec.Int(int64((i + 1) * n)))
	}
	average := stars.MulDivRound(dec.One, dec.Int(int64(s.Count)), 1)
	s.Average = &average
}

// Rate tells the ratings of items. It handles assortment.RatingsWanted.
func Rate(tx *db.Tx, e assortment.RatingsWanted) error {
	all, err := Summaries(tx, e.ItemIDs)
	for id, s := range all {
		e.Ratings[id] = assortment.Rating{Average: s.Average, Count: s.Count}
	}
	return err
}
