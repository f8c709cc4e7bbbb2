package demo

import (
	"fmt"
	"time"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/record"
)

// attempts is how often goods of an order are sent, as they come in.
const attempts = 4

// deal is an order with everything that follows from it. What the verbs answer is kept here for the events that come
// after; a day that is told again writes the same places again.
type deal struct {
	placing   sales.Placing
	order     string
	shipments [attempts]string
	invoices  [attempts]string
	returned  string
}

// plan lays out the n-th deal, placed so many days before now.
func (s *story) plan(n, back int) {
	d := &deal{}
	reseller := s.random.IntN(100) < 40
	b := pick(s.random, s.buyers[resellers:resellers+persons-1]) // the last person is inactive
	if reseller {
		b = s.buyers[min(s.random.IntN(resellers), s.random.IntN(resellers))] // the first are the most loyal
	}
	d.placing = sales.Placing{CustomerNumber: b.number, Lines: s.basket(reseller)}
	placed := s.clock(back, between(s.random, 8, 20))
	switch {
	case reseller:
		d.placing.CustomerReference = fmt.Sprintf("PO-%d", 4_000+n)
		d.placing.OrderTypeCode = "STANDARD"
		if n%9 == 0 {
			d.placing.OrderTypeCode = "AUTO"
		}
	default:
		d.placing.OrderTypeCode, d.placing.ChannelCode, d.placing.ChannelName = "WEB", "WEB", "Web shop"
		if n%10 == 3 {
			d.placing.ShippingMethodCode = "PICKUP"
		}
	}
	if n%11 == 5 {
		d.placing.WarehouseCode = north
	}
	s.on(placed, d.place)
	if n%29 == 6 {
		s.on(placed.Add(3*time.Hour), d.cancel)
		return
	}
	if d.placing.OrderTypeCode == "STANDARD" {
		if n%17 == 2 {
			return // to be delivered later: it stays as it was placed
		}
		s.on(placed.Add(time.Duration(between(s.random, 1, 9))*time.Hour), d.release)
	}
	for k := range attempts {
		s.send(d, n, k, back, placed.Add(time.Duration(between(s.random, 14, 30))*time.Hour).AddDate(0, 0, 4*k))
	}
	if n%13 == 1 && !isLost(n) {
		s.bringBack(d, n, placed.AddDate(0, 0, between(s.random, 9, 16)))
	}
}

// isLost reports whether the carrier cannot deliver what belongs to the n-th deal.
func isLost(n int) bool { return n%41 == 19 }

// basket is what is ordered: a few things by persons, more of more by resellers.
func (s *story) basket(reseller bool) []sales.NewLine {
	var lines []sales.NewLine
	seen := map[string]bool{}
	count, most := between(s.random, 1, 4), 2
	if reseller {
		count, most = between(s.random, 3, 9), 10
	}
	for len(lines) < count {
		a := pick(s.random, s.pool)
		if seen[a.number] {
			continue
		}
		seen[a.number] = true
		l := sales.NewLine{Item: a.number, Quantity: dec.Int(int64(between(s.random, 1, most)))}
		switch {
		case a.kind == "Service":
			l.Quantity = dec.One
		case a.unit == "M":
			l.Quantity = dec.Int(int64(between(s.random, 2, 30)))
		case a.breaks && reseller && s.random.IntN(2) == 0:
			l.Unit = "BOX"
		case a.breaks:
			l.Quantity = dec.Int(int64(between(s.random, 1, 14)))
		}
		lines = append(lines, l)
	}
	return lines
}

func (d *deal) place(tx *db.Tx) {
	o := halt.Must(sales.Place(tx, d.placing, stock.AsMuchAsThereIs))
	d.order = o.Number
	if len(o.ShipmentNumbers) > 0 {
		d.shipments[0] = o.ShipmentNumbers[0]
	}
}

func (d *deal) cancel(tx *db.Tx) {
	_, err := sales.Cancel(tx, d.order)
	unless(err, sales.ErrInvalidStatus, sales.ErrHasOpenShipments, sales.ErrHasDeliveries)
}

func (d *deal) release(tx *db.Tx) {
	halt.Must(sales.Release(tx, d.order))
}

// send lays out the k-th attempt to send what is there of a deal, with what follows from it.
func (s *story) send(d *deal, n, k, back int, at time.Time) {
	hours := func(from, to int) time.Duration {
		return time.Duration(between(s.random, from, to))*time.Hour + time.Duration(s.random.IntN(50))*time.Minute
	}
	// Of the last days' shipments, each stops somewhere else on its way, so that at any hour there are some of every
	// kind.
	steps, last := 0, 9
	if back >= 2 && back <= 5 {
		last = n % 6
	}
	step := func(after time.Duration, do func(tx *db.Tx, shipment string)) {
		at = at.Add(after)
		if steps++; steps > last {
			return
		}
		s.on(at, func(tx *db.Tx) {
			if d.shipments[k] != "" {
				do(tx, d.shipments[k])
			}
		})
	}
	s.on(at, func(tx *db.Tx) { d.ship(tx, k) })
	if n%53 == 11 {
		step(hours(0, 1), func(tx *db.Tx, number string) { halt.Must(shipping.Pause(tx, number)) })
		return
	}
	tracking := fmt.Sprintf("NL%08dNO", 10_000_000+n*17+k)
	pickup := d.placing.ShippingMethodCode == "PICKUP" || n%12 == 4 // or the customer sends somebody
	step(hours(1, 5), func(tx *db.Tx, number string) { halt.Must(shipping.PickGoods(tx, number, nil)) })
	step(hours(0, 2), func(tx *db.Tx, number string) {
		halt.Must(shipping.Pack(tx, number, []shipping.Package{{}}))
	})
	step(hours(0, 1), func(tx *db.Tx, number string) {
		if !pickup {
			halt.Must(shipping.BookCarrier(tx, number, shipping.Booking{TrackingNumber: tracking}))
		}
	})
	step(hours(1, 4), func(tx *db.Tx, number string) { halt.Must(shipping.HandOver(tx, number, 0)) })
	left := at
	if isLost(n) && !pickup {
		step(hours(30, 60), func(tx *db.Tx, number string) { halt.Must(shipping.Fail(tx, number)) })
		if n%2 == 0 {
			step(hours(50, 90), func(tx *db.Tx, number string) { halt.Must(shipping.TakeBack(tx, number)) })
		}
	} else {
		step(hours(20, 60), func(tx *db.Tx, number string) { halt.Must(shipping.Deliver(tx, number, 0)) })
	}
	s.bill(d, n, k, left)
}

