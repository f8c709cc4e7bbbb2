package reference

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// What this room refuses.
var (
	ErrUnknownCode       = fault.New(fault.Invalid, "Reference.UnknownCode")
	ErrExists            = fault.New(fault.Conflict, "Reference.AlreadyExists")
	ErrWarehouseNotFound = fault.New(fault.NotFound, "Warehouse.NotFound")
	ErrCurrencyNotFound  = fault.New(fault.NotFound, "Currency.NotFound")
)

// checker gathers what is wrong with the rows of one save.
type checker struct {
	fault.List
	book *Book
	path string // of the row, with its dot
}

func (c *checker) bad(is bool, field, format string, args ...any) {
	c.If(is, fault.ErrInvalid, c.path+field, format, args...)
}

func (c *checker) text(field, value string, limit int, required bool) {
	missing, n := required && strings.TrimSpace(value) == "", utf8.RuneCountInString(value)
	c.bad(missing, field, "is required")
	c.bad(!missing && n > limit, field, "is %d characters long, the limit is %d: shorten it", n, limit)
}

func (c *checker) country(field, code string) {
	_, ok := Country(code)
	c.bad(code != "" && !ok, field, "%q is no country code of ISO 3166-1 (two capital letters, like SE)", code)
}

func (c *checker) known(field, kind, code string, ok bool) {
	c.If(code != "" && !ok, ErrUnknownCode, c.path+field, "there is no %s %q: create it first, or name another", kind,
		code)
}

