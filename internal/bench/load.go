package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/halt"
)

// Size is how large a company is.
type Size struct{ Items, Customers, Orders int }

// firm is a loaded company.
type firm struct {
	identity.Company
	Size
	key string
}

// linesPerOrder is how many lines every order has, loaded or placed.
const linesPerOrder = 3

// How what is loaded is numbered, from 0.
func itemNumber(n int) string     { return fmt.Sprintf("A-%06d", n) }
func customerNumber(n int) string { return fmt.Sprintf("C-%06d", n) }
func orderNumber(n int) string    { return fmt.Sprintf("L-%07d", n) }

// orderType is that of the orders placed by a measurement: released and shipped by hand, invoiced on hand-over.
const orderType = "BENCH"

// loader fills a company through the rooms' own verbs, many records in a transaction.
type loader struct {
	kontor *app.App
	firm   firm
	size   Size
	tick   func(what string, done, total int)
}

// load makes a company of a size, or finds the one that an earlier run made.
func load(ctx context.Context, kontor *app.App, size Size, tick func(string, int, int)) firm {
	l := &loader{kontor: kontor, firm: firm{Size: size}, size: size, tick: tick}
	last := func(tx *db.Tx) error {
		_, err := sales.Find(tx, orderNumber(size.Orders-1))
		return err
	}
	return l.fill(ctx, fmt.Sprintf("measured-%d-%d-%d", size.Items, size.Customers, size.Orders), "Measured company",
		last, sales.ErrNotFound, l.basics, l.goods, l.customers, l.orders)
}

// fill makes a company in steps, or finds the one that an earlier run made whole: the last record is there, and not
// missing.
func (l *loader) fill(ctx context.Context, code, name string, last func(tx *db.Tx) error, missing fault.Code,
	steps ...func(context.Context)) firm {
	there, err := l.kontor.Company(ctx, code)
	if !fault.Is(err, identity.ErrCompanyNotFound) {
		l.firm.Company = halt.Must(there, err)
		if err := l.kontor.Store().Read(ctx, l.firm.request(), last); !fault.Is(err, missing) {
			halt.On(err)
			return l.firm
		}
		halt.On(l.kontor.DeleteCompany(ctx, l.firm.Company))
	}
	l.firm.Company = halt.Must(l.kontor.CreateCompany(ctx, identity.Company{Code: code, Name: name, Country: "SE",
		Currency: "SEK", Environment: identity.Test}))
	for _, step := range steps {
		step(ctx)
	}
	return l.firm
}

func (f firm) request() db.Request { return db.Request{Company: f.ID, Actor: app.Operator()} }

func (l *loader) write(ctx context.Context, r db.Request, fn func(tx *db.Tx)) {
	halt.On(l.kontor.Store().Write(ctx, r, func(tx *db.Tx) error { return halt.Told(func() { fn(tx) }) }))
}

func (l *loader) basics(ctx context.Context) {
	l.write(ctx, l.firm.request(), func(tx *db.Tx) {
		halt.On(reference.SaveOrderTypes(tx, reference.OrderType{Code: orderType, Name: "Measured order",
			AutoInvoice: reference.OnHandOver, IsActive: true}))
	})
}

// perPart is how many records share a transaction.
const perPart = 500

// parts hands out the numbers below n in parts.
func (l *loader) parts(what string, n int, do func(from, to int)) {
	for from := 0; from < n; from += perPart {
		to := min(from+perPart, n)
		do(from, to)
		l.tick(what, to, n)
	}
}

// goods makes items, with a price in the company's list and plenty in stock.
func (l *loader) goods(ctx context.Context) {
	items := make([]catalog.Item, l.size.Items)
	for n := range items {
		i := catalog.New()
		i.Number, i.Name = itemNumber(n), fmt.Sprintf("%s %s, no. %d", qualities[n%len(qualities)],
			products[n/7%len(products)], n)
		i.BaseUnit, i.TaxCode = "PCS", "STD"
		p := priceOf(n)
		i.SalesPrice = &p
		items[n] = i
	}
	l.parts("items", l.size.Items, func(from, to int) {
		l.write(ctx, l.firm.request(), func(tx *db.Tx) {
			goodsOf(tx, items[from:to])
			var shown []catalog.Item
			for n := from; n < to; n++ {
				if isPublished(n) {
					shown = append(shown, items[n])
				}
			}
			publish(tx, shown)
		})
	})
}

func priceOf(n int) dec.Dec { return dec.Int(int64(5 + n%900)).Add(dec.Must("0.95")) }

