package sales

import (
	"cmp"
	"fmt"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// external is who has an external number.
type external struct {
	id     string
	number string // empty while that order is being placed in this very transaction
}

func (e external) shown() string {
	return cmp.Or(e.number, "just placed")
}

type externalName struct{ scope, number string }

func externalKey(o *Order) externalName {
	return externalName{record.Fold(o.ExternalScope), record.Fold(o.ExternalNumber)}
}

// takeExternal takes the external numbers of orders that nobody has, and answers who has each. It waits for another
// transaction that is taking the same number.
func takeExternal(tx *db.Tx, orders []*Order) (map[externalName]external, error) {
	keys := make([]string, len(orders))
	err := tx.Upsert("sales_order_external", "scope_key, number_key, order_id", len(orders), func(i int) []any {
		k := externalKey(orders[i])
		keys[i] = k.number
		return []any{k.scope, k.number, orders[i].ID}
	}, "on conflict (company, scope_key, number_key) do nothing")
	if err != nil {
		return nil, err
	}
	taken := make(map[externalName]external, len(orders))
	err = tx.Each(`-- sales.takeExternal
		select x.scope_key, x.number_key, x.order_id, coalesce(o.number, '') from sales_order_external x
		left join sales_order o on o.company = x.company and o.id = x.order_id
		where x.company = :company and x.number_key in (:keys)`, db.Args{"keys": keys}, func(r db.Row) error {
		var (
			k externalName
			e external
		)
		err := r.Scan(&k.scope, &k.number, &e.id, &e.number)
		taken[k] = e
		return err
	})
	if err == nil && len(taken) == 0 {
		err = fmt.Errorf("sales: external numbers taken but not found")
	}
	return taken, err
}

// ByExternal finds which external numbers of a scope orders have already: folded external number -> order number.
func ByExternal(tx *db.Tx, scope string, numbers []string) (map[string]string, error) {
	return db.Pairs[string, string](tx, `-- sales.ByExternal
		select x.number_key, o.number from sales_order_external x
		join sales_order o on o.company = x.company and o.id = x.order_id
		where x.company = :company and x.scope_key = :scope and x.number_key in (:keys)`,
		db.Args{"scope": record.Fold(scope), "keys": record.FoldAll(numbers)})
}

// Sale is who ordered, and on which day.
type Sale struct {
	Customer string // folded number
	On       day.Date
}

// ByNumber finds the orders that have these numbers: folded order number -> sale.
func ByNumber(tx *db.Tx, numbers []string) (map[string]Sale, error) {
	return db.ByKey(tx, `-- sales.ByNumber
		select number_key, customer_key, order_date from sales_order
		where company = :company and number_key in (:keys)`, db.Args{"keys": record.FoldAll(numbers)},
		func(r db.Row, key *string, s *Sale) error { return r.Scan(key, &s.Customer, &s.On) })
}
