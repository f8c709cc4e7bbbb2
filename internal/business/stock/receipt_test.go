package stock_test

import (
	"strings"
	"testing"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// arrive is goods of an item that came in against a purchase order.
func (w *world) arrive(item, quantity, cost string) stock.IncomingLine {
	c := dec.Must(cost)
	i := w.items[item]
	return stock.IncomingLine{Line: 1, ItemID: i.ID, Item: i.Number, ItemName: i.Name, Tracking: i.Tracking,
		Quantity: dec.Must(quantity), UnitCost: &c}
}

func incoming(lines ...stock.IncomingLine) stock.Incoming {
	return stock.Incoming{RefType: stock.RefPurchaseOrder, RefID: "PO-1", Warehouse: "main", Lines: lines}
}

func (w *world) takeIn(in stock.Incoming) (r stock.GoodsReceipt) {
	w.Helper()
	w.write(func(tx *db.Tx) (err error) {
		r, err = stock.TakeIn(tx, in)
		return err
	})
	return r
}

func TestReceiptsAreTheLedger(t *testing.T) {
	each(t, func(w *world) {
		serials := w.arrive("BatchAndSerial", "2", "30")
		serials.Batch, serials.Serials, serials.Expiry = "L7", []string{"s1", "s2"}, "2030-01-31"
		r := w.takeIn(incoming(w.arrive("None", "10", "5"), serials))
		if len(r.Lines) != 3 || r.Status != stock.ReceiptCompleted || r.Warehouse != "MAIN" ||
			r.Lines[0].Location != "A-01" || r.Lines[2].Serial != "s2" {
			t.Errorf("%+v", r)
		}
		second := w.takeIn(incoming(w.arrive("None", "10", "7")))
		w.wants("None", "20", "0", "6")
		w.write(func(tx *db.Tx) (err error) {
			second, err = stock.Reverse(tx, second.Number, "counted twice")
			return err
		})
		if second.Status != stock.ReceiptCancelled || second.Lines[0].CounterID == "" {
			t.Errorf("%+v", second)
		}
		w.wants("None", "10", "0", "5")
		w.refused(stock.ErrReceiptInvalidStatus, func(tx *db.Tx) error {
			_, err := stock.Reverse(tx, second.Number, "")
			return err
		})
		w.write(func(tx *db.Tx) error { _, err := stock.Issue(tx, []stock.Move{w.move("None", "1")}); return err })
		w.refused(stock.ErrGoodsGone, func(tx *db.Tx) error { _, err := stock.Reverse(tx, r.Number, ""); return err })
		w.verify()
	})
}

// A receipt whose goods are promised to orders is not reversed, as the promise could not be kept.
func TestPromisedGoodsStay(t *testing.T) {
	each(t, func(w *world) {
		first := w.takeIn(incoming(w.arrive("None", "10", "5")))
		second := w.takeIn(incoming(w.arrive("None", "4", "5")))
		w.allocate(stock.AllOrNothing, "None", "6")
		w.refused(stock.ErrGoodsGone, func(tx *db.Tx) error {
			_, err := stock.Reverse(tx, first.Number, "keyed twice")
			return err
		})
		w.wants("None", "14", "6", "5")
		w.write(func(tx *db.Tx) error { _, err := stock.Reverse(tx, second.Number, "keyed twice"); return err })
		w.wants("None", "10", "6", "5")
		w.verify()
	})
}

// What is held covers no order, so that it keeps no promise either, and is nobody's to miss.
func TestPromisedGoodsStayThoughOthersAreHeld(t *testing.T) {
	each(t, func(w *world) {
		first := w.takeIn(incoming(w.arrive("None", "5", "5")))
		w.allocate(stock.AllOrNothing, "None", "5")
		aside := w.arrive("None", "10", "5")
		aside.Location = "Q-01"
		second := w.takeIn(incoming(aside))
		f := w.refused(stock.ErrGoodsGone, func(tx *db.Tx) error {
			_, err := stock.Reverse(tx, first.Number, "keyed twice")
			return err
		})
		if !strings.Contains(f.Detail, "5 of item None are promised to orders, and 0 would be left") {
			t.Error(f.Detail)
		}
		w.write(func(tx *db.Tx) error { _, err := stock.Reverse(tx, second.Number, "keyed twice"); return err })
		w.wants("None", "5", "5", "5")
		w.verify()
	})
}

// Goods that come from another warehouse are Transfer entries at the cost they left with; taking them back undoes the
// average.
func TestReceiptsOfTransfers(t *testing.T) {
	each(t, func(w *world) {
		in := incoming(w.arrive("None", "10", "5"))
		in.RefType, in.RefID, in.Warehouse = stock.RefTransfer, "TO-1", "EAST"
		r := w.takeIn(in)
		if l := r.Lines[0]; l.TransferOrder != "TO-1" || l.PurchaseOrder != "" || l.Location != "E-01" {
			t.Errorf("%+v", l)
		}
		in.Lines[0].UnitCost = nil // at the average
		w.takeIn(in)
		w.write(func(tx *db.Tx) error { _, err := stock.Reverse(tx, r.Number, "never left"); return err })
		w.verify()
	})
}

func TestReceiptRefusals(t *testing.T) {
	each(t, func(w *world) {
		first := w.arrive("Batch", "1", "1")
		first.Batch, first.Expiry = "L1", "2030-01-31"
		serial := w.arrive("Serial", "1", "1")
		serial.Serials = []string{"S1"}
		w.takeIn(incoming(first, serial))
		for name, c := range map[string]struct {
			item   string
			change func(l *stock.IncomingLine)
			code   fault.Code
			field  string
		}{
			"no batch": {"Batch", func(*stock.IncomingLine) {}, stock.ErrTrackingRequired, "batchNumber"},
			"other expiry": {"Batch", func(l *stock.IncomingLine) { l.Batch, l.Expiry = "l1", "2031-01-31" },
				stock.ErrExpiryDiffers, "expiryDate"},
			"expiry": {"None", func(l *stock.IncomingLine) { l.Expiry = "2031-01-31" }, stock.ErrNotTracked,
				"expiryDate"},
			"batch": {"None", func(l *stock.IncomingLine) { l.Batch = "L1" }, stock.ErrNotTracked,
				"batchNumber"},
			"serials": {"None", func(l *stock.IncomingLine) { l.Serials = []string{"S9"} }, stock.ErrNotTracked,
				"serialNumbers"},
			"miscounted": {"Serial", func(l *stock.IncomingLine) { l.Serials = []string{"S2", "S3"} },
				stock.ErrTrackingRequired, "serialNumbers"},
			"no location": {"None", func(l *stock.IncomingLine) { l.Location = "Z-99" }, stock.ErrLocation,
				"locationCode"},
			"closed": {"None", func(l *stock.IncomingLine) { l.Location = "A-00" }, stock.ErrClosed,
				"locationCode"},
			"nothing": {"None", func(l *stock.IncomingLine) { l.Quantity = 0 }, stock.ErrQuantity, "quantity"},
			"serial is here": {"Serial", func(l *stock.IncomingLine) { l.Serials = []string{"s1"} },
				stock.ErrSerialInStock, ""},
			"named twice": {"Serial",
				func(l *stock.IncomingLine) { l.Quantity, l.Serials = dec.Int(2), []string{"S2", "s2"} },
				stock.ErrTrackingRequired, "serialNumbers"},
		} {
			l := w.arrive(c.item, "1", "1")
			l.Field = "lines[3]."
			c.change(&l)
			f := w.refused(c.code, func(tx *db.Tx) error { _, err := stock.TakeIn(tx, incoming(l)); return err })
			if c.field != "" && (f == nil || len(f.Fields) != 1 || f.Fields[0].Path != "lines[3]."+c.field) {
				t.Errorf("%s: %+v", name, f)
			}
		}
		w.verify()
	})
}
