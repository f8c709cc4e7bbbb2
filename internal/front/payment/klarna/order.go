package klarna

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
)

// order is what a checkout is created with.
type order struct {
	Country    string `json:"purchase_country"`
	Currency   string `json:"purchase_currency"`
	Locale     string `json:"locale"`
	Amount     int64  `json:"order_amount"`
	Tax        int64  `json:"order_tax_amount"`
	Lines      []line `json:"order_lines"`
	URLs       urls   `json:"merchant_urls"`
	Reference1 string `json:"merchant_reference1,omitempty"`
	Reference2 string `json:"merchant_reference2"`
	Data       string `json:"merchant_data"`
	Billing    *buyer `json:"billing_address,omitempty"`
}

type buyer struct {
	Email   string `json:"email,omitempty"`
	Country string `json:"country,omitempty"`
}

type urls struct {
	Terms        string `json:"terms"`
	Checkout     string `json:"checkout"`
	Confirmation string `json:"confirmation"`
	Push         string `json:"push"`
	Validation   string `json:"validation,omitempty"`
}

// line is one of Klarna's order lines; amounts include tax.
type line struct {
	Type      string `json:"type"`
	Reference string `json:"reference,omitempty"`
	Name      string `json:"name"`
	Quantity  int64  `json:"quantity"`
	Unit      string `json:"quantity_unit,omitempty"`
	UnitPrice int64  `json:"unit_price"`
	TaxRate   int64  `json:"tax_rate"`
	Total     int64  `json:"total_amount"`
	Discount  int64  `json:"total_discount_amount,omitempty"`
	Tax       int64  `json:"total_tax_amount"`
}

func orderOf(i payment.Intent, terms string) (order, error) {
	terms = cmp.Or(i.TermsURL, terms)
	switch {
	case i.Country == "" || i.Language == "":
		return order{}, payment.ErrInvalid.Because("Klarna needs the buyer's country and language.")
	case i.ReturnURL == "" || i.CallbackURL == "" || terms == "":
		return order{},
			payment.ErrMisconfigured.Because(
				"Klarna needs an address to return to, one to report to, and one of the terms of purchase.")
	case len(i.Lines) == 0:
		return order{}, payment.ErrInvalid.Because("Klarna needs the lines of what is paid for.")
	}
	o := order{Country: i.Country, Currency: i.Currency, Locale: strings.ToLower(i.Language) + "-" + i.Country,
		Reference1: cut(i.Reference, 255), Reference2: i.ID, URLs: urls{Terms: terms, Checkout: i.ReturnURL,
			Confirmation: with(i.ReturnURL), Push: with(i.CallbackURL), Validation: i.CheckURL},
		Data: ours + strconv.Itoa(i.Digits)}
	if i.Email != "" {
		o.Billing = &buyer{i.Email, i.Country}
	}
	var err error
	if o.Amount, err = payment.Minor(i.Amount, i.Digits); err != nil {
		return o, err
	}
	o.Lines, _, o.Tax, err = linesOf(i.Lines, i.Digits)
	return o, err
}

// ours begins the data that an order carries for us: how many decimals its amounts have, which a push does not know.
const ours = "kontor digits "

func digitsOf(data string) (int, bool) {
	text, ok := strings.CutPrefix(data, ours)
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n >= 0 && n <= dec.Scale
}

// linesOf are lines as Klarna wants them, with their sum and their tax.
func linesOf(from []payment.Line, digits int) (lines []line, total, tax int64, err error) {
	var sum, taxes dec.Dec
	for _, l := range from {
		made, tax, err := lineOf(l, digits)
		if err != nil {
			return nil, 0, 0, err
		}
		lines = append(lines, made)
		sum, taxes = sum.Add(l.Total), taxes.Add(tax)
	}
	total, _ = sum.Units(digits)
	tax, _ = taxes.Units(digits)
	return lines, total, tax, nil
}

// partOf is the body of a capture or a refund; lines that do not add up to its amount are left out, as Klarna allows.
func partOf(id, name string, amount dec.Dec, lines []payment.Line, digits int) (map[string]any, error) {
	n, err := payment.Minor(amount, digits)
	if err != nil {
		return nil, err
	}
	body := map[string]any{name: n, "reference": id}
	made, sum, _, err := linesOf(lines, digits)
	if err != nil {
		return nil, err
	}
	if len(made) > 0 && sum == n {
		body["order_lines"] = made
	}
	return body, nil
}

func typeOf(k payment.LineKind, isBelowZero bool) string {
	switch k {
	case payment.Services:
		return "digital"
	case payment.Freight:
		return "shipping_fee"
	case payment.GiftCard:
		return "gift_card"
	case payment.Discount:
		return "discount"
	case payment.Fee, payment.Rounding:
		if isBelowZero {
			return "discount"
		}
		return "surcharge"
	}
	return "physical"
}

// lineOf is a line as Klarna checks it: a whole quantity times a price in minor units, less the discount, is the total.
// Where ours is not so (2.5 m, a price with four decimals) it becomes one piece, and its name says how much. Its tax is
// also told as an amount.
func lineOf(l payment.Line, digits int) (made line, tax dec.Dec, err error) {
	total, err := payment.Minor(l.Total, digits)
	if err != nil {
		return line{}, 0, err
	}
	rate, err := payment.Minor(l.TaxRate, 2) // percent with two decimals: 2500 is 25 %
	if err != nil || rate < 0 || rate > 10000 {
		return line{}, 0,
			payment.ErrInexact.Because(
				"Klarna takes tax rates of 0 to 100 percent with two decimals, not %s. Choose another way to pay.",
				l.TaxRate)
	}
	tax = taxOf(l, digits)
	made = line{Type: typeOf(l.Kind, l.Total < 0), Reference: cut(l.Number, 64),
		Name: cut(cmp.Or(l.Name, string(l.Kind)), 255), Quantity: 1, UnitPrice: total, TaxRate: rate, Total: total}
	made.Tax, _ = tax.Units(digits)
	price, errPrice := payment.Minor(l.UnitPrice, digits)
	discount, errDiscount := payment.Minor(l.Discount, digits)
	n, errQuantity := payment.Minor(l.Quantity, 0)
	isWhole := errPrice == nil && errDiscount == nil && errQuantity == nil && n > 0 && discount >= 0
	if isWhole && price <= (1<<40) && price >= -(1<<40) && n < (1<<20) && n*price-discount == total {
		made.Quantity, made.UnitPrice, made.Discount, made.Unit = n, price, discount, cut(l.Unit, 8)
	} else if l.Quantity != 0 && l.Quantity != dec.One {
		made.Name = cut(fmt.Sprintf("%s %s %s", l.Quantity, l.Unit, made.Name), 255)
	}
	return made, tax, nil
}

// taxOf is the line's tax where Klarna accepts it: within one minor unit of total - total * 10000 / (10000 + rate). A
// tax that was rounded with others may be further off, and is then what Klarna counts.
func taxOf(l payment.Line, digits int) dec.Dec {
	const hundred = 100 * dec.One
	counted := l.Total.Sub(l.Total.MulDivRound(hundred, hundred.Add(l.TaxRate), digits))
	if _, isExact := l.Tax.Units(digits); isExact && l.Tax.Sub(counted).Abs() <= dec.Unit(digits) {
		return l.Tax
	}
	return counted
}

// cut keeps a text to n characters.
func cut(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}
