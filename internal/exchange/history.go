package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// historyKind are the columns of a history of orders.
func historyKind() *kind {
	return &kind{name: orders, fields: []field{
		must(column(code, "externalOrderNumber", "orderNumber", "invoiceNumber", "invoiceNo", "documentNumber", "number")),
		column(code, "status"),
		must(column(code, "itemNumber", "stockCode", "item", "sku", "productCode")),
		column(note, "description", "itemName", "name", "product"),
		must(number("quantity", "qty")),
		must(date("orderDate", "invoiceDate", "date", "documentDate")),
		column(code, "unitCode"),
		must(number("unitPrice", "price")),
		truth("isPriceIncludingTax"),
		number("discountPercent"),
		number("discountAmount"),
		column(code, "taxCode"),
		column(code, "warehouseCode"),
		date("requestedDeliveryDate"),
		column(code, "currencyCode", "currency"),
		column(code, "customerNumber", "customerId", "customer"),
		column(nameText, "customerReference"),
		column(nameText, "countryCode", "country", "countryName"),
	}}
}

// walkIn is the customer of lines that name none.
const walkIn = "WALK-IN"

// history is a file of order lines as documents, held compactly: half a million lines take some 30 MB.
type history struct {
	docs      []*document
	items     []historyItem
	customers []historyCustomer

	units, taxes, currencies, warehouses, days, texts known

	skipped  map[why]*Skipped
	warnings map[string]int
	lines    int
}

type historyItem struct {
	number      string // as first written
	description string // the one most lines use
	service     bool
	unit        int32 // of its first line
	decimals    int   // that its quantities need
	names       map[string]int
	newest      historyLine // its newest sale,
	currency    int32       // in this,
	soldOn      day.Date
}

type historyCustomer struct {
	number  string
	country string // ISO 3166-1 alpha-2, "" unknown
}

// document is one order with its invoice, or one credit note.
type document struct {
	number   string // the file's
	said     string // the customer's reference
	credit   bool
	customer int32
	country  string
	currency int32 // 0 = the company's
	at       time.Time
	lines    []historyLine
}

// all is what every line of a document has in common, 0 where they differ.
func (d *document) all(of func(*historyLine) int32) int32 {
	first := of(&d.lines[0])
	if slices.ContainsFunc(d.lines, func(l historyLine) bool { return of(&l) != first }) {
		return 0
	}
	return first
}

// freeText stands for the item of a line that has none.
const freeText = -1

// historyLine is one line; a credit note's quantity is positive here.
type historyLine struct {
	item     int32 // or freeText
	text     int32 // what it says; 0 = the name of its item
	unit     int32 // that quantity and price are of
	row      int32 // in the file
	quantity dec.Dec
	price    dec.Dec
	discount dec.Dec      // in percent,
	off      dec.Dec      // or an amount in the terms of the price
	tax      int32        // tax code; 0 = none is named
	store    int32        // the warehouse it left; 0 = the company's
	wanted   int32        // the day it was asked for; 0 = none
	isGross  bool         // the price has its tax in it
	source   *historyLine // the line that a credit line cancels,
	sold     *document    // of this sale
}

// Skipped are lines that were not imported, for one reason.
type Skipped struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Lines  int    `json:"lines"`
	Rows   []int  `json:"rows"` // the first few, as lines of the file
}

// why is a reason to skip a line.
type why struct{ code, reason string }

func (w why) compare(v why) int {
	return cmp.Or(strings.Compare(w.code, v.code), strings.Compare(w.reason, v.reason))
}

var (
	noPrice        = why{"SalesOrderLine.NoPrice", "the price is zero"}
	noQuantity     = why{"SalesOrderLine.NoQuantity", "the quantity is zero"}
	cancelled      = why{"SalesOrder.NotASale", "the order was cancelled"}
	negative       = why{"SalesOrderLine.NegativeQuantity", "the quantity is negative outside a cancellation"}
	notGoods       = why{"SalesOrder.NotASale", "the document is an accounting adjustment (A… without a customer), not a sale"}
	negativePrice  = why{"SalesOrderLine.NegativePrice", "the price is negative"}
	positiveCancel = why{"CreditNote.PositiveQuantity", "the quantity is positive in a cancellation"}
	brokenRow      = why{"Request.Invalid", "the row cannot be read"}
	otherCurrency  = why{"Request.Invalid", "currencyCode is another than in the document's first line"}
)

