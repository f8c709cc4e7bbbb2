package demo

import (
	"fmt"
	"slices"
	"time"

	"kontor/internal/business/payable"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/halt"
)

// source is a supplier, and the categories that are bought of it.
type source struct {
	purchasing.Supplier
	Categories []string
	Rate       int64 // units of the company's currency in one of the supplier's
}

func sources() []source {
	all := slices.Clone(folk().Suppliers)
	for n := range all {
		all[n].IsActive, all[n].PaymentTermCode = true, "NET30"
		all[n].OurCustomerNumber = fmt.Sprintf("NO-%d", 4711+n)
	}
	return all
}

// goodsOf are the articles that are bought of a supplier, those of which there is enough first.
func (f *filler) goodsOf(s source) (all []article) {
	var scarce []article
	for n, a := range f.goods {
		switch {
		case !a.stocked() || !slices.Contains(s.Categories, a.category):
		case isScarce(n):
			scarce = append(scarce, a)
		default:
			all = append(all, a)
		}
	}
	return append(all, scarce...)
}

// bought is what an article costs with a supplier: half of its price, in the supplier's currency.
func bought(a article, s source) dec.Dec { return a.price.MulDiv(dec.One, dec.Int(2*s.Rate)).Round(2) }

// suppliers makes those who the goods are bought of, what they charge, and how each article is kept in stock.
func (f *filler) suppliers() {
	f.found(func(tx *db.Tx) {
		for _, s := range sources() {
			halt.Must(purchasing.CreateSupplier(tx, s.Supplier))
			var prices []purchasing.Draft
			for _, a := range f.goodsOf(s) {
				price, dozen := bought(a, s), dec.Int(12)
				prices = append(prices, purchasing.Draft{Item: a.number, Edit: func(i *purchasing.SupplierItem) error {
					i.UnitPrice, i.IsPrimary, i.TheirNumber = &price, true, "X"+a.number
					if a.breaks {
						i.MinOrderQuantity, i.OrderMultiple = &dozen, &dozen
					}
					return nil
				}})
			}
			for _, o := range halt.Must(purchasing.SaveItems(tx, s.Number, prices)) {
				halt.On(o.Err)
			}
		}
		f.rules(tx)
	})
}

// rules say how goods are kept in stock: filled up in the main warehouse, and from there in the north.
func (f *filler) rules(tx *db.Tx) {
	var rows []stock.ItemWarehouseDraft
	for n, a := range f.goods {
		if !a.stocked() || a.breaks || n%3 != 0 {
			continue
		}
		rows = append(rows, stock.ItemWarehouseDraft{Item: a.number, Warehouse: "MAIN",
			Edit: func(w *stock.ItemWarehouse) error {
				w.LotSizing, w.MinQuantity, w.MaxQuantity = stock.FillToMax, crowns(20), crowns(60)
				return nil
			}}, stock.ItemWarehouseDraft{Item: a.number, Warehouse: north, Edit: func(w *stock.ItemWarehouse) error {
			w.Replenishment, w.TransferFrom, w.SafetyStock = "Transfer", "MAIN", crowns(4)
			return nil
		}})
	}
	for _, o := range halt.Must(stock.SaveItemWarehouses(tx, rows)) {
		halt.On(o.Err)
	}
}

// purchase is a purchase order on its way through the month.
type purchase struct {
	of      source
	order   purchasing.Order
	receipt stock.GoodsReceipt
}

// buying lets the month see orders to suppliers in all their states, with goods and invoices that come of them, and
// goods that go to the north.
func (s *story) buying() {
	all := sources()
	whole, half := &purchase{of: all[0]}, &purchase{of: all[2]}
	sent, draft := &purchase{of: all[3]}, &purchase{of: all[1]}
	s.on(s.clock(25, 9), whole.place(s, 5))
	s.on(s.clock(24, 10), whole.send)
	s.on(s.clock(23, 14), whole.confirm)
	s.on(s.clock(17, 8), whole.receive(1))
	s.on(s.clock(15, 11), whole.bill("F-20871", 0))
	s.on(s.clock(14, 9), half.place(s, 4))
	s.on(s.clock(14, 10), half.send)
	s.on(s.clock(12, 15), half.confirm)
	s.on(s.clock(4, 8), half.receive(2))
	s.on(s.clock(2, 13), half.bill("771204", dec.Int(9)))
	s.on(s.clock(3, 9), sent.place(s, 6))
	s.on(s.clock(3, 10), sent.send)
	s.on(s.clock(1, 16), draft.place(s, 3))
	s.goNorth()
}

