// Package shippingtest gives the tests of the rooms above sales a small shop: items, customers and orders, and goods
// that are on their way.
package shippingtest

import (
	"context"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Open gives the store a shop: items A and B (12.50, B also by the BOX of 12), SERIAL and BATCH (tracked), FREIGHT (a
// service), customers C1 and C2, warehouses MAIN and SOUTH, order types STD (nothing automatic), WEB (invoiced at
// hand-over), LATE (invoiced on delivery) and AUTO (released and shipped at once, invoiced at hand-over).
func Open(t testing.TB, s *db.Store) {
	t.Helper()
	db.On(s, sales.LockWaiting)
	db.On(s, sales.CoverBackorders)
	db.On(s, sales.TakeBack)
	db.On(s, shipping.OnReleased)
	dbtest.Write(t, s, func(tx *db.Tx) error {
		for _, save := range []func(*db.Tx) error{places, terms, items} {
			if err := save(tx); err != nil {
				return err
			}
		}
		return party.CreateMany(tx, []party.Customer{
			{Number: "C1", Name: "Nordic Tools", IsActive: true, Street1: "Hamngatan 1", City: "Malmö",
				CountryCode: "SE"},
			{Number: "C2", Name: "Other", IsActive: true, Street1: "Storgatan 2", City: "Lund", CountryCode: "SE"}})
	})
}

func places(tx *db.Tx) error {
	err := reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
		IsActive: true})
	if err != nil {
		return err
	}
	err = reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true},
		reference.Warehouse{Code: "SOUTH", Name: "South", IsActive: true})
	if err != nil {
		return err
	}
	return reference.SaveLocations(tx,
		reference.Location{Warehouse: "MAIN", Code: "A-01", Name: "A-01", IsPickable: true, IsActive: true},
		reference.Location{Warehouse: "MAIN", Code: "A-02", Name: "A-02", IsPickable: true, IsActive: true},
		reference.Location{Warehouse: "MAIN", Code: "RETURNS", Name: "Returns", IsReturns: true, IsActive: true},
		reference.Location{Warehouse: "SOUTH", Code: "S-01", Name: "S-01", IsPickable: true, IsActive: true})
}

func terms(tx *db.Tx) error {
	for _, err := range []error{
		reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true},
			reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
		reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
			Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Must("25")}}}),
		reference.SaveOrderTypes(tx, reference.OrderType{Code: "STD", Name: "Standard", AutoInvoice: reference.Never,
			IsActive: true},
			reference.OrderType{Code: "WEB", Name: "Web", AutoInvoice: reference.OnHandOver, IsActive: true},
			reference.OrderType{Code: "LATE", Name: "Late", AutoInvoice: reference.OnDelivery, IsActive: true},
			reference.OrderType{Code: "AUTO", Name: "Automatic", AutoRelease: true, AutoShip: true,
				AutoInvoice: reference.OnHandOver, IsActive: true}),
		reference.SavePaymentTerms(tx, reference.PaymentTerm{Code: "N30", Name: "30 days", Days: 30, IsActive: true}),
		reference.SaveShippingMethods(tx,
			reference.ShippingMethod{Code: "POST", Name: "Post",
				TrackingURLTemplate: "https://post.test/{trackingNumber}", IsActive: true},
			reference.ShippingMethod{Code: "PICKUP", Name: "Pick-up", IsPickup: true, IsActive: true}),
	} {
		if err != nil {
			return err
		}
	}
	return Defaults(tx, true)
}

// Counter adds the order type COUNTER: released at once, nothing else by itself.
func Counter(tx *db.Tx) error {
	return reference.SaveOrderTypes(tx, reference.OrderType{Code: "COUNTER", Name: "Counter", AutoRelease: true,
		AutoInvoice: reference.Never, IsActive: true})
}

// Defaults are the company's, with or without leave to skip packing and booking.
func Defaults(tx *db.Tx, skip bool) error {
	return reference.SaveDefaults(tx, reference.Defaults{Warehouse: "MAIN", OrderType: "STD", PaymentTerm: "N30",
		ShippingMethod: "POST", TaxCode: "STD", AllowSkipPack: skip, AllowSkipBook: skip})
}