// historyOptions say how the file is to be read.
type historyOptions struct {
	columns  map[string]int // target -> column
	missing  string         // text that stands for no value
	services *regexp.Regexp // item codes that are services
	comma    bool           // numbers have a decimal comma
	zone     *time.Location // whose clock says the days and moments that name none; nil = UTC
}

// defaultServices are codes of letters alone, or shorter than three characters: postage, bank charges, manual entries.
var defaultServices = lazy.Regexp(`^(?:[\pL ]+|.{1,2})$`)

type historyReader struct {
	historyOptions
	h         *history
	docs      map[string]*document
	items     map[string]int32
	customers map[string]int32
	countries map[string]string
}

// readHistory reads all lines and groups them to documents in the order of their moments. tick is called now and then.
func readHistory(t *table.Reader, o historyOptions, tick func()) (*history, error) {
	h := &history{skipped: map[why]*Skipped{}, warnings: map[string]int{}}
	for _, k := range []*known{&h.units, &h.taxes, &h.currencies, &h.warehouses, &h.days, &h.texts} {
		*k = known{all: []string{""}, at: map[string]int32{"": 0}}
	}
	r := &historyReader{historyOptions: o, h: h, docs: map[string]*document{}, items: map[string]int32{},
		customers: map[string]int32{}, countries: map[string]string{}}
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		var bad *table.BadRow
		if err != nil && !errors.As(err, &bad) {
			return nil, fmt.Errorf("the file cannot be read on after %d rows, nothing was imported: %w", r.h.lines, err)
		}
		if r.h.lines++; r.h.lines%5_000 == 0 {
			tick()
		}
		if bad != nil {
			r.skip(brokenRow, bad.Line)
			continue
		}
		r.line(row)
	}
	r.finish()
	return r.h, nil
}

func (r *historyReader) get(row table.Row, target string) string {
	i, ok := r.columns[target]
	if !ok {
		return ""
	}
	v := strings.TrimSpace(row.Get(i))
	if r.missing != "" && v == r.missing && target != "itemNumber" && target != "externalOrderNumber" {
		return ""
	}
	return v
}

func (r *historyReader) skip(w why, row int) {
	s := r.h.skipped[w]
	if s == nil {
		s = &Skipped{Code: w.code, Reason: w.reason}
		r.h.skipped[w] = s
	}
	if s.Lines++; len(s.Rows) < 10 {
		s.Rows = append(s.Rows, row)
	}
}

// line classifies one line and puts it into its document.
func (r *historyReader) line(row table.Row) {
	var wrong fault.List
	text := func(target string, limit int) string { return tidy(&wrong, target, limit, r.get(row, target)) }
	number, item := text("externalOrderNumber", code), text("itemNumber", code)
	customer, description := text("customerNumber", code), text("description", note)
	currency, reference := text("currencyCode", code), text("customerReference", nameText)
	l := historyLine{row: int32(row.Line), item: freeText, isGross: r.flag(row, &wrong),
		unit: r.h.units.code(text("unitCode", code)), tax: r.h.taxes.code(text("taxCode", code)),
		store: r.h.warehouses.code(text("warehouseCode", code)), text: r.h.texts.place(description, description)}
	r.discount(row, &l, &wrong)
	r.asked(row, &l, &wrong)
	if fields := wrong.Fields(); len(fields) > 0 {
		r.skip(why{fields[0].Code, fields[0].Path + " " + fields[0].Message}, row.Line)
		return
	}
	quantity, err1 := decimalOf(r.get(row, "quantity"), r.comma)
	price, err2 := decimalOf(r.get(row, "unitPrice"), r.comma)
	at, err3 := parseMoment(r.get(row, "orderDate"), cmp.Or(r.zone, time.UTC))
	for _, f := range []struct {
		isWrong bool
		name    string
	}{{number == "", "externalOrderNumber"}, {item == "" && description == "", "itemNumber"}, {err1 != nil, "quantity"},
		{err2 != nil, "unitPrice"}, {err3 != nil, "orderDate"}} {
		if f.isWrong {
			r.skip(why{"Request.Invalid", f.name + " is missing or cannot be read"}, row.Line)
			return
		}
	}
	if r.get(row, "status") == string(sales.Cancelled) {
		r.skip(cancelled, row.Line)
		return
	}
	credit := r.isCredit(number, quantity)
	if w, bad := unusable(isAdjustment(number, customer), credit, quantity, price); bad {
		r.skip(w, row.Line)
		return
	}
	d := r.document(number, customer, currency, credit, row, at)
	if currency != "" && d.currency != r.h.currencies.code(currency) {
		r.skip(otherCurrency, row.Line)
		return
	}
	d.said = cmp.Or(d.said, reference)
	l.quantity, l.price = quantity.Abs(), price
	if item != "" {
		l.item = r.item(item, description, &l, d.currency, day.Date(at.Format(time.DateOnly)))
		r.h.items[l.item].decimals = max(r.h.items[l.item].decimals, quantity.Decimals())
	}
	d.lines = append(d.lines, l)
}

