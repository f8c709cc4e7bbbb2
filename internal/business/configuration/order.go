package configuration

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Refresh holds an open configuration against the present schema, and takes over what it adds to the price and what it
// consists of now. Configuration.Invalid where something no longer fits. Nothing is written: see Ordered.
func (c *Configuration) Refresh(tx *db.Tx) error {
	model, err := ModelOf(tx, c.ItemID)
	if err != nil {
		return err
	}
	var wrong fault.List
	if model == nil {
		wrong.Add(ErrInvalid, "values", "item %s can no longer be configured", c.Item)
		return wrong.Err()
	}
	answer := model.Ask(c.Choices())
	noteBroken(&wrong, &answer)
	if err := wrong.Err(); err != nil {
		return err
	}
	c.keep(&answer)
	return nil
}

// LockOpen is Find for a configuration that is about to be ordered. Configuration.NotFound,
// Configuration.AlreadyOrdered.
func LockOpen(tx *db.Tx, configurationNumber string) (Configuration, error) {
	c, err := configurations.Lock(tx, configurationNumber)
	if err != nil {
		return c, err
	}
	return c, c.open()
}

// Order is a configuration that has become a line of an order.
type Order struct {
	Configuration                *Configuration // as Lock and Refresh left it
	Number                       string         // of the order
	CustomerNumber, CustomerName string
	Quantity                     dec.Dec // in the item's base unit
}

// Ordered notes that configurations were ordered: from here on each says what it was ordered as, and none can be
// changed.
func Ordered(tx *db.Tx, all []Order) error {
	for _, o := range all {
		after := *o.Configuration
		after.OrderNumber, after.CustomerNumber, after.CustomerName, after.Quantity = o.Number, o.CustomerNumber,
			o.CustomerName, o.Quantity
		now, err := after.Now(tx)
		if err != nil {
			return err
		}
		after.PriceImpact = now.Impact
		if err := configurations.Act(tx, "ordered", *o.Configuration, &after); err != nil {
			return err
		}
	}
	return nil
}

// Reopened notes that an order gives up configurations, because it was cancelled or lost the lines of them: each can be
// changed and ordered again.
func Reopened(tx *db.Tx, orderNumber string, numbers []string) error {
	found, err := Lock(tx, numbers)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		c := found[record.Fold(n)]
		if c == nil || c.OrderNumber != orderNumber {
			continue
		}
		before := *c
		c.OrderNumber = ""
		if err := configurations.Act(tx, "reopened", before, c); err != nil {
			return err
		}
	}
	return nil
}

// SweepCarts deletes configurations of visitors who have put them into a cart and never came back, so many at once, and
// reports whether there may be more. Those of customers are theirs, and stay.
func SweepCarts(tx *db.Tx, before db.Time) (more bool, err error) {
	const atOnce = 200
	found, err := inNoCart(tx, before, atOnce)
	if err != nil {
		return false, err
	}
	for i := range found {
		if err := configurations.Drop(tx, &found[i]); err != nil {
			return false, err
		}
	}
	return len(found) == atOnce, nil
}

// ComponentsOf is what goes into one base unit of each of these configurations, by folded number; unknown ones are
// missing. Used by production for the work order of a configured line.
func ComponentsOf(tx *db.Tx, numbers []string) (map[string][]Component, error) {
	found, err := FindMany(tx, numbers)
	out := make(map[string][]Component, len(found))
	for key, c := range found {
		out[key] = c.Components
	}
	return out, err
}

// Same reports whether choices are those of a configuration, in whatever order they are made.
func (c *Configuration) Same(choices []configure.Value) bool {
	own := c.Choices()
	if len(own) != len(choices) {
		return false
	}
	for i := range own {
		j := slices.IndexFunc(choices, func(v configure.Value) bool { return v.Feature == own[i].Feature })
		if j < 0 || !own[i].Equal(choices[j]) {
			return false
		}
	}
	return true
}

// RefuseItemDeletion keeps an item that a saved configuration is of, or that goes into what can be chosen of another:
// such a choice could be ordered, and never be made. Subscribed to catalog.Deleting.
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	of, err := offeredBy(tx, e.Item)
	if err != nil {
		return err
	}
	if of != "" {
		return catalog.ErrInUse.Because(
			"item %s goes into a choice of item %s: take it out there, or set the item inactive", e.Item.Number, of)
	}
	n, err := firstOf(tx, "item_key", record.Fold(e.Item.Number))
	return catalog.ErrInUse.When(n != "", err,
		"item %s has saved configurations, %s among them; set isActive to false instead", e.Item.Number, n)
}

// DropSchema takes the schema of an item that is being deleted along. Subscribed to catalog.Deleting.
func DropSchema(tx *db.Tx, e catalog.Deleting) error { return writeSchema(tx, e.Item.ID, stored{}) }

// RefuseCustomerDeletion keeps a customer that a saved configuration names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	n, err := firstOf(tx, "customer_key", record.Fold(e.Customer.Number))
	return party.ErrInUse.When(n != "", err,
		"customer %s has saved configurations, %s among them; set isActive to false instead", e.Customer.Number, n)
}
