package sales_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fault/faulttest"
)

// shop is a company with two customers, some items and a warehouse of two locations.
func shop(t testing.TB, s *db.Store) {
	t.Helper()
	db.On(s, sales.LockWaiting)
	db.On(s, sales.CoverBackorders)
	db.On(s, sales.TakeBack)
	db.On(s, sales.RefuseCustomerDeletion)
	db.On(s, sales.RefuseItemDeletion)
	db.On(s, sales.RefuseItemChange)
	dbtest.Write(t, s, func(tx *db.Tx) error {
		price := dec.Must("12.50")
		for _, do := range []error{
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true},
				reference.Currency{Code: "JPY", Name: "Yen", Decimals: 0, IsActive: true}),
			reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true},
				reference.Warehouse{Code: "SOUTH", Name: "South", IsActive: true}),
			reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A-01", Name: "A-01",
				IsPickable: true, IsActive: true},
				reference.Location{Warehouse: "MAIN", Code: "A-02", Name: "A-02", IsPickable: true, IsActive: true},
				reference.Location{Warehouse: "SOUTH", Code: "S-01", Name: "S-01", IsPickable: true, IsActive: true}),
			reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true},
				reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
				Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Must("25")},
					{Country: "DK", Percent: dec.Must("20")}}}),
			reference.SaveOrderTypes(tx, reference.OrderType{Code: "STD", Name: "Standard",
				AutoInvoice: reference.Never, IsActive: true},
				reference.OrderType{Code: "AUTO", Name: "Released at once", AutoRelease: true, AutoShip: true,
					AutoInvoice: reference.Never, IsActive: true}),
			reference.SavePaymentTerms(tx, reference.PaymentTerm{Code: "N30", Name: "30 days", Days: 30,
				IsActive: true}),
			reference.SaveShippingMethods(tx, reference.ShippingMethod{Code: "POST", Name: "Post", IsActive: true}),
			reference.SaveDefaults(tx, reference.Defaults{Warehouse: "MAIN", OrderType: "STD", PaymentTerm: "N30",
				ShippingMethod: "POST", TaxCode: "STD"}),
		} {
			if do != nil {
				return do
			}
		}
		items := []catalog.Item{item("A", &price), item("B", &price), item("FREE", nil)}
		items[1].Units = []catalog.Unit{{Code: "BOX", Factor: dec.Must("12")}}
		service := item("FREIGHT", &price)
		service.Type = catalog.Service
		sleeping := item("OLD", &price)
		sleeping.IsActive = false
		if err := catalog.CreateMany(tx, append(items, service, sleeping)); err != nil {
			return err
		}
		return party.CreateMany(tx, []party.Customer{{Number: "C1", Name: "Nordic Tools", IsActive: true,
			CountryCode: "SE", City: "Malmö"},
			{Number: "C2", Name: "Gone", CountryCode: "SE"}})
	})
}

func item(number string, price *dec.Dec) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.BaseUnit, i.SalesPrice, i.TaxCode = number, "Item "+number, "PCS", price, "STD"
	return i
}

// arrive takes stock in.
func arrive(t testing.TB, s *db.Store, number, location, quantity string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error { return receiveAt(tx, number, location, quantity) })
}

func receive(tx *db.Tx, number, quantity string) error {
	return receiveAt(tx, number, "A-01", quantity)
}

// miss takes goods off the books.
func miss(tx *db.Tx, number, quantity string) error {
	_, err := stock.Adjust(tx, stock.Adjustment{Warehouse: "MAIN", Location: "A-01", Item: number,
		Quantity: dec.Must(quantity).Neg()})
	return err
}

func receiveAt(tx *db.Tx, number, location, quantity string) error {
	i, err := catalog.Find(tx, number)
	if err != nil {
		return err
	}
	cost := dec.Must("5")
	_, err = stock.Receive(tx, stock.Receipt,
		[]stock.Move{{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN", Location: location,
			Quantity: dec.Must(quantity), UnitCost: &cost}})
	return err
}

// order is a placing of one customer with lines "item quantity [unit]".
func order(lines ...sales.NewLine) sales.Placing {
	return sales.Placing{CustomerNumber: "c1", Lines: lines}
}

func line(item, quantity string) sales.NewLine {
	return sales.NewLine{Item: item, Quantity: dec.Must(quantity)}
}

func place(t testing.TB, s *db.Store, p sales.Placing) (o sales.Order) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) (err error) { o, err = sales.Place(tx, p, stock.AsMuchAsThereIs); return err })
	return o
}

// attempt runs a verb and answers its error.
func attempt(s *db.Store, fn func(tx *db.Tx) error) error {
	return s.Write(context.Background(), dbtest.Request(), fn)
}

func find(t testing.TB, s *db.Store, number string) (o sales.Order) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) (err error) { o, err = sales.Find(tx, number); return err })
	return o
}

