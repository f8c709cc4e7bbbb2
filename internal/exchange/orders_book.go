package exchange

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// historyType is the order type of imported orders: released at once, shipped and invoiced by the import itself.
const historyType = "HISTORY"

// openingRef marks the ledger entries of opening stock; their reference id is the scope of the orders they are for.
const openingRef = "OpeningStock"

// heldFor is how long opening stock is kept for a history whose import was broken off and not begun again.
const heldFor = 7 * 24 * time.Hour

// holder is who holds the opening stock that a scope's orders will take: orders of today get none of it.
func (b *booking) holder() string { return stock.HistoryHolder + b.Scope }

// perBatch is how many documents share a transaction, and perLines how many of their lines at most.
const (
	perBatch = 250
	perLines = 5_000
)

// booking is an import on its way.
type booking struct {
	Context
	OrderOptions
	h      *history
	report OrderReport

	catalog    []catalog.Item   // by the history's item index
	buyers     []party.Customer // by the history's customer index
	orderDocs  []*document      // still to be booked
	creditDocs []*document
	done       int
}

func (b *booking) write(ctx context.Context, fn func(tx *db.Tx) error) error {
	return b.Store.Write(ctx, b.As, fn)
}

// codes finds the tax codes, currencies and warehouses that the file names: one that orders could not have is refused.
func (b *booking) codes(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var wrong fault.List
	_, ok := book.TaxCode(b.TaxCode)
	wrong.If(!ok, fault.ErrInvalid, "taxCode", "there is no tax code %q: name one with --tax-code", b.TaxCode)
	for i, code := range b.h.taxes.all[1:] {
		t, ok := book.TaxCode(code)
		wrong.If(!ok, fault.ErrInvalid, "taxCode", "there is no tax code %q: make it first", code)
		b.h.taxes.all[i+1] = t.Code
	}
	for i, code := range b.h.currencies.all[1:] {
		c, ok := book.Currency(code)
		wrong.If(!ok || !c.IsActive, fault.ErrInvalid, "currencyCode",
			"there is no active currency %q: make it first", code)
		b.h.currencies.all[i+1] = c.Code
	}
	b.h.warehouses.all[0] = book.Defaults().Warehouse
	for i, code := range b.h.warehouses.all[1:] {
		w, ok := book.Warehouse(code)
		wrong.If(!ok || !w.IsActive, fault.ErrInvalid, "warehouseCode",
			"there is no active warehouse %q: make it first", code)
		b.h.warehouses.all[i+1] = w.Code
	}
	return wrong.Err()
}

// reference makes the order type of imported orders, once all codes of the file are found.
func (b *booking) reference(ctx context.Context) error {
	return b.write(ctx, func(tx *db.Tx) error {
		if err := b.codes(tx); err != nil {
			return err
		}
		book, err := reference.Of(tx)
		if err != nil {
			return err
		}
		if _, ok := book.OrderType(historyType); ok {
			return nil
		}
		return reference.SaveOrderTypes(tx, reference.OrderType{Code: historyType, Name: "Imported history",
			AutoRelease: true, AutoInvoice: reference.Never, IsActive: true})
	})
}

// tax is the tax code of a line.
func (b *booking) tax(l *historyLine) string { return cmp.Or(b.h.taxes.all[l.tax], b.TaxCode) }

// currency is what a document is in.
func (b *booking) currency(tx *db.Tx, d *document) string {
	return cmp.Or(b.h.currencies.all[d.currency], tx.Info.Currency)
}

// inParts books a list in parts, each a transaction, and adds up what book answers.
func inParts[T any](ctx context.Context, b *booking, as db.Request, all []T, total *int,
	book func(tx *db.Tx, part []T, from int) (int, error)) error {
	for from := 0; from < len(all); from += 500 {
		part := all[from:min(from+500, len(all))]
		var made int
		err := b.Store.Write(ctx, as, db.Into(&made, func(tx *db.Tx) (int, error) { return book(tx, part, from) }))
		if err != nil {
			return err
		}
		*total += made
	}
	return nil
}

