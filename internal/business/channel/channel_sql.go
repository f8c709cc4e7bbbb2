package channel

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const channelColumns = record.RootColumns + `, code, name, type, domain, currency_code, warehouse_code, price_list_code,
	order_type_code, is_active, is_price_including_tax, languages, countries, product_path, category_path, brand_path, page_path, blog_path, store`

func scanChannel(r db.Row, c *Channel) error {
	var languages, countries, store string
	err := r.Scan(append(c.Root.Scan(), &c.Code, &c.Name, &c.Type, &c.Domain, &c.CurrencyCode, &c.WarehouseCode,
		&c.PriceListCode, &c.OrderTypeCode, &c.IsActive, &c.IsPriceIncludingTax, &languages, &countries,
		&c.Paths.Product, &c.Paths.Category, &c.Paths.Brand, &c.Paths.Page, &c.Paths.Blog, &store)...)
	if err != nil {
		return err
	}
	c.Languages, c.Countries = strings.Fields(languages), strings.Fields(countries)
	return c.Store.read(store)
}

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
		Key: []record.Order{{Column: "code_key"}}, Stamp: "changed_at", Resources: []string{Channels.Name}}
	if f.Type != "" {
		q.Where("type = :type", db.Args{"type": f.Type})
	}
	if f.IsActive != nil {
		q.Where("is_active = :active", db.Args{"active": *f.IsActive})
	}
	return record.ListOf(tx, q, p, scanChannel)
}

// write stores a channel, new or changed.
func write(tx *db.Tx, c Channel) error {
	err := tx.Upsert("channel", channelColumns+", code_key", 1, func(int) []any {
		return append(c.Root.Values(), c.Code, c.Name, c.Type, c.Domain, c.CurrencyCode, c.WarehouseCode,
			c.PriceListCode, c.OrderTypeCode, c.IsActive, c.IsPriceIncludingTax, strings.Join(c.Languages, " "),
			strings.Join(c.Countries, " "), c.Paths.Product, c.Paths.Category, c.Paths.Brand, c.Paths.Page,
			c.Paths.Blog, c.Store.stored(), record.Fold(c.Code))
	}, `on conflict (company, id) do update set name = excluded.name, type = excluded.type, domain = excluded.domain,
		currency_code = excluded.currency_code, warehouse_code = excluded.warehouse_code, price_list_code = excluded.price_list_code,
		order_type_code = excluded.order_type_code, is_active = excluded.is_active,
		is_price_including_tax = excluded.is_price_including_tax, languages = excluded.languages, countries = excluded.countries,
		product_path = excluded.product_path, category_path = excluded.category_path, brand_path = excluded.brand_path,
		page_path = excluded.page_path, blog_path = excluded.blog_path, store = excluded.store`)
	if tx.Unique(err) {
		return ErrExists.Because("another request has just created a channel %q: read it, and change it if need be",
			c.Code)
	}
	return err
}