func itemIDs(t testing.TB, tx *db.Tx, numbers ...string) []string {
	t.Helper()
	found, err := catalog.FindMany(tx, numbers)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, i := range found {
		ids = append(ids, i.ID)
	}
	return ids
}

// sound fails the test when verification finds anything.
func sound(t testing.TB, s *db.Store) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		levels, err := stock.Levels(tx, itemIDs(t, tx, "A", "B"))
		for k, l := range levels {
			if l.Available() < 0 {
				t.Errorf("%v promises %s of %s", k, l.Allocated, l.OnHand)
			}
		}
		if err != nil {
			return err
		}
		return sales.Verify(tx, func(what string) { t.Error("verify: " + what) })
	})
}

func allocated(t testing.TB, s *db.Store, number string) (sum dec.Dec) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		i, err := catalog.Find(tx, number)
		if err != nil {
			return err
		}
		levels, err := stock.Levels(tx, []string{i.ID})
		for _, l := range levels {
			sum = sum.Add(l.Allocated)
		}
		return err
	})
	return sum
}

func TestPlace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "10")
		o := place(t, s, order(line("a", "3"), line("FREIGHT", "1"),
			sales.NewLine{Description: "Engraving", Quantity: dec.One, UnitPrice: ptr("9.995")}))
		if o.Status != sales.Placed || o.CustomerName != "Nordic Tools" || o.PaymentTermName != "30 days" ||
			o.WarehouseCode != "MAIN" || o.CurrencyCode != "SEK" {
			t.Errorf("head is %+v", o.Head)
		}
		if o.DeliveryAddress.City != "Malmö" || o.Lines[0].Description != "Item A" ||
			o.Lines[0].Allocated != dec.Must("3") || o.Lines[1].Allocated != 0 {
			t.Errorf("lines are %+v", o.Lines)
		}
		// 37.50 + 12.50 + 10.00, tax per line: 9.38 + 3.13 + 2.50.
		if o.TotalAmount != dec.Must("60") || o.TotalVAT != dec.Must("15.01") ||
			o.Lines[0].TaxAmount != dec.Must("9.38") {
			t.Errorf("totals %s and %s", o.TotalAmount, o.TotalVAT)
		}
		if o.PlannedDeliveryDate != o.OrderDate || o.Delivery != sales.NotDelivered ||
			o.Invoicing != sales.NotInvoiced {
			t.Errorf("derived %s %s %s", o.PlannedDeliveryDate, o.Delivery, o.Invoicing)
		}
		read := find(t, s, o.Number)
		if fmt.Sprint(read) != fmt.Sprint(o) {
			t.Errorf("stored\n%+v\nanswered\n%+v", read, o)
		}
		if back := place(t, s, order(line("A", "8"))); back.Lines[0].Allocated != dec.Must("7") ||
			back.PlannedDeliveryDate != "" {
			t.Errorf("back-order got %s, planned %q", back.Lines[0].Allocated, back.PlannedDeliveryDate)
		}
		sound(t, s)
	})
}

func ptr(s string) *dec.Dec { d := dec.Must(s); return &d }

func TestPlaceRefusesEverythingAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		p := order(line("NOPE", "1"), line("OLD", "1"), line("A", "1.5"), line("FREE", "1"),
			sales.NewLine{Item: "A", Unit: "BOX", Quantity: dec.One},
			sales.NewLine{Description: "x", Quantity: dec.One},
			sales.NewLine{Item: "A", Quantity: dec.One, ConfigurationNumber: "K1"})
		p.PaymentTermCode = "NEVER"
		err := attempt(s, func(tx *db.Tx) error { _, err := sales.Place(tx, p, stock.AsMuchAsThereIs); return err })
		want := map[string]string{"paymentTermCode": "SalesOrder.UnknownCode", "lines[0].itemNumber": "Item.NotFound",
			"lines[1].itemNumber": "Item.Inactive", "lines[2].quantity": "Quantity.TooManyDecimals",
			"lines[3].unitPrice": "SalesOrderLine.NoPrice", "lines[4].unitCode": "SalesOrderLine.UnknownUnit",
			"lines[5].unitPrice": "SalesOrderLine.NoPrice", "lines[6].configurationNumber": "Configuration.NotFound"}
		f := fault.As(err)
		for _, x := range f.Fields {
			if want[x.Path] != x.Code {
				t.Errorf("unexpected %s %s: %s", x.Path, x.Code, x.Message)
			}
			delete(want, x.Path)
		}
		if len(want) > 0 || f.Kind != fault.Invalid {
			t.Errorf("not reported: %v (%v)", want, err)
		}
		p = order(line("A", "1"))
		p.CustomerNumber = "C2"
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error {
			_, err := sales.Place(tx, p, stock.AsMuchAsThereIs)
			return err
		}), party.ErrInactive, "customerNumber")
	})
}