// findOrMake finds the records that the history names, makes those that are not there, and answers how many.
func findOrMake[H, T any](tx *db.Tx, part []H, into []T, number func(H) string,
	find func(*db.Tx, []string) (map[string]T, error), fresh func(H) T, create func(*db.Tx, []T) error) (int, error) {
	known, err := find(tx, each.Of(part, number))
	if err != nil {
		return 0, err
	}
	var missing []T
	var at []int
	for i, h := range part {
		one, ok := known[record.Fold(number(h))]
		if into[i] = one; !ok {
			missing, at = append(missing, fresh(h)), append(at, i)
		}
	}
	if len(missing) == 0 {
		return 0, nil
	}
	if err := create(tx, missing); err != nil {
		return 0, err
	}
	for n, i := range at {
		into[i] = missing[n]
	}
	return len(missing), nil
}

// items creates the items that are not there, and knows all of them then.
func (b *booking) items(ctx context.Context) error {
	b.catalog = make([]catalog.Item, len(b.h.items))
	return inParts(ctx, b, b.As, b.h.items, &b.report.ItemsCreated,
		func(tx *db.Tx, part []historyItem, from int) (int, error) {
			book, err := reference.Of(tx)
			if err != nil {
				return 0, err
			}
			return findOrMake(tx, part, b.catalog[from:], func(it historyItem) string { return it.number },
				catalog.FindMany, func(it historyItem) catalog.Item { return b.newItem(it, book, tx.Today()) },
				catalog.CreateMany)
		})
}

func (b *booking) newItem(it historyItem, book *reference.Book, today day.Date) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.Type, i.BaseUnit, i.TaxCode = it.number, it.description, catalog.Stock, "PCS", b.tax(&it.newest)
	if u, ok := book.Unit(b.h.units.all[it.unit]); ok {
		i.BaseUnit = u.Code
	}
	if it.service {
		i.Type = catalog.Service
	}
	i.DecimalPlaces = it.decimals
	i.SalesPrice = b.listPrice(it, book, today)
	return i
}

// listPrice is what an item was sold for last, as items have it: without tax, in the company's currency. nil where
// nobody says what the currency is worth.
func (b *booking) listPrice(it historyItem, book *reference.Book, today day.Date) *dec.Dec {
	price := it.newest.price
	if t, ok := book.TaxCode(b.tax(&it.newest)); ok && it.newest.isGross {
		price = price.MulDiv(100*dec.One, (100 * dec.One).Add(t.Percent("", it.soldOn)))
	}
	if in := b.h.currencies.all[it.currency]; in != "" {
		from, ok := book.RateOn(in, today)
		to, isBase := book.RateOn(book.Base().Code, today)
		if !ok || !isBase {
			return nil
		}
		price = dec.Convert(price, from, to, dec.Scale)
	}
	return &price
}

// item is what a line is of, nothing where that is a text.
func (b *booking) item(l *historyLine) *catalog.Item {
	if l.item == freeText {
		return &catalog.Item{}
	}
	return &b.catalog[l.item]
}

// unit is what a line is counted in: the item's unit that the file names, or else its base unit.
func (b *booking) unit(l *historyLine) catalog.Unit {
	it := b.item(l)
	if it.ID == "" {
		return catalog.Unit{Code: b.h.units.all[l.unit], Factor: dec.One}
	}
	if code := b.h.units.all[l.unit]; code != "" {
		if factor, ok := it.Factor(code); ok {
			return catalog.Unit{Code: code, Factor: factor}
		}
	}
	return catalog.Unit{Code: it.BaseUnit, Factor: dec.One}
}

// counted is the quantity of a line in the item's base unit.
func (b *booking) counted(l *historyLine) dec.Dec { return l.quantity.Mul(b.unit(l).Factor) }

