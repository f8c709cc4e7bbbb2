package invoicing_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fault/faulttest"
	"kontor/internal/foundation/record"
)

var q = dec.Must

func open(t *testing.T, s *db.Store) {
	test.Open(t, s)
	db.On(s, invoicing.OnHandedOver)
	db.On(s, invoicing.OnDelivery)
	db.On(s, invoicing.OnTakenBack)
	db.On(s, invoicing.RefuseCustomerDeletion)
	test.Arrive(t, s, "A", "100")
}

// run is a verb in a transaction of its own.
func run(s *db.Store, verb func(tx *db.Tx) (invoicing.Invoice, error)) (i invoicing.Invoice, err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) { i, err = verb(tx); return err })
	return i, err
}

func bill(s *db.Store, orders ...string) (invoicing.Invoice, error) {
	return run(s, func(tx *db.Tx) (invoicing.Invoice, error) { return invoicing.FromOrders(tx, orders, tx.Today()) })
}

func book(s *db.Store, number string, opts ...invoicing.Option) (invoicing.Invoice, error) {
	return run(s, func(tx *db.Tx) (invoicing.Invoice, error) { return invoicing.Book(tx, number, opts...) })
}

func cancel(s *db.Store, number string) (invoicing.Invoice, error) {
	return run(s, func(tx *db.Tx) (invoicing.Invoice, error) { return invoicing.Cancel(tx, number) })
}

func credit(s *db.Store, number string, lines ...invoicing.CreditLine) (invoicing.Invoice, error) {
	return run(s, func(tx *db.Tx) (invoicing.Invoice, error) { return invoicing.Credit(tx, number, lines) })
}

func creditFree(tx *db.Tx, f invoicing.Free) (invoicing.Invoice, error) {
	made, err := invoicing.CreateFreeMany(tx, []invoicing.Free{f})
	if err != nil {
		return invoicing.Invoice{}, err
	}
	return *made[0], nil
}

func pay(s *db.Store, number, amount string, surplus ...bool) (invoicing.Invoice, error) {
	return run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
		return invoicing.Pay(tx, number, invoicing.Payment{Amount: q(amount), Reference: "bank",
			Surplus: len(surplus) > 0})
	})
}

func find(t *testing.T, s *db.Store, number string) (i invoicing.Invoice) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) (err error) { i, err = invoicing.Find(tx, number); return err })
	return i
}

func sound(t *testing.T, s *db.Store) { t.Helper(); test.Sound(t, s, invoicing.Verify) }

func TestBillBookAndPay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		one := test.Order(t, s, "STD", test.Line("A", "3"), test.Line("FREIGHT", "1"))
		two := test.Order(t, s, "STD", test.Line("A", "2"))
		_, err := bill(s, one.Number)
		faulttest.Refused(t, err, invoicing.ErrNothingBillable, "")
		test.Ship(t, s, one.Number, two.Number)
		i, err := bill(s, one.Number, two.Number)
		if err != nil {
			t.Fatal(err)
		}
		if len(i.Lines) != 3 || i.TotalAmount != q("75") || i.TotalVAT != q("18.76") ||
			i.DueDate != i.InvoiceDate.AddDays(30) || i.ExternalDocumentNumber != "" {
			t.Fatalf("made %+v", i)
		}
		if o := test.Find(t, s, two.Number); o.Status != sales.Closed ||
			!slices.Equal(o.InvoiceNumbers, []string{i.Number}) {
			t.Errorf("order %s %v", o.Status, o.InvoiceNumbers)
		}
		_, err = pay(s, i.Number, "1")
		faulttest.Refused(t, err, invoicing.ErrInvalidStatus, "")
		// Cancelled, it is billable again.
		if _, err = cancel(s, i.Number); err != nil {
			t.Fatal(err)
		}
		if o := test.Find(t, s, two.Number); o.Status != sales.Released || o.Invoicing != sales.NotInvoiced {
			t.Errorf("order %s %s", o.Status, o.Invoicing)
		}
		i, _ = bill(s, one.Number, two.Number)
		if i, err = book(s, i.Number); err != nil || i.ExternalDocumentNumber != "1000001" ||
			i.Status != invoicing.Booked {
			t.Fatalf("%+v: %v", i, err)
		}
		_, err = book(s, i.Number)
		faulttest.Refused(t, err, invoicing.ErrInvalidStatus, "")
		_, err = cancel(s, i.Number)
		faulttest.Refused(t, err, invoicing.ErrInvalidStatus, "")
		for _, c := range []struct {
			amount  string
			status  invoicing.PaymentStatus
			balance string
		}{{"50", invoicing.PartiallyPaid, "43.76"}, {"43.76", invoicing.Paid, "0"}, {"10", invoicing.Paid, "-10"},
			{"-60", invoicing.PartiallyPaid, "50"}} {
			if c.balance == "-10" { // more than is open is asked for
				_, err = pay(s, i.Number, c.amount)
				faulttest.Refused(t, err, invoicing.ErrSurplus, "amount")
			}
			if i, err = pay(s, i.Number, c.amount, true); err != nil || i.PaymentStatus != c.status ||
				i.Balance() != q(c.balance) {
				t.Errorf("paid %s: %s %s: %v", c.amount, i.PaymentStatus, i.Balance(), err)
			}
		}
		_, err = pay(s, i.Number, "0.001")
		faulttest.Refused(t, err, invoicing.ErrInvalid, "amount")
		_, err = pay(s, i.Number, "-50")
		faulttest.Refused(t, err, invoicing.ErrInvalid, "amount")
		err = test.Attempt(s, func(tx *db.Tx) error { return party.Delete(tx, "C1") })
		faulttest.Refused(t, err, party.ErrInUse, "")
		sound(t, s)
	})
}

