package app

import (
	"context"
	"slices"
	"testing"

	"kontor/internal/business/checkout"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/record"
)

// A company of the time before there were payment methods gets those of a new one, once; whoever has chosen his own
// keeps them.
func TestOlderCompaniesGetPaymentMethods(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			ctx, place := context.Background(), datadir.Dir{Data: t.TempDir()}
			if engine == "postgres" {
				place.DatabaseURL = dbtest.DatabaseURL(t)
			}
			h := openApp(t, place)
			defer h.Close(ctx)
			if _, err := h.CreateCompany(ctx, acme()); err != nil {
				t.Fatal(err)
			}
			inside := func(fn func(tx *db.Tx) error) {
				t.Helper()
				if err := h.InCompany(ctx, "acme", fn); err != nil {
					t.Fatal(err)
				}
			}
			methods := func() (all []checkout.Method) {
				inside(func(tx *db.Tx) error {
					found, err := checkout.ListMethods(tx, record.Page{Number: 1, Size: 50})
					all = found.Items
					return err
				})
				return all
			}
			drop := func(tables ...string) {
				inside(func(tx *db.Tx) error {
					for _, table := range tables {
						where := ""
						if table == "change" {
							where = " and resource = 'payment-methods'"
						}
						if _, err := tx.Exec("-- app_test.drop\ndelete from "+table+" where company = :company"+where,
							nil); err != nil {
							return err
						}
					}
					return nil
				})
			}
			fresh := methods()
			drop("payment_method", "change")
			equipEach(t, h)
			given := methods()
			same := func(a, b checkout.Method) bool {
				return a.Code == b.Code && a.Name == b.Name && a.Provider == b.Provider &&
					a.PaymentTermCode == b.PaymentTermCode && b.IsActive
			}
			if len(given) != 3 || !slices.EqualFunc(fresh, given, same) {
				t.Fatalf("an old company was given %+v, a new one has %+v", given, fresh)
			}
			inside(func(tx *db.Tx) error {
				given[0].IsActive = false
				_, err := checkout.Save(tx, h.payments.Providers(), given[0])
				return err
			})
			chosen := methods()
			equipEach(t, h)
			if now := methods(); !slices.EqualFunc(chosen, now,
				func(a, b checkout.Method) bool { return a.ID == b.ID && a.Version == b.Version }) {
				t.Errorf("what was chosen was changed: %+v", now)
			}
			drop("payment_method")
			equipEach(t, h)
			if now := methods(); len(now) > 0 {
				t.Errorf("a company that had its own was given %+v", now)
			}
		})
	}
}

// equipEach equips every company that is asked, as a server does that has just learnt of it.
func equipEach(t *testing.T, h *App) {
	t.Helper()
	ctx := context.Background()
	if err := h.Control(ctx, func(tx *db.Tx) error { return askAgain(tx, "", dueEquip) }); err != nil {
		t.Fatal(err)
	}
	for h.lookAfterOne(ctx, dueEquip, h.equipOnce) {
	}
}