// units tells of lines in a unit that their item does not have.
func (b *booking) units(context.Context) error {
	strange := map[string]int{}
	for _, d := range b.h.docs {
		for k := range d.lines {
			l := &d.lines[k]
			if code := b.h.units.all[l.unit]; code != "" && record.Fold(code) != record.Fold(b.unit(l).Code) {
				strange[code]++
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(strange)) {
		b.report.Warnings = append(b.report.Warnings, fmt.Sprintf(
			"unit %q is none of the item's: quantity and price were taken for those of its base unit (%d lines)", code,
			strange[code]))
	}
	return nil
}

// customers creates the customers that are not there, WALK-IN among them.
func (b *booking) customers(ctx context.Context) error {
	b.buyers = make([]party.Customer, len(b.h.customers))
	return inParts(ctx, b, b.As, b.h.customers, &b.report.CustomersCreated,
		func(tx *db.Tx, part []historyCustomer, from int) (int, error) {
			return findOrMake(tx, part, b.buyers[from:], func(c historyCustomer) string { return c.number },
				party.FindMany, newCustomer, party.CreateMany)
		})
}

func newCustomer(c historyCustomer) party.Customer {
	name := "Customer " + c.number
	if c.number == walkIn {
		name = "Walk-in customers"
	}
	return party.Customer{Number: c.number, Name: name, IsActive: true, CountryCode: c.country}
}

// present finds which documents are there already: an earlier run has booked them, or the file is an export of this
// very company, whose orders have these numbers, customers and days.
func (b *booking) present(ctx context.Context) error {
	for part := range slices.Chunk(b.h.docs, 1_000) {
		var orders, credits []string
		for _, d := range part {
			if d.credit {
				credits = append(credits, d.number)
			} else {
				orders = append(orders, d.number)
			}
		}
		var placed, credited map[string]string
		var ours map[string]sales.Sale
		err := b.Store.Read(ctx, b.As, func(tx *db.Tx) (err error) {
			if placed, err = sales.ByExternal(tx, b.Scope, orders); err != nil {
				return err
			}
			if ours, err = sales.ByNumber(tx, orders); err != nil {
				return err
			}
			credited, err = invoicing.ByDocument(tx, credits)
			return err
		})
		if err != nil {
			return err
		}
		b.sortOut(part, func(d *document) bool {
			key := record.Fold(d.number)
			return d.credit && credited[key] != "" || !d.credit && (placed[key] != "" || b.sale(d) == ours[key])
		})
	}
	return nil
}

// sale is what a document is known by beside its number.
func (b *booking) sale(d *document) sales.Sale {
	return sales.Sale{Customer: record.Fold(b.buyers[d.customer].Number), On: day.Date(d.at.Format(time.DateOnly))}
}

func (b *booking) sortOut(part []*document, isThere func(*document) bool) {
	for _, d := range part {
		switch there := isThere(d); {
		case !d.credit && !there:
			b.orderDocs = append(b.orderDocs, d)
		case d.credit && !there:
			b.creditDocs = append(b.creditDocs, d)
		case d.credit:
			b.report.CreditNotes.Unchanged++
		default:
			b.report.Orders.Unchanged++
		}
	}
}

// openingStock books what the orders still to be booked will take, less what an earlier run booked for them: the goods
// were there before the history began, at a cost the file does not tell. An order that waits for goods today gets none.
func (b *booking) openingStock(ctx context.Context) error {
	if len(b.orderDocs) == 0 {
		return nil
	}
	need := map[lying]dec.Dec{}
	for _, d := range b.orderDocs {
		for _, l := range d.lines {
			if k := (lying{l.item, l.store}); b.item(&l).Type == catalog.Stock {
				need[k] = need[k].Add(b.counted(&l))
			}
		}
	}
	as := b.As
	as.Now = db.TimeOf(b.h.first().Time())
	return inParts(ctx, b, as, slices.SortedFunc(maps.Keys(need), lying.compare), &b.report.OpeningItems,
		func(tx *db.Tx, part []lying, _ int) (int, error) { return b.openPart(tx, part, need) })
}

// lying is an item of the history in one of its warehouses.
type lying struct{ item, store int32 }

func (k lying) compare(l lying) int {
	return cmp.Or(cmp.Compare(k.item, l.item), cmp.Compare(k.store, l.store))
}

// at is where stock keeps it.
func (b *booking) at(k lying) stock.Key {
	return stock.Key{ItemID: b.catalog[k.item].ID, Warehouse: b.h.warehouses.all[k.store]}
}

// openPart books the opening stock of some items and answers of how many.
func (b *booking) openPart(tx *db.Tx, part []lying, need map[lying]dec.Dec) (int, error) {
	ids := each.Of(part, func(k lying) string { return b.catalog[k.item].ID })
	left, err := openingLeft(tx, b.Scope, ids)
	if err != nil {
		return 0, err
	}
	var moves []stock.Move
	for _, k := range part {
		it, at := b.catalog[k.item], b.at(k)
		if q := need[k].Sub(left[at]); q > 0 {
			left[at] = left[at].Add(q)
			moves = append(moves, stock.Move{ItemID: it.ID, Item: it.Number, Tracking: it.Tracking,
				Warehouse: at.Warehouse, Quantity: q, RefType: openingRef, RefID: b.Scope,
				Unpromised: true, Notes: "Opening stock of the imported history"})
		}
	}
	if _, err = stock.Receive(tx, stock.Receipt, moves); err != nil {
		return 0, err
	}
	return len(moves), b.hold(tx, part, need)
}

// hold keeps what the orders still to be booked will take of some items. What a run that was broken off held of them is
// held anew.
func (b *booking) hold(tx *db.Tx, part []lying, need map[lying]dec.Dec) error {
	before := map[stock.Key]dec.Dec{}
	claims := each.Of(part, func(k lying) stock.Claim {
		at := b.at(k)
		before[at] = dec.Max
		return stock.Claim{ItemID: at.ItemID, Item: b.catalog[k.item].Number, Warehouse: at.Warehouse, Wanted: need[k],
			MayWait: true}
	})
	if err := stock.Spend(tx, b.holder(), before); err != nil {
		return err
	}
	return stock.HoldMore(tx, b.holder(), db.TimeOf(b.Store.Now().Time().Add(heldFor)), claims)
}

// batches hands out documents in parts of perBatch documents or perLines lines, each a transaction.
func (b *booking) batches(ctx context.Context, docs []*document, what string,
	book func(tx *db.Tx, docs []*document) error) error {
	total := int64(len(b.orderDocs) + len(b.creditDocs))
	for len(docs) > 0 {
		n, lines := 0, 0
		for n < len(docs) && n < perBatch && (n == 0 || lines+len(docs[n].lines) <= perLines) {
			lines += len(docs[n].lines)
			n++
		}
		as := b.As
		as.Now = db.TimeOf(docs[n-1].at)
		if err := b.Store.Write(ctx, as, func(tx *db.Tx) error { return book(tx, docs[:n]) }); err != nil {
			return err
		}
		docs = docs[n:]
		b.done += n
		b.tick(int64(b.done), total, what)
	}
	return nil
}

func (b *booking) orders(ctx context.Context) error {
	err := b.batches(ctx, b.orderDocs, "booking orders", b.place)
	if err == nil {
		b.report.Orders.Created = len(b.orderDocs)
		err = b.write(ctx, func(tx *db.Tx) error { return stock.Unhold(tx, b.holder(), nil) })
	}
	return err
}

// place places, ships and invoices documents, each as of its date.
func (b *booking) place(tx *db.Tx, docs []*document) error {
	if err := b.spend(tx, docs); err != nil {
		return err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	placings := each.Of(docs, func(d *document) sales.Placing { return b.placing(tx, book, d) })
	orders, err := sales.Compose(tx, placings)
	if err != nil {
		return err
	}
	if _, err := shipping.Dispatch(tx, orders); err != nil {
		return err
	}
	bills := make([]invoicing.Bill, len(docs))
	for k, d := range docs {
		bills[k] = invoicing.Bill{Orders: orders[k : k+1], On: orders[k].OrderDate,
			With: []invoicing.Option{invoicing.WithDocumentNumber(d.number)}}
	}
	if _, err := invoicing.FromEach(tx, bills); err != nil {
		return err
	}
	return sales.Enter(tx, orders, stock.AllOrNothing)
}

// spend lets documents take what is held for them.
func (b *booking) spend(tx *db.Tx, docs []*document) error {
	wanted := map[stock.Key]dec.Dec{}
	for _, d := range docs {
		for _, l := range d.lines {
			if l.item != freeText {
				k := b.at(lying{l.item, l.store})
				wanted[k] = wanted[k].Add(b.counted(&l))
			}
		}
	}
	return stock.Spend(tx, b.holder(), wanted)
}

func (b *booking) placing(tx *db.Tx, book *reference.Book, d *document) sales.Placing {
	p := sales.Placing{CustomerNumber: b.buyers[d.customer].Number, CurrencyCode: b.currency(tx, d),
		At: db.TimeOf(d.at), Lines: make([]sales.NewLine, len(d.lines)),
		Head: sales.Head{CustomerReference: d.said, OrderDate: day.Of(d.at, tx.Info.Zone), OrderTypeCode: historyType,
			ExternalNumber: d.number, ExternalScope: b.Scope,
			WarehouseCode:         b.h.warehouses.all[d.all(func(l *historyLine) int32 { return l.store })],
			RequestedDeliveryDate: day.Date(b.h.days.all[d.all(func(l *historyLine) int32 { return l.wanted })])}}
	if buyer := &b.buyers[d.customer]; d.country != "" && d.country != buyer.CountryCode { // taxes are those of it
		p.DeliveryAddress = party.Postal{Name: buyer.Name, CountryCode: d.country}
	}
	for i := range d.lines {
		l := &d.lines[i]
		p.Lines[i] = sales.NewLine{Item: b.item(l).Number, Description: b.h.texts.all[l.text], Quantity: l.quantity,
			Unit: b.unit(l).Code, UnitPrice: &l.price, IsPriceIncludingTax: l.isGross, DiscountPercent: &l.discount,
			TaxCode: b.tax(l), WarehouseCode: b.h.warehouses.all[l.store],
			RequestedDeliveryDate: day.Date(b.h.days.all[l.wanted])}
		if l.off > 0 {
			off := sales.Amount(dec.One, l.off, 0, book.Digits(p.CurrencyCode))
			p.Lines[i].DiscountPercent, p.Lines[i].DiscountAmount = nil, &off
		}
	}
	return p
}

func (b *booking) creditNotes(ctx context.Context) error {
	err := b.batches(ctx, b.creditDocs, "booking credit notes", b.credit)
	if err == nil {
		b.report.CreditNotes.Created = len(b.creditDocs)
	}
	return err
}

// credit books cancellations; lines whose sale was found name its invoice. No goods move: the file does not say
// that any came back.
func (b *booking) credit(tx *db.Tx, docs []*document) error {
	var sold []string
	for _, d := range docs {
		for _, l := range d.lines {
			if l.sold != nil {
				sold = append(sold, l.sold.number)
			}
		}
	}
	invoices, err := invoicing.ByDocument(tx, sold)
	if err != nil {
		return err
	}
	notes := each.Of(docs, func(d *document) invoicing.Free { return b.note(tx, d, invoices) })
	_, err = invoicing.CreateFreeMany(tx, notes)
	return err
}

func (b *booking) note(tx *db.Tx, d *document, invoices map[string]string) invoicing.Free {
	free := invoicing.Free{Customer: b.buyers[d.customer], CurrencyCode: b.currency(tx, d),
		InvoiceDate: day.Of(d.at, tx.Info.Zone), Lines: make([]invoicing.FreeLine, len(d.lines)),
		With: []invoicing.Option{invoicing.WithDocumentNumber(d.number)}}
	for k, l := range d.lines {
		it := b.item(&l)
		line := &free.Lines[k]
		*line = invoicing.FreeLine{ItemID: it.ID, Item: it.Number,
			Description: cmp.Or(b.h.texts.all[l.text], it.Name), Unit: b.unit(&l).Code,
			Quantity: l.quantity, UnitPrice: l.price, IsPriceIncludingTax: l.isGross, DiscountPercent: l.discount,
			DiscountAmount: l.off, TaxCode: b.tax(&l)}
		if l.sold != nil {
			line.CreditsInvoice, line.CreditsLine = invoices[record.Fold(l.sold.number)], l.sold.index(l.source)
		}
	}
	return free
}

// index is the number of a line in its document, from 1.
func (d *document) index(l *historyLine) int {
	for i := range d.lines {
		if &d.lines[i] == l {
			return i + 1
		}
	}
	return 0
}
