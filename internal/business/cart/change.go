package cart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/configure"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

const (
	longestText = 200
	longestNote = 4_000
)

// Addition is something to be put in a cart.
type Addition struct {
	ItemID              string
	Quantity            dec.Dec
	Unit                string            // "" = the one it is sold by
	ConfigurationNumber string            // one that lies in the cart, or that the visitor's customer has
	Choices             []configure.Value // instead, of a configurable item
	Note                string
}

// Outcome is what became of an addition.
type Outcome struct {
	LineID string
	IsNew  bool // else it raised a line that was there
	Err    error
}

// Add puts items into the cart of this transaction's visit, and shows it. An item that lies there already, in the same
// configuration, raises its line. Each is refused by itself: Product.NotFound, Cart.NotPurchasable,
// ItemUnit.UnknownUnit, Cart.QuantityNotSold, Quantity.TooLarge, Quantity.TooManyDecimals, Configuration.NotFound,
// Configuration.NotConfigurable, Configuration.Invalid, Request.Invalid, Cart.TooManyLines. Where the only one is
// refused, nothing is written and the cart is not priced: see Show.
func Add(tx *db.Tx, all []Addition) (*Cart, []Outcome, error) {
	v := storefront.Of(tx)
	c, err := take(tx, v.Session.ID)
	if err != nil {
		return nil, nil, err
	}
	out, err := c.putAll(tx, v, all, c.configured)
	if err != nil {
		return nil, nil, err
	}
	if len(all) == 1 && out[0].Err != nil {
		return c, out, nil // refused as a whole: nothing is written
	}
	return c, out, c.showBounded(tx, v, idsOf(out)...)
}

// idsOf are the lines that additions came to.
func idsOf(out []Outcome) (ids []string) {
	for _, o := range out {
		if o.Err == nil {
			ids = append(ids, o.LineID)
		}
	}
	return ids
}

// put adds a row to the cart, or to the line that is like it. Its price may be another for more: the next one shown is
// as good as new.
func (c *Cart) put(r row) Outcome {
	for i := range c.Lines {
		if c.Lines[i].key() != r.key() {
			continue
		}
		held, err := c.Lines[i].held(c.sold[r.ItemID])
		if err != nil {
			return Outcome{Err: err}
		}
		if err := checkQuantity(held.Add(r.Quantity)); err != nil {
			return Outcome{Err: err}
		}
		l := c.Lines[i]
		l.Quantity = held
		l.raise(r)
		return Outcome{LineID: l.ID}
	}
	if len(c.Lines) >= MaxLines {
		return Outcome{Err: ErrFull.Because("a cart has at most %d lines: take something out first", MaxLines)}
	}
	r.ID = record.NewID()
	c.Lines = append(c.Lines, &Line{row: r, isDirty: true})
	return Outcome{LineID: r.ID, IsNew: true}
}

// checkQuantity refuses a quantity that no line may have: Quantity.TooLarge.
func checkQuantity(quantity dec.Dec) error {
	var wrong fault.List
	limit.Quantity.Check(&wrong, "quantity", quantity)
	return wrong.Err()
}

// showBounded is show where lines were put in or raised: it is refused, with Amount.TooLarge, where one of them, or the
// cart, then comes to more than any may. What lies in a cart already can be shown, and taken out.
func (c *Cart) showBounded(tx *db.Tx, v *storefront.Visit, raised ...string) (err error) {
	wrong := c.bounded(func() { err = c.show(tx, v) }, raised)
	if err == nil {
		err = wrong.Err()
	}
	return err
}

// bounded prices a cart, and says what of it is above its bound.
func (c *Cart) bounded(price func(), raised []string) (wrong fault.List) {
	limit.Total.Of(&wrong, "quantity", func() dec.Dec {
		price()
		return c.TotalIncludingTax
	})
	for _, l := range c.Lines {
		if slices.Contains(raised, l.ID) {
			limit.Amount.Of(&wrong, "quantity", func() dec.Dec { return l.full(c.Digits) })
		}
	}
	return wrong
}

// full is what a line costs before codes, with tax.
func (l *Line) full(digits int) dec.Dec {
	net, vat := tax.Line(sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, digits), l.TaxPercent, digits,
		l.IsPriceIncludingTax)
	return net.Add(vat)
}

