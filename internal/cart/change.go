package cart

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kontor/internal/assortment"
	"kontor/internal/catalog"
	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/dec"
	"kontor/internal/fault"
	"kontor/internal/pricing"
	"kontor/internal/record"
	"kontor/internal/sales"
	"kontor/internal/storefront"
)

const (
	longestText = 200
	longestNote = 4_000
)

// Addition is something to be put in a cart.
type Addition struct {
	ItemID              string
	Quantity            dec.Dec
	Unit                string // "" = the one it is sold by
	ConfigurationNumber string
	Note                string
}

// Outcome is what became of an addition.
type Outcome struct {
	LineID string
	IsNew  bool // else it raised a line that was there
	Err    error
}

// Add puts items into the cart of this transaction's visit. An item that lies there already, in the same configuration, raises
// its line. Each is refused by itself: Product.NotFound, Cart.NotPurchasable, ItemUnit.UnknownUnit, Cart.QuantityNotSold,
// Quantity.TooManyDecimals, Configuration.NotFound, Request.Invalid, Cart.TooManyLines.
func Add(tx *db.Tx, all []Addition) ([]Outcome, error) {
	v := storefront.Of(tx)
	id, err := Lock(tx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	lines, err := linesOf(tx, id)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(all))
	for i, a := range all {
		ids[i] = a.ItemID
	}
	sold, err := assortment.Sellable(tx, v.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(all))
	at := make(map[key]int, len(lines)) // index among the lines
	for i := range lines {
		at[lines[i].key()] = i
	}
	dirty := map[int]bool{}
	for i, a := range all {
		l, err := a.line(sold)
		if err != nil {
			out[i].Err = err
			continue
		}
		n, known := at[l.key()]
		switch {
		case known:
			lines[n].raise(l)
		case len(lines) >= MaxLines:
			out[i].Err = ErrFull.Because("a cart has at most %d lines: take something out first", MaxLines)
			continue
		default:
			l.ID, n = record.NewID(), len(lines)
			lines, at[l.key()] = append(lines, l), n
		}
		out[i].LineID, out[i].IsNew, dirty[n] = lines[n].ID, !known, true
	}
	var changed []Line
	for n := range lines {
		if dirty[n] {
			changed = append(changed, lines[n])
		}
	}
	return out, writeLines(tx, id, changed)
}

// key is what makes two additions one line.
type key struct{ item, configuration string }

func (l *Line) key() key { return key{l.ItemID, record.Fold(l.ConfigurationNumber)} }

// raise adds what is like a line to it. Its price may be another for more: the next one shown is as good as new.
func (l *Line) raise(by Line) {
	l.Quantity, l.Unit, l.seen = l.Quantity.Add(by.Quantity), by.Unit, seen{}
	if by.Note != "" {
		l.Note = by.Note
	}
}

// line checks an addition and makes a line of it.
func (a Addition) line(sold map[string]assortment.Article) (Line, error) {
	article, ok := sold[a.ItemID]
	if !ok {
		return Line{}, ErrNotSellable.At("itemId", "this store sells no item %q", a.ItemID)
	}
	if !article.Buyable() {
		if article.Variants > 0 {
			return Line{}, ErrNotPurchasable.At("itemId", "%s comes in variants: put one of those in the cart", article.Name)
		}
		return Line{}, ErrNotPurchasable.At("itemId", "%s cannot be bought in this store", article.Name)
	}
	var wrong fault.List
	if a.ConfigurationNumber != "" {
		wrong.Add(sales.ErrConfiguration, "configurationNumber", "no configuration has the number %q", a.ConfigurationNumber)
	}
	checkText(&wrong, "note", &a.Note, longestNote)
	quantity, err := settle(article, a.Quantity, a.Unit)
	if err := wrong.AddError(err); err != nil {
		return Line{}, err
	}
	return Line{ItemID: a.ItemID, Quantity: quantity, Unit: article.Unit(), ConfigurationNumber: a.ConfigurationNumber, Note: a.Note}, wrong.Err()
}

func checkText(wrong *fault.List, field string, text *string, longest int) {
	*text = strings.TrimSpace(*text)
	if utf8.RuneCountInString(*text) > longest {
		wrong.Add(fault.ErrInvalid, field, "has more than %d characters", longest)
	}
}

// settle turns a quantity in any of an article's units into the unit it is sold by, and keeps it to what is sold: by the base
// unit, quantities with the item's decimals; by a larger one, whole ones of it.
//
// Used when something is put in a cart and when a line changes.
func settle(a assortment.Article, quantity dec.Dec, unit string) (dec.Dec, error) {
	own := a.Unit()
	if unit == "" {
		unit = own
	}
	from, ok := a.Item.Factor(unit)
	to, sold := a.Item.Factor(own)
	if !ok || !sold {
		return 0, pricing.ErrUnknownUnit.At("unit", "%s is not sold by %q: leave the unit out, or order by %q", a.Name, unit, own)
	}
	if quantity <= 0 {
		return 0, ErrQuantity.At("quantity", "must be above 0")
	}
	if from == to && to == dec.One {
		return quantity, catalog.CheckQuantity(a.Item, quantity)
	}
	base := quantity.Mul(from)
	n := base.Div(to)
	if n.Mul(to) != base || to != dec.One && n.Decimals() > 0 {
		return 0, ErrQuantity.At("quantity", "%s is sold by the %s of %s %s: order a multiple of it", a.Name, own, to, a.Item.BaseUnit)
	}
	return n, catalog.CheckQuantity(a.Item, n)
}