func items(tx *db.Tx) error {
	price, weight := dec.Must("12.50"), dec.Must("0.5")
	item := func(number string) catalog.Item {
		return catalog.Item{Number: number, Name: "Item " + number, Type: catalog.Stock, IsActive: true,
			BaseUnit: "PCS", SalesPrice: &price, TaxCode: "STD", Tracking: catalog.None,
			Replenishment: catalog.Purchase, WeightKg: &weight}
	}
	list := []catalog.Item{item("A"), item("B"), item("SERIAL"), item("BATCH"), item("FREIGHT")}
	list[1].Units = []catalog.Unit{{Code: "BOX", Factor: dec.Must("12")}}
	list[2].Tracking, list[3].Tracking, list[4].Type = catalog.Serial, catalog.Batch, catalog.Service
	return catalog.CreateMany(tx, list)
}

// Arrive puts goods into stock at a cost of 8 a piece. Of SERIAL give serial numbers, of BATCH batches of the quantity.
func Arrive(t testing.TB, s *db.Store, number, quantity string, names ...string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		i, err := catalog.Find(tx, number)
		if err != nil {
			return err
		}
		cost := dec.Must("8")
		m := stock.Move{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN", Location: "A-01",
			Quantity: dec.Must(quantity), UnitCost: &cost}
		moves := []stock.Move{m}
		if len(names) > 0 {
			moves = nil
		}
		for _, n := range names {
			if i.Tracking.Serials() {
				m.Serial = n
			} else {
				m.Batch = n
			}
			moves = append(moves, m)
		}
		_, err = stock.Receive(tx, stock.Receipt, moves)
		return err
	})
}

// Line is a line of an order.
func Line(item, quantity string) sales.NewLine {
	return sales.NewLine{Item: item, Quantity: dec.Must(quantity)}
}

// Order places and releases an order of C1.
func Order(t testing.TB, s *db.Store, orderType string, lines ...sales.NewLine) sales.Order {
	t.Helper()
	return Place(t, s, sales.Placing{CustomerNumber: "C1", Head: sales.Head{OrderTypeCode: orderType}, Lines: lines})
}

// Place places an order and releases it.
func Place(t testing.TB, s *db.Store, p sales.Placing) (o sales.Order) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) (err error) {
		if o, err = sales.Place(tx, p, stock.AsMuchAsThereIs); err != nil || o.Status != sales.Placed {
			return err
		}
		o, err = sales.Release(tx, o.Number)
		return err
	})
	return o
}

// Ship ships an order, picks all of it and hands it over.
func Ship(t testing.TB, s *db.Store, orders ...string) (sh shipping.Shipment) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) (err error) {
		if sh, err = shipping.Create(tx, shipping.New{OrderNumbers: orders}); err != nil {
			return err
		}
		if _, err = shipping.PickGoods(tx, sh.Number, nil); err != nil {
			return err
		}
		sh, err = shipping.HandOver(tx, sh.Number, 0)
		return err
	})
	return sh
}

// Find reads an order.
func Find(t testing.TB, s *db.Store, number string) (o sales.Order) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) (err error) { o, err = sales.Find(tx, number); return err })
	return o
}

// Level is what is in stock of an item in MAIN.
func Level(t testing.TB, s *db.Store, number string) (l stock.Level) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		i, err := catalog.Find(tx, number)
		if err != nil {
			return err
		}
		levels, err := stock.Levels(tx, []string{i.ID})
		l = levels[stock.Key{ItemID: i.ID, Warehouse: "MAIN"}]
		return err
	})
	return l
}

// Attempt runs fn in a transaction.
func Attempt(s *db.Store, fn func(tx *db.Tx) error) error {
	return s.Write(context.Background(), dbtest.Request(), fn)
}

// Sound fails the test for everything the rooms' checks report.
func Sound(t testing.TB, s *db.Store, checks ...func(*db.Tx, func(string)) error) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		for _, check := range append(checks, stock.Verify, sales.Verify, shipping.Verify) {
			if err := check(tx, func(what string) { t.Error("verify: " + what) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// Key is a business key as maps of the rooms have it.
func Key(number string) string { return record.Fold(number) }
