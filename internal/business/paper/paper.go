// Package paper prints the papers of a company: invoices and credit notes, delivery notes, return slips. A paper is
// made of the records it shows, who sends it and who receives it, and of nothing else, so that the same records give
// the same bytes wherever they are printed. It speaks the receiver's language.
package paper

import (
	"cmp"
	"time"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Media is the media type of a File.
const Media = "application/pdf"

// File is a printed paper.
type File struct {
	Name string // to save it by, such as invoice-1001.pdf
	Body []byte
	// Language is what it speaks; "" where people do not read it.
	Language string
}

// Sender is the company as its papers show it.
type Sender struct {
	Profile reference.Profile
	Logo    []byte         // PNG or JPEG; none: the name stands in its place
	Zone    *time.Location // of moments; nil is UTC
	// UnitWord is what readers of a language call a unit by its code; nil where papers shall show the codes.
	UnitWord func(language, code string) string
	// Currency is the company's own; RateOn the rate of one on a day, nil where papers shall not convert.
	Currency reference.Currency
	RateOn   func(currency string, on day.Date) (dec.Rate, bool)
}

// taxAtHome is the tax of an invoice in another currency in the company's own, at the rate that was kept with it, or,
// as long as it is not booked, that of its date; false where there is none, or nobody can say what it comes to.
//
// Directive 2006/112/EC, article 230: "The amounts which appear on the invoice may be expressed in any currency,
// provided that the amount of VAT payable or to be adjusted is expressed in the national currency of the Member State".
func (s *Sender) taxAtHome(i invoicing.Invoice) (tax dec.Dec, known bool) {
	if s.RateOn == nil || i.TotalVAT == 0 || i.CurrencyCode == s.Currency.Code {
		return 0, false
	}
	from, known := i.Rate(), i.RateAmount > 0
	if !known {
		from, known = s.RateOn(i.CurrencyCode, i.InvoiceDate)
	}
	home, _ := s.RateOn(s.Currency.Code, i.InvoiceDate)
	return tax, known && limit.Total.Holds(func() dec.Dec {
		tax = dec.Convert(i.TotalVAT, from, home, s.Currency.Decimals)
		return tax
	})
}

// Receiver is the customer that a paper is for.
type Receiver struct {
	Customer party.Customer
	Language string // BCP 47; papers speak sv, nb, da, fi, de, and English to everybody else
}

// SenderOf reads the company.
func SenderOf(tx *db.Tx) (Sender, error) {
	s := Sender{Zone: tx.Info.Zone}
	book, err := reference.Of(tx)
	if err != nil {
		return s, err
	}
	s.UnitWord, s.Currency, s.RateOn = book.UnitWord, book.Base(), book.RateOn
	if s.Profile = book.Profile(); s.Profile.LogoHash != "" {
		s.Logo, err = reference.Logo(tx)
	}
	return s, err
}

// ReceiverOf reads a customer and finds its language: that of the first of its active contacts who have one, the
// primary contact before the others; else the one in which it ordered, where that is known; else the language of
// business in the country that the paper goes to, or in its own, or in the company's.
// Customer.NotFound.
func ReceiverOf(tx *db.Tx, number, ordered string, to party.Postal) (Receiver, error) {
	c, err := party.Find(tx, number)
	if err != nil {
		return Receiver{}, err
	}
	contacts, err := party.Contacts(tx, number, record.Page{Number: 1, Size: 200})
	return Receiver{c, cmp.Or(spoken(contacts.Items), ordered,
		reference.LanguageOf(cmp.Or(to.CountryCode, c.CountryCode, tx.Info.Country)))}, err
}

// languageAtHome is the language of business in the company's country.
func languageAtHome(tx *db.Tx) string { return reference.LanguageOf(tx.Info.Country) }

// For prints a paper about these orders of a customer, in the language of ReceiverOf. Customer.NotFound.
func For(tx *db.Tx, number string, orders []string, to party.Postal,
	print func(Sender, Receiver) (File, error)) (File, error) {
	s, err := SenderOf(tx)
	if err != nil {
		return File{}, err
	}
	ordered, err := sales.LanguageOf(tx, orders)
	if err != nil {
		return File{}, err
	}
	r, err := ReceiverOf(tx, number, ordered, to)
	if err != nil {
		return File{}, err
	}
	return print(s, r)
}

// spoken is the language of a customer's people; "" where nobody has said any.
func spoken(contacts []party.Contact) (language string) {
	for _, c := range contacts {
		switch {
		case !c.IsActive || c.LanguageCode == "":
		case c.IsPrimary:
			return c.LanguageCode
		case language == "":
			language = c.LanguageCode
		}
	}
	return language
}
