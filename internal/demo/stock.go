package demo

import (
	"fmt"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/halt"
)

// Where goods lie in the main warehouse.
var bays = []string{"A-01", "A-02", "B-01", "B-02", "B-03", "C-01", "C-02", "C-03"}

// stock takes in what lies in both warehouses when the story begins. A few goods are scarce, so that orders wait.
func (f *filler) stock() {
	var moves []stock.Move
	for n, a := range f.goods {
		if a.kind != catalog.Stock {
			continue
		}
		main := stock.Move{ItemID: a.id, Item: a.number, Tracking: a.tracking, Warehouse: "MAIN",
			Location: bays[n%len(bays)], UnitCost: f.cost(a, 50), RefType: "Opening", Notes: "Opening stock"}
		switch a.tracking {
		case catalog.Batch:
			moves = append(moves, f.batches(main)...)
			continue
		case catalog.Serial:
			moves = append(moves, pieces(main)...)
			continue
		}
		if main.Quantity = dec.Int(int64(f.amount(n, a))); main.Quantity > 0 {
			moves = append(moves, main)
		}
		if n%2 == 0 {
			far := main
			far.Warehouse, far.Location, far.Quantity, far.UnitCost = north, "N-01",
				dec.Int(int64(between(f.random, 3, 15))), f.cost(a, 53)
			moves = append(moves, far)
		}
	}
	f.found(func(tx *db.Tx) {
		halt.Must(stock.Receive(tx, stock.Receipt, moves))
	})
}

// isScarce reports whether there is too little of the n-th article for a month.
func isScarce(n int) bool { return n%13 == 4 }

func (f *filler) amount(n int, a article) int {
	switch {
	case isScarce(n):
		return between(f.random, 0, 4)
	case a.unit == "M":
		return 600
	case a.breaks:
		return between(f.random, 250, 400)
	}
	return between(f.random, 25, 70)
}

// cost is what a piece of an article was bought for: about so many percent of its price.
func (f *filler) cost(a article, percent int) *dec.Dec {
	c := a.price.MulDiv(dec.Int(int64(percent+between(f.random, -4, 4))), dec.Int(100)).Round(2)
	return &c
}

func (f *filler) batches(m stock.Move) []stock.Move {
	var out []stock.Move
	for k := range 2 {
		m.Batch = fmt.Sprintf("L%s-%d", f.opening().Format("0601"), k+1)
		m.Expiry = day.Date(f.now.AddDate(0, 8+10*k, 0).Format(time.DateOnly))
		m.Quantity = dec.Int(int64(between(f.random, 20, 60)))
		out = append(out, m)
	}
	return out
}

func pieces(m stock.Move) []stock.Move {
	var out []stock.Move
	for k := range 6 {
		m.Serial = fmt.Sprintf("%s-%05d", m.Item, 10_001+k*37)
		m.Quantity = dec.One
		out = append(out, m)
	}
	return out
}
