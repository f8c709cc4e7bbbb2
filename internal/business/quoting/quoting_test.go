package quoting_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

func shop(t testing.TB, s *db.Store) {
	t.Helper()
	db.On(s, sales.LockWaiting)
	dbtest.Write(t, s, func(tx *db.Tx) error {
		price := dec.Must("12.50")
		for _, do := range []error{
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true}),
			reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true}),
			reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
				Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Must("25")}}}),
			reference.SaveOrderTypes(tx, reference.OrderType{Code: "STD", Name: "Standard",
				AutoInvoice: reference.Never, IsActive: true}),
			reference.SaveDefaults(tx, reference.Defaults{Warehouse: "MAIN", OrderType: "STD", TaxCode: "STD"}),
		} {
			if do != nil {
				return do
			}
		}
		if _, err := catalog.Create(tx, catalog.Item{Number: "A", Name: "A", Type: catalog.Stock, IsActive: true,
			BaseUnit: "PCS", TaxCode: "STD", SalesPrice: &price, Tracking: catalog.None,
			Replenishment: catalog.Purchase}); err != nil {
			return err
		}
		_, err := party.Create(tx, party.Customer{Number: "C-1", Name: "One", IsActive: true, CountryCode: "SE"})
		return err
	})
}

func sent(t testing.TB, s *db.Store, lines int) (number string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		n := quoting.New{Head: quoting.Head{CustomerNumber: "C-1"}}
		for range lines {
			n.Lines = append(n.Lines, quoting.NewLine{Item: "A", Quantity: dec.Must("3")})
		}
		q, err := quoting.Create(tx, n)
		if err != nil {
			return err
		}
		number = q.Number
		_, err = quoting.Send(tx, q.Number, quoting.Reader{})
		return err
	})
	return number
}

// What a customer noted to a line stays with it when another system sends the lines again with their prices.
func TestWhatTheCustomerNotedStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		line := func(item, note string) quoting.NewLine {
			return quoting.NewLine{Item: item, Quantity: dec.One, Notes: note}
		}
		own := line("a", "")
		own.Was = quoting.OfItsOwn
		price := dec.Int(9)
		var q quoting.Quote
		dbtest.Write(t, s, func(tx *db.Tx) (err error) {
			q, err = quoting.Create(tx, quoting.New{Head: quoting.Head{CustomerNumber: "C-1"},
				Lines: []quoting.NewLine{line("A", "Red"), line("A", "Blue")}})
			if err != nil {
				return err
			}
			q, err = quoting.PutLines(tx, q.Number, []quoting.NewLine{own, {Description: "Paint", Quantity: dec.One,
				UnitPrice: &price}, line("a", ""), line("A", ""), line("A", "")})
			return err
		})
		var got []string
		for _, l := range q.Lines {
			got = append(got, l.Notes)
		}
		if want := []string{"", "", "Red", "Blue", ""}; !slices.Equal(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
		sound(t, s)
	})
}

func sound(t testing.TB, s *db.Store) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		return quoting.Verify(tx, func(said string) { t.Error(said) })
	})
}

// Twenty accept at once, beside who declines, revises and converts: one of them does, and there is one order or none.
func TestAQuoteIsDecidedOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		for round := range 4 {
			number := sent(t, s, 2)
			verbs := []func(tx *db.Tx) error{
				func(tx *db.Tx) error { _, err := quoting.Decline(tx, number, ""); return err }, func(tx *db.Tx) error {
					_, err := quoting.Revise(tx, number)
					return err
				},
				func(tx *db.Tx) error { _, err := quoting.Convert(tx, number); return err }}[:round]
			for range 20 {
				verbs = append(verbs, func(tx *db.Tx) error {
					_, _, err := quoting.Accept(tx, number, quoting.Acceptance{})
					return err
				})
			}
			errs := make([]error, len(verbs))
			var wg sync.WaitGroup
			for i, verb := range verbs {
				wg.Add(1)
				go func() { defer wg.Done(); errs[i] = s.Write(context.Background(), dbtest.Request(), verb) }()
			}
			wg.Wait()
			done, revised := 0, round >= 2 && errs[1] == nil
			for i, err := range errs {
				switch {
				case err == nil:
					done++
				case !fault.Is(err, quoting.ErrInvalidStatus) && !fault.Is(err, quoting.ErrExpired):
					t.Errorf("round %d, %d: %v", round, i, err)
				}
			}
			if limit := 1; done < 1 || done > limit && !revised || done > 2 {
				t.Errorf("round %d: %d decided", round, done)
			}
			dbtest.Read(t, s, func(tx *db.Tx) error {
				orders, err := sales.List(tx, sales.Filter{}, record.Page{Number: 1, Size: 200})
				quotes, qerr := quoting.List(tx, quoting.Filter{}, record.Page{Number: 1, Size: 200})
				became := 0
				for _, q := range quotes.Items {
					if q.OrderNumber != "" {
						became++
					}
				}
				if qerr != nil || orders.Total != became {
					t.Errorf("round %d: %d orders of %d quotes (%v)", round, orders.Total, became, qerr)
				}
				return err
			})
		}
		sound(t, s)
	})
}

