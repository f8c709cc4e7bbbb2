package shipping

import (
	"cmp"
	"maps"
	"slices"

	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// begin locks a shipment for a verb, refuses where it may not happen, and takes it where the verb leads.
func begin(tx *db.Tx, number, verb string) (s, before Shipment, err error) {
	if s, before, err = shipments.Begin(tx, number, verb); err == nil {
		err = before.checkSkips(tx, verb)
	}
	return s, before, err
}

// checkSkips refuses to skip packing or booking where the company forbids it. Goods that the customer
// fetches are never booked.
func (s *Shipment) checkSkips(tx *db.Tx, verb string) error {
	if verb != "book" && verb != "hand-over" {
		return nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	allowed := book.Defaults()
	packed := s.Status == Packed || s.Status == Booked || s.Status == ReadyForPickup
	if !packed && !allowed.AllowSkipPack {
		return ErrInvalidStatus.Because("shipment %s is %s and this company does not skip packing; pack it first",
			s.Number, s.Status)
	}
	if verb == "hand-over" && s.Status != Booked && !s.IsPickup && !allowed.AllowSkipBook {
		return ErrInvalidStatus.Because(
			"shipment %s is %s and this company does not skip booking; book the carrier first", s.Number, s.Status)
	}
	return nil
}

// Change lets change alter what may be altered before hand-over: method, dates, goods label, incoterms and
// notes. Another method gives the tracking link anew.
//
// Refuses with Shipment.InvalidStatus and ShippingMethod.NotFound.
func Change(tx *db.Tx, number string, change func(*Shipment) error) (Shipment, error) {
	s, before, err := begin(tx, number, "change")
	if err != nil {
		return s, err
	}
	if err := change(&s); err != nil {
		return s, err
	}
	if s.ShippingMethodCode != before.ShippingMethodCode {
		if err := s.chooseMethod(tx, s.ShippingMethodCode, ""); err != nil {
			return s, err
		}
	}
	return s, shipments.Changed(tx, before, &s)
}

// Booking is what the carrier gave.
type Booking struct{ TrackingNumber, BookingID string }

// BookCarrier books the carrier. What the caller leaves out the shipment keeps, so that booking a carrier
// that gives no number is possible.
//
// Refuses with Shipment.InvalidStatus and Shipment.IsPickup.
func BookCarrier(tx *db.Tx, number string, b Booking) (Shipment, error) {
	s, before, err := begin(tx, number, "book")
	if err != nil {
		return s, err
	}
	if s.IsPickup {
		return s, ErrIsPickup.Because("shipment %s is fetched by the customer (%s); there is no carrier to book",
			s.Number, s.ShippingMethodCode)
	}
	s.ExternalBookingID = cmp.Or(b.BookingID, s.ExternalBookingID)
	if b.TrackingNumber != "" {
		book, err := reference.Of(tx)
		if err != nil {
			return s, err
		}
		s.TrackingNumber = b.TrackingNumber
		if m, ok := book.ShippingMethod(s.ShippingMethodCode); ok {
			s.TrackingURL = m.TrackingURL(s.TrackingNumber)
		}
	}
	return s, save(tx, &s, before, "book")
}

// Pause holds a released shipment back; Resume lets it go on.
//
// Both refuse with Shipment.InvalidStatus.
func Pause(tx *db.Tx, number string) (Shipment, error) { return move(tx, number, "hold") }

// Resume releases a shipment that was held back.
func Resume(tx *db.Tx, number string) (Shipment, error) { return move(tx, number, "unhold") }

// Fail notes that the carrier could not deliver.
func Fail(tx *db.Tx, number string) (Shipment, error) { return move(tx, number, "fail") }

// SendAgain sends a failed shipment once more.
func SendAgain(tx *db.Tx, number string) (Shipment, error) { return move(tx, number, "send-again") }

func move(tx *db.Tx, number, verb string) (Shipment, error) {
	s, before, err := begin(tx, number, verb)
	if err != nil {
		return s, err
	}
	return s, save(tx, &s, before, verb)
}

// Cancel gives a shipment up before hand-over: its quantities stay allocated to their orders.
//
// Refuses with Shipment.InvalidStatus.
func Cancel(tx *db.Tx, number string) (Shipment, error) {
	s, before, err := begin(tx, number, "cancel")
	if err != nil {
		return s, err
	}
	orders, err := s.lockOrders(tx)
	if err != nil {
		return s, err
	}
	if err := sales.Book(tx, "cancelShipment", orders, s.deltas(func(l *Line, d *sales.Delta) {
		d.OnShipment = l.Quantity.Neg()
	})); err != nil {
		return s, err
	}
	return s, save(tx, &s, before, "cancel")
}

// lockToCover is lockOrders where goods come back that other orders may wait for.
func (s *Shipment) lockToCover(tx *db.Tx, coming map[stock.Key]dec.Dec) ([]*sales.Order, error) {
	ids := each.Once(s.Lines, func(l Line) string { return l.OrderID })
	orders, err := sales.LockToCover(tx, ids, coming)
	return inOrder(orders, s.OrderNumbers()), err
}

// lockOrders locks the orders of a shipment, whose own lock is held already.
func (s *Shipment) lockOrders(tx *db.Tx) ([]*sales.Order, error) {
	numbers := s.OrderNumbers()
	found, err := sales.Lock(tx, numbers)
	if err != nil {
		return nil, err
	}
	return inOrder(slices.Collect(maps.Values(found)), numbers), nil
}
