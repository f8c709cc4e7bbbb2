package channel

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var channels = record.TableOf(Channels, record.Layout[Channel]{
	Fixed: "code",
	Changing: "name, type, domain, currency_code, warehouse_code, price_list_code, order_type_code, is_active, " +
		"is_price_including_tax, languages, countries, store, product_path, category_path, brand_path, page_path, blog_path",
	Key:   "code_key",
	KeyOf: func(c *Channel) string { return c.Code },
	Taken: func(c *Channel) error {
		return ErrExists.Because("another request has just created a channel %q: read it, and change it if need be",
			c.Code)
	},
})

// All are the company's channels by code, from memory while its reference data stands.
func All(tx *db.Tx) ([]Channel, error) {
	all, err := db.FromReference(tx, "channels", func() (*[]Channel, error) {
		rows, err := readAll(tx, "")
		return &rows, err
	})
	if err != nil {
		return nil, err
	}
	return *all, nil
}

// lockAll reads every channel for update: there are few, and rules look at all of them (a domain is one's).
func lockAll(tx *db.Tx) ([]Channel, error) { return readAll(tx, db.ForUpdate) }

func readAll(tx *db.Tx, lock string) ([]Channel, error) {
	return channels.All(tx, "channel.readAll", "order by code_key"+lock)
}

// List reads a page of channels by code.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Channel], error) {
	q := channels.Query("channel.List")
	q.Given("type = :type", f.Type)
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, channels.Scan)
}
