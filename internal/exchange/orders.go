package exchange

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"time"

	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/table"
)

// OrderOptions say how a history of orders is imported.
type OrderOptions struct {
	Mapping map[string]string // target -> column, beyond what is recognised by name
	TaxCode string            // of lines that name none; default ZERO
	Scope   string            // externalOrderScope of the orders; default "import"
	Missing string            // text that stands for no value, such as NA
	// regular expression of item codes that are services; "" = letters alone, or shorter than 3
	Services string
	DryRun   bool // read and check, change nothing
	Comma    bool // numbers have a decimal comma
}

// Context is where an import works: a company's data and who does it.
type Context struct {
	Store *db.Store
	As    db.Request
	// Tick is told how far the import is; nil = nobody asks.
	Tick func(done, total int64, what string)
}

func (d Context) tick(done, total int64, what string) {
	if d.Tick != nil {
		d.Tick(done, total, what)
	}
}

// Totals are what a kind of document of the file adds up to.
type Totals struct {
	Documents int     `json:"documents"`
	Lines     int     `json:"lines"`
	NetAmount dec.Dec `json:"netAmount"` // lines as they are priced, rounded one by one
	Created   int     `json:"created"`   // documents
	Unchanged int     `json:"unchanged"` // documents that an earlier run has made
}

// OrderReport is what became of a history of orders.
type OrderReport struct {
	LinesRead        int       `json:"linesRead"`
	Orders           Totals    `json:"orders"`
	CreditNotes      Totals    `json:"creditNotes"`
	MatchedLines     int       `json:"matchedCreditLines"` // credit lines that name the sale they cancel
	ItemsCreated     int       `json:"itemsCreated"`
	CustomersCreated int       `json:"customersCreated"`
	OpeningItems     int       `json:"openingStockItems"`
	Skipped          []Skipped `json:"skipped"`
	Warnings         []string  `json:"warnings"`
}

// ImportOrders books a history of order lines: each document is placed, shipped and invoiced as of its date,
// cancellations become credit notes. Every batch of documents is one transaction, and a document that is there already
// (by its external number) is left alone, so a run that was broken off is mended by the next one.
func ImportOrders(ctx context.Context, d Context, t *table.Reader, o OrderOptions) (OrderReport, error) {
	var zone *time.Location
	err := d.Store.Read(ctx, d.As, func(tx *db.Tx) error { zone = tx.Info.Zone; return nil })
	if err != nil {
		return OrderReport{}, err
	}
	h, err := o.read(d, t, zone)
	if err != nil {
		return OrderReport{}, err
	}
	b := &booking{Context: d, OrderOptions: o, h: h, report: h.report()}
	if o.DryRun {
		return b.report, d.Store.Read(ctx, d.As, b.codes)
	}
	for _, step := range []func(context.Context) error{
		b.reference, b.items, b.units, b.customers, b.present, b.openingStock, b.orders, b.creditNotes} {
		if err := step(ctx); err != nil {
			return b.report, err
		}
	}
	return b.report, nil
}

func (o *OrderOptions) read(d Context, t *table.Reader, zone *time.Location) (*history, error) {
	o.TaxCode = cmp.Or(o.TaxCode, "ZERO")
	o.Scope = cmp.Or(o.Scope, "import")
	services := defaultServices()
	if o.Services != "" {
		var err error
		if services, err = regexp.Compile("^(?:" + o.Services + ")$"); err != nil {
			return nil, fmt.Errorf("the pattern of service items: %w", err)
		}
	}
	columns, err := mapColumns(t, historyKind(), o.Mapping, false)
	if err != nil {
		return nil, err
	}
	return readHistory(t, historyOptions{columns: columns, missing: o.Missing, services: services, comma: o.Comma,
		zone: zone},
		func() {
			done, total := t.Progress()
			d.tick(done, total, "reading")
		})
}

// report adds up what the file holds; the currency has two decimals unless booking finds otherwise.
func (h *history) report() OrderReport {
	r := OrderReport{LinesRead: h.lines, Skipped: []Skipped{}, Warnings: []string{}}
	for _, d := range h.docs {
		t := &r.Orders
		if d.credit {
			t = &r.CreditNotes
		}
		t.Documents++
		for _, l := range d.lines {
			t.Lines++
			value := max(0, sales.Amount(l.quantity, l.price, l.discount, 2).Sub(l.off))
			if d.credit {
				value = value.Neg()
			}
			t.NetAmount = t.NetAmount.Add(value)
			if l.source != nil {
				r.MatchedLines++
			}
		}
	}
	for _, w := range slices.SortedFunc(maps.Keys(h.skipped), why.compare) {
		r.Skipped = append(r.Skipped, *h.skipped[w])
	}
	for w, n := range h.warnings {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s (%d documents)", w, n))
	}
	sort.Strings(r.Warnings)
	return r
}

// first is the day before the history begins, when its opening stock was there.
func (h *history) first() day.Date {
	for _, d := range h.docs {
		return day.Date(d.at.Format("2006-01-02")).AddDays(-1)
	}
	return ""
}