// place writes an order for some of the supplier's articles.
func (p *purchase) place(s *story, lines int) func(tx *db.Tx) {
	goods := s.goodsOf(p.of)
	return func(tx *db.Tx) {
		n := purchasing.NewOrder{OrderHead: purchasing.OrderHead{SupplierNumber: p.of.Number, WarehouseCode: "MAIN",
			ExpectedDate: tx.Today().AddDays(*p.of.LeadTimeDays)}}
		for k, a := range goods[:min(lines, len(goods))] {
			n.Lines = append(n.Lines, purchasing.NewLine{Item: a.number, Quantity: dec.Int(int64(12 * (k + 1)))})
		}
		p.order = halt.Must(purchasing.CreateOrder(tx, n))
	}
}

func (p *purchase) send(tx *db.Tx) { p.order = halt.Must(purchasing.SendOrder(tx, p.order.Number)) }

func (p *purchase) confirm(tx *db.Tx) {
	p.order = halt.Must(purchasing.ConfirmOrder(tx, p.order.Number,
		purchasing.Confirmation{PromisedDate: tx.Today().AddDays(*p.of.LeadTimeDays)}))
}

// receive takes in all of the order, or of each line one part of so many.
func (p *purchase) receive(part int64) func(tx *db.Tx) {
	return func(tx *db.Tx) {
		var err error
		d := purchasing.Delivery{Notes: "By lorry"}
		for _, l := range p.order.Lines {
			d.Arrived = append(d.Arrived, purchasing.Arrival{Line: l.Number,
				Quantity: l.Quantity.MulDiv(dec.One, dec.Int(part))})
		}
		p.order, p.receipt, err = purchasing.ReceiveOrder(tx, p.order.Number, d)
		halt.On(err)
	}
}

// bill registers the supplier's invoice for what was received, its first line dearer than ordered by more.
func (p *purchase) bill(reference string, more dec.Dec) func(tx *db.Tx) {
	return func(tx *db.Tx) {
		n := payable.New{SupplierNumber: p.of.Number, Reference: reference}
		for k, l := range p.receipt.Lines {
			price := l.UnitCost
			if k == 0 {
				price = price.Add(more)
			}
			n.Lines = append(n.Lines, payable.NewLine{Receipt: p.receipt.Number, Line: l.Number, Quantity: l.Quantity,
				UnitPrice: price})
		}
		halt.Must(payable.Register(tx, n))
	}
}

// goNorth moves goods to the second warehouse: some have arrived, some are on the road, some are to be picked.
func (s *story) goNorth() {
	goods := s.goodsOf(sources()[0])
	for k, at := range []int{9, 3, 1} {
		var t transfer.Transfer
		step := func(do func(tx *db.Tx, number string) (transfer.Transfer, error)) func(tx *db.Tx) {
			return func(tx *db.Tx) {
				if t.Number == "" {
					return
				}
				var err error
				if t, err = do(tx, t.Number); err != nil {
					t.Number = "" // and stays as it is
				}
				unless(err, stock.ErrInsufficient)
			}
		}
		s.on(s.clock(at, 8), func(tx *db.Tx) {
			n := transfer.New{Head: transfer.Head{From: "MAIN", To: north, RequestedDate: tx.Today().AddDays(4)}}
			for _, a := range goods[5+3*k : 8+3*k] {
				n.Lines = append(n.Lines, transfer.NewLine{Item: a.number, Quantity: dec.Int(3)})
			}
			t = halt.Must(transfer.Create(tx, n))
		})
		s.on(s.clock(at, 9), step(transfer.Release))
		if k == 2 {
			continue
		}
		s.on(s.clock(at-1, 7), step(func(tx *db.Tx, number string) (transfer.Transfer, error) {
			return transfer.Ship(tx, number, nil)
		}))
		if k == 0 {
			s.on(s.clock(at-4, 12), step(func(tx *db.Tx, number string) (transfer.Transfer, error) {
				t, _, err := transfer.Receive(tx, number, transfer.Delivery{})
				return t, err
			}))
		}
	}
}

// sewing is what the sewing room has made, is making, and is asked for.
func (f *filler) sewing() {
	for k, quantity := range []int64{2, 3, 1} {
		f.at(f.now.Add(-time.Duration(30-8*k)*time.Hour), func(tx *db.Tx) {
			o := halt.Must(production.Create(tx, production.New{Item: Lavvo, Quantity: dec.Int(quantity),
				Warehouse: "MAIN", Title: "For the shelf", PlannedFrom: tx.Now, PlannedTo: db.TimeOf(f.now.AddDate(0, 0, 3+k))}))
			if k == 2 {
				return
			}
			halt.Must(production.Plan(tx, o.Number))
			halt.Must(production.Start(tx, o.Number))
			if k == 0 {
				halt.Must(production.Complete(tx, o.Number, production.Completing{Quantity: dec.Int(quantity)}))
			}
		})
	}
}