// ship sends what is allocated; where nothing is, the order waits on.
func (d *deal) ship(tx *db.Tx, k int) {
	if k == 0 && d.placing.OrderTypeCode == "AUTO" {
		return // the order type saw to it
	}
	s, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{d.order}})
	d.shipments[k] = s.Number
	unless(err, shipping.ErrNoAllocations, shipping.ErrNoDeliverable, shipping.ErrOrderStatus)
}

// bill lays out the invoice for goods that left at a moment, and its payment. Web orders are invoiced by themselves.
func (s *story) bill(d *deal, n, k int, left time.Time) {
	hour := time.Hour
	if d.placing.OrderTypeCode == "STANDARD" {
		s.on(left.Add(20*hour), func(tx *db.Tx) {
			if d.shipments[k] == "" {
				return
			}
			i, err := invoicing.FromOrders(tx, []string{d.order}, tx.Today())
			d.invoices[k] = i.Number
			unless(err, invoicing.ErrNothingBillable)
		})
		s.on(left.Add(time.Duration(between(s.random, 22, 60))*hour), func(tx *db.Tx) {
			if d.invoices[k] != "" {
				halt.Must(invoicing.Book(tx, d.invoices[k]))
			}
		})
	}
	wait := between(s.random, 0, 2)
	if d.placing.OrderTypeCode != "WEB" {
		wait = between(s.random, 6, 24)
	}
	if n%19 != 4 { // some do not pay
		part := n%23 == 8
		s.on(left.Add(time.Duration(24*wait+4)*hour), func(tx *db.Tx) { d.pay(tx, part) })
	}
}

// pay settles the order's booked invoices, or half of what is due.
func (d *deal) pay(tx *db.Tx, half bool) {
	d.each(tx, func(i *invoicing.Invoice) {
		amount := i.Balance()
		if half {
			amount = amount.MulDiv(dec.One, dec.Int(2)).Round(i.Digits)
		}
		if i.Type == invoicing.Standard && i.Status == invoicing.Booked && amount > 0 {
			halt.Must(invoicing.Pay(tx, i.Number, invoicing.Payment{Amount: amount, Reference: "Bank"}))
		}
	})
}

// each hands out the order's invoices and credit notes.
func (d *deal) each(tx *db.Tx, do func(i *invoicing.Invoice)) {
	o := halt.Must(sales.Find(tx, d.order))
	found := halt.Must(invoicing.FindMany(tx, o.InvoiceNumbers))
	for _, number := range o.InvoiceNumbers {
		do(found[record.Fold(number)])
	}
}

// bringBack lays out a return of one piece, as far as time allows: announced, approved, received, credited.
func (s *story) bringBack(d *deal, n int, at time.Time) {
	reason := pick(s.random, returns.Reason("").Values()[:5])
	s.on(at, func(tx *db.Tx) {
		o := halt.Must(sales.Find(tx, d.order))
		for _, l := range o.Lines {
			if l.Ships() && l.Delivered > l.Returned {
				r, err := returns.Create(tx, returns.New{OrderNumber: d.order, Reason: reason,
					Lines: []returns.NewLine{{OrderLine: l.Number, Quantity: dec.One}}})
				halt.On(err)
				d.returned = r.Number
				return
			}
		}
	})
	step := func(after int, do func(tx *db.Tx)) {
		at = at.Add(time.Duration(after) * time.Hour)
		s.on(at, func(tx *db.Tx) {
			if d.returned != "" {
				do(tx)
			}
		})
	}
	step(3, func(tx *db.Tx) { halt.Must(returns.Approve(tx, d.returned)) })
	if n%5 == 2 {
		return // the customer has not sent it yet
	}
	step(between(s.random, 40, 90), func(tx *db.Tx) { halt.Must(returns.Receive(tx, d.returned, nil)) })
	if n%3 == 0 {
		return // nobody has got to it yet
	}
	step(20, func(tx *db.Tx) {
		_, err := returns.Credit(tx, d.returned)
		unless(err, invoicing.ErrNotCreditable)
	})
	step(2, func(tx *db.Tx) {
		d.each(tx, func(i *invoicing.Invoice) {
			if i.Type == invoicing.CreditNote && i.Status == invoicing.Open {
				halt.Must(invoicing.Book(tx, i.Number))
			}
		})
	})
}