func TestAutomaticInvoices(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		web, late := test.Order(t, s, "WEB", test.Line("A", "1")), test.Order(t, s, "LATE", test.Line("A", "1"))
		sh := test.Ship(t, s, web.Number, late.Number)
		if o := test.Find(t, s, web.Number); o.Status != sales.Closed || len(o.InvoiceNumbers) != 1 ||
			find(t, s, o.InvoiceNumbers[0]).Status != invoicing.Booked {
			t.Errorf("web: %s %v", o.Status, o.InvoiceNumbers)
		}
		if o := test.Find(t, s, late.Number); len(o.InvoiceNumbers) != 0 {
			t.Errorf("late: %v before delivery", o.InvoiceNumbers)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := shipping.Deliver(tx, sh.Number, 0); return err })
		if o := test.Find(t, s, late.Number); o.Status != sales.Closed || len(o.InvoiceNumbers) != 1 {
			t.Errorf("late: %s %v", o.Status, o.InvoiceNumbers)
		}
		// Nothing to ship: the service is delivered and invoiced on release.
		if o := test.Find(t, s, test.Order(t, s, "AUTO", test.Line("FREIGHT", "2")).Number); o.Status != sales.Closed ||
			o.Invoicing != sales.FullyInvoiced {
			t.Errorf("service: %s %s", o.Status, o.Invoicing)
		}
		auto := test.Order(t, s, "AUTO", test.Line("A", "2"))
		if o := test.Find(t, s, auto.Number); len(o.ShipmentNumbers) != 1 || o.Lines[0].OnShipment != q("2") {
			t.Errorf("auto: %v", o.ShipmentNumbers)
		}
		sound(t, s)
	})
}

func TestGoodsTakenBackAreCreditedAndBilledAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "WEB", test.Line("A", "2"))
		dbtest.Write(t, s, func(tx *db.Tx) error {
			sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{o.Number}})
			if err != nil {
				return err
			}
			_, pick := shipping.PickGoods(tx, sh.Number, nil)
			_, book := shipping.BookCarrier(tx, sh.Number, shipping.Booking{})
			_, hand := shipping.HandOver(tx, sh.Number, 0)
			_, fail := shipping.Fail(tx, sh.Number)
			_, back := shipping.TakeBack(tx, sh.Number)
			return errors.Join(pick, book, hand, fail, back)
		})
		o = test.Find(t, s, o.Number)
		if o.Status != sales.Released || o.Lines[0].Invoiced != 0 || len(o.InvoiceNumbers) != 2 {
			t.Fatalf("%s, invoiced %s, %v", o.Status, o.Lines[0].Invoiced, o.InvoiceNumbers)
		}
		if i, n := find(t, s, o.InvoiceNumbers[0]), find(t, s, o.InvoiceNumbers[1]); i.Balance() != 0 ||
			n.Balance() != 0 || n.CreditsInvoiceNumber != i.Number {
			t.Errorf("%s %s %s", i.Balance(), n.Balance(), n.CreditsInvoiceNumber)
		}
		sound(t, s)
	})
}