// isPublished tells which items the company's store shows: every other one.
func isPublished(n int) bool { return n%2 == 0 }

func goodsOf(tx *db.Tx, items []catalog.Item) {
	halt.On(catalog.CreateMany(tx, items))
	setPrices(tx, items)
	cost := dec.Int(3)
	halt.Must(stock.Receive(tx, stock.Receipt, each.Of(items, func(i catalog.Item) stock.Move {
		return stock.Move{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN", Location: "A-01",
			Quantity: dec.Int(10_000_000), UnitCost: &cost, RefType: "Opening", RefID: "bench"}
	})))
}

// setPrices puts items into the company's list at their own price.
func setPrices(tx *db.Tx, items []catalog.Item) {
	lines := each.Of(items, func(i catalog.Item) pricing.Line {
		return pricing.Line{Item: i.Number, Line: price.Line{UnitPrice: i.SalesPrice}}
	})
	for _, o := range halt.Must(pricing.SetPrices(tx, "BASE", lines, pricing.Upsert)) {
		halt.On(o.Err)
	}
}

func (l *loader) customers(ctx context.Context) {
	l.parts("customers", l.size.Customers, func(from, to int) {
		rows := listOf(to-from, func(n int) party.Customer {
			return party.Customer{Number: customerNumber(from + n),
				Name:     fmt.Sprintf("%s %s %d AB", places[n%len(places)], trades[n/5%len(trades)], from+n),
				IsActive: true, CountryCode: "SE", Street1: fmt.Sprintf("Storgatan %d", n+1), PostalCode: "111 22",
				City: places[n%len(places)]}
		})
		l.write(ctx, l.firm.request(), func(tx *db.Tx) { halt.On(party.CreateMany(tx, rows)) })
	})
}

// orders places the orders of the past year. Where an engine has many writers several place at once, each with
// items of its own.
func (l *loader) orders(ctx context.Context) {
	loaders := 1
	if !l.kontor.Embedded() {
		loaders = min(4, max(1, l.size.Items/100))
	}
	var done atomic.Int64
	var all sync.WaitGroup
	failed := make([]error, loaders)
	started := time.Now()
	for k := range loaders {
		all.Go(func() {
			for part := k; part*perPart < l.size.Orders && failed[k] == nil; part += loaders {
				from, to := part*perPart, min((part+1)*perPart, l.size.Orders)
				failed[k] = halt.Told(func() { l.ordersOf(ctx, from, to, k, loaders, started) })
				l.tick("orders", int(done.Add(int64(to-from))), l.size.Orders)
			}
		})
	}
	all.Wait()
	halt.On(errors.Join(failed...))
}

// ordersOf places the orders from..to; their items are those that leave k when divided by the number of loaders.
func (l *loader) ordersOf(ctx context.Context, from, to, k, loaders int, started time.Time) {
	r := l.firm.request()
	at := started.AddDate(0, 0, -(l.size.Orders-from)*365/l.size.Orders)
	r.Now = db.TimeOf(at)
	placings := make([]sales.Placing, to-from)
	for n := range placings {
		p := sales.Placing{Number: orderNumber(from + n),
			CustomerNumber: customerNumber((from + n) * 7 % l.size.Customers),
			Head: sales.Head{OrderDate: day.Of(at, time.UTC), OrderTypeCode: orderType,
				CustomerReference: fmt.Sprintf("PO %d", from+n)},
			Lines: make([]sales.NewLine, linesPerOrder)}
		for i := range p.Lines {
			item := ((from+n)*linesPerOrder + i) * 31 % (l.size.Items / loaders) * loaders
			unit := priceOf(item + k)
			p.Lines[i] = sales.NewLine{Item: itemNumber(item + k), Quantity: dec.Int(int64(1 + n%5)), UnitPrice: &unit}
		}
		placings[n] = p
	}
	l.write(ctx, r, func(tx *db.Tx) { halt.Must(sales.PlaceMany(tx, placings, stock.AsMuchAsThereIs)) })
}

// Words that names are made of.
var (
	qualities = [...]string{"Oak", "Steel", "Linen", "Blue", "Large", "Folding", "Enamel", "Birch", "Wool", "Outdoor",
		"Compact"}
	products = [...]string{"table", "lamp", "bowl", "blanket", "hook", "shelf", "jug", "basket", "chair", "mirror",
		"tray", "clock", "vase"}
	places = [...]string{"Uppsala", "Lund", "Kalmar", "Falun", "Luleå", "Visby", "Borås"}
	trades = [...]string{"Handel", "Bygg", "Möbler", "Hotell", "Skola", "Förlag", "Kontor", "Design"}
)