// discount reads what is taken off a line: the amount where one is named, else the percentage, which comes near it.
func (r *historyReader) discount(row table.Row, l *historyLine, wrong *fault.List) {
	if text := r.get(row, "discountAmount"); text != "" {
		off, err := decimalOf(text, r.comma)
		wrong.If(err != nil || off < 0, fault.ErrInvalid, "discountAmount", "is no amount of 0 or more")
		if l.off = off; off > 0 {
			return
		}
	}
	if text := r.get(row, "discountPercent"); text != "" {
		d, err := decimalOf(text, r.comma)
		wrong.If(err != nil || d < 0 || d > 100*dec.One, fault.ErrInvalid, "discountPercent", "is none from 0 to 100")
		l.discount = d
	}
}

// flag reports whether a line's price has its tax in it.
func (r *historyReader) flag(row table.Row, wrong *fault.List) bool {
	is, isOne := truthOf(r.get(row, "isPriceIncludingTax"))
	wrong.If(!isOne, fault.ErrInvalid, "isPriceIncludingTax", "is neither true nor false")
	return is
}

// asked reads for which day a line was asked.
func (r *historyReader) asked(row table.Row, l *historyLine, wrong *fault.List) {
	if text := r.get(row, "requestedDeliveryDate"); text != "" {
		on, err := parseMoment(text, cmp.Or(r.zone, time.UTC))
		wrong.If(err != nil, fault.ErrInvalid, "requestedDeliveryDate", "is no date")
		day := on.Format(time.DateOnly)
		l.wanted = r.h.days.place(day, day)
	}
}

// known are all the texts of a sort that were met, of which the first is none.
type known struct {
	all []string
	at  map[string]int32
}

// code is the place of a code, which is the same in another spelling.
func (k *known) code(code string) int32 { return k.place(record.Fold(code), code) }

func (k *known) place(key, text string) int32 {
	i, ok := k.at[key]
	if !ok {
		i = int32(len(k.all))
		k.at[key], k.all = i, append(k.all, text)
	}
	return i
}

// isCredit reports whether a line belongs to a cancellation: a document with a number C… that takes back. One that only
// sells is an order of a company whose numbers begin so.
func (r *historyReader) isCredit(number string, quantity dec.Dec) bool {
	if d := r.docs[record.Fold(number)]; d != nil {
		return d.credit
	}
	return quantity < 0 && isLettered(number, "c")
}

// isAdjustment reports whether a document is one of bookkeeping: a number A… and nobody who bought.
func isAdjustment(number, customer string) bool {
	return customer == "" && isLettered(number, "a")
}

func isLettered(number, letter string) bool {
	return len(number) > 1 && strings.EqualFold(number[:1], letter)
}

// unusable says why a line is no part of a sale or a cancellation. The order of the questions is the report's.
func unusable(adjustment, credit bool, quantity, price dec.Dec) (why, bool) {
	switch {
	case adjustment:
		return notGoods, true
	case quantity == 0:
		return noQuantity, true
	case credit && quantity > 0:
		return positiveCancel, true
	case !credit && quantity < 0:
		return negative, true
	case price == 0:
		return noPrice, true
	case price < 0:
		return negativePrice, true
	}
	return why{}, false
}

func (r *historyReader) document(number, customer, currency string, credit bool, row table.Row,
	at time.Time) *document {
	key := record.Fold(number)
	d := r.docs[key]
	if d == nil {
		country := r.country(r.get(row, "countryCode"))
		d = &document{number: number, credit: credit, at: at, country: country,
			customer: r.customer(customer, country), currency: r.h.currencies.code(currency)}
		r.docs[key] = d
		r.h.docs = append(r.h.docs, d)
	}
	if at.Before(d.at) {
		d.at = at
	}
	return d
}