// What was given back by hand of goods that then come back undelivered is not credited again, and not billed again.
func TestGoodsTakenBackThatWereCreditedByHand(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "WEB", test.Line("A", "5"))
		send := func() (sh shipping.Shipment) {
			dbtest.Write(t, s, func(tx *db.Tx) (err error) {
				if sh, err = shipping.Create(tx, shipping.New{OrderNumbers: []string{o.Number}}); err != nil {
					return err
				}
				_, pick := shipping.PickGoods(tx, sh.Number, nil)
				_, book := shipping.BookCarrier(tx, sh.Number, shipping.Booking{})
				_, hand := shipping.HandOver(tx, sh.Number, 0)
				return errors.Join(pick, book, hand)
			})
			return sh
		}
		sh := send()
		i := find(t, s, test.Find(t, s, o.Number).InvoiceNumbers[0])
		n, err := credit(s, i.Number, invoicing.CreditLine{Line: 1, Quantity: q("2")})
		faulttest.None(t, err)
		back := func() error {
			return test.Attempt(s, func(tx *db.Tx) error {
				_, fail := shipping.Fail(tx, sh.Number)
				_, back := shipping.TakeBack(tx, sh.Number)
				return errors.Join(fail, back)
			})
		}
		faulttest.Refused(t, back(), invoicing.ErrNotCreditable, "") // it may still be given up
		_, err = book(s, n.Number)
		faulttest.None(t, err)
		faulttest.None(t, back())
		sound(t, s)
		if i = find(t, s, i.Number); i.Balance() != 0 || i.Lines[0].Credited != q("5") {
			t.Errorf("%s of the invoice are left, %s credited", i.Balance(), i.Lines[0].Credited)
		}
		test.Arrive(t, s, "A", "5")
		send()
		o = test.Find(t, s, o.Number)
		if again := find(t, s, o.InvoiceNumbers[len(o.InvoiceNumbers)-1]); again.Lines[0].Quantity != q("3") ||
			o.Status != sales.Closed {
			t.Errorf("%s are billed anew, the order is %s", again.Lines[0].Quantity, o.Status)
		}
		sound(t, s)
	})
}

func TestCredit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		price := q("0.333")
		o := test.Order(t, s, "STD", sales.NewLine{Item: "A", Quantity: q("3"), UnitPrice: &price},
			test.Line("FREIGHT", "1"))
		test.Ship(t, s, o.Number)
		i, _ := bill(s, o.Number)
		_, err := credit(s, i.Number)
		faulttest.Refused(t, err, invoicing.ErrInvalidStatus, "")
		book(s, i.Number)
		_, err = credit(s, i.Number, invoicing.CreditLine{Line: 1, Quantity: q("4")},
			invoicing.CreditLine{Line: 9, Quantity: q("1")})
		faulttest.Refused(t, err, invoicing.ErrExceedsInvoiced, "lines[1].lineNumber")
		// Parts add up to the line: 0.33 + 0.33 + what is left of 1.00.
		var total dec.Dec
		for range 3 {
			n, err := credit(s, i.Number, invoicing.CreditLine{Line: 1, Quantity: dec.One})
			if err != nil {
				t.Fatal(err)
			}
			total = total.Add(n.TotalAmount)
			if n, err = book(s, n.Number); err != nil || n.PaymentStatus != invoicing.Paid ||
				n.Type != invoicing.CreditNote {
				t.Fatalf("%+v: %v", n, err)
			}
		}
		if total != i.Lines[0].LineTotal {
			t.Errorf("credited %s of %s", total, i.Lines[0].LineTotal)
		}
		// A part given back stays given; the whole undone is billed again.
		if got := test.Find(t, s, o.Number); got.Status != sales.Closed || len(got.InvoiceNumbers) != 4 ||
			got.Version <= o.Version {
			t.Errorf("%s %v", got.Status, got.InvoiceNumbers)
		}
		n, err := credit(s, i.Number)
		if err != nil || n.TotalAmount != q("12.50") {
			t.Fatalf("%+v: %v", n, err)
		}
		if got := test.Find(t, s, o.Number); got.Status != sales.Released || got.Lines[1].Billable() != dec.One {
			t.Errorf("%s %s", got.Status, got.Lines[1].Billable())
		}
		_, err = credit(s, i.Number)
		faulttest.Refused(t, err, invoicing.ErrNotCreditable, "")
		cancel(s, n.Number)
		if got := test.Find(t, s, o.Number); got.Status != sales.Closed {
			t.Errorf("%s", got.Status)
		}
		if n, err = credit(s, i.Number); err != nil {
			t.Fatal(err)
		}
		n, err = book(s, n.Number)
		if i = find(t, s, i.Number); err != nil || i.Balance() != 0 || i.PaymentStatus != invoicing.Paid {
			t.Errorf("%s %s: %v", i.Balance(), i.PaymentStatus, err)
		}
		_, err = credit(s, n.Number)
		faulttest.Refused(t, err, invoicing.ErrNotCreditable, "")
		sound(t, s)
	})
}

