package checkout

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// Methods is the resource of payment methods.
var Methods = record.Define("payment-methods", "payment_method", "PaymentMethod")

// Method is a way to pay that a company offers: a provider with the settings of the company's account there.
type Method struct {
	record.Root
	Code            string
	Name            string // as buyers read it
	Provider        string // payment.Description.Name
	Fee             dec.Dec
	FeeIncludesTax  bool
	FeeTaxCode      string           // "" = the company's default
	PaymentTermCode string           `db:"payment_term"` // of orders paid so; "" = the customer's, else the company's
	Instructions    string           // how to pay, one line each: in the confirmation
	Settings        payment.Settings `log:"-"`
	Channels        []string         `db:",json"` // codes; none = all
	Countries       []string         `db:",json"` // of the billing address; none = all
	SortOrder       int
	IsActive        bool
}

// Account is the company's account with the method's provider.
func (m Method) Account(tx *db.Tx) payment.Account {
	return payment.Account{Company: tx.Company, IsTest: tx.Info.Environment == "Test", Settings: m.Settings}
}

// Save makes a payment method, or makes the one with this code what it is now. A secret setting that is left empty
// stays as it was.
// Everything wrong is said at once: PaymentMethod.Invalid, PaymentMethod.UnknownCode, Payment.Invalid for settings.
func Save(tx *db.Tx, ps payment.Providers, m Method) (Method, error) {
	m.Code, m.Name = strings.TrimSpace(m.Code), strings.TrimSpace(m.Name)
	_, err := methods.Put(tx, &m, func(before Method, m *Method) error { return m.validate(tx, ps, before.Settings) })
	return m, err
}

func (m *Method) validate(tx *db.Tx, ps payment.Providers, was payment.Settings) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var l fault.List
	l.If(m.Code == "" || utf8.RuneCountInString(m.Code) > limit.Code || strings.ContainsAny(m.Code, "\n\t"),
		ErrMethodInvalid, "code", "must be one line of at most %d characters", limit.Code)
	l.If(m.Name == "" || utf8.RuneCountInString(m.Name) > limit.Name || strings.ContainsAny(m.Name, "\n\t"),
		ErrMethodInvalid, "name", "must be one line of at most %d characters", limit.Name)
	l.If(m.Fee < 0 || m.Fee.Decimals() > book.Digits(book.Base().Code), ErrMethodInvalid, "fee",
		"the fee is an amount in %s, not below 0", book.Base().Code)
	limit.Amount.Check(&l, "fee", m.Fee)
	if t, ok := book.PaymentTerm(m.PaymentTermCode); ok {
		m.PaymentTermCode = t.Code
	} else if m.PaymentTermCode != "" {
		l.Add(ErrMethodUnknown, "paymentTermCode", "there is no payment term %q", m.PaymentTermCode)
	}
	if t, ok := book.TaxCode(m.FeeTaxCode); ok {
		m.FeeTaxCode = t.Code
	} else if m.FeeTaxCode != "" {
		l.Add(ErrMethodUnknown, "feeTaxCode", "there is no tax code %q", m.FeeTaxCode)
	}
	for i, name := range m.Countries {
		code, ok := reference.CountryNamed(name)
		l.If(!ok, ErrMethodUnknown, fmt.Sprintf("countries[%d]", i),
			"%q is no country code of ISO 3166-1 (two capital letters, like SE)", name)
		m.Countries[i] = code
	}
	p, ok := ps[m.Provider]
	if !ok {
		l.Add(ErrMethodUnknown, "provider", "there is no payment provider %q; there are %v", m.Provider,
			slices.Sorted(maps.Keys(ps)))
		return l.Err()
	}
	d := p.Describe()
	l.If(d.TestOnly && tx.Info.Environment != "Test", ErrMethodInvalid, "provider",
		"%s is for companies of environment Test", d.Name)
	m.Settings = keepSecrets(d, m.Settings, was)
	if err := l.AddError(d.CheckSettings(m.Settings)); err != nil {
		return err
	}
	return l.Err()
}

// keepSecrets are settings with the secrets that a form leaves empty because it cannot show them.
func keepSecrets(d payment.Description, s, was payment.Settings) payment.Settings {
	out := payment.Settings{}
	for name, v := range s {
		if v != "" {
			out[name] = v
		}
	}
	for _, set := range d.Settings {
		if set.IsSecret && out[set.Name] == "" && was[set.Name] != "" {
			out[set.Name] = was[set.Name]
		}
	}
	return out
}

// Reseal seals the settings of the payment methods with the present key that are not; of a company whose data was
// copied from another, from is that one. Settings whose key is not here stay as they are, and are counted.
func Reseal(tx *db.Tx, from string) (lost int, err error) {
	return tx.Reseal("payment_method", settingsColumn, from)
}

// FindMethod reads a payment method. PaymentMethod.NotFound.
func FindMethod(tx *db.Tx, code string) (Method, error) { return methods.Find(tx, code) }

// Fee is what paying by a method costs.
type Fee struct {
	Price        dec.Dec // as the method has it, in the cart's currency
	IncludesTax  bool
	TaxCode      string
	TaxPercent   dec.Dec
	Net, Tax     dec.Dec
	IncludingTax dec.Dec
}

// fee is what the method costs in a currency and a country. A fee that cannot be converted is none.
func (m Method) fee(tx *db.Tx, currency, country string) (Fee, error) {
	book, err := reference.Of(tx)
	if err != nil || m.Fee == 0 {
		return Fee{}, err
	}
	f := Fee{Price: m.Fee, IncludesTax: m.FeeIncludesTax, TaxCode: cmp.Or(m.FeeTaxCode, book.Defaults().TaxCode)}
	digits := book.Digits(currency)
	if base := book.Base().Code; currency != base {
		from, _ := book.RateOn(base, tx.Today())
		to, ok := book.RateOn(currency, tx.Today())
		if !ok {
			return Fee{}, nil
		}
		f.Price = dec.Convert(m.Fee, from, to, digits)
	}
	if t, ok := book.TaxCode(f.TaxCode); ok {
		f.TaxPercent = t.Percent(country, tx.Today())
	}
	f.Net, f.Tax = tax.Line(f.Price, f.TaxPercent, digits, f.IncludesTax)
	f.IncludingTax = f.Net.Add(f.Tax)
	return f, nil
}

// isCredit reports whether the seller gives credit by a method.
func (t *Payments) isCredit(m *Method) bool {
	p, ok := t.Providers()[m.Provider]
	return ok && p.Describe().NeedsCredit
}

// offers are the payment methods that a visitor may choose from, in their order, and his credit in a currency: whether
// it bears an amount, the caller asks.
func (t *Payments) offers(tx *db.Tx, v *storefront.Visit, currency, country string) ([]Method, payment.Credit, error) {
	all, err := allMethods(tx)
	if err != nil {
		return nil, payment.Credit{}, err
	}
	credit, err := creditOf(tx, v, currency)
	if err != nil {
		return nil, credit, err
	}
	ps := t.Providers()
	return slices.DeleteFunc(all, func(m Method) bool {
		p, ok := ps[m.Provider]
		if !m.IsActive || !ok || !among(m.Channels, v.Channel.Code) || country != "" && !among(m.Countries, country) {
			return true
		}
		d := p.Describe()
		return d.NeedsCredit && !credit.HasCredit || d.Ready(m.Account(tx)) != nil
	}), credit, nil
}

// among reports whether a list that narrows lets a code pass.
func among(codes []string, code string) bool {
	return len(codes) == 0 || slices.ContainsFunc(codes,
		func(c string) bool { return record.Fold(c) == record.Fold(code) })
}
