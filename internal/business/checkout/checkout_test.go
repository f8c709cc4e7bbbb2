package checkout_test

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	"kontor/internal/front/payment/prepayment"
	paying "kontor/internal/front/payment/testing"
)

// shop is a company of environment Test with the store WEB, which sells SAW and NAIL for 100 without tax of 25 per
// cent.
type shop struct {
	testing.TB
	store    *db.Store
	payments *checkout.Payments
	ids      map[string]string // item number -> id
	clock    func() time.Time
}

func each(t *testing.T, fn func(s *shop)) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := opened(t, st)
		fn(s)
		s.agree()
	})
}

// opened is a shop in an empty store.
func opened(t *testing.T, st *db.Store) *shop {
	s := &shop{TB: t, store: st, ids: map[string]string{}, clock: time.Now}
	s.payments = &checkout.Payments{Providers: s.providers,
		CallbackURL: func(string, string, string) string { return "https://erp.example.com/callback" }}
	db.On(st, channel.TellPricing)
	db.On(st, checkout.TellCart)
	db.On(st, checkout.GiveBackMoney)
	db.On(st, checkout.WeighLessened)
	db.On(st, func(tx *db.Tx, e sales.OrderCancelled) error { return promotion.GiveBack(tx, e.Order.ID) })
	dbtest.Write(t, st, s.found)
	return s
}

func (s *shop) providers() payment.Providers {
	return payment.NewProviders(prepayment.New(), paying.New("https://erp.example.com/pay", s.clock))
}

func (s *shop) found(tx *db.Tx) error {
	price := dec.Int(100)
	var items []catalog.Item
	for _, n := range []string{"SAW", "NAIL"} {
		i := catalog.New()
		i.Number, i.Name, i.BaseUnit, i.TaxCode, i.SalesPrice = n, "Item "+n, "PCS", "STD", &price
		items = append(items, i)
	}
	steps := []error{
		reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true}),
		reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A", Name: "A", IsPickable: true,
			IsActive: true}),
		reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
			IsActive: true}),
		reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Piece", IsActive: true}),
		reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
			Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Int(25)}}}),
		reference.SaveOrderTypes(tx, reference.OrderType{Code: "WEB", Name: "Web", AutoRelease: true, IsActive: true}),
		reference.SaveShippingMethods(tx, reference.ShippingMethod{Code: "PARCEL", Name: "Parcel", IsActive: true}),
		catalog.CreateMany(tx, items),
	}
	_, err := channel.Create(tx, channel.Channel{Code: "WEB", Name: "Shop", Type: channel.WebShop, CurrencyCode: "SEK",
		WarehouseCode: "MAIN", OrderTypeCode: "WEB", IsActive: true})
	steps = append(steps, err)
	for _, m := range []checkout.Method{
		{Code: "PRE", Name: "In advance", Provider: "Prepayment", IsActive: true},
		{Code: "TEST", Name: "Test", Provider: "Test", IsActive: true, Settings: payment.Settings{"secret": "s"}},
		{Code: "HELD", Name: "Held", Provider: "Test", IsActive: true,
			Settings: payment.Settings{"secret": "s", "capture": "Manual"}}} {
		_, err := checkout.Save(tx, s.providers(), m)
		steps = append(steps, err)
	}
	out, err := channel.Publish(tx,
		[]channel.Publication{{ItemNumber: "SAW", ChannelCode: "WEB", IsPublished: true, IsPurchasable: true},
			{ItemNumber: "NAIL", ChannelCode: "WEB", IsPublished: true, IsPurchasable: true}})
	steps = append(steps, err, out[0].Err, out[1].Err)
	for _, i := range items {
		found, err := catalog.Find(tx, i.Number)
		steps, s.ids[i.Number] = append(steps, err), found.ID
	}
	return errors.Join(steps...)
}

// supply puts goods on the shelf.
func (s *shop) supply(item string, quantity int64) {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		_, err := stock.Receive(tx, stock.Receipt,
			[]stock.Move{{ItemID: s.ids[item], Item: item, Warehouse: "MAIN", Location: "A",
				Quantity: dec.Int(quantity)}})
		return err
	})
}

// visitor is a visitor with a session: who payments are started for.
type visitor struct {
	*shop
	token string
}

func (s *shop) visit() *visitor {
	s.Helper()
	v := &visitor{shop: s}
	r := dbtest.Request()
	r.Party = storefront.Guest{Channel: "WEB"}
	if err := s.store.Write(context.Background(), r, func(tx *db.Tx) (err error) {
		v.token, err = storefront.Open(tx)
		return err
	}); err != nil {
		s.Fatal(err)
	}
	return v
}

func (v *visitor) admitted(fn func(tx *db.Tx) error) (db.Request, func(tx *db.Tx) error) {
	r := dbtest.Request()
	r.Party = storefront.Holder(storefront.Guest{Channel: "WEB"}, v.token)
	return r, func(tx *db.Tx) error {
		if err := storefront.Admit(tx, "session"); err != nil {
			return err
		}
		return fn(tx)
	}
}

func (v *visitor) Read(fn func(tx *db.Tx) error) error {
	r, fn := v.admitted(fn)
	return v.store.Read(context.Background(), r, fn)
}

func (v *visitor) Write(fn func(tx *db.Tx) error) error {
	r, fn := v.admitted(fn)
	return v.store.Write(context.Background(), r, fn)
}

func (v *visitor) do(fn func(tx *db.Tx) error) {
	v.Helper()
	if err := v.Write(fn); err != nil {
		v.Fatal(err)
	}
}

