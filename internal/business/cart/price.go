package cart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/freight"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Of is the cart of this transaction's visit as it stands now: priced, reduced by its codes, with its freight, its
// stock, and what the visitor should know. It changes nothing. Whoever keeps the checkout is asked for the delivery.
func Of(tx *db.Tx) (*Cart, error) {
	v := storefront.Of(tx)
	c, err := read(tx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	return c, c.Price(tx, v, Delivery{})
}

// Read is the cart of a visit as it is kept, without prices; see Price.
func Read(tx *db.Tx, v *storefront.Visit) (*Cart, error) { return read(tx, v.Session.ID) }

// ReadLocked is Read under the lock of the cart, which is made where there is none.
func ReadLocked(tx *db.Tx, v *storefront.Visit) (*Cart, error) {
	c, err := take(tx, v.Session.ID)
	if err == nil && c.ID == "" {
		err = c.Enter(tx)
	}
	return c, err
}

// ReadForOrder is ReadLocked with the cart's codes locked as well: what it says stands until the end of the
// transaction, but for prices and stock.
func ReadForOrder(tx *db.Tx, v *storefront.Visit) (*Cart, error) {
	c, err := ReadLocked(tx, v)
	if err != nil {
		return nil, err
	}
	return c, promotion.Lock(tx, c.keys)
}

// Price makes a cart that was read what For says.
func (c *Cart) Price(tx *db.Tx, v *storefront.Visit, d Delivery) error {
	if d == (Delivery{}) {
		return c.price(tx, v, nil, true)
	}
	return c.price(tx, v, &destination{Delivery: d, customerID: v.Customer.ID}, true)
}

// deliver asks whoever keeps the checkout where the cart goes.
func (c *Cart) deliver(tx *db.Tx, v *storefront.Visit) (*destination, error) {
	d := &destination{customerID: v.Customer.ID}
	if v.SignedIn() {
		d.deps = tx.DependsOn(recordOf(v))
	}
	return d, tx.Fire(DeliveryWanted{Cart: c, Delivery: &d.Delivery})
}

// destined is where the cart goes, if that is known to be so still; nil where it must be asked for. What a guest has
// said changes with the version of the cart.
func (c *Cart) destined(tx *db.Tx, v *storefront.Visit) *destination {
	if d := c.delivery; d != nil && d.customerID == v.Customer.ID && (!v.SignedIn() || tx.Holds(d.deps)) {
		return d
	}
	return nil
}

// recordOf is the record of who is signed in.
func recordOf(v *storefront.Visit) db.Ref {
	return db.Ref{Resource: party.Resource.Name, Key: record.Fold(v.Customer.Number)}
}

// IsNew reports whether this transaction has made the cart: nobody can have said anything of its checkout yet.
func (c *Cart) IsNew() bool { return c.ID == "" || c.isNew }

// Summary is a cart without what only its page shows: stock.
func Summary(tx *db.Tx) (*Cart, error) {
	v := storefront.Of(tx)
	c, err := read(tx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	return c, c.price(tx, v, nil, false)
}

// price is Price; where to is nil, whoever keeps the checkout is asked.
func (c *Cart) price(tx *db.Tx, v *storefront.Visit, to *destination, withStock bool) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	p := &pricer{tx: tx, visit: v, viewer: v.Viewer(), book: book, cart: c}
	c.CurrencyCode = currencyOf(v, book)
	c.Digits = book.Digits(c.CurrencyCode)
	c.Messages = slices.Clone(c.notices)
	if c.ID == "" {
		return nil
	}
	deps := dependenciesOf(tx, v) // before anything is read
	if to == nil {
		if to, err = c.deliver(tx, v); err != nil {
			return err
		}
	}
	c.delivery, p.delivery = to, to.Delivery
	p.delivery.CountryCode = cmp.Or(to.CountryCode, v.Country)
	deps = deps.From(tx) // where the goods go is among the terms
	c.deps = deps
	p.recall()
	for _, step := range []func() error{p.articles, p.configurations, p.prices, p.codes, p.freight} {
		if err := step(); err != nil {
			return err
		}
	}
	p.sum()
	if !withStock {
		return nil
	}
	if err := p.stock(); err != nil {
		return err
	}
	p.remember(deps)
	return nil
}

// dependenciesOf are those of what a cart costs, but for its articles: see assortment.AlsoOn. Where a customer has not
// said where the goods go, they go to an address of the customer's record.
func dependenciesOf(tx *db.Tx, v *storefront.Visit) db.Dependencies {
	g := assortment.DependsOn(tx)
	if v.SignedIn() {
		g = g.With(tx, recordOf(v))
	}
	return g
}

// currencyOf is what the visitor pays in: as the price rule has it.
func currencyOf(v *storefront.Visit, book *reference.Book) string {
	code := cmp.Or(v.Customer.CurrencyCode, v.Channel.CurrencyCode, book.Base().Code)
	if c, ok := book.Currency(code); ok {
		return c.Code
	}
	return code
}

// pricer fills in a cart, one step after another.
type pricer struct {
	tx       *db.Tx
	visit    *storefront.Visit
	viewer   assortment.Viewer
	book     *reference.Book
	cart     *Cart
	delivery Delivery
	fresh    []int   // the lines that are looked at
	known    []*Line // those of which all is known
	goods    []int   // the lines that count
	reduced  promotion.Reduction
}

// articles finds what the lines name, and which of it the store still sells.
func (p *pricer) articles() (err error) {
	if len(p.fresh) == 0 {
		return nil
	}
	ids := each.Of(p.fresh, func(n int) string { return p.cart.Lines[n].ItemID })
	sold := p.cart.sold
	if slices.ContainsFunc(ids, func(id string) bool { return sold[id] == nil }) {
		if sold, err = assortment.Articles(p.tx, p.viewer, ids); err != nil {
			return err
		}
	}
	gone := slices.DeleteFunc(ids, func(id string) bool { return sold[id] != nil })
	items := map[string]catalog.Item{}
	if len(gone) > 0 {
		if items, err = catalog.FindByID(p.tx, gone); err != nil {
			return err
		}
	}
	c := p.cart
	c.deps = assortment.AlsoOn(p.tx, c.deps, slices.Collect(maps.Values(sold)))
	for _, i := range p.fresh {
		l := c.Lines[i]
		l.Factor = dec.One
		a, ok := sold[l.ItemID]
		if ok {
			l.Article, l.Item = a, &a.Item
		} else {
			item := items[l.ItemID]
			l.Article, l.Item = &assortment.Article{}, &item
		}
		if !ok || !a.Buyable() {
			l.warn(NoLongerSold, "%s is no longer sold here", cmp.Or(l.Item.Name, "this item"))
			continue
		}
		if l.Factor, ok = l.Item.Factor(l.Unit); !ok {
			l.Factor = dec.One
			l.warn(UnsoldQuantity, "%s is no longer sold by the %s: put it in again", a.Name, l.Unit)
			continue
		}
		l.IsSellable = true
	}
	return nil
}

func (l *Line) warn(code, format string, args ...any) {
	l.Warnings = append(l.Warnings, Message{Code: code, LineID: l.ID, Text: fmt.Sprintf(format, args...)})
}

// prices asks the price rule for all lines at once.
func (p *pricer) prices() error {
	c := p.cart
	var asks []pricing.Ask
	var asked []int
	for _, n := range p.fresh {
		if l := c.Lines[n]; l.IsSellable {
			ask := pricing.Ask{Item: l.Item, Quantity: l.Quantity, Unit: l.Unit}
			if l.Configuration != nil {
				ask.Impacts = l.Configuration.Surcharges()
			}
			asks, asked = append(asks, ask), append(asked, n)
		}
	}
	if len(asks) == 0 {
		p.count()
		return nil
	}
	quotes, err := pricing.For(p.tx, p.viewer.Situation(), asks)
	if err != nil {
		return err
	}
	today := p.tx.Today()
	for i, n := range asked {
		l, q := c.Lines[n], quotes[i]
		l.Quote = q
		if q.UnitPrice == nil || q.CurrencyCode != c.CurrencyCode {
			l.IsSellable = false
			l.warn(NoPrice, "%s has no price in %s at present", l.Article.Name, c.CurrencyCode)
			continue
		}
		l.UnitPrice, l.IsPriceIncludingTax, l.PriceListCode, l.DiscountPercent = *q.UnitPrice, q.IsPriceIncludingTax,
			q.ListCode, q.DiscountPercent
		l.TaxCode = cmp.Or(l.Item.TaxCode, p.book.Defaults().TaxCode)
		if t, ok := p.book.TaxCode(l.TaxCode); ok {
			l.TaxCode, l.TaxPercent = t.Code, t.Percent(p.delivery.CountryCode, today)
		}
		if !limit.Amount.Holds(func() dec.Dec { return l.full(c.Digits) }) {
			l.IsSellable = false
			l.warn(limit.ErrAmount.Name, "%s is more than can be sold at once at this price: take less of it",
				l.Article.Name)
			continue
		}
		l.Gross = sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, c.Digits)
	}
	p.count()
	return nil
}