// What is past its day is expired by the night in the company's time zone, and accepted by nobody, whoever comes first.
func TestAcceptAgainstExpiry(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		var number string
		dbtest.Write(t, s, func(tx *db.Tx) error {
			q,
				err := quoting.Create(tx,
				quoting.New{Head: quoting.Head{CustomerNumber: "C-1", ValidUntil: tx.Today().AddDays(-1)},
					Lines: []quoting.NewLine{{Item: "A", Quantity: dec.One}}})
			if err == nil {
				q, err = quoting.Send(tx, q.Number, quoting.Reader{})
			}
			number = q.Number
			return err
		})
		errs := make([]error, 10)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				errs[i] = s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					if i == 5 {
						_, err := quoting.Expire(tx)
						return err
					}
					_, _, err := quoting.Accept(tx, number, quoting.Acceptance{})
					return err
				})
			}()
		}
		wg.Wait()
		for i, err := range errs {
			if i == 5 && err != nil || i != 5 && !fault.Is(err, quoting.ErrExpired) {
				t.Errorf("%d: %v", i, err)
			}
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			q, err := quoting.Find(tx, number)
			if q.Status != quoting.Expired {
				t.Errorf("it is %s", q.Status)
			}
			return err
		})
	})
}

// At midnight an acceptance of the last day meets the night's job: the quote becomes an order or expires, never both.
func TestAcceptAgainstExpiryAtMidnight(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		accepted := 0
		for round := range 12 {
			number := sent(t, s, 2)
			next := dbtest.Request()
			next.Now = db.TimeOf(time.Now().AddDate(1, 0, 0))
			var late, refused error
			var wg sync.WaitGroup
			wg.Go(func() {
				time.Sleep(time.Duration(round%4) * time.Millisecond) // so that each comes first at times
				late = s.Write(context.Background(), next,
					func(tx *db.Tx) error { return quoting.ExpireDue(tx, jobs.Job{}) })
			})
			wg.Go(func() {
				refused = s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					_, _, err := quoting.Accept(tx, number, quoting.Acceptance{})
					return err
				})
			})
			wg.Wait()
			if late != nil || refused != nil && !fault.Is(refused, quoting.ErrExpired) {
				t.Errorf("round %d: %v, %v", round, late, refused)
			}
			if refused == nil {
				accepted++
			}
			dbtest.Read(t, s, func(tx *db.Tx) error {
				q, err := quoting.Find(tx, number)
				if is := q.Status == quoting.Accepted; is != (refused == nil) || is != (q.OrderNumber != "") ||
					!is && q.Status != quoting.Expired {
					t.Errorf("round %d: it is %s with order %q, after %v", round, q.Status, q.OrderNumber, refused)
				}
				orders, lerr := sales.List(tx, sales.Filter{}, record.Page{Number: 1, Size: 200})
				if orders.Total != accepted {
					t.Errorf("round %d: %d orders of %d acceptances", round, orders.Total, accepted)
				}
				return errors.Join(err, lerr)
			})
		}
		t.Logf("%d of 12 were accepted", accepted)
		sound(t, s)
	})
}

// Accepting a quote costs at most twice what placing its order does.
func BenchmarkAccept(b *testing.B) {
	for _, kind := range []string{"place", "accept"} {
		b.Run(kind, func(b *testing.B) {
			s := dbtest.Store(b, "sqlite")
			shop(b, s)
			numbers := make([]string, b.N)
			for i := range numbers {
				numbers[i] = sent(b, s, 3)
			}
			three := dec.Must("3")
			b.ResetTimer()
			for i := range b.N {
				dbtest.Write(b, s, func(tx *db.Tx) error {
					if kind == "accept" {
						_, _, err := quoting.Accept(tx, numbers[i], quoting.Acceptance{})
						return err
					}
					_, err := sales.Place(tx, sales.Placing{CustomerNumber: "C-1",
						Lines: []sales.NewLine{{Item: "A", Quantity: three}, {Item: "A", Quantity: three},
							{Item: "A", Quantity: three}}}, stock.AsMuchAsThereIs)
					return err
				})
			}
		})
	}
}
