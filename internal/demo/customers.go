package demo

import (
	"fmt"
	"strings"
	"sync"

	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// buyer is a customer, as far as the story needs to know.
type buyer struct {
	number   string
	reseller bool
}

// people are whom the company deals with, and what their names and places are made of.
type people struct {
	FirstNames, LastNames, ShopWords, Streets []string
	Towns                                     []town
	Suppliers                                 []source
}

var folk = sync.OnceValue(func() people { return written[people]("people.json", nil) })

type town struct{ Code, Name, Country, Currency string }

// person is the name of one, by the numbers of the first name and of the last.
func person(first, last int) string {
	p := folk()
	return p.FirstNames[first%len(p.FirstNames)] + " " + p.LastNames[last%len(p.LastNames)]
}

// street is an address in a street by chance.
func (f *filler) street() string {
	return fmt.Sprintf("%s %d", pick(f.random, folk().Streets), between(f.random, 1, 90))
}

// The company's customers: so many resellers, then private persons.
const (
	resellers = 20
	persons   = 40
)

// customers makes the customers with their contacts and addresses, and the agreement with the most loyal one.
func (f *filler) customers() {
	var all []party.Customer
	for n := range resellers + persons {
		all = append(all, f.customer(n))
	}
	type extra struct {
		contacts  []party.Contact
		addresses []party.Address
	}
	extras := make([]extra, len(all))
	for n := range all {
		extras[n].contacts = f.contacts(n, all[n])
		if n < resellers || n%5 == 0 {
			extras[n].addresses = f.addresses(all[n], between(f.random, 1, 2))
		}
	}
	f.buyers = nil
	for n, c := range all {
		f.buyers = append(f.buyers, buyer{c.Number, n < resellers})
	}
	f.found(func(tx *db.Tx) {
		halt.On(party.CreateMany(tx, append([]party.Customer(nil), all...)))
		for n, x := range extras {
			for _, c := range x.contacts {
				halt.Must(party.CreateContact(tx, all[n].Number, c))
			}
			for _, a := range x.addresses {
				halt.Must(party.CreateAddress(tx, all[n].Number, a))
			}
		}
		f.agreement(tx)
	})
}

func (f *filler) customer(n int) party.Customer {
	t := pick(f.random, folk().Towns)
	c := party.Customer{Number: fmt.Sprint(10001 + n), IsActive: n != resellers+persons-1,
		Street1: f.street(), PostalCode: t.Code, City: t.Name, CountryCode: t.Country, CurrencyCode: t.Currency}
	if n < resellers {
		words := folk().ShopWords
		c.Name = fmt.Sprintf("%s %s %s", words[n%len(words)], t.Name,
			map[string]string{"NO": "AS", "SE": "AB", "DK": "ApS", "DE": "GmbH"}[t.Country])
		c.OrganizationNumber, c.VATNumber = registered(t.Country, n)
		c.GroupCode, c.PaymentTermCode = "WHOLESALE", "NET30"
		c.InvoiceEmail = fmt.Sprintf("invoice@%s%d.example", slug(c.Name), n)
		return c
	}
	c.Name = person(n, n*7)
	c.GroupCode, c.PaymentTermCode = "RETAIL", "PREPAID"
	c.InvoiceEmail = fmt.Sprintf("%s.%d@mail.example", slug(c.Name), n)
	return c
}

// registered is the n-th organisation number that a country's rules allow, and its VAT number.
func registered(country string, n int) (organisation, vat string) {
	switch country {
	case "SE": // ten digits, the last by Luhn
		digits := fmt.Sprintf("55%07d", 6_010_000+n*1_237)
		sum := 0
		for i, d := range digits {
			v := int(d-'0') * (2 - i%2)
			sum += v/10 + v%10
		}
		digits += fmt.Sprint((10 - sum%10) % 10)
		return digits[:6] + "-" + digits[6:], "SE" + digits + "01"
	case "DK":
		digits := fmt.Sprintf("%08d", 30_000_000+n*1_237)
		return digits, "DK" + digits
	case "DE":
		return fmt.Sprintf("HRB %d", 100_000+n*1_237), fmt.Sprintf("DE%09d", 300_000_000+n*1_237)
	}
	for base := 90_000_000 + n*1_237; ; base++ { // nine digits, the last by the remainder of eleven
		sum := 0
		for i, d := range fmt.Sprint(base) {
			sum += int(d-'0') * []int{3, 2, 7, 6, 5, 4, 3, 2}[i]
		}
		if check := (11 - sum%11) % 11; check < 10 {
			return fmt.Sprintf("%d%d", base, check), fmt.Sprintf("NO%d%dMVA", base, check)
		}
	}
}

// contacts are the people of a customer; those of resellers may sign in to the portal.
func (f *filler) contacts(n int, c party.Customer) []party.Contact {
	if n >= resellers {
		return []party.Contact{{Name: c.Name, Email: c.InvoiceEmail, IsPrimary: true, IsActive: true,
			LanguageCode: "nb"}}
	}
	var out []party.Contact
	for k, role := range []string{"Purchasing", "Warehouse"} {
		name := person(n*3+k*11, n*5+k*7)
		out = append(out, party.Contact{Name: name, Email: fmt.Sprintf("%s@%s%d.example", slug(name), slug(c.Name), n),
			Role: role, IsPrimary: k == 0, IsActive: true, HasPortalAccess: k == 0, LanguageCode: "nb"})
	}
	return out
}

func (f *filler) addresses(c party.Customer, count int) []party.Address {
	var out []party.Address
	for k := range count {
		out = append(out, party.Address{IsDefault: k == 0,
			Postal: party.Postal{Name: c.Name, ContactPerson: pick(f.random, folk().FirstNames) + " " +
				pick(f.random, folk().LastNames), Street1: f.street(),
				Street2: []string{"", "Goods entrance at the back"}[k%2], PostalCode: c.PostalCode, City: c.City,
				CountryCode: c.CountryCode}})
	}
	return out
}

// slug is a name as it stands in mail addresses.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r
		case r == 'å', r == 'ä':
			return 'a'
		case r == 'ø', r == 'ö':
			return 'o'
		case r == 'æ':
			return 'e'
		}
		return -1
	}, strings.ToLower(name))
}
