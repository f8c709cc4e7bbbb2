// Package limit is the one place that says how large a number of a business may be. The bounds are far above what a
// trading house writes and far below what a decimal holds, so that sums and products of numbers that were taken stay
// exact. What is above one is refused with the field that it was given in.
package limit

import (
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Codes of what is too large.
var (
	ErrQuantity = fault.New(fault.Invalid, "Quantity.TooLarge")
	ErrAmount   = fault.New(fault.Invalid, "Amount.TooLarge")
)

// Bound is a kind of number that has an end.
type Bound int

// The kinds. Stock is what lies of an item in one warehouse, in base units. A price is that of one unit, an amount that
// of one line or of what one line is about (freight, a gift card, a discount), a total that of a document, a cart, a
// payment, a customer's balance or what lies of an item in one warehouse; amounts and totals are meant with tax. A
// measure is the weight in kilograms or a length in centimetres of one unit or package.
const (
	Quantity Bound = iota
	Stock
	Price
	Amount
	Total
	Measure
)

// Most is the greatest magnitude that is taken.
func (b Bound) Most() dec.Dec {
	return [...]dec.Dec{Quantity: 100_000_000 * dec.One, Stock: 1_000_000_000 * dec.One,
		Price: 10_000_000_000 * dec.One, Amount: 10_000_000_000 * dec.One, Total: 100_000_000_000 * dec.One,
		Measure: 1_000_000 * dec.One}[b]
}

// Holds reports whether a number that is calculated keeps to its bound, however large what it is made of is.
func (b Bound) Holds(calculate func() dec.Dec) bool {
	var d dec.Dec
	return dec.InRange(func() { d = calculate() }) && d <= b.Most() && d >= b.Most().Neg()
}

// AtMost is a number, not below 0, that is calculated; the bound where it would be more, however large what it is made
// of is.
func (b Bound) AtMost(calculate func() dec.Dec) dec.Dec {
	return min(b.Most(), dec.Capped(calculate))
}

// Check notes a number that was given and is above its bound as wrong with the field at path.
func (b Bound) Check(wrong *fault.List, path string, d dec.Dec) {
	if d <= b.Most() && d >= b.Most().Neg() {
		return
	}
	if b == Quantity || b == Stock {
		wrong.Add(ErrQuantity, path, "%s is more than the largest quantity that is taken, %s", d, b.Most())
		return
	}
	wrong.Add(ErrAmount, path, "%s is more than the largest amount that is taken here, %s", d, b.Most())
}

// Of notes a number that follows from what was given at path, where it is above its bound.
func (b Bound) Of(wrong *fault.List, path string, calculate func() dec.Dec) {
	if b.Holds(calculate) {
		return
	}
	switch b {
	case Quantity, Stock:
		wrong.Add(ErrQuantity, path, "comes to more base units than the largest quantity that is taken, %s", b.Most())
	case Total:
		wrong.Add(ErrAmount, path, "come to more than the largest total of a document, %s: divide them among several",
			b.Most())
	default:
		wrong.Add(ErrAmount, path,
			"makes the line come to more than the largest amount of a line, %s: lower the quantity or the price",
			b.Most())
	}
}

// How long texts may be, in characters. A code is a key or a number, and one line; a path is an address; a note is what
// somebody writes in a field of several lines.
const (
	Code = 50
	Name = 200
	Path = 2_000
	Note = 4_000
	Mail = 254 // of an address in an envelope (RFC 5321)
	HTML = 100_000
)

// Text is the greatest length of a kind of text, as fields are tagged with it: text:"name". Without a tag a text is a
// code.
func Text(kind string) (most int, known bool) {
	most, known = map[string]int{"": Code, "code": Code, "name": Name, "path": Path, "note": Note, "email": Mail,
		"html": HTML}[kind]
	return most, known
}