// key is what makes two additions one line.
type key struct{ item, configuration string }

func (r *row) key() key { return key{r.ItemID, record.Fold(r.ConfigurationNumber)} }

// held is what a line holds in the unit that its article is sold by now, which may be another than when it was put in.
// What lies there by a unit that the item no longer has cannot be counted: 0.
func (l *Line) held(a *assortment.Article) (dec.Dec, error) {
	if record.Fold(l.Unit) == record.Fold(a.Unit()) {
		return l.Quantity, nil
	}
	if _, ok := a.Item.Factor(l.Unit); !ok {
		return 0, nil
	}
	n, err := validQuantity(a, l.Quantity, cmp.Or(l.Unit, a.Item.BaseUnit))
	if err != nil {
		err = ErrQuantity.At("quantity",
			"%s %s of %s lie in the cart, which is now sold by the %s: change that line, or take it out, first",
			l.Quantity, l.Unit, a.Name, a.Unit())
	}
	return n, err
}

// raise adds what is like a line to it.
func (l *Line) raise(by row) {
	l.Quantity, l.Unit, l.seen, l.isDirty = l.Quantity.Add(by.Quantity), by.Unit, seen{}, true
	if by.Note != "" {
		l.Note = by.Note
	}
}

// row checks an addition and makes a row of it.
func (a Addition) row(sold map[string]*assortment.Article) (row, error) {
	article, ok := sold[a.ItemID]
	if !ok {
		return row{}, ErrNotSellable.At("itemId", "this store sells no item %q", a.ItemID)
	}
	if !article.Buyable() {
		if article.Variants > 0 {
			return row{}, ErrNotPurchasable.At("itemId", "%s comes in variants: put one of those in the cart",
				article.Name)
		}
		return row{}, ErrNotPurchasable.At("itemId", "%s cannot be bought in this store", article.Name)
	}
	var wrong fault.List
	checkText(&wrong, "note", &a.Note, longestNote)
	quantity, err := validQuantity(article, a.Quantity, a.Unit)
	if err := wrong.AddError(err); err != nil {
		return row{}, err
	}
	return row{ItemID: a.ItemID, Quantity: quantity, Unit: article.Unit(), Note: a.Note}, wrong.Err()
}

func checkText(wrong *fault.List, field string, text *string, longest int) {
	*text = strings.TrimSpace(*text)
	wrong.If(utf8.RuneCountInString(*text) > longest, fault.ErrInvalid, field, "has more than %d characters", longest)
}

// validQuantity turns a quantity in any of an article's units into the unit it is sold by, and keeps it to what is
// sold: by the base unit, quantities with the item's decimals; by a larger one, whole ones of it.
//
// Used when something is put in a cart and when a line changes.
func validQuantity(a *assortment.Article, quantity dec.Dec, unit string) (dec.Dec, error) {
	own := a.Unit()
	unit = cmp.Or(unit, own)
	from, ok := a.Item.Factor(unit)
	to, sold := a.Item.Factor(own)
	if !sold {
		return 0, ErrQuantity.At("quantity", "%s is sold by the %s, and nobody has said how many %s that is", a.Name, own,
			a.Item.BaseUnit)
	}
	if !ok {
		if own == "" {
			return 0, pricing.ErrUnknownUnit.At("unit", "%s is not sold by %q: leave the unit out", a.Name, unit)
		}
		return 0, pricing.ErrUnknownUnit.At("unit", "%s is not sold by %q: leave the unit out, or order by %q", a.Name,
			unit, own)
	}
	if quantity <= 0 {
		return 0, ErrQuantity.At("quantity", "must be above 0")
	}
	if from == to && to == dec.One {
		return quantity, catalog.CheckQuantity(&a.Item, quantity)
	}
	base := quantity.Mul(from)
	n := base.Div(to)
	if n.Mul(to) != base || to != dec.One && n.Decimals() > 0 {
		return 0, ErrQuantity.At("quantity", "%s is sold by the %s of %s %s: order a multiple of it", a.Name, own, to,
			a.Item.BaseUnit)
	}
	return n, catalog.CheckQuantity(&a.Item, n)
}

