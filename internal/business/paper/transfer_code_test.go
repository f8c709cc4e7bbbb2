package paper

import (
	"strings"
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/dec"
)

// The code of a transfer asks for what is still to be paid, and nobody is asked for money that he does not owe: by a
// draft, by a credit note, of what is paid, or in another currency.
func TestTheCodeOfATransferByTheLetter(t *testing.T) {
	s, i := sender(), invoice()
	s.Profile.LegalName, s.Profile.IBAN, s.Profile.BIC = "Nordlicht GmbH", "DE89370400440532013000", "COBADEFFXXX"
	i.Type, i.Status, i.CurrencyCode = invoicing.Standard, invoicing.Booked, "EUR"
	i.PaidAmount = i.TotalAmount.Add(i.TotalVAT).Sub(dec.Must("12.5"))
	want := strings.Join([]string{"BCD", "002", "1", "SCT", "COBADEFFXXX", "Nordlicht GmbH", "DE89370400440532013000",
		"EUR12.50", "", "", PaymentReference(s.Profile.CountryCode, i.Document())}, "\n")
	if got := transferText(s.Profile, i); got != want {
		t.Errorf("the code says %q, want %q", got, want)
	}
	for name, change := range map[string]func(p *reference.Profile, i *invoicing.Invoice){
		"a draft":            func(_ *reference.Profile, i *invoicing.Invoice) { i.Status = invoicing.Open },
		"a credit note":      func(_ *reference.Profile, i *invoicing.Invoice) { i.Type = invoicing.CreditNote },
		"other money":        func(_ *reference.Profile, i *invoicing.Invoice) { i.CurrencyCode = "SEK" },
		"paid":               func(_ *reference.Profile, i *invoicing.Invoice) { i.PaidAmount = i.PaidAmount.Add(dec.Must("12.5")) },
		"paid too much":      func(_ *reference.Profile, i *invoicing.Invoice) { i.PaidAmount = i.PaidAmount.Add(dec.Int(13)) },
		"no account":         func(p *reference.Profile, _ *invoicing.Invoice) { p.IBAN = "" },
		"a name of 71 runes": func(p *reference.Profile, _ *invoicing.Invoice) { p.LegalName = strings.Repeat("ä", 71) },
	} {
		profile, changed := s.Profile, i
		change(&profile, &changed)
		if got := transferText(profile, changed); got != "" {
			t.Errorf("%s: the code asks for %q", name, got)
		}
	}
}

// Only accounts of Switzerland and Liechtenstein are paid by a Swiss bill.
func TestSwissAccounts(t *testing.T) {
	for iban, want := range map[string]bool{"CH4431999123000889012": true, "LI21088100002324013AA": true,
		"DE89370400440532013000": false, "HR1210010051863000160": false, "CH44": false, "": false} {
		if isSwissAccount(iban) != want {
			t.Errorf("%q: %v", iban, !want)
		}
	}
}
