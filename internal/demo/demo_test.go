package demo_test

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/configuration"
	"kontor/internal/business/content"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/paper"
	"kontor/internal/business/party"
	"kontor/internal/business/payable"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/replenishment"
	"kontor/internal/business/returns"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/transfer"
	"kontor/internal/demo"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/record"
)

// The sample company has business in every state, and its books are sound.
func TestFill(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			fill(t, engine)
		})
	}
}

func fill(t *testing.T, engine string) {
	place := datadir.Dir{Data: t.TempDir()}
	if engine == "postgres" {
		place.DatabaseURL = dbtest.DatabaseURL(t)
	}
	ctx := context.Background()
	h, err := app.Open(ctx, place, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(ctx)
	c, err := h.CreateCompany(ctx, demo.Company())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 18, 14, 30, 0, 0, time.UTC)
	if err := demo.Fill(ctx, h.Store(), c.ID, now, func(what string) {
		t.Log(time.Now().Format("05.000"), what)
	}); err != nil {
		t.Fatal(err)
	}
	if err := demo.Furnish(ctx, h.Store(), h.Files(), c.ID, now, func(what string) {
		t.Log(time.Now().Format("05.000"), what)
	}); err != nil {
		t.Fatal(err)
	}
	if err := h.Verify(ctx, c, func(difference string) { t.Error(difference) }); err != nil {
		t.Fatal(err)
	}
	page := record.Page{Number: 1, Size: 1}
	err = h.Store().Read(ctx, db.Request{Company: c.ID}, func(tx *db.Tx) error {
		items, err := catalog.List(tx, catalog.Filter{}, page)
		if err != nil {
			return err
		}
		if items.Total < 280 || items.Total > 320 {
			t.Errorf("%d items, about 300 were meant", items.Total)
		}
		for _, status := range sales.Status("").Values() {
			found, err := sales.List(tx, sales.Filter{Status: status}, page)
			expect(t, found.Total, err, "orders", status)
		}
		for _, status := range []shipping.Status{shipping.Hold, shipping.Released, shipping.Booked, shipping.PickedUp,
			shipping.InTransit, shipping.Failed, shipping.Delivered} {
			found, err := shipping.List(tx, shipping.Filter{Status: status}, page)
			expect(t, found.Total, err, "shipments", status)
		}
		for _, status := range []invoicing.PaymentStatus{invoicing.Unpaid, invoicing.PartiallyPaid, invoicing.Paid} {
			found, err := invoicing.List(tx, invoicing.Filter{PaymentStatus: status}, page)
			expect(t, found.Total, err, "invoices", status)
		}
		for _, status := range []returns.Status{returns.Approved, returns.Received, returns.Closed} {
			found, err := returns.List(tx, returns.Filter{Status: status}, page)
			expect(t, found.Total, err, "returns", status)
		}
		found, err := sales.List(tx, sales.Filter{Status: sales.Released}, record.Page{Number: 1, Size: 200})
		if err != nil {
			return err
		}
		numbers, waiting := make([]string, len(found.Items)), 0
		for n, o := range found.Items {
			numbers[n] = o.Number
		}
		orders, err := sales.FindMany(tx, numbers)
		for _, o := range orders {
			for _, l := range o.Lines {
				if l.Missing() > 0 {
					waiting++
				}
			}
		}
		expect(t, waiting, err, "lines", "waiting for goods")
		if err := supplied(t, tx); err != nil {
			return err
		}
		return shopfront(t, tx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// supplied holds what is bought, moved and made against what it is to show.
func supplied(t *testing.T, tx *db.Tx) error {
	page := record.Page{Number: 1, Size: 1}
	for _, status := range []purchasing.OrderStatus{purchasing.Drafted, purchasing.Sent, purchasing.PartiallyReceived,
		purchasing.Received} {
		found, err := purchasing.ListOrders(tx, purchasing.OrderFilter{Status: status}, page)
		expect(t, found.Total, err, "purchase orders", status)
	}
	for _, status := range []payable.Status{payable.Waiting, payable.Approved} {
		found, err := payable.List(tx, payable.Filter{Status: status}, page)
		expect(t, found.Total, err, "suppliers' invoices", status)
	}
	for _, status := range []transfer.Status{transfer.Released, transfer.InTransit, transfer.Received} {
		found, err := transfer.List(tx, transfer.Filter{Status: status}, page)
		expect(t, found.Total, err, "transfers", status)
	}
	for _, status := range []production.Status{production.Draft, production.Active, production.Completed} {
		found, err := production.List(tx, production.Filter{Status: status, Item: demo.Lavvo}, page)
		expect(t, found.Total, err, "work orders", status)
	}
	all, err := replenishment.Run(tx)
	for _, way := range []replenishment.Way{"Purchase", "Transfer"} {
		n := 0
		for _, p := range all {
			if p.Way == way && p.Quantity > 0 {
				n++
			}
		}
		expect(t, n, err, "proposals", way)
	}
	return err
}

// shopfront holds what visitors read, and what is made for them, against what it is to show.
func shopfront(t *testing.T, tx *db.Tx) error {
	page := record.Page{Number: 1, Size: 200}
	shop, err := channel.Find(tx, "WEB")
	if err != nil {
		return err
	}
	home, err := content.Seen(tx, shop, content.Home, "")
	if err != nil {
		return err
	}
	for _, kind := range content.SectionType("").Values() {
		if !slices.ContainsFunc(home.Sections, func(s content.Section) bool { return s.Type == kind }) {
			t.Errorf("the home page has no section of the type %s", kind)
		}
	}
	for kind, least := range map[content.PageType]int{content.Standing: 10, content.BlogPost: 5, content.NewsPost: 3} {
		if found, err := content.ListSeen(tx, shop, kind, "", page); err != nil || found.Total < least {
			t.Errorf("%d of the type %s: %v", found.Total, kind, err)
		}
	}
	if found, err := content.ListArticles(tx, content.ArticleFilter{}, page); err != nil || found.Total < 30 {
		t.Errorf("%d help articles: %v", found.Total, err)
	}
	said := map[bool]int{}
	for _, status := range review.Status("").Values() {
		found, err := review.List(tx, review.Filter{Status: status}, page)
		expect(t, found.Total, err, "reviews", status)
		for _, r := range found.Items {
			said[r.IsVerified]++
		}
	}
	if said[true] < 10 || said[false] < 5 {
		t.Errorf("%d reviews of buyers, %d of others", said[true], said[false])
	}
	item, schema, err := configuration.SchemaOf(tx, demo.Lavvo)
	if err != nil {
		return err
	}
	model, err := configuration.ModelOf(tx, item.ID)
	if err != nil {
		return err
	}
	if made := model.Ask(configuration.Proposed(&schema)); !made.IsValid() || len(made.Components) == 0 {
		t.Errorf("what is proposed of the lavvo breaks %v, and is made of %v", made.Broken, made.Components)
	}
	bom, err := production.FindBOM(tx, demo.Lavvo)
	expect(t, len(bom.Lines), err, "parts", "of a lavvo")
	return invoiced(t, tx)
}

// invoiced: the invoice of a reseller in each country can be sent electronically.
func invoiced(t *testing.T, tx *db.Tx) error {
	found, err := invoicing.List(tx, invoicing.Filter{Status: invoicing.Booked}, record.Page{Number: 1, Size: 200})
	if err != nil {
		return err
	}
	countries := map[string]bool{}
	for _, i := range found.Items {
		c, err := party.Find(tx, i.CustomerNumber)
		if err != nil {
			return err
		}
		if c.OrganizationNumber == "" || countries[c.CountryCode] {
			continue
		}
		countries[c.CountryCode] = true
		if i, err = invoicing.Find(tx, i.Number); err != nil {
			return err
		}
		beside, err := paper.BesideOf(tx, i)
		if err != nil {
			return err
		}
		_, err = paper.For(tx, i.CustomerNumber, i.OrderNumbers, i.InvoiceAddress,
			func(s paper.Sender, r paper.Receiver) (paper.File, error) { return paper.Electronic(s, r, i, beside) })
		if err != nil {
			t.Errorf("the invoice %s to %s: %v", i.Number, c.CountryCode, err)
		}
	}
	if !countries["NO"] || len(countries) < 3 {
		t.Errorf("resellers with invoices are in %v", countries)
	}
	return nil
}

func expect(t *testing.T, n int, err error, what string, status any) {
	t.Helper()
	t.Log(n, what, status)
	if err != nil || n == 0 {
		t.Errorf("no %s are %v: %v", what, status, err)
	}
}
