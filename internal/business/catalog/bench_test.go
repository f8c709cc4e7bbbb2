package catalog_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/record"
)

func BenchmarkItems(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		s := dbtest.Store(b, engine)
		dbtest.Write(b, s, func(tx *db.Tx) error {
			return reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true})
		})
		made := 0
		b.Run(engine+"/create 1000", func(b *testing.B) {
			for b.Loop() {
				items := make([]catalog.Item, 1000)
				for n := range items {
					items[n] = item(fmt.Sprintf("N-%07d", made))
					made++
				}
				dbtest.Write(b, s, func(tx *db.Tx) error { return catalog.CreateMany(tx, items) })
			}
		})
		b.Run(engine+"/change 200", func(b *testing.B) {
			round := 0
			for b.Loop() {
				round++
				drafts := make([]catalog.Draft, 200)
				for n := range drafts {
					drafts[n] = catalog.Draft{Number: fmt.Sprintf("N-%07d", n), Edit: func(i *catalog.Item) error {
						i.Name = fmt.Sprint("Round ", round)
						return nil
					}}
				}
				dbtest.Write(b, s, func(tx *db.Tx) error {
					_, err := catalog.Save(tx, drafts, catalog.UpdateOnly)
					return err
				})
			}
		})
		b.Run(engine+"/find 3", func(b *testing.B) {
			for b.Loop() {
				dbtest.Read(b, s, func(tx *db.Tx) error {
					_, err := catalog.FindMany(tx, []string{"N-0000001", "N-0000500", "N-0000900"})
					return err
				})
			}
		})
		b.Run(engine+"/page of 50", func(b *testing.B) {
			for b.Loop() {
				dbtest.Read(b, s, func(tx *db.Tx) error {
					_, err := catalog.List(tx, catalog.Filter{}, record.Page{Number: 3, Size: 50})
					return err
				})
			}
		})
	}
}