// count finds the lines that count, and says which of them have another price than the one last shown.
func (p *pricer) count() {
	c := p.cart
	for i, l := range c.Lines {
		if !l.IsSellable {
			continue
		}
		p.goods = append(p.goods, i)
		if l.isRepriced() {
			c.Messages = append(c.Messages, p.changed(l))
		}
	}
}

// isRepriced reports whether the price is another than the one last shown.
func (l *Line) isRepriced() bool {
	return l.seen.price != nil && !l.isSeen()
}

// isSeen reports whether the price is the one last shown.
func (l *Line) isSeen() bool {
	return l.seen.price != nil && *l.seen.price == l.UnitPrice && l.seen.isInclusive == l.IsPriceIncludingTax &&
		l.seen.currency == l.Quote.CurrencyCode
}

func (p *pricer) changed(l *Line) Message {
	was := l.seen.price.Fixed(p.book.Digits(l.seen.currency)) + " " + l.seen.currency
	is := l.UnitPrice.Fixed(p.cart.Digits) + " " + l.Quote.CurrencyCode
	return Message{Code: PriceChanged, LineID: l.ID, Text: fmt.Sprintf("The price of %s has changed from %s to %s.",
		l.Article.Name, was, is)}
}

// codes lets the codes reduce the lines.
func (p *pricer) codes() error {
	c := p.cart
	if len(c.keys) == 0 {
		return nil
	}
	var err error
	if p.reduced, err = promotion.Evaluate(p.tx, p.situation(), c.keys, p.goodsOf()); err != nil {
		return err
	}
	c.Codes = p.reduced.Applied
	for i, n := range p.goods {
		c.Lines[n].Discount = p.reduced.ByLine[i]
	}
	for _, a := range p.reduced.Applied {
		if a.Problem != nil {
			c.Messages = append(c.Messages, Message{Code: a.Problem.Code, Text: a.Problem.Detail})
		}
	}
	return nil
}

