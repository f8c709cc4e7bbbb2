package sales_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func dayOf(s string) day.Date { return day.Date(s) }

// together runs fn n times at once and answers the errors in order.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() { defer wg.Done(); errs[i] = fn(i) }()
	}
	wg.Wait()
	return errs
}

// 200 orders of two lines each on one item of which 50 units lie in two locations: exactly 50 are allocated, the rest
// is back-ordered, and what arrives goes to the orders wanted first.
func TestRaceForFiftyUnits(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "30")
		arrive(t, s, "A", "A-02", "20")
		numbers := make([]string, 200)
		for i, err := range together(len(numbers), func(i int) error {
			return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				p := order(line("A", "1"), line("A", "1"))
				p.RequestedDeliveryDate = day.Date("2026-01-01").AddDays(i % 20)
				o, err := sales.Place(tx, p, stock.AsMuchAsThereIs)
				numbers[i] = o.Number
				return err
			})
		}) {
			if err != nil {
				t.Fatalf("order %d: %v", i, err)
			}
		}
		if got := allocated(t, s, "A"); got != dec.Must("50") {
			t.Fatalf("%s are allocated of 50", got)
		}
		sound(t, s)
		waiting := waitingLines(t, s, numbers)
		if len(waiting) != 350 {
			t.Fatalf("%d lines wait, not 350", len(waiting))
		}
		arrive(t, s, "A", "A-01", "100")
		sound(t, s)
		served, still := waiting[:100], waitingLines(t, s, numbers)
		for _, w := range served {
			if slices.Contains(still, w) {
				t.Errorf("%s was wanted first and still waits", w)
			}
		}
		if len(still) != 250 {
			t.Errorf("%d lines wait after 100 arrived, not 250", len(still))
		}
	})
}

// waitingLines are the lines without stock in the order they are to be served.
func waitingLines(t *testing.T, s *db.Store, numbers []string) (lines []string) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		found, err := sales.FindMany(tx, numbers)
		for _, o := range found {
			for i := range o.Lines {
				if l := &o.Lines[i]; l.Missing() > 0 {
					lines = append(lines, fmt.Sprintf("%s %020d %s %d", o.RequestedDeliveryDate, o.PlacedAt, o.ID,
						l.Number))
				}
			}
		}
		return err
	})
	slices.Sort(lines)
	return lines
}

// Of releasing and cancelling an order at once, cancelling always wins in the end, and nothing stays allocated.
func TestRaceReleaseAgainstCancel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "40")
		for range 10 {
			number := place(t, s, order(line("A", "3"))).Number
			errs := together(2, func(i int) error {
				return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) (err error) {
					if i == 0 {
						_, err = sales.Release(tx, number)
					} else {
						_, err = sales.Cancel(tx, number)
					}
					return err
				})
			})
			if errs[1] != nil || errs[0] != nil && !fault.Is(errs[0], sales.ErrInvalidStatus) {
				t.Fatalf("release %v, cancel %v", errs[0], errs[1])
			}
			if o := find(t, s, number); o.Status != sales.Cancelled || o.Lines[0].Allocated != 0 {
				t.Fatalf("%s with %s allocated", o.Status, o.Lines[0].Allocated)
			}
		}
		if got := allocated(t, s, "A"); got != 0 {
			t.Errorf("%s stay allocated", got)
		}
		sound(t, s)
	})
}

// Arrivals, orders and cancellations of two items at once end in sound books.
func TestRaceOfEverything(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		numbers := make([]string, 24)
		for i := range numbers {
			numbers[i] = place(t, s, order(line("A", "2"), line("B", "2"))).Number
		}
		for i, err := range together(48, func(i int) error {
			return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				var err error
				switch i % 4 {
				case 0:
					_, err = sales.Cancel(tx, numbers[i/2])
				case 1:
					_, err = sales.Place(tx, order(line("B", "1"), line("A", "1")), stock.AsMuchAsThereIs)
				case 2:
					_, _, err = sales.AddLine(tx, numbers[i/2], line("A", "1"))
				case 3:
					err = receive(tx, []string{"A", "B"}[i/4%2], "3")
				}
				return err
			})
		}) {
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
		sound(t, s)
		if a, b := allocated(t, s, "A"), allocated(t, s, "B"); a != dec.Must("18") || b != dec.Must("18") {
			t.Errorf("allocated %s and %s, not all that arrived", a, b)
		}
	})
}

// Of many orders that bring one external number at once, one is placed, and the others are told which.
func TestRaceForAnExternalNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		var won sync.Map
		errs := together(12, func(i int) error {
			return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				p := order(line("A", "1"))
				p.ExternalNumber, p.ExternalScope = "W-1", "shop"
				o, err := sales.Place(tx, p, stock.AsMuchAsThereIs)
				won.Store(i, o.Number)
				return err
			})
		})
		winner := slices.Index(errs, nil)
		if winner < 0 {
			t.Fatalf("nobody won: %v", errs)
		}
		number, _ := won.Load(winner)
		for i, err := range errs {
			if i != winner && (!fault.Is(err, sales.ErrExternalExists) ||
				!contains(err, "order "+number.(string)+" has")) {
				t.Errorf("%d: %v, not a refusal that names %s", i, err, number)
			}
		}
		sound(t, s)
	})
}
