package transfer

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// RefuseItemDeletion listens to catalog.Deleting: an item that stands on a transfer stays. Refusal: Item.InUse (409).
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	found, err := firstMoving(tx, e.Item.ID, false)
	return catalog.ErrInUse.When(found != "", err,
		"item %s stands on transfer %s: set isActive to false instead of deleting it", e.Item.Number, found)
}

// RefuseItemChange listens to catalog.Changing: type, base unit and tracking of an item are fixed while open transfers
// count by them:
// goods in transit are in no warehouse's stock. Refusal: Item.InUse (409).
func RefuseItemChange(tx *db.Tx, e catalog.Changing) error {
	if e.Before.Type == e.After.Type && e.Before.BaseUnit == e.After.BaseUnit && e.Before.Tracking == e.After.Tracking {
		return nil
	}
	found, err := firstMoving(tx, e.Before.ID, true)
	return catalog.ErrInUse.When(found != "", err,
		"item %s is on open transfers, %s among them; its type, base unit and tracking can change once they are received or cancelled",
		e.Before.Number, found)
}

// RefuseOnTheWay listens to stock.Appearing: a piece that is in transit comes in with its transfer alone. Refusal:
// Inventory.SerialInStock (409).
func RefuseOnTheWay(tx *db.Tx, e stock.Appearing) error {
	type piece struct{ item, serial string }
	coming, items := map[piece]stock.Move{}, []string(nil)
	for _, m := range e.Moves {
		if m.Serial != "" {
			coming[piece{m.ItemID, record.Fold(m.Serial)}] = m
			items = append(items, m.ItemID)
		}
	}
	return eachOnTheWay(tx, items, func(number, itemID, serial string) error {
		m, ok := coming[piece{itemID, record.Fold(serial)}]
		if !ok || m.RefType == stock.RefTransfer && m.RefID == number {
			return nil
		}
		return stock.ErrSerialInStock.Because(
			"serial number %s of item %s is on its way with transfer %s: receive it there, or write it off there first",
			m.Serial, m.Item, number)
	})
}
