package review

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const columns = record.RootColumns + `, channel_code, item_id, item, rating, title, body, author_name, customer_id, is_verified, status, reason,
	answer, answered_at`

func scan(r db.Row, v *Review) error {
	return r.Scan(append(v.Root.Scan(), &v.ChannelCode, &v.ItemID, &v.ItemNumber, &v.Rating, &v.Title, &v.Body, &v.AuthorName, &v.CustomerID,
		&v.IsVerified, &v.Status, &v.Reason, &v.Answer, &v.AnsweredAt)...)
}

func write(tx *db.Tx, v *Review) error {
	return tx.Upsert("review", columns+", search", 1, func(int) []any {
		return append(v.Root.Values(), v.ChannelCode, v.ItemID, v.ItemNumber, v.Rating, v.Title, v.Body, v.AuthorName, v.CustomerID, v.IsVerified,
			v.Status, v.Reason, v.Answer, v.AnsweredAt, record.SearchText(v.ItemNumber, v.Title, v.AuthorName))
	}, `on conflict (company, id) do update set status = excluded.status, reason = excluded.reason, answer = excluded.answer,
		answered_at = excluded.answered_at`)
}

// Find is the review with this id. Review.NotFound.
func Find(tx *db.Tx, id string) (Review, error) { return find(tx, id, "") }

func lock(tx *db.Tx, id string) (Review, error) { return find(tx, id, " for update") }

func find(tx *db.Tx, id, locking string) (v Review, err error) {
	err = tx.Each(`-- review.find
		select `+columns+` from review where company = :company and id = :id`+locking, db.Args{"id": strings.ToLower(id)},
		func(r db.Row) error { return scan(r, &v) })
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
		Key: []record.Order{{Column: "created_at", Desc: true}, {Column: "id", Desc: true}}, Resources: []string{Reviews.Name}}
	if f.ItemID != "" {
		q.Where("item_id = :item", db.Args{"item": f.ItemID})
	}
	if f.Status != "" {
		q.Where("status = :status", db.Args{"status": f.Status})
	}
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, scan)
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

func vote(tx *db.Tx, id, session string, isHelpful bool) error {
	_, err := tx.Exec(`-- review.vote
		insert into review_vote (company, review_id, session_id, is_helpful, voted_at) values (:company, :id, :session, :helpful, :now)
		on conflict (company, review_id, session_id) do update set is_helpful = excluded.is_helpful, voted_at = excluded.voted_at`,
		db.Args{"id": id, "session": session, "helpful": isHelpful, "now": tx.Now})
	return err
}

// Votes is how many visitors a review helped, and how many not.
type Votes struct{ Helpful, NotHelpful int }

// VotesOf are the votes on reviews, by id.
func VotesOf(tx *db.Tx, ids []string) (map[string]Votes, error) {
	out := make(map[string]Votes, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- review.VotesOf
		select review_id, coalesce(sum(is_helpful), 0), count(*) from review_vote
		where company = :company and review_id in (:ids) group by review_id`, db.Args{"ids": ids}, func(r db.Row) error {
		var id string
		var v Votes
		var all int
		err := r.Scan(&id, &v.Helpful, &all)
		v.NotHelpful = all - v.Helpful
		out[id] = v
		return err
	})
}
