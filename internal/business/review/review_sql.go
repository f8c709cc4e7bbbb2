package review

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var reviews = record.TableOf(Reviews, record.Layout[Review]{
	Fixed:    "channel_code, item_id, item, rating, title, body, author_name, customer_id, is_verified",
	Changing: "status, reason, answer, answered_at",
	Named:    (*Review).Key,
	Derived: func(v *Review) db.Args {
		return db.Args{"search": record.SearchText(v.ItemNumber, v.Title, v.AuthorName)}
	},
	Missing: missing,
})

// Find is the review with this id. Review.NotFound.
func Find(tx *db.Tx, id string) (Review, error) { return reviews.Find(tx, id) }

// Filter says which reviews a list shows.
type Filter struct {
	Status Status
	ItemID string
	Search string // in item number, title and author
}

// List reads reviews, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Review], error) {
	q := reviews.Query("review.List")
	q.Key = []string{"created_at desc", "id desc"}
	q.Given("item_id = :item", f.ItemID)
	q.Given("status = :status", f.Status)
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, reviews.Scan)
}

// Summaries are what published reviews say of items, by item id; one statement.
func Summaries(tx *db.Tx, itemIDs []string) (map[string]*Summary, error) {
	out := map[string]*Summary{}
	if len(itemIDs) == 0 {
		return out, nil
	}
	err := db.Each3(tx, `-- review.Summaries
		select item_id, rating, count(*) from review where company = :company and item_id in (:ids) and status = 'Published'
		group by item_id, rating`, db.Args{"ids": itemIDs}, func(id string, rating, count int) error {
		if out[id] == nil {
			out[id] = &Summary{}
		}
		out[id].add(rating, count)
		return nil
	})
	for _, s := range out {
		s.finish()
	}
	return out, err
}
