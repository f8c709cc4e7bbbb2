package invoicing_test

import (
	"slices"
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault/faulttest"
)

// sell composes orders of two pieces each, dispatches them, invoices those with a document number under it, and enters
// them.
// The order type AUTO is invoiced by itself.
func sell(s *db.Store, orderType string, documents ...string) (orders []*sales.Order, made []*invoicing.Invoice,
	err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) {
		ps := make([]sales.Placing, len(documents))
		for i := range ps {
			ps[i] = sales.Placing{CustomerNumber: "C1", Head: sales.Head{OrderTypeCode: orderType},
				Lines: []sales.NewLine{test.Line("A", "2"), test.Line("FREIGHT", "1")}}
		}
		if orders, err = sales.Compose(tx, ps); err != nil {
			return err
		}
		if _, err = shipping.Dispatch(tx, orders); err != nil {
			return err
		}
		var bills []invoicing.Bill
		for i, d := range documents {
			if d != "" {
				bills = append(bills, invoicing.Bill{Orders: orders[i : i+1], On: "2010-12-01",
					With: []invoicing.Option{invoicing.WithDocumentNumber(d)}})
			}
		}
		if made, err = invoicing.FromEach(tx, bills); err != nil {
			return err
		}
		return sales.Enter(tx, orders, stock.AllOrNothing)
	})
	return orders, made, err
}

// counter is an order type that is released at once and left alone.
func counter(t *testing.T, s *db.Store) {
	t.Helper()
	open(t, s)
	dbtest.Write(t, s, func(tx *db.Tx) error { return test.Counter(tx) })
}

func TestManyInvoicesAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		counter(t, s)
		orders, made, err := sell(s, "COUNTER", "536365", "536366")
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range orders {
			is, inv := test.Find(t, s, o.Number), find(t, s, made[i].Number)
			if is.Status != sales.Closed || is.InvoiceNumbers[0] != inv.Number || inv.Status != invoicing.Booked ||
				inv.TotalAmount != q("37.50") {
				t.Errorf("order %s %v, invoice %s of %s", is.Status, is.InvoiceNumbers, inv.Status, inv.TotalAmount)
			}
			if inv.DueDate != "2010-12-31" || inv.ExternalDocumentNumber != []string{"536365", "536366"}[i] ||
				inv.OrderNumbers[0] != is.Number {
				t.Errorf("%s is due on %s for %v", inv.ExternalDocumentNumber, inv.DueDate, inv.OrderNumbers)
			}
		}
		for _, documents := range [][]string{{"536367", "536366"}, {"X", "x"}} {
			_, _, err = sell(s, "COUNTER", documents...)
			faulttest.Refused(t, err, invoicing.ErrDocumentExists, "")
		}
		test.Sound(t, s, invoicing.Verify)
	})
}

func TestAnInvoiceThatFollowsByItself(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		counter(t, s)
		orders, _, err := sell(s, "AUTO", "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range orders {
			o := test.Find(t, s, o.Number)
			if o.Status != sales.Closed || len(o.InvoiceNumbers) != 1 ||
				find(t, s, o.InvoiceNumbers[0]).Status != invoicing.Booked {
				t.Errorf("%s %v", o.Status, o.InvoiceNumbers)
			}
		}
		test.Sound(t, s, invoicing.Verify)
	})
}

func TestManyCreditNotesAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		counter(t, s)
		orders, made, err := sell(s, "COUNTER", "536365", "536366")
		if err != nil {
			t.Fatal(err)
		}
		var c party.Customer
		dbtest.Read(t, s, func(tx *db.Tx) (err error) { c, err = party.Find(tx, "C1"); return err })
		note := func(document, of, quantity string) invoicing.Free {
			return invoicing.Free{Customer: c, CurrencyCode: "SEK", InvoiceDate: "2010-12-02",
				With: []invoicing.Option{invoicing.WithDocumentNumber(document)},
				Lines: []invoicing.FreeLine{{Item: "A", Quantity: q(quantity), UnitPrice: q("12.50"), TaxCode: "STD",
					CreditsInvoice: of, CreditsLine: min(1, len(of))}}}
		}
		credit := func(notes ...invoicing.Free) (out []*invoicing.Invoice, err error) {
			err = test.Attempt(s, func(tx *db.Tx) (err error) {
				out, err = invoicing.CreateFreeMany(tx, notes)
				return err
			})
			return out, err
		}
		_, err = credit(note("C1", made[0].Number, "1"), note("C2", made[0].Number, "1.5"))
		faulttest.Refused(t, err, invoicing.ErrExceedsInvoiced, "lines[0].quantity")
		notes, err := credit(note("C1", made[0].Number, "1"), note("C2", made[0].Number, "1"),
			note("C3", made[1].Number, "1"), note("C4", "", "1"))
		if err != nil {
			t.Fatal(err)
		}
		i := find(t, s, made[0].Number)
		if i.Lines[0].Credited != q("2") || i.PaidAmount != q("31.26") || notes[0].PaidAmount != q("15.63") ||
			notes[1].PaidAmount != q("15.63") {
			t.Errorf("credited %s, settled %s by %s and %s", i.Lines[0].Credited, i.PaidAmount, notes[0].PaidAmount,
				notes[1].PaidAmount)
		}
		o := test.Find(t, s, orders[0].Number)
		if len(o.InvoiceNumbers) != 3 || o.Lines[0].Invoiced != dec.Int(2) || notes[3].PaidAmount != 0 {
			t.Errorf("invoices %v of an order of which %s are invoiced; %s of the free note are paid", o.InvoiceNumbers,
				o.Lines[0].Invoiced, notes[3].PaidAmount)
		}
		test.Sound(t, s, invoicing.Verify)
	})
}

// Of two orders on one request the one that has nothing to bill is not on the invoice, and does not name it.
func TestAnOrderNamesTheInvoicesThatBillIt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		sent, waits := test.Order(t, s, "STD", test.Line("A", "1")), test.Order(t, s, "STD", test.Line("A", "1"))
		test.Ship(t, s, sent.Number)
		i, err := bill(s, sent.Number, waits.Number)
		if err != nil {
			t.Fatal(err)
		}
		if o := test.Find(t, s, sent.Number); !slices.Equal(o.InvoiceNumbers, []string{i.Number}) {
			t.Errorf("the one that is billed names %v", o.InvoiceNumbers)
		}
		if o := test.Find(t, s, waits.Number); len(o.InvoiceNumbers) > 0 || o.Version != waits.Version {
			t.Errorf("the one that waits names %v", o.InvoiceNumbers)
		}
		test.Sound(t, s, invoicing.Verify)
	})
}
