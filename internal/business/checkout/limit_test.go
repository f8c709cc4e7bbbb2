package checkout_test

import (
	"errors"
	"fmt"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

// A cart that has come to more than any order may, though nobody put so much in at once, is refused before anybody is
// asked for money.
func TestNobodyPaysForWhatIsNoOrder(t *testing.T) {
	each(t, func(s *shop) {
		var numbers []string
		for n := range 11 {
			numbers = append(numbers, fmt.Sprint("WORK", n))
		}
		s.sells(numbers)
		v := s.ready("anna@example.com", "TEST", numbers...)
		v.pay("")
		dbtest.Write(s, s.store, func(tx *db.Tx) (err error) {
			for _, n := range numbers {
				_, e := catalog.Change(tx, n, func(i *catalog.Item) error {
					price := dec.Int(8_000_000_000) // with tax all that a line may come to
					i.SalesPrice = &price
					return nil
				})
				err = errors.Join(err, e)
			}
			return err
		})
		_, err := v.start("")
		if !fault.Is(err, limit.ErrAmount) || fault.As(err).Fields[0].Path != "lines" {
			t.Errorf("got %v", err)
		}
	})
}

// sells has the store sell services for 100 each.
func (s *shop) sells(numbers []string) {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		var items []catalog.Item
		var shown []channel.Publication
		for _, n := range numbers {
			price := dec.Int(100)
			i := catalog.New()
			i.Number, i.Name, i.Type, i.BaseUnit, i.TaxCode, i.SalesPrice = n, n, catalog.Service, "PCS", "STD", &price
			items = append(items, i)
			shown = append(shown, channel.Publication{ItemNumber: n, ChannelCode: "WEB", IsPublished: true,
				IsPurchasable: true})
		}
		err := catalog.CreateMany(tx, items)
		if err != nil {
			return err
		}
		for _, n := range numbers {
			found, e := catalog.Find(tx, n)
			s.ids[n], err = found.ID, errors.Join(err, e)
		}
		_, e := channel.Publish(tx, shown)
		return errors.Join(err, e)
	})
}