// Edit is what of a line may be changed.
type Edit struct {
	Quantity dec.Dec // in the line's unit
	Note     string
}

// Change edits a line of the cart of this transaction's visit. CartLine.NotFound, and what Add refuses.
func Change(tx *db.Tx, lineID string, edit func(*Edit) error) error {
	v := storefront.Of(tx)
	id, l, err := lockLine(tx, v, lineID)
	if err != nil {
		return err
	}
	e := Edit{l.Quantity, l.Note}
	if err := edit(&e); err != nil {
		return err
	}
	var wrong fault.List
	checkText(&wrong, "note", &e.Note, longestNote)
	if e.Quantity != l.Quantity {
		sold, err := assortment.Sellable(tx, v.Viewer(), []string{l.ItemID})
		if err != nil {
			return err
		}
		a, ok := sold[l.ItemID]
		if !ok {
			return ErrNotSellable.At("quantity", "the item is no longer sold here: remove the line")
		}
		unit := l.Unit
		if _, ok := a.Item.Factor(unit); !ok { // it is no longer sold by that
			unit = ""
		}
		quantity, err := settle(a, e.Quantity, unit)
		if err := wrong.AddError(err); err != nil {
			return err
		}
		l.Quantity, l.Unit, l.seen = quantity, a.Unit(), seen{}
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	l.Note = e.Note
	return writeLines(tx, id, []Line{l})
}

// lockLine locks the visit's cart and reads a line of it.
func lockLine(tx *db.Tx, v *storefront.Visit, lineID string) (cartID string, l Line, err error) {
	if cartID, err = Lock(tx, v.Session.ID); err != nil {
		return "", l, err
	}
	lines, err := linesOf(tx, cartID)
	for _, l := range lines {
		if l.ID == lineID {
			return cartID, l, err
		}
	}
	if err == nil {
		err = ErrLineNotFound.Because("the cart has no line %s", lineID)
	}
	return "", l, err
}

// Remove takes a line out. CartLine.NotFound.
func Remove(tx *db.Tx, lineID string) error {
	id, _, err := lockLine(tx, storefront.Of(tx), lineID)
	if err != nil {
		return err
	}
	return removeLine(tx, id, lineID)
}

// Clear empties the cart: lines, codes, and what was noted.
func Clear(tx *db.Tx) error {
	id, err := Lock(tx, storefront.Of(tx).Session.ID)
	if err != nil {
		return err
	}
	if err := empty(tx, []string{id}); err != nil {
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

// Describe edits what is noted on the cart. Cart.DateInThePast, Request.Invalid.
func Describe(tx *db.Tx, edit func(*Details) error) error {
	v := storefront.Of(tx)
	id, err := Lock(tx, v.Session.ID)
	if err != nil {
		return err
	}
	c, err := read(tx, v.Session.ID)
	if err != nil {
		return err
	}
	d := Details{c.Reference, c.Note, c.RequestedDeliveryDate}
	if err := edit(&d); err != nil {
		return err
	}
	var wrong fault.List
	checkText(&wrong, "reference", &d.Reference, longestText)
	checkText(&wrong, "note", &d.Note, longestNote)
	if d.RequestedDeliveryDate != "" && d.RequestedDeliveryDate != c.RequestedDeliveryDate && d.RequestedDeliveryDate < tx.Today() {
		wrong.Add(ErrDate, "requestedDeliveryDate", "%s is past: name today or a later day", d.RequestedDeliveryDate)
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	return describe(tx, id, d)
}

// Show is the cart as the visitor is now shown it: what it tells is told, and its prices are remembered as seen. It writes; a
// cart that says nothing new (see HasNews) need not be shown this way.
func Show(tx *db.Tx) (*Cart, error) {
	v := storefront.Of(tx)
	if _, err := Lock(tx, v.Session.ID); err != nil {
		return nil, err
	}
	c, err := For(tx, v, Delivery{})
	if err != nil {
		return nil, err
	}
	return c, remember(tx, c)
}

// HasNews reports whether showing the cart leaves something to be remembered.
func (c *Cart) HasNews() bool {
	if c.ID == "" || len(c.notices) > 0 {
		return true
	}
	for i := range c.Lines {
		if l := &c.Lines[i]; l.IsSellable && !l.isSeen() {
			return true
		}
	}
	return false
}

// PricesMoved reports whether a line costs something else than when the visitor last saw it.
func (c *Cart) PricesMoved() bool {
	for i := range c.Lines {
		if l := &c.Lines[i]; l.IsSellable && l.seen.price != nil && !l.isSeen() {
			return true
		}
	}
	return false
}

// remember notes the prices that were shown, and that the notices were.
func remember(tx *db.Tx, c *Cart) error {
	var news []Line
	for i := range c.Lines {
		if l := &c.Lines[i]; l.IsSellable && !l.isSeen() {
			price := l.UnitPrice
			l.seen = seen{&price, l.IsPriceIncludingTax, l.Quote.CurrencyCode}
			news = append(news, *l)
		}
	}
	if err := writeLines(tx, c.ID, news); err != nil || len(c.notices) == 0 {
		return err
	}
	return writeNotices(tx, c.ID, nil)
}

// notice is a message about lines of the cart.
func notice(code string, lines int, format string) Message {
	word := "lines"
	if lines == 1 {
		word = "line"
	}
	return Message{Code: code, Text: fmt.Sprintf(format, lines, word)}
}
