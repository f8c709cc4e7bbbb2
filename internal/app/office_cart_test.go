package app_test

import (
	"errors"
	"fmt"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// fillCart puts as many different new items into the cart of a session of the store WEB as it takes.
func fillCart(tx *db.Tx, args []string) error {
	tx.Party = storefront.Holder(storefront.Guest{Channel: "WEB"}, args[0])
	if err := storefront.Admit(tx, "session"); err != nil {
		return err
	}
	var items []catalog.Item
	var rows []channel.Publication
	var numbers []string
	for n := range cart.MaxLines {
		i, price := catalog.New(), dec.One
		i.Number, i.Name, i.BaseUnit, i.TaxCode, i.SalesPrice = fmt.Sprintf("FILL-%03d", n), "Filling", "PCS", "STD",
			&price
		items, numbers = append(items, i), append(numbers, i.Number)
		rows = append(rows, channel.Publication{ItemNumber: i.Number, ChannelCode: "WEB", IsPublished: true,
			IsPurchasable: true})
	}
	if err := catalog.CreateMany(tx, items); err != nil {
		return err
	}
	if _, err := channel.Publish(tx, rows); err != nil {
		return err
	}
	found, err := catalog.FindMany(tx, numbers)
	if err != nil {
		return err
	}
	var all []cart.Addition
	for _, i := range found {
		all = append(all, cart.Addition{ItemID: i.ID, Quantity: dec.One})
	}
	_, out, err := cart.Add(tx, all)
	for _, o := range out {
		err = errors.Join(err, o.Err)
	}
	return err
}