func TestACreditNoteIsNotGivenUpAfterItsOrderChanged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		changed := map[string]func(tx *db.Tx, order string) error{
			"": func(*db.Tx, string) error { return nil },
			"price": func(tx *db.Tx, order string) error {
				_, _, err := sales.ChangeLine(tx, order, 1, func(r *sales.Revision) error {
					price := q("10")
					r.UnitPrice = &price
					return nil
				})
				return err
			},
			"fewer": func(tx *db.Tx, order string) error {
				_, _, err := sales.ChangeLine(tx, order, 1, func(r *sales.Revision) error {
					r.Quantity = q("1")
					return nil
				})
				return err
			},
			"billed anew": func(tx *db.Tx, order string) error {
				_, err := invoicing.FromOrders(tx, []string{order}, tx.Today())
				return err
			},
			"removed":    func(tx *db.Tx, order string) error { _, err := sales.DeleteLine(tx, order, 1); return err },
			"called off": func(tx *db.Tx, order string) error { _, err := sales.Cancel(tx, order); return err },
		}
		for what, change := range changed {
			o := test.Order(t, s, "STD", test.Line("FREIGHT", "2"), test.Line("FREIGHT", "1"))
			i, _ := bill(s, o.Number)
			book(s, i.Number)
			n, err := credit(s, i.Number)
			if err != nil {
				t.Fatal(err)
			}
			dbtest.Write(t, s, func(tx *db.Tx) error { return change(tx, o.Number) })
			_, err = cancel(s, n.Number)
			if what == "" {
				if err != nil || test.Find(t, s, o.Number).Invoicing != sales.FullyInvoiced {
					t.Errorf("nothing changed: %v", err)
				}
				continue
			}
			if !fault.Is(err, sales.ErrAlreadyInvoiced) || find(t, s, n.Number).Status != invoicing.Open {
				t.Errorf("%s: got %v", what, err)
			}
			_, err = book(s, n.Number)
			if i = find(t, s, i.Number); err != nil || i.Balance() != 0 {
				t.Errorf("%s: it can be booked: %v", what, err)
			}
		}
		sound(t, s)
	})
}

