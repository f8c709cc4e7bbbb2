package preview

import (
	"context"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// Sync is how another system follows what happened.
func Sync() rest.Group {
	return rest.Group{Tag: "Sync", Scope: "sync", Doc: "Deletions and changes, for systems that keep a copy.",
		Ops: []rest.Op{
			rest.List("listDeletions", "/deletions",
				"The deletion log, oldest first; the highest deletedDate seen is the next deletedSince.",
				listDeletions).
				NoDelta("it takes deletedSince"),
			rest.Stream("listChanges", "/changes",
				"Every change of every record in the order they were made, from a cursor on; each record at least once, none left out.",
				listChanges).
				Raises(record.ErrCursorExpired).Extension(),
		}}
}

// Deletable is a resource whose deletions are logged.
type Deletable string

// Values are the resources of the deletion log.
func (Deletable) Values() []Deletable {
	return []Deletable{"customers", "items", "suppliers", "orders", "purchase-orders", "configurations", "quotes",
		"returns", "shipments", "invoices", "item-channels", "content-pages", "media", "categories", "brands",
		"price-lists", "price-list-lines", "redirects", "search-synonyms", "item-warehouses", "tickets",
		"help-articles", "reviews", "newsletter-subscribers", "imports", "mailings"}
}

type listDeletionsIn struct {
	rest.Paging
	DeletedSince db.Time   `query:"deletedSince" doc:"Only what was deleted at or after this instant; left out: the whole log."`
	Resource     Deletable `query:"resource" doc:"Only one collection, named by its path segment."`
}

// AsksChanges says that every page of the log tells what has changed.
func (listDeletionsIn) AsksChanges() bool { return true }

// Deletion is a record that is gone.
type Deletion struct {
	Resource    string  `json:"resource" doc:"Path segment of the collection." example:"items"`
	BusinessKey string  `json:"businessKey" doc:"As the record's URL ended; parts of a composite key are percent-encoded and joined by a slash." example:"A-100"`
	ID          string  `json:"id" format:"uuid"`
	DeletedDate db.Time `json:"deletedDate" of:"DeletedAt"`
}

var deletionOf = rest.Shown[Deletion, record.Deletion]()

func listDeletions(tx *db.Tx, in listDeletionsIn) (rest.Paged[Deletion], error) {
	found, err := record.Deletions(tx, in.DeletedSince, string(in.Resource), in.Record())
	return rest.PageOf(found, in.Paging, deletionOf), err
}

// Changeable is a resource whose changes are in the feed.
type Changeable string

// Values are the resources of the change feed.
func (Changeable) Values() []Changeable {
	all := []Changeable{"channels", "attributes", "batches", "inventory-transactions", "receipts", "inventory-counts",
		"transfers", "warehouses", "locations", "currencies", "payment-terms", "delivery-terms", "order-types",
		"shipping-methods", "ticket-queues", "canned-answers", "units", "customer-groups", "tax-codes", "settings",
		"discount-codes", "gift-cards", "freight-rates", "payment-methods", "company-profile", "work-orders", "boms", "assistant-models",
		"supplier-invoices", "ticket-inboxes", "service-levels", "refunds"}
	for _, d := range Deletable("").Values() {
		all = append(all, Changeable(d))
	}
	return all
}

type listChangesIn struct {
	After    string     `query:"after" max:"400" doc:"nextCursor of the answer before; left out: from the beginning."`
	Resource Changeable `query:"resource" doc:"Only one collection, named by its path segment."`
	Limit    *int       `query:"limit" min:"1" max:"1000" doc:"At most so many rows, 1 to 1000; 200 when left out."`
	Wait     *int       `query:"wait" min:"0" max:"30" doc:"Seconds to wait for a change when there is none, 0 to 30."`
}

// ChangeFeed is what has changed, and where to go on.
type ChangeFeed struct {
	Items      []Change `json:"items" of:"Rows"`
	NextCursor string   `json:"nextCursor" of:"Next" doc:"Send it as after; it is good though items is empty."`
}

// Change is one entry of the feed.
type Change struct {
	Cursor      string  `json:"cursor" doc:"Goes on behind this entry."`
	Resource    string  `json:"resource" example:"orders"`
	BusinessKey string  `json:"businessKey" example:"SO-1001"`
	ID          string  `json:"id" format:"uuid"`
	Change      string  `json:"change" of:"Kind" doc:"created, changed or deleted."`
	ChangedDate db.Time `json:"changedDate" of:"Stamp"`
}

// usualChanges is how many changes are answered when no limit is given.
const usualChanges = 200

// listChanges answers at once when there are changes, else it looks again with each commit until there are or the wait
// is over. Between two looks it holds neither a transaction nor a connection.
func listChanges(ctx context.Context, s *rest.Streaming, in listChangesIn) (ChangeFeed, error) {
	limit := usualChanges
	if in.Limit != nil {
		limit = *in.Limit
	}
	watch := s.Watch()
	defer watch.Stop()
	over := time.After(time.Duration(rest.OrZero(in.Wait)) * time.Second)
	for {
		var found record.Changes
		err := s.ReadChanges(db.Into(&found,
			func(tx *db.Tx) (record.Changes, error) { return record.Feed(tx, in.After, string(in.Resource), limit) }))
		if err != nil || len(found.Rows) > 0 || rest.OrZero(in.Wait) == 0 {
			return feedOf(found), err
		}
		in.After = found.Next
		select {
		case <-over:
			return feedOf(found), nil
		case <-s.Leaving:
			return feedOf(found), nil
		case <-ctx.Done():
			return feedOf(found), ctx.Err()
		case <-watch.Next():
		}
	}
}

var feedOf = rest.Shown[ChangeFeed, record.Changes]()
