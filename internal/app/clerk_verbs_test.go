package app_test

import (
	"maps"
	"strconv"

	"kontor/internal/business/catalog"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/payable"
	"kontor/internal/business/pricing"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/replenishment"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/transfer"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// dealings are the verbs of each trade, by their names.
func dealings() map[string]verb {
	all := map[string]verb{}
	for _, part := range []map[string]verb{selling(), sending(), billing(), buying(), moving(), making(), offering(),
		managing()} {
		maps.Copy(all, part)
	}
	return all
}

func selling() map[string]verb {
	return map[string]verb{
		"place": func(c *clerk, tx *db.Tx) (string, string, error) {
			p := sales.Placing{CustomerNumber: c.customer(), Lines: c.orderLines(),
				Head: sales.Head{WarehouseCode: c.warehouse(), ShipTogether: c.IntN(6) == 0}}
			o, err := sales.Place(tx, p, pick(c, stock.AsMuchAsThereIs, stock.AllOrNothing))
			return "order", o.Number, err
		},
		"add to order": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, _, err := sales.AddLine(tx, c.any("order"), c.orderLines()[0])
			return "", "", err
		},
		"change order line": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, _, err := sales.ChangeLine(tx, c.any("order"), c.line(), func(r *sales.Revision) error {
				switch c.IntN(4) {
				case 0:
					r.Quantity = c.many()
				case 1:
					r.UnitPrice = c.price()
				case 2:
					r.WarehouseCode = c.warehouse()
				case 3:
					r.DiscountPercent = dec.Int(int64(c.IntN(101)))
				}
				return nil
			})
			return "", "", err
		},
		"take off order": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := sales.DeleteLine(tx, c.any("order"), c.line())
			return "", "", err
		},
		"take from stock": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := sales.TakeFromStock(tx, c.any("order"), c.line())
			return "", "", err
		},
		"make missing": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := sales.MakeMissing(tx, c.any("order"), c.line())
			return "", "", err
		},
		"release": to("order", sales.Release), "cancel order": to("order", sales.Cancel),
		"close order": to("order", sales.Close),
	}
}

func sending() map[string]verb {
	return map[string]verb{
		"ship": func(c *clerk, tx *db.Tx) (string, string, error) {
			orders := []string{c.any("order")}
			if c.IntN(3) == 0 {
				orders = append(orders, c.any("order"))
			}
			s, err := shipping.Create(tx, shipping.New{OrderNumbers: orders})
			return "shipment", s.Number, err
		},
		"pick all": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := shipping.PickGoods(tx, c.any("shipment"), nil)
			return "", "", err
		},
		"pick": func(c *clerk, tx *db.Tx) (string, string, error) {
			q, item := c.many(), c.item()
			_, err := shipping.PickGoods(tx, c.any("shipment"), []shipping.Pick{{OrderLine: c.line(), Quantity: q,
				Batch: c.batch(item), Serials: c.serials(item, q)}})
			return "", "", err
		},
		"pack": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := shipping.Pack(tx, c.any("shipment"), []shipping.Package{{Notes: "one"}})
			return "", "", err
		},
		"book carrier": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := shipping.BookCarrier(tx, c.any("shipment"), shipping.Booking{})
			return "", "", err
		},
		"hand over": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := shipping.HandOver(tx, c.any("shipment"), 0)
			return "", "", err
		},
		"deliver": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := shipping.Deliver(tx, c.any("shipment"), 0)
			return "", "", err
		},
		"cancel shipment": to("shipment", shipping.Cancel), "pause": to("shipment", shipping.Pause),
		"resume": to("shipment", shipping.Resume), "fail": to("shipment", shipping.Fail),
		"send again": to("shipment", shipping.SendAgain), "take back": to("shipment", shipping.TakeBack),
		"return": func(c *clerk, tx *db.Tx) (string, string, error) {
			n := returns.New{OrderNumber: c.any("order"), Reason: pick(c, returns.Defective, returns.CustomerRemorse)}
			if c.IntN(2) == 0 {
				n.Lines = []returns.NewLine{{OrderLine: c.line(), Quantity: c.many()}}
			}
			r, err := returns.Create(tx, n)
			return "return", r.Number, err
		},
		"receive return": func(c *clerk, tx *db.Tx) (string, string, error) {
			var came []returns.Arrival
			if c.IntN(2) == 0 {
				came = []returns.Arrival{{Line: c.line(), Quantity: c.many(), Condition: pick(c, "", "Scrap", "Damaged")}}
			}
			_, err := returns.Receive(tx, c.any("return"), came)
			return "", "", err
		},
		"approve return": to("return", returns.Approve), "cancel return": to("return", returns.Cancel),
		"credit return": to("return", returns.Credit),
	}
}

