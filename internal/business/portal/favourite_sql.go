package portal

import (
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
)

// Favourites are the items that the visitor likes to find again, the latest first, at most a thousand.
func Favourites(tx *db.Tx) ([]string, error) {
	return db.Column[string](tx, `-- portal.Favourites
		select item_id from portal_favourite where company = :company and contact_id = :contact order by added_at desc, item_id limit 1000`,
		db.Args{"contact": storefront.Of(tx).Contact.ID})
}

// Favour adds a favourite of the visitor, once.
func Favour(tx *db.Tx, itemID string) error {
	n, err := tx.Exec(`-- portal.Favour
		insert into portal_favourite (company, contact_id, item_id, added_at) values (:company, :contact, :item, :now)
		on conflict (company, contact_id, item_id) do nothing`,
		db.Args{"contact": storefront.Of(tx).Contact.ID, "item": itemID})
	if n > 0 {
		tx.Adds()
	}
	return err
}

// Disfavour takes a favourite of the visitor away; it answers false where there was none.
func Disfavour(tx *db.Tx, itemID string) (bool, error) {
	n, err := tx.Exec(`-- portal.Disfavour
		delete from portal_favourite where company = :company and contact_id = :contact and item_id = :item`,
		db.Args{"contact": storefront.Of(tx).Contact.ID, "item": itemID})
	return n > 0, err
}
