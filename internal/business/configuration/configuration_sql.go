package configuration

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var configurations = record.TableOf(Resource, record.Layout[Configuration]{
	Fixed: "number, item_id, item, item_name, is_from_cart",
	Changing: "title, description, customer, customer_name, quantity, warehouse, price_impact, choices, impacts, " +
		"components, order_number",
	Number: func(c *Configuration) *string { return &c.Number },
	Series: "configuration",
	Derived: func(c *Configuration) db.Args {
		return db.Args{"customer_key": record.Fold(c.CustomerNumber), "item_key": record.Fold(c.Item),
			"search": record.SearchText(c.Number, c.Title, c.Description)}
	},
	Missing: func(number string) error { return ErrNotFound.Because("no configuration has the number %q", number) },
	Taken: func(c *Configuration) error {
		return ErrExists.Because("configuration %s exists already: choose another number, or change that configuration",
			c.Number)
	},
})

// Find reads a configuration, ordered or not. Configuration.NotFound.
func Find(tx *db.Tx, configurationNumber string) (Configuration, error) {
	return configurations.Find(tx, configurationNumber)
}

// FindMany reads configurations by folded number; unknown ones are missing from the answer.
func FindMany(tx *db.Tx, numbers []string) (map[string]*Configuration, error) {
	return pointers(configurations.FindMany(tx, numbers))
}

// Lock is FindMany for configurations that are about to be ordered, locked in the order of their ids.
func Lock(tx *db.Tx, numbers []string) (map[string]*Configuration, error) {
	return pointers(configurations.LockMany(tx, numbers))
}

func pointers(found map[string]Configuration, err error) (map[string]*Configuration, error) {
	out := make(map[string]*Configuration, len(found))
	for key, c := range found {
		out[key] = &c
	}
	return out, err
}

// firstOf is the first number of a configuration with this value in a column; "" where there is none.
func firstOf(tx *db.Tx, column, value string) (string, error) {
	return db.Value[string](tx, `-- configuration.firstOf
		select number from configuration where company = :company and `+column+` = :value
		order by number_key limit 1`,
		db.Args{"value": value})
}

func readSchema(tx *db.Tx, itemID string) (s stored, err error) {
	_, err = tx.One(`-- configuration.readSchema
		select features, rules from item_configuration where company = :company and item_id = :item`,
		db.Args{"item": itemID}, &s.features, &s.rules)
	return s, err
}

// writeSchema keeps the schema of an item; one without features is none.
func writeSchema(tx *db.Tx, itemID string, s stored) error {
	if s.features == "" {
		return tx.Delete(db.Args{"item_id": itemID}, "item_configuration")
	}
	return tx.Upsert("item_configuration", "item_id, features, rules", 1,
		func(int) []any { return []any{itemID, s.features, s.rules} },
		"on conflict (company, item_id) do update set features = excluded.features, rules = excluded.rules")
}

// offeredBy is the number of another item with a choice that an item goes into; "" where there is none.
func offeredBy(tx *db.Tx, part catalog.Item) (of string, err error) {
	key := record.Fold(part.Number)
	err = tx.Each(`-- configuration.offeredBy whole
		select i.number, c.features from item_configuration c join item i on i.company = c.company and i.id = c.item_id
		where c.company = :company and c.item_id <> :item order by i.number_key`, db.Args{"item": part.ID},
		func(r db.Row) error {
			var number string
			var s stored
			if err := r.Scan(&number, &s.features); err != nil || of != "" {
				return err
			}
			schema, err := s.schema()
			if slices.ContainsFunc(numbersIn(schema), func(n string) bool { return record.Fold(n) == key }) {
				of = number
			}
			return err
		})
	return of, err
}

// Filter narrows the list of configurations; its zero value takes all that are not ordered.
type Filter struct {
	Search   string // number, title, description
	Customer string // number
	Item     string // number
	// Ordered shows those that were ordered, All both.
	Ordered, All bool
}

// List is a page of configurations by number, without what they cost now.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Configuration], error) {
	q := configurations.Query("configuration.List")
	q.Sorts = map[string][]string{"number": {"number_key"}, "customer": {"customer_key", "number_key"}}
	q.Search("search", f.Search)
	q.Given("customer_key = :customer", record.Fold(f.Customer))
	q.Given("item_key = :item", record.Fold(f.Item))
	switch {
	case f.All:
	case f.Ordered:
		q.Where("order_number <> ''", nil)
	default:
		q.Where("order_number = ''", nil)
	}
	return record.ListOf(tx, q, p, configurations.Scan)
}

// inNoCart finds, and locks, open configurations that visitors who are nobody's customers have put into a cart, which
// lie in none any more and stand on no quote.
func inNoCart(tx *db.Tx, before db.Time, most int) (found []Configuration, err error) {
	return configurations.Where(tx, "configuration.inNoCart",
		`is_from_cart = 1 and order_number = '' and changed_at < :before and customer = ''
			and not exists (select 1 from cart_line l
				where l.company = :company and l.configuration = configuration.number and l.configuration <> '')
			and not exists (select 1 from quote_line q
				where q.company = :company and q.configuration = configuration.number and q.configuration <> '')
		order by changed_at, id limit :most for update`, db.Args{"before": before, "most": most})
}