func billing() map[string]verb {
	return map[string]verb{
		"invoice": func(c *clerk, tx *db.Tx) (string, string, error) {
			orders := []string{c.any("order")}
			if c.IntN(3) == 0 {
				orders = append(orders, c.any("order"))
			}
			i, err := invoicing.FromOrders(tx, orders, "")
			return "invoice", i.Number, err
		},
		"book invoice": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := invoicing.Book(tx, c.any("invoice"))
			return "", "", err
		},
		"cancel invoice": to("invoice", invoicing.Cancel),
		"credit": func(c *clerk, tx *db.Tx) (string, string, error) {
			var lines []invoicing.CreditLine
			if c.IntN(2) == 0 {
				lines = []invoicing.CreditLine{{Line: c.line(), Quantity: c.many()}}
			}
			i, err := invoicing.Credit(tx, c.any("invoice"), lines)
			return "invoice", i.Number, err
		},
		"paid": func(c *clerk, tx *db.Tx) (string, string, error) {
			amount := pick(c, c.price(), c.price(), nil)
			number := c.any("invoice")
			if amount == nil {
				i, err := invoicing.Find(tx, number)
				if err != nil {
					return "", "", err
				}
				due := i.Balance()
				amount = &due
			}
			_, err := invoicing.Pay(tx, number, invoicing.Payment{Amount: *amount, Surplus: c.IntN(4) == 0})
			return "", "", err
		},
	}
}

func buying() map[string]verb {
	return map[string]verb{
		"buy": func(c *clerk, tx *db.Tx) (string, string, error) {
			var lines []purchasing.NewLine
			for range 1 + c.IntN(3) {
				lines = append(lines, purchasing.NewLine{Item: c.item(), Quantity: c.many(), UnitPrice: c.price()})
			}
			o, err := purchasing.CreateOrder(tx, purchasing.NewOrder{OrderHead: purchasing.OrderHead{SupplierNumber: "SUP",
				CurrencyCode: pick(c, "", "EUR"), WarehouseCode: c.warehouse()}, Lines: lines})
			return "purchase", o.Number, err
		},
		"change purchase": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, _, err := purchasing.ChangeOrderLine(tx, c.any("purchase"), c.line(), func(l *purchasing.LineChange) error {
				l.Quantity, l.UnitPrice = c.many(), c.price()
				return nil
			})
			return "", "", err
		},
		"take off purchase": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := purchasing.DeleteOrderLine(tx, c.any("purchase"), c.line())
			return "", "", err
		},
		"send purchase": to("purchase", purchasing.SendOrder), "cancel purchase": to("purchase", purchasing.CancelOrder),
		"close purchase": to("purchase", purchasing.CloseOrder),
		"confirm": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := purchasing.ConfirmOrder(tx, c.any("purchase"), purchasing.Confirmation{})
			return "", "", err
		},
		"goods in": func(c *clerk, tx *db.Tx) (string, string, error) {
			item, q := c.item(), c.many()
			_, r, err := purchasing.ReceiveOrder(tx, c.any("purchase"), purchasing.Delivery{Arrived: []purchasing.Arrival{{
				Line: c.line(), Quantity: q, UnitCost: c.price(), Batch: c.batch(item), Serials: c.serials(item, q)}}})
			return "receipt", r.Number, err
		},
		"reverse receipt": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := purchasing.ReverseReceipt(tx, c.any("receipt"), "keyed wrongly")
			return "", "", err
		},
		"charge": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := stock.AddCharge(tx, c.any("receipt"), stock.NewCharge{Kind: stock.Freight, Basis: stock.ByValue,
				Amount: dec.Must("12.50")})
			return "", "", err
		},
		"reverse charge": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := stock.ReverseCharge(tx, c.any("receipt"), 1, "keyed wrongly")
			return "", "", err
		},
		"bill comes": func(c *clerk, tx *db.Tx) (string, string, error) {
			n := payable.New{SupplierNumber: "SUP", Reference: strconv.Itoa(c.IntN(1_000_000))}
			n.Lines = []payable.NewLine{{Receipt: c.any("receipt"), Line: 1, Quantity: c.many(), UnitPrice: dec.Must("9.90")}}
			i, err := payable.Register(tx, n)
			return "bill", i.Number, err
		},
		"approve bill": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := payable.Approve(tx, c.any("bill"), pick(c, "", "agreed"))
			return "", "", err
		},
		"reject bill": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := payable.Reject(tx, c.any("bill"), "too dear")
			return "", "", err
		},
		"cancel bill": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := payable.Cancel(tx, c.any("bill"), "twice")
			return "", "", err
		},
		"pay bill": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := payable.Pay(tx, c.any("bill"), "bank")
			return "", "", err
		},
	}
}

