package review

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const columns = record.RootColumns + `, channel_code, item_id, item, rating, title, body, author_name, customer_id,
	is_verified, status, reason,
	answer, answered_at`

var reviewRow = db.Map[Review](columns)

func write(tx *db.Tx, v *Review) error {
	return tx.Upsert("review", columns+", search", 1, func(int) []any {
		return append(reviewRow.Of(v), record.SearchText(v.ItemNumber, v.Title, v.AuthorName))
	}, db.Overwriting("id", "status, reason, answer, answered_at"))
}

// Find is the review with this id. Review.NotFound.
func Find(tx *db.Tx, id string) (Review, error) { return find(tx, id, "") }

func lock(tx *db.Tx, id string) (Review, error) { return find(tx, id, " for update") }

func find(tx *db.Tx, id, locking string) (v Review, err error) {
	err = tx.Each(`-- review.find
		select `+columns+` from review where company = :company and id = :id`+locking,
		db.Args{"id": strings.ToLower(id)}, func(r db.Row) error { return reviewRow.Scan(r, &v) })
	if err == nil && v.ID == "" {
		err = missing(id)
	}
	return v, err
}

// Filter says which reviews a list shows.
type Filter struct {
	Status Status
	ItemID string
	Search string // in item number, title and author
}

// List reads reviews, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Review], error) {
	q := record.Query{Name: "review.List", Select: columns, From: "review", Stamp: "changed_at",
		Key:       []string{"created_at desc", "id desc"},
		Resources: []string{Reviews.Name}}
	q.Given("item_id = :item", f.ItemID)
	q.Given("status = :status", f.Status)
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, reviewRow.Scan)
}

// Summaries are what published reviews say of items, by item id; one statement.
func Summaries(tx *db.Tx, itemIDs []string) (map[string]*Summary, error) {
	out := map[string]*Summary{}
	if len(itemIDs) == 0 {
		return out, nil
	}
	err := tx.Each(`-- review.Summaries
		select item_id, rating, count(*) from review where company = :company and item_id in (:ids) and status = 'Published'
		group by item_id, rating`, db.Args{"ids": itemIDs}, func(r db.Row) error {
		var id string
		var rating, count int
		if err := r.Scan(&id, &rating, &count); err != nil {
			return err
		}
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
