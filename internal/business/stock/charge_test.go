package stock_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func (w *world) charge(number string, n stock.NewCharge) (r stock.GoodsReceipt) {
	w.Helper()
	w.write(func(tx *db.Tx) (err error) {
		r, err = stock.AddCharge(tx, number, n)
		return err
	})
	return r
}

// What a delivery cost on its way makes dearer what lies there still; the rest is cost of goods sold.
func TestLandedCost(t *testing.T) {
	each(t, func(w *world) {
		r := w.takeIn(incoming(w.arrive("None", "10", "5")))
		w.charge(r.Number, stock.NewCharge{Kind: stock.Freight, Basis: stock.ByValue, Amount: dec.Must("20")})
		w.wants("None", "10", "0", "7")
		w.write(func(tx *db.Tx) error { _, err := stock.Issue(tx, []stock.Move{w.move("None", "6")}); return err })
		r = w.charge(r.Number, stock.NewCharge{Kind: stock.Customs, Basis: stock.ByValue, Amount: dec.Must("10")})
		w.wants("None", "4", "0", "8")
		if s := r.Charges[1].Shares[0]; s.InStock != dec.Must("4") || s.Sold() != dec.Must("6") {
			t.Errorf("%+v", s)
		}
		w.refused(stock.ErrReceiptInvalidStatus, func(tx *db.Tx) error {
			_, err := stock.Reverse(tx, r.Number, "")
			return err
		})
		w.write(func(tx *db.Tx) (err error) {
			r, err = stock.ReverseCharge(tx, r.Number, 1, "not ours")
			return err
		})
		// Of the 20 on ten pieces four are here still: 8 leave the stock, the 12 of the sold ones leave their cost.
		w.wants("None", "4", "0", "6")
		if s := r.Charges[0].Shares[0]; s.Returned != dec.Must("8") || s.Sold() != dec.Must("8") {
			t.Errorf("%+v", s)
		}
		for code, do := range map[*fault.Code]func(tx *db.Tx) error{
			&stock.ErrReceiptInvalidStatus: func(tx *db.Tx) error {
				_, err := stock.ReverseCharge(tx, r.Number, 1, "")
				return err
			},
			&stock.ErrReceiptNotFound: func(tx *db.Tx) error {
				_, err := stock.ReverseCharge(tx, r.Number, 3, "")
				return err
			},
			&fault.ErrInvalid: func(tx *db.Tx) error {
				_, err := stock.AddCharge(tx, r.Number, stock.NewCharge{Basis: stock.ByWeight, Amount: dec.One})
				return err
			},
		} {
			w.refused(*code, do)
		}
		w.refused(fault.ErrInvalid, func(tx *db.Tx) error {
			_, err := stock.AddCharge(tx, r.Number, stock.NewCharge{Basis: stock.ByValue, Amount: dec.Must("0.001")})
			return err
		})
		w.verify()
	})
}

// Whatever came, left and was charged before: a charge is spread without a remainder, the stock is worth more by
// exactly what is said of it (to the last digit, in big rationals), and taking a charge back at once leaves everything
// as it was.
func TestLandedCostIsExact(t *testing.T) {
	w := open(t, dbtest.Store(t, "sqlite"))
	items := []string{"None", "Batch"}
	rapid.Check(t, func(t *rapid.T) {
		err := w.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			var receipts []stock.GoodsReceipt
			for range rapid.IntRange(1, 12).Draw(t, "steps") {
				switch what := rapid.IntRange(0, 3).Draw(t, "what"); {
				case what == 0 || len(receipts) == 0:
					var lines []stock.IncomingLine
					for range rapid.IntRange(1, 3).Draw(t, "lines") {
						item := rapid.SampledFrom(items).Draw(t, "item")
						l := w.arrive(item, dec.Int(rapid.Int64Range(1, 900).Draw(t, "quantity")).String(),
							dec.Dec(rapid.Int64Range(1, 90_000_000).Draw(t, "cost")).String())
						if item == "Batch" {
							l.Batch = "L1"
						}
						lines = append(lines, l)
					}
					r, err := stock.TakeIn(tx, incoming(lines...))
					if err != nil {
						return err
					}
					receipts = append(receipts, r)
				case what == 1:
					m := w.move("None", dec.Int(rapid.Int64Range(1, 300).Draw(t, "leaves")).String())
					if _, err := stock.Issue(tx, []stock.Move{m}); err != nil && !fault.Is(err, stock.ErrInsufficient) {
						return err
					}
				default:
					r := rapid.SampledFrom(receipts).Draw(t, "receipt")
					n := stock.NewCharge{Kind: stock.Freight, Basis: stock.ByValue,
						Amount: dec.OfUnits(rapid.Int64Range(1, 10_000_000).Draw(t, "amount"), 2)}
					if err := chargeAndCheck(t, tx, r.Number, n, what == 3); err != nil {
						return err
					}
				}
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

// worth is on hand by average cost of the items of a receipt.
func worth(tx *db.Tx, r stock.GoodsReceipt) (*big.Rat, error) {
	sum := new(big.Rat)
	seen := map[string]bool{}
	for _, l := range r.Lines {
		if seen[l.ItemID] {
			continue
		}
		seen[l.ItemID] = true
		levels, err := stock.Levels(tx, []string{l.ItemID})
		if err != nil {
			return nil, err
		}
		x := levels[stock.Key{ItemID: l.ItemID, Warehouse: r.Warehouse}]
		sum.Add(sum, new(big.Rat).Mul(rat(x.OnHand), rat(x.Average)))
	}
	return sum, nil
}

func rat(d dec.Dec) *big.Rat { return big.NewRat(int64(d), int64(dec.One)) }

func chargeAndCheck(t *rapid.T, tx *db.Tx, number string, n stock.NewCharge, undo bool) error {
	r, err := stock.FindReceipt(tx, number)
	if err != nil {
		return err
	}
	before, err := worth(tx, r)
	if err != nil {
		return err
	}
	if r, err = stock.AddCharge(tx, number, n); err != nil {
		return err
	}
	after, err := worth(tx, r)
	if err != nil {
		return err
	}
	var amount, inStock, sold dec.Dec
	c := r.Charges[len(r.Charges)-1]
	for _, s := range c.Shares {
		amount, inStock, sold = amount.Add(s.Amount), inStock.Add(s.InStock), sold.Add(s.Sold())
	}
	if amount != n.Amount || inStock.Add(sold) != n.Amount {
		t.Fatalf("%s are spread as %s, of which %s in stock and %s sold", n.Amount, amount, inStock, sold)
	}
	if more := new(big.Rat).Sub(after, before); more.Cmp(rat(inStock)) != 0 {
		t.Fatalf("the stock is worth %s more, %s is said", more.FloatString(12), inStock)
	}
	if !undo {
		return nil
	}
	if r, err = stock.ReverseCharge(tx, number, c.Number, "undone"); err != nil {
		return err
	}
	again, err := worth(tx, r)
	if err == nil && again.Cmp(before) != 0 {
		t.Fatalf("taken back at once, the stock is worth %s, it was %s", again.FloatString(12), before.FloatString(12))
	}
	return err
}