// ready is a visitor with a cart who has said everything but how to pay by which method.
func (s *shop) ready(email, method string, items ...string) *visitor {
	s.Helper()
	v := s.visit()
	v.put(items...)
	v.do(func(tx *db.Tx) error {
		_, e1 := v.payments.SaveContact(tx, checkout.Contact{Email: email, FirstName: "Anna", LastName: "Berg"})
		_, e2 := v.payments.SaveAddresses(tx, party.Postal{Name: "Anna Berg", Street1: "Storgatan 1", PostalCode: "111 22",
			City: "Stockholm", CountryCode: "SE"}, party.Postal{})
		_, e3 := v.payments.ChooseDelivery(tx, "PARCEL", "", "")
		_, e4 := v.payments.ChoosePayment(tx, method)
		return errors.Join(e1, e2, e3, e4)
	})
	return v
}

func (v *visitor) put(items ...string) {
	v.Helper()
	v.do(func(tx *db.Tx) error {
		for _, i := range items {
			_, out, err := cart.Add(tx, []cart.Addition{{ItemID: v.ids[i], Quantity: dec.One}})
			if err != nil || out[0].Err != nil {
				return errors.Join(err, out[0].Err)
			}
		}
		return nil
	})
}

// start starts a payment with a card, "" leaves it to the buyer.
func (v *visitor) start(card string) (*checkout.Payment, error) {
	w := checkout.Wish{ReturnURL: "https://shop.example.com/done"}
	if card != "" {
		w.Data = map[string]string{"card": card}
	}
	o, err := v.payments.Start(context.Background(), v, w)
	if err != nil {
		return nil, err
	}
	var p *checkout.Payment
	err = v.Write(func(tx *db.Tx) (err error) { p, err = v.payments.Record(tx, o); return err })
	return p, err
}

func (v *visitor) pay(card string) *checkout.Payment {
	v.Helper()
	p, err := v.start(card)
	if err != nil {
		v.Fatal(err)
	}
	return p
}

// place asks for the order as the API does.
func (v *visitor) place(id string) (placed *checkout.Placed, err error) { return v.placeOn(v, id) }

func (v *visitor) placeOn(g checkout.Transactor, id string) (placed *checkout.Placed, err error) {
	if err := v.payments.Prepare(context.Background(), g, id); err != nil {
		return nil, err
	}
	err = v.Write(func(tx *db.Tx) (err error) {
		placed, err = v.payments.Place(tx, id)
		return err
	})
	if err != nil {
		return nil, cmp.Or(v.payments.Refused(g, err), err)
	}
	return placed, nil
}

func (v *visitor) refused(want fault.Code, id string) {
	v.Helper()
	if _, err := v.place(id); !fault.Is(err, want) {
		v.Errorf("want %s, got %v", want.Name, err)
	}
}

// office is where the jobs get their transactions.
type office struct{ *shop }

func (o office) Read(fn func(tx *db.Tx) error) error {
	return o.store.Read(context.Background(), dbtest.Request(), fn)
}

func (o office) Write(fn func(tx *db.Tx) error) error {
	return o.store.Write(context.Background(), dbtest.Request(), fn)
}

// deliver sends the callbacks of a payment, as the provider does.
func (s *shop) deliver(p *checkout.Payment, card string) error {
	a := payment.Account{Company: dbtest.Company, IsTest: true, Settings: payment.Settings{"secret": "s"}}
	if p.Method == "HELD" {
		a.Settings["capture"] = "Manual"
	}
	sent, err := paying.Deliveries(a, p.Ref, card, s.clock())
	for _, d := range sent {
		if err != nil {
			return err
		}
		err = s.payments.Receive(context.Background(), office{s}, "Test", p.Method, payment.Callback{
			Header: func(n string) string { return d.Header[n] }, Query: func(string) string { return "" },
			Body: d.Body}, s.clock())
	}
	return err
}

// work does everything that is due.
func (s *shop) work() {
	s.Helper()
	r := jobs.NewRunner(jobs.TransactorOf(s.store, dbtest.Company), slog.New(slog.DiscardHandler))
	for kind, do := range map[*jobs.Kind]func(context.Context, checkout.Transactor, string) error{
		&checkout.Concluding: s.payments.Conclude, &checkout.Expiring: s.payments.Expire,
		&checkout.Refunding: s.payments.Move, &checkout.Capturing: s.payments.Move,
		&checkout.Announcing: s.payments.Announce, &checkout.Weighing: s.payments.Weigh,
		&checkout.Releasing: s.payments.Release,
	} {
		jobs.Outside(r, *kind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
			id, err := checkout.Subject(j)
			if err == nil {
				err = do(ctx, office{s}, id)
			}
			return struct{}{}, err
		}, nil)
	}
	for range 5 { // what one adds the next does
		if _, err := r.RunDue(context.Background(), dbtest.Company); err != nil {
			s.Fatal(err)
		}
	}
}

func (s *shop) orders() (all []sales.Order) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		found, err := sales.List(tx, sales.Filter{}, record.Page{Number: 1, Size: 200})
		all = found.Items
		return err
	})
	return all
}

func (s *shop) payment(id string) (p *checkout.Payment) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) (err error) { p, err = checkout.FindStarted(tx, id); return err })
	return p
}

func (s *shop) free(item string) (free dec.Dec) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		levels, err := stock.Levels(tx, []string{s.ids[item]})
		free = levels[stock.Key{ItemID: s.ids[item], Warehouse: "MAIN"}].Available()
		return err
	})
	return free
}

// agree holds the books against each other.
func (s *shop) agree() {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		report := func(text string) { s.Error(text) }
		return errors.Join(stock.Verify(tx, report), sales.Verify(tx, report), invoicing.Verify(tx, report),
			returns.Verify(tx, report), promotion.Verify(tx, report), checkout.Verify(tx, report))
	})
}
