package sales

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Verify recomputes what derive writes on every order, checks the bounds of every line, and compares what stock has
// allocated with what the lines of orders hold. It reports every difference in a sentence.
func Verify(tx *db.Tx, report func(string)) error {
	held, err := stock.Held(tx)
	if err != nil {
		return err
	}
	if err := tx.Fire(ReservedWanted{Reserved: held}); err != nil {
		return err
	}
	next := func(after string) ([]*Order, error) { return readAfter(tx, after) }
	err = record.Through(next, func(o **Order) string { return (*o).ID }, func(orders []*Order) error {
		for _, o := range orders {
			verify(o, report)
			for i := range o.Lines {
				if l := &o.Lines[i]; l.Ships() {
					k := stock.Key{ItemID: l.ItemID, Warehouse: l.WarehouseCode}
					held[k] = held[k].Add(l.Base(l.Allocated))
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return verifyAllocations(tx, held, report)
}

// ReservedWanted asks what documents other than sales orders have reserved in stock: who keeps them adds it up in
// Reserved.
type ReservedWanted struct{ Reserved map[stock.Key]dec.Dec }

// verify compares one order with what derive makes of it.
func verify(o *Order, report func(string)) {
	say := func(format string, args ...any) {
		report("order " + o.Number + ": " + fmt.Sprintf(format, args...))
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		var wrong fault.List
		l.check(&wrong, "", o.Number)
		for _, f := range wrong.Fields() {
			report(f.Message)
		}
		if l.DiscountAmount < 0 {
			say("the discount of line %d is %s; it must not be below 0", l.Number, l.DiscountAmount)
		}
		if !o.Status.IsOpen() && l.Allocated != 0 {
			say("line %d has %s allocated though the order is %s", l.Number, l.Allocated, o.Status)
		}
	}
	verifySigns(o, say)
	is := o.clone()
	if !limit.Total.Holds(func() dec.Dec { derive(&is, func(*Line) {}); return 0 }) {
		say("its lines come to more than a number holds")
		return
	}
	head := func(name string, stored, derived any) {
		if stored != derived {
			say("%s is stored as %v, the lines say %v", name, stored, derived)
		}
	}
	head("status", o.Status, is.Status)
	head("deliveryStatus", o.Delivery, is.Delivery)
	head("deliveredPercentage", o.DeliveredPercent, is.DeliveredPercent)
	head("invoicedStatus", o.Invoicing, is.Invoicing)
	head("plannedDeliveryDate", o.PlannedDeliveryDate, is.PlannedDeliveryDate)
	head("totalAmount", o.TotalAmount, is.TotalAmount)
	head("totalVat", o.TotalVAT, is.TotalVAT)
	head("lineCount", o.LineCount, is.LineCount)
	for i := range o.Lines {
		if was, l := &o.Lines[i], &is.Lines[i]; *was != *l {
			say(
				"line %d is stored with discount %s (%s %%), lineTotal %s, taxAmount %s, delivered %s, planned %q; derived are %s (%s %%), %s, %s, %s, %q",
				l.Number, was.DiscountAmount, was.DiscountPercent, was.LineTotal, was.TaxAmount, was.Delivered,
				was.PlannedDeliveryDate, l.DiscountAmount, l.DiscountPercent, l.LineTotal, l.TaxAmount, l.Delivered,
				l.PlannedDeliveryDate)
		}
	}
}

// verifySigns holds the numbers of an order against what no order has, however they came to be there.
func verifySigns(o *Order, say func(format string, args ...any)) {
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.Quantity <= 0 {
			say("line %d has the quantity %s: it must be above 0", l.Number, l.Quantity)
		}
		if l.DiscountPercent > hundred || l.TaxPercent > hundred {
			say("line %d has a discount of %s %% and a tax of %s %%: neither is above 100", l.Number, l.DiscountPercent,
				l.TaxPercent)
		}
		if min(l.UnitPrice, l.DiscountPercent, l.TaxPercent, l.LineTotal, l.TaxAmount) < 0 {
			say(
				"line %d has a price of %s, a discount of %s %%, a tax of %s %%, a total of %s and taxes of %s: none is below 0",
				l.Number, l.UnitPrice, l.DiscountPercent, l.TaxPercent, l.LineTotal, l.TaxAmount)
		}
	}
	if min(o.TotalAmount, o.TotalVAT) < 0 {
		say("its total is %s and its tax %s: neither is below 0", o.TotalAmount, o.TotalVAT)
	}
}

// verifyAllocations holds what documents have reserved against every level that has something allocated.
func verifyAllocations(tx *db.Tx, held map[stock.Key]dec.Dec, report func(string)) error {
	allocated, err := stock.Allocated(tx)
	if err != nil {
		return err
	}
	all := maps.Clone(allocated)
	maps.Copy(all, held)
	keys := slices.SortedFunc(maps.Keys(all), func(a, b stock.Key) int {
		return cmp.Or(cmp.Compare(a.ItemID, b.ItemID), cmp.Compare(a.Warehouse, b.Warehouse))
	})
	for _, k := range keys {
		if is := allocated[k]; is != held[k] {
			report(fmt.Sprintf("item %s in warehouse %s: stock has %s allocated, the documents that reserve hold %s",
				k.ItemID, k.Warehouse, is, held[k]))
		}
	}
	return nil
}
