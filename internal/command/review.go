package command

import (
	"context"

	"kontor/internal/business/review"
	"kontor/internal/foundation/db"
)

type reviewFamily struct {
	Publish reviewPublish `cmd:"" help:"Show a review to visitors."`
	Reject  reviewReject  `cmd:"" help:"Keep a review from visitors."`
}

type reviewPublish struct {
	Company string `required:"" help:"Code or id of the company."`
	ID      string `arg:"" help:"Id of the review."`
}

// Run publishes the review.
func (c *reviewPublish) Run(ctx context.Context, env *Env) error {
	return onReview(ctx, env, c.Company, func(tx *db.Tx) (review.Review, error) { return review.Publish(tx, c.ID) })
}

type reviewReject struct {
	Company string `required:"" help:"Code or id of the company."`
	ID      string `arg:"" help:"Id of the review."`
	Reason  string `help:"Why, for the company's own people."`
}

// Run rejects the review.
func (c *reviewReject) Run(ctx context.Context, env *Env) error {
	return onReview(ctx, env, c.Company,
		func(tx *db.Tx) (review.Review, error) { return review.Reject(tx, c.ID, c.Reason) })
}

// onReview runs a verb and prints the review it answers.
func onReview(ctx context.Context, env *Env, company string, verb func(*db.Tx) (review.Review, error)) error {
	var r review.Review
	err := env.App.InCompany(ctx, company, db.Into(&r, verb))
	if err != nil {
		return err
	}
	return env.Print(map[string]any{"reviewId": r.ID, "itemNumber": r.ItemNumber, "rating": r.Rating,
		"status": r.Status},
		"%s: %s, %d of 5 for %s\n", r.ID, r.Status, r.Rating, r.ItemNumber)
}
