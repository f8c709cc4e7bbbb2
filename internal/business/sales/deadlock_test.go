package sales_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Arrivals, losses, cancellations, closings and changed lines of orders that wait for the same goods never lock each
// other in: orders are locked before the levels, all of a transaction at once.
func TestWaitingOrdersDoNotDeadlock(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	o.Connections = 56
	s := onPostgres(t, o)
	shop(t, s)
	const orders, hands = 40, 12
	numbers := make([]string, orders)
	for i := range numbers {
		numbers[i] = place(t, s, order(line("A", "4"), line("B", "4"))).Number
	}
	for _, err := range together(hands, func(hand int) error {
		luck := rand.New(rand.NewPCG(uint64(hand), 1))
		for range 25 {
			number := numbers[luck.IntN(orders)]
			err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				var err error
				switch what := luck.IntN(12) - 2; {
				case what < 0:
					err = miss(tx, []string{"A", "B"}[-what%2], "2")
				case what < 5:
					err = receive(tx, []string{"A", "B"}[what%2], "3")
				case what < 7:
					_, _, err = sales.ChangeLine(tx, number, 1+what%2, func(r *sales.Revision) error {
						r.Quantity = dec.Int(int64(1 + luck.IntN(5)))
						return nil
					})
				case what < 8:
					_, err = sales.Place(tx, order(line("B", "2"), line("A", "2")), stock.AsMuchAsThereIs)
				case what < 9:
					_, err = sales.Cancel(tx, number)
				default:
					to := []string{"MAIN", "SOUTH"}[luck.IntN(2)]
					_, err = sales.Change(tx, number, func(a *sales.Amendment) error {
						a.WarehouseCode = to
						return nil
					})
				}
				return err
			})
			if err != nil && !isRefusal(err) {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	sound(t, s)
	if err := s.Close(); err != nil { // its connections tell the server what they have met
		t.Fatal(err)
	}
	after, err := db.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	time.Sleep(300 * time.Millisecond)
	var met int
	dbtest.Read(t, after, func(tx *db.Tx) error {
		_, err := tx.One(`-- sales_test.deadlocks
			select deadlocks from pg_stat_database where datname = current_database() and :company <> ''`, nil, &met)
		return err
	})
	if met > 0 {
		t.Errorf("PostgreSQL met %d deadlocks", met)
	}
}

// onPostgres is a store of the options with the company of the tests.
func onPostgres(t *testing.T, o db.Options) *db.Store {
	t.Helper()
	s, err := db.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateCell(context.Background(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	return s
}

func isRefusal(err error) bool {
	f := fault.As(err)
	return f.Kind != fault.Internal && f.Kind != fault.Unavailable
}
