package demo_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/catalog"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/demo"
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
	place := app.Place{Data: t.TempDir()}
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
	if err := demo.Fill(ctx, h.Store(), c.ID, now, func(what string) { t.Log(time.Now().Format("05.000"), what) }); err != nil {
		t.Fatal(err)
	}
	if err := demo.Furnish(ctx, h.Store(), h.Files(), c.ID, now, func(what string) { t.Log(time.Now().Format("05.000"), what) }); err != nil {
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
		for _, status := range []shipping.Status{shipping.Hold, shipping.Released, shipping.Booked, shipping.PickedUp, shipping.InTransit, shipping.Failed, shipping.Delivered} {
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
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, n int, err error, what string, status any) {
	t.Helper()
	t.Log(n, what, status)
	if err != nil || n == 0 {
		t.Errorf("no %s are %v: %v", what, status, err)
	}
}
