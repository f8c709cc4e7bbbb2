package channel

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	channelFields = `name, type, domain, currency_code, warehouse_code, price_list_code, order_type_code, is_active, is_price_including_tax,
	languages, countries, store`
	pathFields     = "product_path, category_path, brand_path, page_path, blog_path"
	channelColumns = record.RootColumns + ", code, " + channelFields + ", " + pathFields
)

var (
	channelRow = db.Map[Channel](record.RootColumns + ", code, " + channelFields)
	pathRow    = db.Map[Paths](pathFields)
)

func (c *Channel) columns() []any { return append(channelRow.Of(c), pathRow.Of(&c.Paths)...) }

func scanChannel(r db.Row, c *Channel) error { return r.Scan(c.columns()...) }

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
func lockAll(tx *db.Tx) ([]Channel, error) { return readAll(tx, " for update") }

func readAll(tx *db.Tx, lock string) (all []Channel, err error) {
	err = tx.Each(`-- channel.readAll
		select `+channelColumns+` from channel where company = :company order by code_key`+lock, nil,
		func(r db.Row) error {
			all = append(all, Channel{})
			return scanChannel(r, &all[len(all)-1])
		})
	return all, err
}

// List reads a page of channels by code.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Channel], error) {
	q := record.Query{Name: "channel.List", Select: channelColumns, From: "channel",
		Key: []string{"code_key"}, Stamp: "changed_at", Resources: []string{Channels.Name}}
	q.Given("type = :type", f.Type)
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, scanChannel)
}

// write stores a channel, new or changed.
func write(tx *db.Tx, c Channel) error {
	err := tx.Upsert("channel", channelColumns+", code_key", 1, func(int) []any {
		return append(c.columns(), record.Fold(c.Code))
	}, db.Overwriting("id", channelFields+", "+pathFields))
	if tx.Unique(err) {
		return ErrExists.Because("another request has just created a channel %q: read it, and change it if need be",
			c.Code)
	}
	return err
}
