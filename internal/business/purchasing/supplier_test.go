package purchasing_test

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// open gives a company with suppliers S1 and S2 and items A to D, as the house wires them.
func open(t *testing.T, s *db.Store) {
	t.Helper()
	db.On(s, purchasing.ForgetItem)
	db.On(s, purchasing.KnowSuppliers)
	db.On(s, purchasing.FollowChoices)
	dbtest.Write(t, s, func(tx *db.Tx) error {
		err := cmp.Or(
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true}))
		for _, n := range []string{"S1", "S2"} {
			if err == nil {
				_, err = purchasing.CreateSupplier(tx, purchasing.Supplier{Number: n, Name: "Supplier " + n,
					IsActive: true})
			}
		}
		for _, n := range []string{"A", "B", "C", "D"} {
			if err == nil {
				_, err = catalog.Create(tx, item(n))
			}
		}
		return err
	})
}

func item(number string) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.TaxCode = number, "Item "+number, "STD"
	return i
}

// price is a draft of a row with a price.
func price(item, unitPrice string, primary bool) purchasing.Draft {
	return purchasing.Draft{Item: item, Edit: func(i *purchasing.SupplierItem) error {
		d := dec.Must(unitPrice)
		i.UnitPrice, i.IsPrimary = &d, primary
		return nil
	}}
}

func save(tx *db.Tx, supplier string, drafts ...purchasing.Draft) error {
	out, err := purchasing.SaveItems(tx, supplier, drafts)
	for _, o := range out {
		err = cmp.Or(err, o.Err)
	}
	return err
}

// primaries are the suppliers that hold an item's row for the primary one.
func primaries(tx *db.Tx, itemNumber string) (all []string, err error) {
	found, err := purchasing.ListSources(tx, itemNumber, record.Page{Number: 1, Size: 50})
	for _, s := range found.Items {
		if s.IsPrimary {
			all = append(all, s.Supplier.Number)
		}
	}
	return all, err
}

// isPrimary checks that an item and its suppliers say the same, and that verify agrees.
func isPrimary(t *testing.T, s *db.Store, itemNumber, want string) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		i, err := catalog.Find(tx, itemNumber)
		if err != nil {
			return err
		}
		rows, err := primaries(tx, itemNumber)
		if got := fmt.Sprint(rows); i.SupplierNumber != want || got != fmt.Sprint(trim(want)) {
			t.Errorf("item %s: it names %q, the rows %s; want %q", itemNumber, i.SupplierNumber, got, want)
		}
		return cmp.Or(err, purchasing.VerifySuppliers(tx, func(text string) { t.Error(text) }))
	})
}

func trim(number string) []string {
	if number == "" {
		return nil
	}
	return []string{number}
}

// The item's primary supplier and the primary row are one truth, whichever of them is written.
func TestThePrimarySupplierIsOneTruth(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		write := func(fn func(tx *db.Tx) error) { t.Helper(); dbtest.Write(t, s, fn) }
		name := func(itemNumber, supplier string) {
			t.Helper()
			write(func(tx *db.Tx) error {
				_, err := catalog.Change(tx, itemNumber, func(i *catalog.Item) error {
					i.SupplierNumber = supplier
					return nil
				})
				return err
			})
		}
		write(func(tx *db.Tx) error { return save(tx, "S1", price("A", "10", true), price("B", "20", false)) })
		isPrimary(t, s, "A", "S1")
		isPrimary(t, s, "B", "")
		write(func(tx *db.Tx) error { return save(tx, "S2", price("A", "9", true)) })
		isPrimary(t, s, "A", "S2")
		name("A", "s1")
		isPrimary(t, s, "A", "S1")
		name("C", "S2") // who has no row for it yet
		isPrimary(t, s, "C", "S2")
		write(func(tx *db.Tx) error { return save(tx, "S1", price("A", "10", false)) })
		isPrimary(t, s, "A", "")
		name("A", "S1")
		write(func(tx *db.Tx) error { return purchasing.DeleteItem(tx, "S1", "A") })
		isPrimary(t, s, "A", "")
		write(func(tx *db.Tx) error { return purchasing.DeleteSupplier(tx, "S2") })
		isPrimary(t, s, "C", "")
		write(func(tx *db.Tx) error { return catalog.Delete(tx, "B") })
		dbtest.Read(t, s, func(tx *db.Tx) error {
			_, found, err := purchasing.ListItems(tx, "S1", purchasing.ItemFilter{}, record.Page{Number: 1, Size: 50})
			if found.Total != 0 {
				t.Errorf("S1 still supplies %+v", found.Items)
			}
			return err
		})
		err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "D", func(i *catalog.Item) error { i.SupplierNumber = "NOBODY"; return nil })
			return err
		})
		if !fault.Is(err, catalog.ErrUnknownCode) {
			t.Errorf("an item with a supplier that does not exist: %v", err)
		}
	})
}