func TestDocumentNumbersOfAnotherSystem(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "2"))
		test.Ship(t, s, o.Number)
		i, err := run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
			return invoicing.FromOrders(tx, []string{o.Number}, "2011-01-18", invoicing.WithDocumentNumber("536365"))
		})
		if err != nil || i.Status != invoicing.Booked || i.ExternalDocumentNumber != "536365" {
			t.Fatalf("%+v: %v", i, err)
		}
		free := func(document, quantity string) (invoicing.Invoice, error) {
			return run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
				c, err := party.Find(tx, "C1")
				if err != nil {
					return invoicing.Invoice{}, err
				}
				return creditFree(tx, invoicing.Free{Customer: c, CurrencyCode: "SEK",
					InvoiceDate: "2011-01-19", Lines: []invoicing.FreeLine{
						{Item: "A", Description: "Back", Quantity: q(quantity), UnitPrice: q("12.50"),
							CreditsInvoice: i.Number, CreditsLine: 1},
						{Description: "Discount", Quantity: q("1"), UnitPrice: q("9.99"), TaxCode: "STD"}},
					With: []invoicing.Option{invoicing.WithDocumentNumber(document)}})
			})
		}
		_, err = free("536365", "1")
		faulttest.Refused(t, err, invoicing.ErrDocumentExists, "")
		_, err = free("C536400", "3")
		faulttest.Refused(t, err, invoicing.ErrExceedsInvoiced, "lines[0].quantity")
		n, err := free("C536400", "1")
		if err != nil || n.TotalAmount != q("22.49") || n.TotalVAT != q("5.63") || n.PaidAmount != q("15.63") ||
			n.Balance() != q("12.49") {
			t.Fatalf("%+v: %v", n, err)
		}
		if i = find(t, s, i.Number); i.Balance() != q("15.62") || i.Lines[0].Credited != dec.One {
			t.Errorf("%s %+v", i.Balance(), i.Lines[0])
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			found, err := invoicing.ByDocument(tx, []string{"c536400", "536365", "none"})
			if err != nil || len(found) != 2 || found["c536400"] != n.Number {
				t.Errorf("%v: %v", found, err)
			}
			for _, f := range []invoicing.Filter{{}, {Order: o.Number}, {Search: "5364"},
				{Customer: "c1", Type: invoicing.CreditNote}, {From: "2011-01-19"},
				{PaymentStatus: invoicing.PartiallyPaid, To: "2011-01-18"}} {
				want := map[bool]int{true: 2, false: 1}[f == invoicing.Filter{} || f.Order != ""]
				got, err := invoicing.List(tx, f, record.Page{Number: 1, Size: 50})
				if err != nil || got.Total != want || len(got.Items) != want {
					t.Errorf("%+v: %d, want %d: %v", f, got.Total, want, err)
				}
				if want == 2 && got.Items[0].InvoiceDate != day.Date("2011-01-19") {
					t.Errorf("newest first: %s", got.Items[0].InvoiceDate)
				}
			}
			return nil
		})
		sound(t, s)
	})
}

func TestOrdersThatOneInvoiceCannotBill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		one := test.Order(t, s, "STD", test.Line("A", "1"))
		two := test.Place(t, s, sales.Placing{CustomerNumber: "C2", Lines: []sales.NewLine{test.Line("A", "1")}})
		test.Ship(t, s, one.Number)
		test.Ship(t, s, two.Number)
		_, err := bill(s, one.Number, two.Number)
		faulttest.Refused(t, err, invoicing.ErrDifferentHeads, "")
		dbtest.Write(t, s, func(tx *db.Tx) error {
			made, err := invoicing.FromOrdersApart(tx, []string{one.Number, two.Number}, tx.Today())
			if len(made) != 2 {
				t.Errorf("%d invoices", len(made))
			}
			return err
		})
		sound(t, s)
	})
}

// Booking twice at once gives one document number, and refused bookings leave no gap.
func TestRaceToBook(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		var numbers []string
		for range 4 {
			o := test.Order(t, s, "STD", test.Line("A", "1"))
			test.Ship(t, s, o.Number)
			i, err := bill(s, o.Number)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, i.Number)
		}
		var (
			wg     sync.WaitGroup
			mu     sync.Mutex
			booked []string
		)
		for k := range 16 {
			wg.Go(func() {
				i, err := book(s, numbers[k%4])
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					booked = append(booked, i.ExternalDocumentNumber)
				case !fault.Is(err, invoicing.ErrInvalidStatus):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		slices.Sort(booked)
		if want := []string{"1000001", "1000002", "1000003", "1000004"}; !slices.Equal(booked, want) {
			t.Errorf("document numbers %v, want %v", booked, want)
		}
		sound(t, s)
	})
}
