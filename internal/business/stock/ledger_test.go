package stock_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/business/stock"
	formula "kontor/internal/engine/costing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// step is one thing that happens to an item; which fields matter depends on what.
type step struct {
	what     string
	location string
	to       string
	quantity dec.Dec
	cost     *dec.Dec
}

func steps() *rapid.Generator[[]step] {
	places := []string{"A-01", "A-02", "B-01", "RETURNS"}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		s := step{
			what: rapid.SampledFrom([]string{"receive", "return", "issue", "scrap", "adjust", "relocate",
				"allocate", "free"}).Draw(t, "what"),
			location: rapid.SampledFrom(append(places, "")).Draw(t, "location"),
			to:       rapid.SampledFrom(places).Draw(t, "to"),
			quantity: dec.Dec(rapid.Int64Range(1, 2_000).Draw(t, "quantity")) * dec.One / 100,
		}
		if rapid.Bool().Draw(t, "hasCost") {
			c := dec.Dec(rapid.Int64Range(0, 100_000_000).Draw(t, "cost"))
			s.cost = &c
		}
		return s
	}), 1, 30)
}

// model is what the books should say, kept the naive way.
type model struct {
	at                         map[string]dec.Dec
	onHand, allocated, average dec.Dec
	claims                     []stock.Claim
}

var errUndo = errors.New("undo")

// Whatever happens in whatever order: balances are the ledger's sums, on hand is the sum of balances,
// nothing is ever negative or over-promised, the average cost follows its formula, and a refused step
// changes nothing.
func TestLedger(t *testing.T) {
	w := open(t, dbtest.Store(t, "sqlite"))
	rapid.Check(t, func(t *rapid.T) {
		todo := steps().Draw(t, "steps")
		err := w.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			m := &model{at: map[string]dec.Dec{}}
			for i, s := range todo {
				if err := m.run(w, tx, s); err != nil {
					t.Fatalf("step %d, %+v: %v", i, s, err)
				}
				m.check(t, w, tx)
			}
			if err := stock.Verify(tx, func(line string) { t.Error(line) }); err != nil {
				return err
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
	})
}

func (m *model) check(t *rapid.T, w *world, tx *db.Tx) {
	id := w.items["None"].ID
	levels, err := stock.Levels(tx, []string{id})
	if err != nil {
		t.Fatal(err)
	}
	got := levels[stock.Key{ItemID: id, Warehouse: "MAIN"}]
	if want := (stock.Level{OnHand: m.onHand, Allocated: m.allocated, Average: m.average}); got != want {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

// run does a step and, when it is not refused, the same to the model. A refusal must be the one the
// model expects.
func (m *model) run(w *world, tx *db.Tx, s step) error {
	move := w.move("None", s.quantity.String())
	move.Location, move.UnitCost = s.location, s.cost
	var entries []stock.Entry
	var err error
	switch s.what {
	case "receive":
		entries, err = stock.Receive(tx, stock.Receipt, []stock.Move{move})
	case "return":
		entries, err = stock.Receive(tx, stock.Return, []stock.Move{move})
	case "issue":
		entries, err = stock.Issue(tx, []stock.Move{move})
	case "scrap":
		entries, err = stock.Scrap(tx, []stock.Move{move})
	case "adjust":
		q := s.quantity
		if s.cost != nil {
			q = q.Neg()
		}
		return m.apply(stock.Adjust(tx, stock.Adjustment{Warehouse: "MAIN", Location: s.to, Item: "None", Quantity: q}))
	case "relocate":
		from := s.location
		if from == "" || from == s.to {
			return nil
		}
		return m.apply(stock.Relocate(tx, stock.Relocation{Warehouse: "MAIN", Item: "None", From: from, To: s.to,
			Quantity: s.quantity}))
	case "allocate":
		return m.allocate(w, tx, s.quantity)
	default:
		return m.free(tx)
	}
	if fault.Is(err, stock.ErrInsufficient) {
		return m.expectShort(s)
	}
	for _, e := range entries {
		if err := m.apply(e, err); err != nil {
			return err
		}
	}
	return err
}

// reach is how much an issue may take.
func (m *model) reach(location string) dec.Dec {
	if location != "" {
		return m.at[location]
	}
	return dec.Sum(m.at["A-01"], m.at["A-02"], m.at["B-01"])
}

func (m *model) expectShort(s step) error {
	if s.quantity <= m.reach(s.location) {
		return errors.New("refused, though there is enough")
	}
	return nil
}

func (m *model) apply(e stock.Entry, err error) error {
	if fault.Is(err, stock.ErrInsufficient) || fault.Is(err, stock.ErrNoStock) {
		return nil
	}
	if err != nil {
		return err
	}
	if e.Kind == stock.Transferred {
		m.at[e.Location] = m.at[e.Location].Sub(e.Quantity)
		m.at[e.TargetLocation] = m.at[e.TargetLocation].Add(e.Quantity)
	} else {
		if e.Kind == stock.Receipt || e.Kind == stock.Return {
			m.average = formula.Average(m.onHand, m.average, e.Quantity, *e.UnitCost)
		}
		m.at[e.Location] = m.at[e.Location].Add(e.Quantity)
		m.onHand = m.onHand.Add(e.Quantity)
	}
	switch {
	case m.at[e.Location] != e.BalanceAfter:
		return errors.New("another balance after")
	case m.average != e.AverageAfter:
		return errors.New("another average after")
	case m.at[e.Location] < 0:
		return errors.New("below zero")
	}
	return nil
}

func (m *model) allocate(w *world, tx *db.Tx, wanted dec.Dec) error {
	claims := w.claims("None", wanted.String())
	if err := stock.Allocate(tx, claims, stock.AsMuchAsThereIs); err != nil {
		return err
	}
	free := max(0, m.onHand.Sub(m.at["RETURNS"]).Sub(m.allocated))
	if claims[0].Got != min(wanted, free) {
		return errors.New("got " + claims[0].Got.String() + " of " + free.String())
	}
	m.allocated = m.allocated.Add(claims[0].Got)
	m.claims = append(m.claims, claims...)
	return nil
}

func (m *model) free(tx *db.Tx) error {
	if len(m.claims) == 0 {
		return nil
	}
	claims := m.claims[:1]
	m.claims = m.claims[1:]
	m.allocated = m.allocated.Sub(claims[0].Got)
	return stock.Free(tx, claims)
}
