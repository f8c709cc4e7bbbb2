package stock

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// HasStock reports whether anything of an item is on hand or promised. It locks the item's levels, so
// that the answer stays true until the transaction ends.
func HasStock(tx *db.Tx, itemID string) (bool, error) {
	onHand, allocated, _, err := hasStock(tx, itemID)
	return onHand != 0 || allocated != 0, err
}

// RefuseItemChange listens to catalog.Changing: how an item is tracked, whether it is kept in stock and
// the unit it is counted in are fixed once stock exists, and no quantity of it lies finer than it is counted: what is
// left of such a one could never leave. Refusal: Item.InUse (409).
func RefuseItemChange(tx *db.Tx, e catalog.Changing) error {
	if err := refuseCounted(tx, e.Before.ID, e.Before.Number); err != nil {
		return err
	}
	has, err := HasStock(tx, e.Before.ID)
	if err != nil || !has {
		return err
	}
	b, a := e.Before, e.After
	if b.Tracking == a.Tracking && b.Type == a.Type && b.BaseUnit == a.BaseUnit {
		finer, err := finerThan(tx, b.ID, dec.Unit(a.DecimalPlaces))
		if err != nil || finer == 0 {
			return err
		}
		return catalog.ErrInUse.At("decimalPlaces",
			"item %s has %s in one place, the rest of which could never leave in whole steps of %s: adjust that stock first, "+
				"or leave the decimals as they are", b.Number, finer, dec.Unit(a.DecimalPlaces))
	}
	field := "baseUnitCode"
	switch {
	case e.Before.Tracking != e.After.Tracking:
		field = "trackingType"
	case e.Before.Type != e.After.Type:
		field = "type"
	}
	return catalog.ErrInUse.Because("item %s is in stock: %s is fixed until the stock is gone", e.Before.Number, field)
}

// RefuseItemDeletion listens to catalog.Deleting: an item that ever moved stays, because the ledger
// names it. Refusal: Item.InUse (409).
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	if err := refuseCounted(tx, e.Item.ID, e.Item.Number); err != nil {
		return err
	}
	_, allocated, moved, err := hasStock(tx, e.Item.ID)
	if err != nil {
		return err
	}
	if moved || allocated != 0 {
		return catalog.ErrInUse.Because(
			"item %s stands in the stock ledger: set isActive to false instead of deleting it", e.Item.Number)
	}
	if err := forgetSettings(tx, e.Item.ID); err != nil {
		return err
	}
	return forget(tx, e.Item.ID)
}

// refuseCounted keeps an item as it is while it is counted: what was found is booked by its way of counting. Refusal:
// Item.InUse (409).
func refuseCounted(tx *db.Tx, itemID, number string) error {
	count, err := openCountOf(tx, itemID)
	return catalog.ErrInUse.When(count != "", err,
		"item %s stands on the open stock count %s: post or cancel the count first", number, count)
}