func moving() map[string]verb {
	return map[string]verb{
		"adjust": func(c *clerk, tx *db.Tx) (string, string, error) {
			item := c.item()
			a := stock.Adjustment{Warehouse: c.warehouse(), Location: "A-01", Item: item, Quantity: c.many(),
				Batch: c.batch(item)}
			if item == "S" {
				a.Quantity, a.Serial = dec.One, "S"+strconv.Itoa(c.IntN(40))
			}
			if c.IntN(3) == 0 {
				a.Quantity = a.Quantity.Neg()
			}
			_, err := stock.Adjust(tx, a)
			return "", "", err
		},
		"relocate": func(c *clerk, tx *db.Tx) (string, string, error) {
			item := c.item()
			_, err := stock.Relocate(tx, stock.Relocation{Warehouse: c.warehouse(), Item: item, From: "A-01", To: "A-02",
				Quantity: c.many(), Batch: c.batch(item)})
			return "", "", err
		},
		"count": func(c *clerk, tx *db.Tx) (string, string, error) {
			n, err := stock.CreateCount(tx, stock.NewCount{Warehouse: c.warehouse(), Items: []string{c.item()}})
			return "count", n.Number, err
		},
		"record count": func(c *clerk, tx *db.Tx) (string, string, error) {
			q := c.many()
			_, err := stock.RecordCount(tx, c.any("count"), []stock.Counted{{Named: true, Line: c.line(), Quantity: &q}})
			return "", "", err
		},
		"post count": to("count", stock.PostCount), "cancel count": to("count", stock.CancelCount),
		"transfer": func(c *clerk, tx *db.Tx) (string, string, error) {
			from, to := c.warehouse(), c.warehouse()
			t, err := transfer.Create(tx, transfer.New{Head: transfer.Head{From: from, To: to},
				Lines: []transfer.NewLine{{Item: c.item(), Quantity: c.many()}, {Item: c.item(), Quantity: c.many()}}})
			return "transfer", t.Number, err
		},
		"release transfer": to("transfer", transfer.Release), "cancel transfer": to("transfer", transfer.Cancel),
		"ship transfer": func(c *clerk, tx *db.Tx) (string, string, error) {
			var some []transfer.Portion
			if c.IntN(2) == 0 {
				some = []transfer.Portion{{Line: c.line(), Quantity: c.many()}}
			}
			_, err := transfer.Ship(tx, c.any("transfer"), some)
			return "", "", err
		},
		"receive transfer": func(c *clerk, tx *db.Tx) (string, string, error) {
			var some []transfer.Portion
			if c.IntN(2) == 0 {
				some = []transfer.Portion{{Line: c.line(), Quantity: c.many()}}
			}
			_, _, err := transfer.Receive(tx, c.any("transfer"), transfer.Delivery{Portions: some})
			return "", "", err
		},
		"lose": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := transfer.WriteOff(tx, c.any("transfer"), "fell off")
			return "", "", err
		},
	}
}