func TestExternalNumberIsUniqueInItsScope(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		p := order(line("A", "1"))
		p.ExternalNumber, p.ExternalScope = "W-1", "shop"
		first := place(t, s, p)
		p.ExternalNumber, p.ExternalScope = "w-1", "SHOP"
		err := attempt(s, func(tx *db.Tx) error { _, err := sales.Place(tx, p, stock.AsMuchAsThereIs); return err })
		faulttest.Refused(t, err, sales.ErrExternalExists, "")
		if want := "order " + first.Number + " has"; !contains(err, want) {
			t.Errorf("%v does not say %q", err, want)
		}
		p.ExternalScope = "other"
		second := place(t, s, p)
		err = attempt(s, func(tx *db.Tx) error {
			_, err := sales.Change(tx, second.Number, func(a *sales.Amendment) error {
				a.ExternalScope = "shop"
				return nil
			})
			return err
		})
		faulttest.Refused(t, err, sales.ErrExternalExists, "")
		p = order(line("A", "1"))
		p.Number = first.Number
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error {
			_, err := sales.Place(tx, p, stock.AsMuchAsThereIs)
			return err
		}), sales.ErrExists, "")
	})
}

func TestUnitsAreAllocatedWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "B", "A-01", "30")
		l := line("B", "3")
		l.Unit = "box"
		o := place(t, s, order(l))
		if got := o.Lines[0]; got.Unit != "BOX" || got.Allocated != dec.Must("2") || got.UnitPrice != dec.Must("150") ||
			allocated(t, s, "B") != dec.Must("24") {
			t.Errorf("line %+v, stock %s", got, allocated(t, s, "B"))
		}
		arrive(t, s, "B", "A-01", "6")
		if o = find(t, s, o.Number); o.Lines[0].Allocated != dec.Must("3") {
			t.Errorf("after the rest arrived: %s", o.Lines[0].Allocated)
		}
		sound(t, s)
	})
}

// Of a box that is short of a piece the whole box is taken back.
func TestMissedUnitsAreTakenBackWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "B", "A-01", "24")
		box := line("B", "1")
		box.Unit = "BOX"
		first, second := place(t, s, order(box)), place(t, s, order(box))
		dbtest.Write(t, s, func(tx *db.Tx) error { return miss(tx, "B", "1") })
		for i, want := range []string{"1", "0"} {
			o := find(t, s, []string{first.Number, second.Number}[i])
			if got := o.Lines[0].Allocated; got != dec.Must(want) {
				t.Errorf("%s has %s allocated, want %s", o.Number, got, want)
			}
		}
		if got := allocated(t, s, "B"); got != dec.Must("12") {
			t.Errorf("%s are allocated", got)
		}
		sound(t, s)
	})
}

// Goods that are moved to where they cover no order are missed as if they were gone, however many of them were free.
func TestGoodsThatAreHeldAreMissed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "RETURNS", Name: "Returns",
				IsReturns: true, IsActive: true})
		})
		arrive(t, s, "A", "A-01", "10")
		o := place(t, s, order(line("A", "4")))
		relocate := func(from, to string) {
			t.Helper()
			dbtest.Write(t, s, func(tx *db.Tx) error {
				_, err := stock.Relocate(tx, stock.Relocation{Warehouse: "MAIN", Item: "A", From: from, To: to,
					Quantity: dec.Must("8")})
				return err
			})
		}
		relocate("A-01", "RETURNS")
		if got := find(t, s, o.Number).Lines[0].Allocated; got != dec.Must("2") {
			t.Errorf("%s are promised, 2 lie where they can be taken", got)
		}
		relocate("RETURNS", "A-02")
		if got := find(t, s, o.Number).Lines[0].Allocated; got != dec.Must("4") {
			t.Errorf("%s are promised once all lie there again", got)
		}
		sound(t, s)
	})
}

func TestArrivingStockServesInTurn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		today := day.Date("2026-05-01")
		make := func(requested day.Date) sales.Order {
			p := order(line("A", "4"))
			p.OrderDate, p.RequestedDeliveryDate = today, requested
			return place(t, s, p)
		}
		later, first, second, sooner := make("2026-06-01"), make(""), make(""), make("2026-04-01")
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Release(tx, second.Number); return err })
		arrive(t, s, "A", "A-01", "7")
		arrive(t, s, "A", "A-02", "3")
		for o, want := range map[string]string{sooner.Number: "4", first.Number: "4", second.Number: "2",
			later.Number: "0"} {
			if got := find(t, s, o).Lines[0].Allocated; got != dec.Must(want) {
				t.Errorf("order %s got %s, want %s", o, got, want)
			}
		}
		// What is given back goes to those who wait.
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Cancel(tx, sooner.Number); return err })
		if got, rest := find(t, s, second.Number).Lines[0].Allocated,
			find(t, s, later.Number).Lines[0].Allocated; got != dec.Must("4") || rest != dec.Must("2") {
			t.Errorf("after a cancellation: %s and %s", got, rest)
		}
		sound(t, s)
	})
}

func contains(err error, part string) bool {
	return err != nil && strings.Contains(err.Error(), part)
}