func (r *historyReader) customer(number, country string) int32 {
	if number == "" {
		number, country = walkIn, ""
	}
	key := record.Fold(number)
	if i, ok := r.customers[key]; ok {
		return i
	}
	i := int32(len(r.h.customers))
	r.customers[key] = i
	r.h.customers = append(r.h.customers, historyCustomer{number, country})
	return i
}

// country is the code of a country named by code or name; an unknown one is none, with a warning.
func (r *historyReader) country(name string) string {
	if name == "" {
		return ""
	}
	if code, ok := r.countries[name]; ok {
		if code == "" {
			r.h.warnings[fmt.Sprintf("country %q is not known and was left out", name)]++
		}
		return code
	}
	code := strings.ToUpper(name)
	if _, ok := reference.Country(code); !ok {
		code, _ = reference.CountryNamed(name)
	}
	r.countries[name] = code
	return r.country(name)
}

func (r *historyReader) item(code, description string, l *historyLine, currency int32, on day.Date) int32 {
	key := record.Fold(code)
	i, ok := r.items[key]
	if !ok {
		i = int32(len(r.h.items))
		r.items[key] = i
		r.h.items = append(r.h.items, historyItem{number: code, service: r.services.MatchString(code),
			unit: l.unit, names: map[string]int{}})
	}
	it := &r.h.items[i]
	if description != "" {
		name := []rune(strings.Join(strings.Fields(description), " "))
		it.names[string(name[:min(len(name), nameText)])]++
	}
	if on >= it.soldOn {
		it.newest, it.currency, it.soldOn = *l, currency, on
	}
	return i
}

// finish names the items, orders the documents by their moments and matches cancellations to sales.
func (r *historyReader) finish() {
	for i := range r.h.items {
		it := &r.h.items[i]
		it.description = it.number
		best := 0
		for name, n := range it.names {
			if n > best || n == best && name < it.description {
				it.description, best = name, n
			}
		}
		it.names = nil
	}
	slices.SortStableFunc(r.h.docs, func(a, b *document) int { return a.at.Compare(b.at) })
	r.h.match()
}

// sale identifies a sold line: the same customer, item (or text of a line without one), unit, quantity and price, as
// that is meant.
type sale struct {
	customer, currency, item, text, unit, tax int32
	quantity, price, discount, off            dec.Dec
	isGross                                   bool
}

type sold struct {
	doc  *document
	line *historyLine
}

// match finds for each line of a cancellation a sale by the same customer of the same quantity at the same price that
// no other line cancels: the newest before it, else the first after it, since the file dates some cancellations before
// their sale.
func (h *history) match() {
	byKey := map[sale][]sold{}
	for _, d := range h.docs {
		for i := range d.lines {
			if !d.credit {
				key := d.lines[i].sale(d)
				byKey[key] = append(byKey[key], sold{d, &d.lines[i]})
			}
		}
	}
	for _, d := range h.docs {
		for i := range d.lines {
			if l := &d.lines[i]; d.credit {
				key := l.sale(d)
				found := byKey[key]
				if k := nearest(found, d.at); k >= 0 {
					l.source, l.sold = found[k].line, found[k].doc
					byKey[key] = slices.Delete(found, k, k+1)
				}
			}
		}
	}
}

func (l historyLine) sale(d *document) sale {
	s := sale{d.customer, d.currency, l.item, 0, l.unit, l.tax, l.quantity, l.price, l.discount, l.off, l.isGross}
	if l.item == freeText {
		s.text = l.text
	}
	return s
}

// nearest is the last of the sales, which are in the order of time, not after at; else the first; -1 where there is
// none.
func nearest(all []sold, at time.Time) int {
	for k := len(all) - 1; k >= 0; k-- {
		if !all[k].doc.at.After(at) {
			return k
		}
	}
	return min(len(all), 1) - 1
}

var momentLayouts = []string{"2006-01-02 15:04:05", time.DateOnly, "2006-01-02T15:04:05",
	"1/2/2006 15:04", "2006-01-02 15:04"}

// parseMoment reads a moment, or the first one of a day, and shows it by the clock of a zone.
func parseMoment(s string, zone *time.Location) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.In(zone), nil
	}
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			seconds := time.Duration(t.Second()) * time.Second
			return day.Of(t, time.UTC).At(t.Hour()*60+t.Minute(), zone).Add(seconds), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no date or moment", s)
}