// A supplier's stamp moves with whatever changes of it: what follows suppliers by their changes misses nothing.
func TestItemsOfASupplierAreItsChange(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		versions := func() (v [2]int64) {
			dbtest.Read(t, s, func(tx *db.Tx) error {
				for n, number := range []string{"S1", "S2"} {
					f, err := purchasing.FindSupplier(tx, number)
					if v[n] = f.Version; err != nil {
						return err
					}
				}
				return nil
			})
			return v
		}
		step := func(what string, moved [2]int64, fn func(tx *db.Tx) error) {
			t.Helper()
			before := versions()
			dbtest.Write(t, s, fn)
			after := versions()
			if got := [2]int64{after[0] - before[0], after[1] - before[1]}; got != moved {
				t.Errorf("%s: the revisions moved by %v, want %v", what, got, moved)
			}
		}
		step("a price", [2]int64{1, 0}, func(tx *db.Tx) error { return save(tx, "S1", price("A", "10", true)) })
		step("the same price", [2]int64{}, func(tx *db.Tx) error { return save(tx, "S1", price("A", "10", true)) })
		step("another takes it", [2]int64{1, 1}, func(tx *db.Tx) error { return save(tx, "S2", price("A", "9", true)) })
		step("the item goes back", [2]int64{1, 1}, func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "A", func(i *catalog.Item) error { i.SupplierNumber = "S1"; return nil })
			return err
		})
		step("the item goes", [2]int64{1, 1}, func(tx *db.Tx) error { return catalog.Delete(tx, "A") })
	})
}

// Writers of items and of supplier items, from both ends at once, neither lock each other out nor leave two truths.
func TestChoicesInParallel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		var all sync.WaitGroup
		for n := range 12 {
			all.Go(func() {
				for k, itemNumber := range []string{"A", "B", "C", "D"} {
					supplier := []string{"S1", "S2"}[(n+k)%2]
					err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
						if n%3 == 0 {
							_, err := catalog.Change(tx, itemNumber, func(i *catalog.Item) error {
								i.SupplierNumber = supplier
								return nil
							})
							return err
						}
						return save(tx, supplier, price("D", "1", k%2 == 0), price("B", "2", true),
							price(itemNumber, "3", true))
					})
					if err != nil && !fault.Is(err, purchasing.ErrItemDuplicate) {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		dbtest.Read(t, s, func(tx *db.Tx) error {
			for _, n := range []string{"A", "B", "C", "D"} {
				i, err := catalog.Find(tx, n)
				if err != nil {
					return err
				}
				if rows, err := primaries(tx, n); err != nil || fmt.Sprint(rows) != fmt.Sprint(trim(i.SupplierNumber)) {
					t.Errorf("item %s names %q, the rows %v (%v)", n, i.SupplierNumber, rows, err)
				}
			}
			return purchasing.VerifySuppliers(tx, func(text string) { t.Error(text) })
		})
	})
}