func making() map[string]verb {
	return map[string]verb{
		"work": func(c *clerk, tx *db.Tx) (string, string, error) {
			w, err := production.Create(tx, production.New{Item: pick(c, "M", "M", "A", ""), Title: "Work", Quantity: c.many(),
				Warehouse: c.warehouse(), Deep: c.IntN(2) == 0})
			return "work", w.Number, err
		},
		"plan": to("work", production.Plan), "start": to("work", production.Start),
		"pause work":  to("work", production.Pause),
		"cancel work": to("work", production.Cancel), "finish": to("work", production.Finish),
		"close work": to("work", production.Close),
		"complete": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := production.Complete(tx, c.any("work"), production.Completing{Quantity: c.many(),
				Scrapped: pick(c, 0, 0, dec.One), IsLast: c.IntN(4) == 0})
			return "", "", err
		},
		"issue": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := production.Issue(tx, c.any("work"), []production.Pick{{Line: c.line(), Quantity: c.many()}})
			return "", "", err
		},
		"put back": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := production.PutBack(tx, c.any("work"), []production.Pick{{Line: c.line(), Quantity: c.many()}})
			return "", "", err
		},
	}
}

func offering() map[string]verb {
	return map[string]verb{
		"quote": func(c *clerk, tx *db.Tx) (string, string, error) {
			q, err := quoting.Create(tx, quoting.New{Head: quoting.Head{CustomerNumber: c.customer()},
				Lines: []quoting.NewLine{{Item: c.item(), Quantity: c.many(), UnitPrice: c.price()}}})
			return "quote", q.Number, err
		},
		"send quote": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := quoting.Send(tx, c.any("quote"), quoting.Reader{})
			return "", "", err
		},
		"decline": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := quoting.Decline(tx, c.any("quote"), "too dear")
			return "", "", err
		},
		"convert": func(c *clerk, tx *db.Tx) (string, string, error) {
			q, err := quoting.Convert(tx, c.any("quote"))
			return "order", q.OrderNumber, err
		},
		"revise": func(c *clerk, tx *db.Tx) (string, string, error) {
			q, err := quoting.Revise(tx, c.any("quote"))
			return "quote", q.Number, err
		},
	}
}

