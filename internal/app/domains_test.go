package app

import (
	"testing"

	"kontor/internal/business/founding"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A company that comes from before host names stood in the control database is reached by its own all the same.
func TestOlderCompaniesAreReachedByTheirHostNames(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			ctx, place := t.Context(), datadir.Dir{Data: t.TempDir()}
			if engine == "postgres" {
				place.DatabaseURL = dbtest.DatabaseURL(t)
			}
			h := openApp(t, place)
			defer h.Close(ctx)
			c, err := h.CreateCompany(ctx, acme())
			if err != nil {
				t.Fatal(err)
			}
			err = h.Control(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec("-- app_test.forget\ndelete from domain where company_id = :id", db.Args{"id": c.ID})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			equipEach(t, h)
			err = h.Look(ctx, func(tx *db.Tx) error {
				d, found, err := identity.FindDomain(tx, founding.Domain(c.Code))
				if err == nil && (!found || d.CompanyID != c.ID) {
					t.Errorf("the host name leads to %+v", d)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