// Edit is what of a line may be changed.
type Edit struct {
	Quantity dec.Dec // in the line's unit
	Note     string
}

// Change edits a line of the cart of this transaction's visit, and shows it. CartLine.NotFound, and what Add refuses.
func Change(tx *db.Tx, lineID string, edit func(*Edit) error) (*Cart, error) {
	v := storefront.Of(tx)
	c, l, err := takeLine(tx, v, lineID)
	if err != nil {
		return nil, err
	}
	e := Edit{l.Quantity, l.Note}
	if err := edit(&e); err != nil {
		return nil, err
	}
	var wrong fault.List
	checkText(&wrong, "note", &e.Note, longestNote)
	if e.Quantity != l.Quantity {
		sold, err := assortment.Articles(tx, v.Viewer(), []string{l.ItemID})
		if err != nil {
			return nil, err
		}
		a, ok := sold[l.ItemID]
		if !ok {
			return nil, ErrNotSellable.At("quantity", "the item is no longer sold here: remove the line")
		}
		unit := l.Unit
		if _, ok := a.Item.Factor(unit); !ok { // it is no longer sold by that
			unit = ""
		}
		quantity, err := validQuantity(a, e.Quantity, unit)
		if err := wrong.AddError(err); err != nil {
			return nil, err
		}
		l.Quantity, l.Unit, l.seen = quantity, a.Unit(), seen{}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	l.Note, l.isDirty = e.Note, true
	return c, c.showBounded(tx, v, l.ID)
}

// takeLine takes the visit's cart and finds a line of it, to be changed.
func takeLine(tx *db.Tx, v *storefront.Visit, lineID string) (*Cart, *Line, error) {
	c, err := take(tx, v.Session.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range c.Lines {
		if l.ID == lineID {
			return c, l, nil
		}
	}
	return nil, nil, ErrLineNotFound.Because("the cart has no line %s", lineID)
}

// Remove takes a line out. CartLine.NotFound.
func Remove(tx *db.Tx, lineID string) error {
	c, _, err := takeLine(tx, storefront.Of(tx), lineID)
	if err != nil {
		return err
	}
	if err := c.Enter(tx); err != nil {
		return err
	}
	c.Lines = slices.DeleteFunc(c.Lines, func(l *Line) bool { return l.ID == lineID })
	if c.shown.isKnown() { // what the others come to is not shown
		c.shown = shown{}
		if err := writeShown(tx, c.ID, c.shown); err != nil {
			return err
		}
	}
	c.keep(tx, c.toKeep())
	return removeLine(tx, c.ID, lineID)
}

// Clear empties the cart: lines, codes, and what was noted.
func Clear(tx *db.Tx) error {
	session := storefront.Of(tx).Session.ID
	if c, err := read(tx, session); err != nil || c.ID == "" {
		return err // there is none to empty
	}
	id, err := Lock(tx, session)
	if err != nil {
		return err
	}
	if err := empty(tx, []string{id}); err != nil {
		return err
	}
	if err := writeShown(tx, id, shown{}); err != nil {
		return err
	}
	return describe(tx, id, Details{})
}

// Details are what a visitor notes on the cart as a whole; the order takes them over.
type Details struct {
	Reference             string
	Note                  string
	RequestedDeliveryDate day.Date
}

// Describe edits what is noted on the cart, and shows it. Cart.DateInThePast, Request.Invalid.
func Describe(tx *db.Tx, edit func(*Details) error) (*Cart, error) {
	v := storefront.Of(tx)
	c, err := take(tx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	d := Details{c.Reference, c.Note, c.RequestedDeliveryDate}
	if err := edit(&d); err != nil {
		return nil, err
	}
	var wrong fault.List
	checkText(&wrong, "reference", &d.Reference, longestText)
	checkText(&wrong, "note", &d.Note, longestNote)
	on := d.RequestedDeliveryDate
	wrong.If(on != "" && on != c.RequestedDeliveryDate && on < tx.Today(), ErrDate, "requestedDeliveryDate",
		"%s is past: name today or a later day", on)
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	if err := c.Enter(tx); err != nil {
		return nil, err
	}
	if err := describe(tx, c.ID, d); err != nil {
		return nil, err
	}
	c.Reference, c.Note, c.RequestedDeliveryDate = d.Reference, d.Note, d.RequestedDeliveryDate
	return c, c.show(tx, v)
}

// Show is the cart as the visitor is now shown it: what it tells is told, and its prices are remembered as seen. It
// writes; a cart that says nothing new (see HasNews) need not be shown this way.
func Show(tx *db.Tx) (*Cart, error) {
	v := storefront.Of(tx)
	c, err := take(tx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	return c, c.show(tx, v)
}

// show prices a cart that was taken, and writes what is new of it: its lines, and that they were shown.
func (c *Cart) show(tx *db.Tx, v *storefront.Visit) error {
	if err := c.Enter(tx); err != nil {
		return err
	}
	if err := c.Price(tx, v, Delivery{}); err != nil {
		return err
	}
	return c.remember(tx)
}

// HasNews reports whether showing the cart leaves something to be remembered.
func (c *Cart) HasNews(tx *db.Tx) bool {
	if c.ID == "" && isKept(tx, c.SessionID) || len(c.notices) > 0 || !c.IsAmountSeen() {
		return true
	}
	return slices.ContainsFunc(c.Lines, func(l *Line) bool { return l.IsSellable && !l.isSeen() })
}

// shown is what a cart came to when its visitor last saw it: with what gift cards pay of it, which may be all, and
// without. Both nil = not known, or of the lines alone.
type shown struct{ total, toPay *dec.Dec }

func (s shown) isKnown() bool { return s.total != nil && s.toPay != nil }

// Moved reports whether a line, or the cart, comes to something else than when the visitor last saw it, without his
// doing.
func (c *Cart) Moved() bool {
	return slices.ContainsFunc(c.Lines, func(l *Line) bool { return l.IsSellable && l.isRepriced() }) || c.AmountMoved()
}

// AmountMoved reports whether the cart comes to something else than when the visitor last saw it, whatever its lines
// cost.
func (c *Cart) AmountMoved() bool { return c.shown.isKnown() && !c.IsAmountSeen() }

// IsAmountSeen reports whether the cart comes to what was last shown. Of lines alone that is known by their prices;
// codes and a delivery can move it while these stand: a code that somebody else has used up, another rate of freight.
func (c *Cart) IsAmountSeen() bool {
	isOfLinesAlone := len(c.keys) == 0 && (c.delivery == nil || c.delivery.Method == "")
	return isOfLinesAlone ||
		c.shown.isKnown() && *c.shown.total == c.TotalIncludingTax && *c.shown.toPay == c.AmountToPay
}

// Saw notes that the visitor is shown what the cart, which was taken and priced, comes to.
func (c *Cart) Saw(tx *db.Tx) error {
	if c.IsAmountSeen() {
		return nil
	}
	total, toPay := c.TotalIncludingTax, c.AmountToPay
	c.shown = shown{&total, &toPay}
	return writeShown(tx, c.ID, c.shown)
}

// changedRows notes that the prices are seen, and answers the lines that are now to be written.
func (c *Cart) changedRows() (news []*row) {
	for i := range c.Lines {
		l := c.Lines[i]
		if l.IsSellable && !l.isSeen() {
			price := l.UnitPrice
			l.seen, l.isDirty = seen{&price, l.IsPriceIncludingTax, l.Quote.CurrencyCode}, true
		}
		if l.isDirty {
			news, l.isDirty = append(news, &l.row), false
		}
	}
	return news
}

// remember writes the lines that have changed and the prices that were shown, and that the notices were.
func (c *Cart) remember(tx *db.Tx) error {
	if news := c.changedRows(); len(news) > 0 {
		if err := writeLines(tx, c.ID, news); err != nil {
			return err
		}
	}
	if len(c.notices) > 0 {
		if err := writeNotices(tx, c.ID, nil); err != nil {
			return err
		}
		c.notices = nil
	}
	if err := c.Saw(tx); err != nil {
		return err
	}
	c.keep(tx, c.toKeep())
	return nil
}

// notice is a message about lines of the cart.
func notice(code string, lines int, format string) Message {
	word := "lines"
	if lines == 1 {
		word = "line"
	}
	return Message{Code: code, Text: fmt.Sprintf(format, lines, word)}
}