// managing changes what documents rest on, under their feet.
func managing() map[string]verb {
	item := func(edit func(c *clerk, i *catalog.Item)) verb {
		return func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := catalog.Change(tx, c.item(), func(i *catalog.Item) error { edit(c, i); return nil })
			return "", "", err
		}
	}
	return map[string]verb{
		"price item":   item(func(c *clerk, i *catalog.Item) { i.SalesPrice = c.price() }),
		"retrack":      item(func(c *clerk, i *catalog.Item) { i.Tracking = pick(c, catalog.None, catalog.Batch) }),
		"retype":       item(func(c *clerk, i *catalog.Item) { i.Type = pick(c, catalog.Stock, catalog.NonStock) }),
		"split item":   item(func(c *clerk, i *catalog.Item) { i.DecimalPlaces = c.IntN(4) }),
		"stop item":    item(func(c *clerk, i *catalog.Item) { i.IsActive = c.IntN(4) > 0 }),
		"rename item":  item(func(c *clerk, i *catalog.Item) { i.Name = "Thing " + strconv.Itoa(c.IntN(9)) }),
		"make or buy":  item(func(c *clerk, i *catalog.Item) { i.Replenishment = pick(c, catalog.Purchase, catalog.Manufacture) }),
		"delete item":  to("order", func(tx *db.Tx, _ string) (bool, error) { return true, catalog.Delete(tx, "A") }),
		"delete buyer": to("order", func(tx *db.Tx, _ string) (bool, error) { return true, party.Delete(tx, "C-1") }),
		"box": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := catalog.PutUnit(tx, "A", catalog.Unit{Code: "BOX", Factor: dec.Int(int64(2 + c.IntN(9)))})
			return "", "", err
		},
		"recipe": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := production.ChangeBOM(tx, "M", func(b *production.BOM) error {
				b.Lines[c.IntN(len(b.Lines))].Quantity = dec.Must("0.7")
				return nil
			})
			return "", "", err
		},
		"list price": func(c *clerk, tx *db.Tx) (string, string, error) {
			l := pricing.Line{Item: c.item()}
			l.MinQuantity = dec.Int(int64(pick(c, 0, 0, 5)))
			if c.IntN(4) == 0 {
				return "", "", pricing.DeleteLine(tx, "BASE", l.Item, pricing.LineKey{MinQuantity: &l.MinQuantity})
			}
			part := dec.Must("12.5")
			if l.Strategy, l.UnitPrice = price.Fixed, c.price(); l.UnitPrice == nil {
				l.Strategy, l.Percentage = price.BasePriceDiscount, &part
			}
			done, err := pricing.SaveLines(tx, "BASE", []pricing.Line{l})
			if err != nil {
				return "", "", err
			}
			return "", "", done[0].Err
		},
		"rate": func(c *clerk, tx *db.Tx) (string, string, error) {
			r := dec.Rate{Amount: dec.Must("10.5").Add(dec.Int(int64(c.IntN(3)))), Units: dec.One}
			return "", "", reference.SaveRates(tx, "EUR", reference.RatePoint{Date: tx.Today(), Rate: r})
		},
		"stock up": func(c *clerk, tx *db.Tx) (string, string, error) {
			_, err := stock.ChangeItemWarehouse(tx, c.item(), c.warehouse(), func(w *stock.ItemWarehouse) error {
				safe := dec.Int(int64(c.IntN(50)))
				w.SafetyStock = &safe
				return nil
			})
			return "", "", err
		},
		"draft what is planned": func(c *clerk, tx *db.Tx) (string, string, error) {
			all := func(replenishment.Proposal) bool { return true }
			_, made, err := replenishment.Draft(tx, []string{c.item()}, all)
			if len(made.PurchaseOrders) > 0 {
				return "purchase", made.PurchaseOrders[0].Number, err
			}
			if len(made.WorkOrders) > 0 {
				return "work", made.WorkOrders[0].Number, err
			}
			return "", "", err
		},
		"change order": func(c *clerk, tx *db.Tx) (string, string, error) {
			number, warehouse, reference := c.any("order"), c.warehouse(), strconv.Itoa(c.IntN(99))
			_, err := sales.Change(tx, number, func(a *sales.Amendment) error {
				a.WarehouseCode, a.CustomerReference = warehouse, reference
				return nil
			})
			return "", "", err
		},
		"credit freely": func(c *clerk, tx *db.Tx) (string, string, error) {
			customer, err := party.Find(tx, c.customer())
			if err != nil {
				return "", "", err
			}
			made, err := invoicing.CreateFreeMany(tx, []invoicing.Free{{Customer: customer, CurrencyCode: "SEK",
				InvoiceDate: tx.Today(), Lines: []invoicing.FreeLine{{Description: "Sorry", Quantity: c.many(),
					UnitPrice: dec.Must("7.77"), TaxCode: "STD"}}}})
			if err != nil {
				return "", "", err
			}
			return "invoice", made[0].Number, nil
		},
	}
}
