// Package reference holds the codes that a company works with: warehouses and their locations, currencies and
// their rates, terms, order types, shipping methods, units, customer groups, tax codes, and which of them are
// used when a document names none. Rooms read them from a Book kept in memory; the Save verbs write them.
package reference

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Warehouse is a place that keeps stock.
type Warehouse struct {
	record.Root
	Code, Name                                      string
	IsActive                                        bool
	Street1, Street2, PostalCode, City, CountryCode string
	// TransportDays is how long goods are under way from here to a customer.
	TransportDays int
}

// Place is the warehouse's name and address on one line, as a visitor needs it.
func (w Warehouse) Place() string {
	town := strings.TrimSpace(w.PostalCode + " " + w.City)
	return strings.Join(slices.DeleteFunc([]string{w.Name, w.Street1, w.Street2, town},
		func(s string) bool { return s == "" }), ", ")
}

// Location is a place in a warehouse.
type Location struct {
	record.Root
	Warehouse, Code, Name string // Warehouse is the warehouse's code
	Zone                  string
	// IsPickable says that orders may be picked from here; goods elsewhere are relocated first or picked last.
	IsPickable bool
	// IsReturns says that goods coming back are put here unless the return says otherwise.
	IsReturns bool
	// IsQuarantine says that goods here wait for a decision and cover no order.
	IsQuarantine bool
	IsActive     bool
}

// Currency is a currency the company deals in. Rate is what it is worth in the base currency on the day of
// the Book it was read from.
type Currency struct {
	record.Root
	Code, Name string
	Decimals   int
	Rate       dec.Rate
	RateDate   day.Date
	IsBase     bool
	IsActive   bool
}

// RatePoint is one quotation: from Date on, Rate.Units of the currency are worth Rate.Amount of the base currency.
type RatePoint struct {
	Date day.Date
	Rate dec.Rate
}

// PaymentTerm says when an invoice is due.
type PaymentTerm struct {
	record.Root
	Code, Name string
	Days       int
	// EndOfMonth moves the due date to the end of its month.
	EndOfMonth bool
	IsActive   bool
}

// Due is the day an invoice of the day from must be paid.
func (t PaymentTerm) Due(from day.Date) day.Date {
	due := from.AddDays(t.Days)
	if t.EndOfMonth {
		return due.EndOfMonth()
	}
	return due
}

// DeliveryTerm says who carries freight and risk.
type DeliveryTerm struct {
	record.Root
	Code, Name    string
	IncotermsCode string // one of Incoterms 2020, or empty
	IsActive      bool
}

// InvoiceMoment is when an order is invoiced by itself.
type InvoiceMoment string

// The moments.
const (
	Never      InvoiceMoment = "Never"
	OnHandOver InvoiceMoment = "OnHandOver"
	OnDelivery InvoiceMoment = "OnDelivery"
)

// Values are all moments.
func (InvoiceMoment) Values() []InvoiceMoment {
	return []InvoiceMoment{Never, OnHandOver, OnDelivery}
}

// OrderType says what happens to an order by itself.
type OrderType struct {
	record.Root
	Code, Name            string
	AutoRelease, AutoShip bool
	AutoInvoice           InvoiceMoment
	IsActive              bool
}

// ShippingMethod is a way goods reach the customer.
type ShippingMethod struct {
	record.Root
	Code, Name, Carrier string
	TrackingURLTemplate string // holds {trackingNumber}
	IsPickup, IsActive  bool
}

const trackingNumber = "{trackingNumber}"

// TrackingURL is the carrier's page of a parcel; empty when the method has no template or the parcel no number.
func (m ShippingMethod) TrackingURL(number string) string {
	if m.TrackingURLTemplate == "" || number == "" {
		return ""
	}
	// The number may stand in a path or in a query, so a space must be %20, which is right in both.
	escaped := strings.ReplaceAll(url.QueryEscape(number), "+", "%20")
	return strings.ReplaceAll(m.TrackingURLTemplate, trackingNumber, escaped)
}

// TicketQueue is where support tickets wait for the people of one field.
type TicketQueue struct {
	record.Root
	Code, Name string
	IsActive   bool
}

// Unit is a unit of measure.
type Unit struct {
	record.Root
	Code, Name string
	// CommonCode is the unit's code in UN/ECE Recommendation 20, as electronic invoices need it (KGM, MTR, H87).
	CommonCode string
	IsActive   bool
}

// CustomerGroup gathers customers that share prices.
type CustomerGroup struct {
	record.Root
	Code, Name string
	IsActive   bool
}

// TaxCode is a class of goods for value added tax, with its rate by country.
type TaxCode struct {
	record.Root
	Code, Name string
	IsActive   bool
	Rates      []TaxRate // by country, then by date
	home       string    // the company's country
}

// TaxRate is the percentage of a tax code in a country from a day on (ValidFrom empty: since ever). An empty
// Country holds for every country without rates of its own.
type TaxRate struct {
	Country   string
	ValidFrom day.Date
	Percent   dec.Dec
}

// Percent is the rate in a country on a day: the latest one in force there, else the one for all countries, else 0,
// since goods that leave for a country where the company pays no tax carry none. An unknown country ("")
// is the company's own: who does not say where the goods go fetches them.
func (t TaxCode) Percent(country string, on day.Date) dec.Dec {
	country = cmp.Or(country, t.home)
	var own, all *TaxRate
	for i := range t.Rates {
		r := &t.Rates[i]
		if r.ValidFrom > on {
			continue
		}
		switch r.Country {
		case country:
			own = latest(own, r)
		case "":
			all = latest(all, r)
		}
	}
	switch {
	case own != nil:
		return own.Percent
	case all != nil:
		return all.Percent
	}
	return 0
}

func latest(a, b *TaxRate) *TaxRate {
	if a == nil || b.ValidFrom >= a.ValidFrom {
		return b
	}
	return a
}

// Defaults are what a company uses where a document names nothing, and what it allows.
type Defaults struct {
	record.Root
	Warehouse, OrderType, ShippingMethod, PaymentTerm, DeliveryTerm string
	TaxCode, Unit, CustomerGroup, TicketQueue                       string
	// AllowSkipPack and AllowSkipBook let a shipment go on without being packed or booked.
	AllowSkipPack, AllowSkipBook bool
	// BillPercent and BillAmount are how far a line of a supplier's invoice may differ from the order and pass by
	// itself: a share of what was ordered, in percent, or an amount in the base currency.
	BillPercent, BillAmount dec.Dec
}
