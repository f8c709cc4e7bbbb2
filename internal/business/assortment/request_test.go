package assortment_test

import (
	"maps"
	"regexp"
	"testing"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// Who waits for an item gets one mail when it comes in, and none when it lies there no more.
func TestBackInStock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		a := s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		s.write(func(tx *db.Tx) error {
			v := s.viewer(tx, "")
			if err := assortment.Notify(tx, v, a.ID, "not an address"); err == nil {
				t.Error("an address that is none was taken")
			}
			if err := assortment.Notify(tx, v, record.NewID(), "a@example.com"); !fault.Is(err,
				assortment.ErrNotFound) {
				t.Errorf("for nothing: %v", err)
			}
			return first(assortment.Notify(tx, v, a.ID, "a@example.com"),
				assortment.Notify(tx, v, a.ID, "A@example.com"), assortment.Notify(tx, v, a.ID, "b@example.com"))
		})
		mails := func() (n int) {
			s.read(func(tx *db.Tx) error {
				found, err := jobs.List(tx, jobs.Filter{}, record.Page{Number: 1, Size: 50})
				n = found.Total
				return err
			})
			return n
		}
		s.receive(a, "5")
		if n := mails(); n != 2 {
			t.Errorf("%d mails after the goods came", n)
		}
		s.receive(a, "5")
		s.write(func(tx *db.Tx) error { _, err := assortment.TellWaiting(tx, "", nil); return err })
		if n := mails(); n != 2 {
			t.Errorf("%d mails after more goods came", n)
		}
	})
}

// Who waits for an item reads the price that his country sees, as its page told him.
func TestBackInStockAtThePriceOfACountry(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		a := s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		s.write(func(tx *db.Tx) error {
			for _, country := range []string{"SE", "DE", "FR"} { // the last is one that the store does not deliver to
				v := s.viewer(tx, "")
				v.Country = country
				if err := assortment.Notify(tx, v, a.ID, country+"@example.com"); err != nil {
					return err
				}
			}
			return nil
		})
		s.receive(a, "5")
		told := map[string]string{}
		s.read(func(tx *db.Tx) error {
			found, err := jobs.List(tx, jobs.Filter{}, record.Page{Number: 1, Size: 50})
			for _, j := range found.Items {
				if j, err = jobs.Find(tx, j.ID); err != nil {
					return err
				}
				to := regexp.MustCompile(`([A-Z]{2})@example`).FindSubmatch(j.Payload)
				told[string(to[1])] = regexp.MustCompile(`1\d\d\.00`).FindString(string(j.Payload))
			}
			return err
		})
		if want := map[string]string{"SE": "125.00", "DE": "119.00", "FR": "125.00"}; !maps.Equal(told, want) {
			t.Errorf("prices in mails: %v, want %v", told, want)
		}
	})
}