func (p *pricer) situation() promotion.Situation {
	offers := p.visit.Channel.Store.Offers()
	return promotion.Situation{ChannelCode: p.visit.Channel.Code, CustomerID: p.visit.Customer.ID,
		CustomerGroup: p.visit.Customer.GroupCode, Email: cmp.Or(p.delivery.Email, p.visit.Contact.Email),
		CurrencyCode: p.cart.CurrencyCode, Value: p.value(), NoDiscounts: !offers.DiscountCodes,
		NoCards: !offers.GiftCards,
		Terms:   promotion.Terms{Digits: p.cart.Digits, IsPriceIncludingTax: p.visit.Channel.IsPriceIncludingTax}}
}

// value is what the goods come to before codes, as the store shows prices.
func (p *pricer) value() (out dec.Dec) {
	for _, n := range p.goods {
		out = out.Add(p.shown(p.cart.Lines[n], p.cart.Lines[n].Gross))
	}
	return out
}

// shown is an amount of a line as the store shows prices, with tax or without: what a buyer has read "from 500 on" is
// held against is what the buyer sees, whatever price list the price came from.
func (p *pricer) shown(l *Line, amount dec.Dec) dec.Dec {
	return tax.As(amount, l.TaxPercent, p.cart.Digits, l.IsPriceIncludingTax, p.visit.Channel.IsPriceIncludingTax)
}

// goodsOf are the lines that count as discounts see them.
func (p *pricer) goodsOf() []promotion.Good {
	return each.Of(p.goods, func(n int) promotion.Good {
		l := p.cart.Lines[n]
		return promotion.Good{Item: record.Fold(l.Item.Number), Category: record.Fold(l.Item.CategoryCode),
			Brand: record.Fold(l.Item.BrandCode), Amount: l.Gross, TaxPercent: l.TaxPercent,
			IsPriceIncludingTax: l.IsPriceIncludingTax}
	})
}

