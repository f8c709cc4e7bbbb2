package reference

import (
	"cmp"
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Book is every code of a company, as of the day of the transaction that opened it. Codes are looked up
// without regard to case. It is shared: what it answers are copies, or slices that must not be changed.
type Book struct {
	*codes
	today day.Date
}

// codes is what stays the same while the company's reference data does.
type codes struct {
	warehouses      set[Warehouse]
	locations       map[string]set[Location] // by folded warehouse
	currencies      set[Currency]
	rates           map[string][]RatePoint // by folded currency, oldest first
	paymentTerms    set[PaymentTerm]
	deliveryTerms   set[DeliveryTerm]
	orderTypes      set[OrderType]
	shippingMethods set[ShippingMethod]
	ticketQueues    set[TicketQueue]
	cannedAnswers   set[CannedAnswer]
	units           set[Unit]
	customerGroups  set[CustomerGroup]
	taxCodes        set[TaxCode]
	defaults        Defaults
	profile         Profile
	base            string
}

// Of opens the company's book. It is read once for every change of reference data and then kept in memory.
func Of(tx *db.Tx) (*Book, error) {
	s, err := db.FromReference(tx, "reference", func() (*codes, error) { return load(tx) })
	if err != nil {
		return nil, err
	}
	return &Book{s, tx.Today()}, nil
}

// Tables are those whose change moves the company's epoch.
func Tables() db.Tables {
	return db.TablesNamed("warehouse", "warehouse_location", "currency", "currency_rate", "payment_term",
		"delivery_term", "order_type", "shipping_method", "ticket_queue", "canned_answer", "unit", "customer_group",
		"tax_code", "tax_rate", "company_default", "company_profile")
}

// set holds the rows of one kind in the order of their codes.
type set[T any] struct {
	rows []T
	at   map[string]int // folded code -> index
}

func setOf[T any](rows []T, code func(*T) string) set[T] {
	s := set[T]{rows, make(map[string]int, len(rows))}
	for i := range rows {
		s.at[record.Fold(code(&rows[i]))] = i
	}
	return s
}

func (s set[T]) find(code string) (row T, ok bool) {
	i, ok := s.at[record.Fold(code)]
	if ok {
		row = s.rows[i]
	}
	return row, ok
}

// Warehouse finds a warehouse.
func (b *Book) Warehouse(code string) (Warehouse, bool) { return b.warehouses.find(code) }

// Warehouses are all warehouses by code.
func (b *Book) Warehouses() []Warehouse { return b.warehouses.rows }

// Location finds a location of a warehouse.
func (b *Book) Location(warehouse, code string) (Location, bool) {
	return b.locations[record.Fold(warehouse)].find(code)
}

// Locations are the locations of a warehouse by code.
func (b *Book) Locations(warehouse string) []Location {
	return b.locations[record.Fold(warehouse)].rows
}

// PaymentTerm finds a payment term.
func (b *Book) PaymentTerm(code string) (PaymentTerm, bool) { return b.paymentTerms.find(code) }

// DeliveryTerm finds a delivery term.
func (b *Book) DeliveryTerm(code string) (DeliveryTerm, bool) { return b.deliveryTerms.find(code) }

// OrderType finds an order type.
func (b *Book) OrderType(code string) (OrderType, bool) { return b.orderTypes.find(code) }

// ShippingMethod finds a shipping method.
func (b *Book) ShippingMethod(code string) (ShippingMethod, bool) {
	return b.shippingMethods.find(code)
}

// TicketQueue finds a ticket queue.
func (b *Book) TicketQueue(code string) (TicketQueue, bool) { return b.ticketQueues.find(code) }

// CannedAnswer finds a canned answer.
func (b *Book) CannedAnswer(code string) (CannedAnswer, bool) { return b.cannedAnswers.find(code) }

// Unit finds a unit of measure.
func (b *Book) Unit(code string) (Unit, bool) { return b.units.find(code) }

// CustomerGroup finds a customer group.
func (b *Book) CustomerGroup(code string) (CustomerGroup, bool) { return b.customerGroups.find(code) }

// TaxCode finds a tax code.
func (b *Book) TaxCode(code string) (TaxCode, bool) { return b.taxCodes.find(code) }

// TaxCodes are all tax codes, by code.
func (b *Book) TaxCodes() []TaxCode { return b.taxCodes.rows }

// Defaults are what the company uses where a document names nothing.
func (b *Book) Defaults() Defaults { return b.defaults }

// Currency finds a currency, with its rate of the book's day.
func (b *Book) Currency(code string) (Currency, bool) {
	c, ok := b.currencies.find(code)
	if ok {
		b.quote(&c)
	}
	return c, ok
}

// Currencies are all currencies by code, with their rates of the book's day.
func (b *Book) Currencies() []Currency {
	rows := slices.Clone(b.currencies.rows)
	for i := range rows {
		b.quote(&rows[i])
	}
	return rows
}

func (b *Book) quote(c *Currency) {
	if p, ok := b.pointOn(c.Code, b.today); ok {
		c.Rate, c.RateDate = p.Rate, p.Date
	}
}

// Base is the company's base currency.
func (b *Book) Base() Currency {
	if c, ok := b.Currency(b.base); ok {
		return c
	}
	return Currency{Code: b.base, Name: b.base, Decimals: MinorDigits(b.base), Rate: par, IsBase: true, IsActive: true}
}

// Digits is how many decimals amounts in a currency have: as the company set it, else as ISO 4217 has it.
func (b *Book) Digits(currency string) int {
	if c, ok := b.currencies.find(currency); ok {
		return c.Decimals
	}
	return MinorDigits(currency)
}

// par is the rate of the base currency against itself.
var par = dec.Rate{Amount: dec.One, Units: dec.One}

// RateOn is the rate of a currency on a day: the latest quotation not after it; before the first one, the first,
// so that history older than the rates still has a price. False when the currency has no rate at all.
func (b *Book) RateOn(currency string, on day.Date) (dec.Rate, bool) {
	p, ok := b.pointOn(currency, on)
	return p.Rate, ok
}

func (b *Book) pointOn(currency string, on day.Date) (RatePoint, bool) {
	key := record.Fold(currency)
	if key == record.Fold(b.base) {
		return RatePoint{Rate: par}, true
	}
	points := b.rates[key]
	if len(points) == 0 {
		return RatePoint{}, false
	}
	i, found := slices.BinarySearchFunc(points, on, func(p RatePoint, d day.Date) int {
		return cmp.Compare(p.Date, d)
	})
	if !found && i > 0 {
		i--
	}
	return points[i], true
}

// Spell writes a code as its list does, which answered with found and ok, and notes one that the list has not. Where
// there is no code nothing is wrong.
func Spell(wrong *fault.List, refuse fault.Code, field, called string, code *string, found string, ok bool) {
	if ok {
		*code = found
	} else if *code != "" {
		wrong.Add(refuse, field, "%q is no %s; see GET /preview/reference", *code, called)
	}
}