// save creates the rows whose code is new and replaces the others, and reports whether anything changed. The
// rows come back with their roots. One statement reads, one writes, whatever their number.
//
// complete fills in what a row read for update has beside its table.
func save[T any](tx *db.Tx, k *kind[T], rows []T, check func(*checker, *T), complete func(*T)) (changed []T,
	err error) {
	book, err := Of(tx)
	if err != nil {
		return nil, err
	}
	c := checker{book: book}
	var codes []string
	seen := map[string]bool{}
	for i := range rows {
		if len(rows) > 1 {
			c.path = fmt.Sprintf("[%d].", i)
		}
		h := k.head(&rows[i])
		*h.code, *h.name = strings.TrimSpace(*h.code), strings.TrimSpace(*h.name)
		c.text("code", *h.code, 50, true)
		c.text("name", *h.name, 200, true)
		key := record.Fold(h.key())
		c.bad(seen[key], "code", "%q stands twice in this request: send each code once", *h.code)
		seen[key] = true
		if check != nil {
			check(&c, &rows[i])
		}
		codes = append(codes, record.Fold(*h.code))
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	if changed, err = report(tx, book, k, rows, codes, complete); err != nil || len(changed) == 0 {
		return nil, err
	}
	if err := k.write(tx, changed); err != nil {
		return nil, err
	}
	return changed, record.BumpEpoch(tx)
}

// report tells the write funnel about the rows that are new or differ, and answers those.
func report[T any](tx *db.Tx, b *Book, k *kind[T], rows []T, codes []string, complete func(*T)) (changed []T,
	err error) {
	have, err := k.lock(tx, codes)
	if err != nil {
		return nil, err
	}
	if err := k.stayInUse(b, rows, have); err != nil {
		return nil, err
	}
	for i := range rows {
		h := k.head(&rows[i])
		before, known := have[record.Fold(h.key())]
		if !known {
			*h.root = record.New(tx)
			if err := k.resource.Created(tx, *h.root, h.key(), rows[i]); err != nil {
				return nil, err
			}
			changed = append(changed, rows[i])
			continue
		}
		old := k.head(&before)
		*h.root, *h.code = *old.root, *old.code
		if complete != nil {
			complete(&before)
		}
		if err := k.resource.Changed(tx, h.root, h.key(), before, rows[i]); err != nil {
			return nil, err
		}
		if h.root.Version != old.root.Version {
			changed = append(changed, rows[i])
		}
	}
	return changed, nil
}

// stayInUse refuses to take a code out of use that documents get where they name none: nobody could order any more.
func (k *kind[T]) stayInUse(book *Book, rows []T, have map[string]T) error {
	usual := record.Fold(book.defaults.of(k.resource))
	if usual == "" {
		return nil
	}
	var wrong fault.List
	for i := range rows {
		h := k.head(&rows[i])
		before, known := have[record.Fold(h.key())]
		if record.Fold(h.key()) != usual || !known || *h.isActive || !*k.head(&before).isActive {
			continue
		}
		path := "isActive"
		if len(rows) > 1 {
			path = fmt.Sprintf("[%d].isActive", i)
		}
		wrong.Add(fault.ErrInvalid, path, "%s is what documents get that name none: choose another default first", *h.code)
	}
	return wrong.Err()
}

// saving creates or replaces rows of a kind that has no more than its table.
func saving[T any](k *kind[T], check func(*checker, *T)) func(tx *db.Tx, rows ...T) error {
	return func(tx *db.Tx, rows ...T) error {
		_, err := save(tx, k, rows, check, nil)
		return err
	}
}

// mostTransportDays is how long goods may be under way: ten years, as other lead times.
const mostTransportDays = 3650

// SaveWarehouses creates or replaces warehouses.
var SaveWarehouses = saving(warehouses, func(c *checker, w *Warehouse) {
	c.country("countryCode", w.CountryCode)
	c.bad(w.TransportDays < 0 || w.TransportDays > mostTransportDays, "transportDays",
		"must be between 0 and %d days", mostTransportDays)
})

// SaveLocations creates or replaces locations; their warehouse must exist (Reference.UnknownCode).
var SaveLocations = saving(locations, func(c *checker, l *Location) {
	w, ok := c.book.Warehouse(l.Warehouse)
	if c.known("warehouseCode", "warehouse", l.Warehouse, ok); ok {
		l.Warehouse = w.Code
	}
	c.text("warehouseCode", l.Warehouse, 50, true)
	c.text("zone", l.Zone, 50, false)
})

// SavePaymentTerms creates or replaces payment terms.
var SavePaymentTerms = saving(paymentTerms, func(c *checker, t *PaymentTerm) {
	c.bad(t.Days < 0 || t.Days > 3650, "days", "is %d, it must be between 0 and 3650", t.Days)
})

// incoterms are the eleven rules of Incoterms 2020.
const incoterms = " EXW FCA CPT CIP DAP DPU DDP FAS FOB CFR CIF "

// SaveDeliveryTerms creates or replaces delivery terms.
var SaveDeliveryTerms = saving(deliveryTerms, func(c *checker, t *DeliveryTerm) {
	c.bad(t.IncotermsCode != "" && !strings.Contains(incoterms, " "+t.IncotermsCode+" "), "incotermsCode",
		"%q is none of Incoterms 2020:%s", t.IncotermsCode, strings.TrimRight(incoterms, " "))
})

// SaveOrderTypes creates or replaces order types. An order that ships by itself must be released by itself.
var SaveOrderTypes = saving(orderTypes, func(c *checker, t *OrderType) {
	t.AutoInvoice = cmp.Or(t.AutoInvoice, Never)
	c.bad(!slices.Contains(t.AutoInvoice.Values(), t.AutoInvoice), "autoInvoice",
		"%q is none of Never, OnHandOver, OnDelivery", t.AutoInvoice)
	c.bad(t.AutoShip && !t.AutoRelease, "autoShip", "needs autoRelease: only a released order is shipped")
})

// SaveShippingMethods creates or replaces shipping methods.
var SaveShippingMethods = saving(shippingMethods, func(c *checker, m *ShippingMethod) {
	c.text("carrier", m.Carrier, 200, false)
	c.text("trackingUrlTemplate", m.TrackingURLTemplate, 2000, false)
	t := m.TrackingURLTemplate
	c.bad(t != "" && (!strings.HasPrefix(t, "https://") && !strings.HasPrefix(t, "http://") ||
		!strings.Contains(t, trackingNumber)), "trackingUrlTemplate", "must be an http(s) address that holds %s",
		trackingNumber)
})

// SaveTicketQueues creates or replaces ticket queues.
var SaveTicketQueues = saving(ticketQueues, nil)

// SaveCannedAnswers creates or replaces canned answers. What stands in braces in their text must be a placeholder.
var SaveCannedAnswers = saving(cannedAnswers, func(c *checker, a *CannedAnswer) {
	c.text("body", a.Body, 4000, true)
	c.text("language", a.Language, 2, false)
	for _, m := range inBraces().FindAllStringSubmatch(a.Body, -1) {
		c.bad(!slices.Contains(Placeholders(), m[1]), "body", "there is no placeholder %s: use one of %s", m[0],
			"{"+strings.Join(Placeholders(), "}, {")+"}")
	}
})

// SaveUnits creates or replaces units of measure.
var SaveUnits = saving(units, func(c *checker, u *Unit) { c.text("commonCode", u.CommonCode, 3, false) })

// SaveCustomerGroups creates or replaces customer groups.
var SaveCustomerGroups = saving(customerGroups, nil)

// SaveTaxCodes creates or replaces tax codes with all their rates.
func SaveTaxCodes(tx *db.Tx, rows ...TaxCode) error {
	had, err := taxRates(tx)
	if err != nil {
		return err
	}
	changed, err := save(tx, taxCodes, rows, checkTaxRates, func(t *TaxCode) { t.Rates = had[record.Fold(t.Code)] })
	if err != nil || len(changed) == 0 {
		return err
	}
	return replaceTaxRates(tx, changed)
}

func checkTaxRates(c *checker, t *TaxCode) {
	seen := map[TaxRate]bool{}
	for i, r := range t.Rates {
		field := fmt.Sprintf("rates[%d].", i)
		c.country(field+"countryCode", r.Country)
		c.bad(r.Percent < 0 || r.Percent > dec.Int(100), field+"percent", "is %s, it must be between 0 and 100", r.Percent)
		r.Percent = 0
		c.bad(seen[r], field+"validFrom", "this country has two rates from the same day: keep one")
		seen[r] = true
	}
	if t.Rates = slices.Clone(t.Rates); len(t.Rates) == 0 {
		t.Rates = nil
	}
	slices.SortFunc(t.Rates, byCountryAndDay)
}

func byCountryAndDay(a, b TaxRate) int {
	return cmp.Or(cmp.Compare(a.Country, b.Country), cmp.Compare(a.ValidFrom, b.ValidFrom))
}

// SaveCurrencies creates or replaces currencies. A row with a Rate adds a quotation of its RateDate, or of today.
func SaveCurrencies(tx *db.Tx, rows ...Currency) error {
	rows = slices.Clone(rows)
	quoted := make([]RatePoint, len(rows))
	for i := range rows { // quotations are kept by day, not on the currency
		quoted[i] = RatePoint{cmp.Or(rows[i].RateDate, tx.Today()), rows[i].Rate}
		rows[i].Rate, rows[i].RateDate = dec.Rate{}, ""
	}
	changed, err := save(tx, currencyKind, rows, func(c *checker, v *Currency) {
		v.Code = strings.ToUpper(v.Code)
		c.bad(!IsCurrency(v.Code), "code", "%q is no currency code of ISO 4217 (three capital letters, like SEK)", v.Code)
		v.derive(tx)
	}, func(v *Currency) { v.derive(tx) })
	if err != nil {
		return err
	}
	fresh := map[string]bool{}
	for _, c := range changed {
		fresh[c.ID] = c.Version == 1
	}
	for i, c := range rows {
		if quoted[i].Rate == (dec.Rate{}) || c.IsBase {
			continue
		}
		if err := checkRates(quoted[i : i+1]); err != nil {
			return err
		}
		if err := writeNew(tx, c, quoted[i:i+1], fresh[c.ID]); err != nil {
			return err
		}
	}
	return nil
}

// derive fills in what follows from the code.
func (c *Currency) derive(tx *db.Tx) {
	c.Decimals = MinorDigits(c.Code)
	c.IsBase = strings.EqualFold(c.Code, tx.Info.Currency)
}

// SaveRates adds quotations of a currency, replacing those of the same days. Currency.NotFound when the company
// does not deal in it.
func SaveRates(tx *db.Tx, currency string, points ...RatePoint) error {
	have, err := currencyKind.lock(tx, []string{record.Fold(currency)})
	if err != nil {
		return err
	}
	c, ok := have[record.Fold(currency)]
	if !ok {
		return ErrCurrencyNotFound.Because("the company has no currency %q: create it first", currency)
	}
	if c.derive(tx); c.IsBase {
		return fault.ErrInvalid.At("currencyCode", "%s is the base currency, whose rate is always 1", c.Code)
	}
	if err := checkRates(points); err != nil || len(points) == 0 {
		return err
	}
	return writeNew(tx, c, lastOfEachDay(points), false)
}

func checkRates(points []RatePoint) error {
	var l fault.List
	for i, p := range points {
		for _, n := range []struct {
			field string
			is    dec.Dec
		}{{"amount", p.Rate.Amount}, {"units", p.Rate.Units}} {
			at := fmt.Sprintf("rates[%d].%s", i, n.field)
			l.If(n.is <= 0, fault.ErrInvalid, at, "must be above 0")
			limit.Price.Check(&l, at, n.is)
		}
	}
	return l.Err()
}

// lastOfEachDay sorts quotations by day and keeps the last one given for each.
func lastOfEachDay(points []RatePoint) []RatePoint {
	by := each.By(points, func(p RatePoint) day.Date { return p.Date })
	return slices.SortedFunc(maps.Values(by), func(a, b RatePoint) int { return cmp.Compare(a.Date, b.Date) })
}

// writeNew stores the quotations that differ from those kept, so that loading a file again changes nothing.
// A fresh currency was reported to the funnel in this transaction already.
func writeNew(tx *db.Tx, c Currency, points []RatePoint, fresh bool) error {
	have, err := pointsOf(tx, c.Code, points[0].Date, points[len(points)-1].Date)
	if err != nil {
		return err
	}
	detail := map[string][2]any{}
	points = slices.DeleteFunc(points, func(p RatePoint) bool {
		old, ok := have[p.Date]
		if ok && old.Rate == p.Rate {
			return true
		}
		if len(detail) < 10 { // enough to see what happened in the activity log
			detail["rate "+string(p.Date)] = [2]any{old.Rate, p.Rate}
		}
		return false
	})
	if len(points) == 0 {
		return nil
	}
	if err := writePoints(tx, c.Code, points); err != nil {
		return err
	}
	if !fresh {
		if err := currencyKind.resource.Touched(tx, &c.Root, c.Code, "rates", detail); err != nil {
			return err
		}
	}
	return record.BumpEpoch(tx)
}