// freight finds what the chosen delivery costs.
func (p *pricer) freight() error {
	c := p.cart
	for _, n := range p.goods {
		l := c.Lines[n]
		c.Value = c.Value.Add(p.shown(l, l.Gross.Sub(l.Discount)))
		if w := l.Item.WeightKg; w != nil {
			// where it is the most, it is a weight that no rate is for
			c.WeightKg = limit.Total.AtMost(func() dec.Dec { return c.WeightKg.Add(l.Quantity.Mul(l.Factor).Mul(*w)) })
		}
	}
	if p.delivery.Method == "" || len(p.goods) == 0 {
		return nil
	}
	m, ok, err := freight.Find(p.tx, c.Shipping(p.visit, p.delivery), p.delivery.Method)
	if err != nil {
		return err
	}
	if !ok {
		c.Messages = append(c.Messages,
			Message{Code: NoSuchDelivery,
				Text: "The chosen delivery is not possible for this cart and address: choose another."})
		return nil
	}
	c.Freight = &m
	return nil
}

// Shipping is the cart as prices of delivery see it.
func (c *Cart) Shipping(v *storefront.Visit, d Delivery) freight.Situation {
	return freight.Situation{ChannelCode: v.Channel.Code, CountryCode: cmp.Or(d.CountryCode, v.Country),
		PostalCode: d.PostalCode, CurrencyCode: c.CurrencyCode, WeightKg: c.WeightKg, Value: c.Value,
		FreeOfCharge: c.freesFreight()}
}

func (c *Cart) freesFreight() bool {
	return slices.ContainsFunc(c.Codes, func(a promotion.Applied) bool { return a.Frees && a.Problem == nil })
}

// sum takes the tax of each line, and adds up.
func (p *pricer) sum() {
	c := p.cart
	for _, n := range p.goods {
		l := c.Lines[n]
		before, taxBefore := tax.Line(l.Gross, l.TaxPercent, c.Digits, l.IsPriceIncludingTax)
		if l.Net, l.Tax = before, taxBefore; l.Discount != 0 {
			l.Net, l.Tax = tax.Line(l.Gross.Sub(l.Discount), l.TaxPercent, c.Digits, l.IsPriceIncludingTax)
		}
		l.DiscountNet, l.DiscountTax = before.Sub(l.Net), taxBefore.Sub(l.Tax)
		c.Subtotal = c.Subtotal.Add(l.Net).Add(l.DiscountNet)
		c.DiscountTotal = c.DiscountTotal.Add(l.DiscountNet)
		c.DiscountTax = c.DiscountTax.Add(l.DiscountTax)
		c.TaxTotal = c.TaxTotal.Add(l.Tax)
	}
	c.SubtotalTax = c.TaxTotal.Add(c.DiscountTax)
	if c.Freight != nil {
		c.FreightNet = c.Freight.PriceNet
		c.TaxTotal = c.TaxTotal.Add(c.Freight.Tax)
	}
	c.Total = c.Subtotal.Sub(c.DiscountTotal).Add(c.FreightNet)
	c.TotalIncludingTax = c.Total.Add(c.TaxTotal)
	c.GiftCardTotal = p.reduced.Pay(c.TotalIncludingTax)
	c.AmountToPay = c.TotalIncludingTax.Sub(c.GiftCardTotal)
	c.Codes = p.reduced.Applied
}

// stock tells of each line that was not there before whether there is as much.
func (p *pricer) stock() error {
	lines := make([]*Line, 0, len(p.fresh))
	articles := make([]*assortment.Article, 0, len(p.fresh))
	for _, n := range p.fresh {
		if l := p.cart.Lines[n]; l.IsSellable && !l.IsMadeToOrder() {
			lines, articles = append(lines, l), append(articles, l.Article)
		}
	}
	all, err := assortment.Stocks(p.tx, p.viewer, articles)
	if err != nil {
		return err
	}
	for i, l := range lines {
		l.Stock = &all[i]
	}
	for _, l := range append(lines, p.known...) {
		if l.IsMadeToOrder() {
			continue
		}
		if q := l.Stock.Quantity; q != nil && *q < p.wanted(l.ItemID) && !l.Article.AllowBackorder {
			l.warn(TooLittleStock, "there is not as much of %s in stock at present", l.Article.Name)
		}
	}
	return nil
}

// wanted is how much of an item the cart takes from stock, in base units.
func (p *pricer) wanted(itemID string) (sum dec.Dec) {
	for _, n := range p.goods {
		if l := p.cart.Lines[n]; l.ItemID == itemID && !l.IsMadeToOrder() {
			sum = sum.Add(l.Quantity.Mul(l.Factor))
		}
	}
	return sum
}
