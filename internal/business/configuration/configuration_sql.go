package configuration

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const columns = "number, item_id, item, item_name, " + changing

// changing are the columns that may change.
const changing = `title, description, customer, customer_name, quantity, warehouse, price_impact, choices, impacts,
	components, order_number`

var (
	configurationRow = db.Map[Configuration](record.RootColumns + ", " + columns)
	changingRow      = db.Map[Configuration](changing)
)

func insert(tx *db.Tx, c *Configuration) error {
	return tx.Insert("configuration", record.RootColumns+", "+columns+
		", number_key, customer_key, item_key, search, is_from_cart", 1, func(int) []any {
		return append(configurationRow.Of(c), record.Fold(c.Number), record.Fold(c.CustomerNumber), record.Fold(c.Item),
			c.search(), c.IsFromCart)
	})
}

// update writes what may change of a configuration; the funnel has bumped its revision.
func update(tx *db.Tx, c *Configuration) error {
	return tx.Run(`-- configuration.update
		update configuration set `+changingRow.Set()+`, customer_key = :customer_key, search = :search
		where company = :company and id = :id`,
		changingRow.Args(c, db.Args{"id": c.ID, "customer_key": record.Fold(c.CustomerNumber), "search": c.search()}))
}

func remove(tx *db.Tx, id string) error { return tx.Delete(db.Args{"id": id}, "configuration") }

// Find reads a configuration, ordered or not. Configuration.NotFound.
func Find(tx *db.Tx, configurationNumber string) (Configuration, error) {
	return one(configurationNumber)(readMany(tx, []string{configurationNumber}, ""))
}

// lock is Find for a change.
func lock(tx *db.Tx, configurationNumber string) (Configuration, error) {
	return one(configurationNumber)(readMany(tx, []string{configurationNumber}, " for update"))
}

func one(configurationNumber string) func(map[string]*Configuration, error) (Configuration, error) {
	return func(found map[string]*Configuration, err error) (Configuration, error) {
		if err != nil {
			return Configuration{}, err
		}
		if c := found[record.Fold(configurationNumber)]; c != nil {
			return *c, nil
		}
		return Configuration{}, ErrNotFound.Because("no configuration has the number %q", configurationNumber)
	}
}

// FindMany reads configurations by folded number; unknown ones are missing from the answer.
func FindMany(tx *db.Tx, numbers []string) (map[string]*Configuration, error) {
	return readMany(tx, numbers, "")
}

// Lock is FindMany for configurations that are about to be ordered, locked in the order of their ids.
func Lock(tx *db.Tx, numbers []string) (map[string]*Configuration, error) {
	return readMany(tx, numbers, " for update")
}

func readMany(tx *db.Tx, numbers []string, lock string) (map[string]*Configuration, error) {
	out := make(map[string]*Configuration, len(numbers))
	if len(numbers) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- configuration.readMany
		select `+record.RootColumns+`, `+columns+
		` from configuration where company = :company and number_key in (:keys) order by id`+lock,
		db.Args{"keys": record.FoldAll(numbers)}, func(r db.Row) error {
			c := &Configuration{}
			err := configurationRow.Scan(r, c)
			out[record.Fold(c.Number)] = c
			return err
		})
}

func taken(tx *db.Tx, configurationNumber string) (bool, error) {
	var n int
	return tx.One(`-- configuration.taken
		select 1 from configuration where company = :company and number_key = :key`,
		db.Args{"key": record.Fold(configurationNumber)}, &n)
}

// firstOf is the number of a configuration with this value in a column; "" where there is none.
func firstOf(tx *db.Tx, column, value string) (first string, err error) {
	_, err = tx.One(`-- configuration.firstOf
		select number from configuration where company = :company and `+column+` = :value limit 1`,
		db.Args{"value": value}, &first)
	return first, err
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
	q := record.Query{Name: "configuration.List", Select: record.Columns("c") + ", " + columns, From: "configuration c",
		Key: []string{"c.number_key"}, Stamp: "c.changed_at", Resources: []string{Resource.Name},
		Sorts: map[string][]string{"number": {"c.number_key"}, "customer": {"c.customer_key", "c.number_key"}}}
	q.Search("c.search", f.Search)
	q.Given("c.customer_key = :customer", record.Fold(f.Customer))
	q.Given("c.item_key = :item", record.Fold(f.Item))
	switch {
	case f.All:
	case f.Ordered:
		q.Where("c.order_number <> ''", nil)
	default:
		q.Where("c.order_number = ''", nil)
	}
	return record.ListOf(tx, q, p, configurationRow.Scan)
}

// inNoCart finds, and locks, open configurations that visitors who are nobody's customers have put into a cart, which
// lie in none any more and stand on no quote.
func inNoCart(tx *db.Tx, before db.Time, most int) (found []Configuration, err error) {
	return db.Rows(tx, `-- configuration.inNoCart
		select `+record.Columns("c")+`, `+columns+` from configuration c
		where c.company = :company and c.is_from_cart = 1 and c.order_number = '' and c.changed_at < :before and c.customer = ''
			and not exists (select 1 from cart_line l where l.company = :company and l.configuration = c.number and l.configuration <> '')
			and not exists (select 1 from quote_line q where q.company = :company and q.configuration = c.number and q.configuration <> '')
		order by c.changed_at, c.id limit :most for update`, db.Args{"before": before, "most": most}, configurationRow.Scan)
}
