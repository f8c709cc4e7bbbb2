package paper

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/lazy"
)

// partner is a seller or a buyer of an electronic invoice.
type partner struct {
	name, legal             string
	street1, street2        string
	postalCode, city        string
	country                 string
	organization, vat       string
	contact, phone, email   string
	hasFTax                 bool
	endpoint, endpointsKind string // the address in the network, and the list it is of
}

func sellerOf(p reference.Profile) partner {
	s := partner{name: p.LegalName, legal: p.LegalName, street1: p.Street1, street2: p.Street2,
		postalCode: p.PostalCode, city: p.City, country: p.CountryCode, organization: bareNumber(p.OrganizationNumber),
		vat: p.VATNumber, contact: p.LegalName, phone: p.Phone, email: p.Email, hasFTax: p.HasFTax}
	return s.reached()
}

// buyerOf is whom an invoice is for: named as the invoice names it, with the customer's numbers.
func buyerOf(r Receiver, i invoicing.Invoice) partner {
	a, c := i.InvoiceAddress, r.Customer
	b := partner{name: cmp.Or(a.Name, i.CustomerName, c.Name), legal: cmp.Or(i.CustomerName, c.Name, a.Name),
		street1: a.Street1, street2: a.Street2, postalCode: a.PostalCode, city: a.City,
		country: cmp.Or(a.CountryCode, c.CountryCode), organization: bareNumber(c.OrganizationNumber), vat: c.VATNumber,
		contact: a.ContactPerson, phone: cmp.Or(a.Phone, c.Phone), email: cmp.Or(a.Email, c.InvoiceEmail)}
	return b.reached()
}

// bareNumber is an organisation number without what parts its digits.
func bareNumber(s string) string { return strings.NewReplacer(" ", "", "-", "", ".", "").Replace(s) }

// registers are the lists of addresses in the network (Peppol's Electronic Address Scheme) that are of the numbers of a
// country's register of companies, with the form of those, and the rule of Peppol that knows their check digits.
var registers = map[string]struct {
	list  string
	form  func() *regexp.Regexp
	check func(digits string) bool
}{
	"SE": {"0007", lazy.Regexp(`^\d{10}$`), func(d string) bool { return luhn(d[:9]) == int(d[9]-'0') }},                  // R049
	"NO": {"0192", lazy.Regexp(`^\d{9}$`), func(d string) bool { return weighted(d, 3, 2, 7, 6, 5, 4, 3, 2, 1)%11 == 0 }}, // R041
	"DK": {"0184", lazy.Regexp(`^\d{8}$`), nil},
	"BE": {"0208", lazy.Regexp(`^[01]\d{9}$`), func(d string) bool { // R043
		n, _ := strconv.Atoi(d[:8])
		check, _ := strconv.Atoi(d[8:])
		return 97-n%97 == check
	}},
	"NL": {"0106", lazy.Regexp(`^\d{8}$`), nil}, "CH": {"0183", lazy.Regexp(`^CHE\d{9}$`), nil},
	"FI": {"0212", lazy.Regexp(`^\d{8}$`), nil}, "FR": {"0002", lazy.Regexp(`^\d{9}$`), nil},
	"EE": {"0191", lazy.Regexp(`^\d{8}$`), nil}, "LT": {"0200", lazy.Regexp(`^\d{9}$`), nil},
	"LV": {"0218", lazy.Regexp(`^\d{11}$`), nil}, "IS": {"0196", lazy.Regexp(`^\d{10}$`), nil},
}

// vatLists are the lists that are of VAT numbers.
var vatLists = map[string]string{"AT": "9914", "BE": "9925", "BG": "9926", "CH": "9927", "CY": "9928", "CZ": "9929",
	"DE": "9930", "EE": "9931", "GB": "9932", "EL": "9933", "GR": "9933", "HR": "9934", "IE": "9935", "LI": "9936",
	"LT": "9937", "LU": "9938", "LV": "9939", "MT": "9943", "NL": "9944", "PL": "9945", "PT": "9946", "RO": "9947",
	"RS": "9948", "SI": "9949", "SK": "9950", "ES": "9920", "HU": "9910", "FI": "0213", "FR": "9957", "IT": "0211"}

// weighted is the sum of digits, each times its weight.
func weighted(digits string, weights ...int) (sum int) {
	for i, w := range weights {
		sum += int(digits[i]-'0') * w
	}
	return sum
}

// reached finds the address in the network: by the number in the country's register where the network has a list of
// those, else by the VAT number.
func (p partner) reached() partner {
	if r, ok := registers[p.country]; ok && r.form().MatchString(p.organization) &&
		(r.check == nil || r.check(p.organization)) {
		p.endpoint, p.endpointsKind = p.organization, r.list
		return p
	}
	if len(p.vat) > 2 {
		if list := vatLists[p.vat[:2]]; list != "" {
			p.endpoint, p.endpointsKind = bareNumber(p.vat), list
		}
	}
	return p
}

// needed is a detail without which there is no valid document, by the name that the profile and the customer have for
// it.
type needed struct{ name, value string }

// needs are the details that a document must know. The addresses in the network come last.
//
// EN 16931: BR-06 (seller's name), BR-09 (its country), BR-S-02 (its VAT number), BR-07 (buyer's name), BR-11 (its
// country); Peppol BIS Billing 3.0: R020 and R010 (both electronic addresses), DE-R-003 to DE-R-009 (between Germans).
func (u *electronic) needs() []needed {
	seller, b := sellerOf(u.sender), u.buyer
	all := []needed{{"seller.legalName", seller.name}, {"seller.vatNumber", seller.vat},
		{"seller.countryCode", seller.country}, {"buyer.name", b.name}, {"buyer.countryCode", b.country}}
	if seller.country == "DE" && b.country == "DE" {
		all = append(all, needed{"seller.city", seller.city}, needed{"seller.postalCode", seller.postalCode},
			needed{"seller.phone", seller.phone}, needed{"seller.email", seller.email}, needed{"buyer.city", b.city},
			needed{"buyer.postalCode", b.postalCode})
	}
	if seller.vat != "" && seller.country != "" {
		all = append(all, needed{"seller." + seller.addressedBy(), seller.endpoint})
	}
	if b.country != "" {
		all = append(all, needed{"buyer." + b.addressedBy(), b.endpoint})
	}
	return all
}

// addressedBy is the number by which the network finds companies of the partner's country.
func (p partner) addressedBy() string {
	if _, ok := registers[p.country]; ok {
		return "organizationNumber"
	}
	return "vatNumber"
}

// party is the element of a partner.
func (p partner) party() node {
	address := group("cac:PostalAddress", leaf("cbc:StreetName", p.street1),
		leaf("cbc:AdditionalStreetName", p.street2), leaf("cbc:CityName", p.city), leaf("cbc:PostalZone", p.postalCode),
		group("cac:Country", leaf("cbc:IdentificationCode", p.country)))
	n := group("cac:Party", node{name: "cbc:EndpointID", attributes: []string{"schemeID", p.endpointsKind},
		text: p.endpoint},
		group("cac:PartyName", leaf("cbc:Name", p.name)), address)
	if p.vat != "" {
		n.add(group("cac:PartyTaxScheme", leaf("cbc:CompanyID", p.vat), taxScheme()))
	}
	if p.hasFTax && p.country == "SE" { // SE-R-005
		n.add(group("cac:PartyTaxScheme", leaf("cbc:CompanyID", "Godkänd för F-skatt"),
			group("cac:TaxScheme", leaf("cbc:ID", "TAX"))))
	}
	if p.country == "NO" && strings.HasSuffix(p.vat, "MVA") { // NO-R-002
		n.add(group("cac:PartyTaxScheme", leaf("cbc:CompanyID", "Foretaksregisteret"),
			group("cac:TaxScheme", leaf("cbc:ID", "TAX"))))
	}
	number := leaf("cbc:CompanyID", p.organization)
	if p.endpoint == p.organization {
		number.attributes = []string{"schemeID", p.endpointsKind}
	}
	n.add(group("cac:PartyLegalEntity", leaf("cbc:RegistrationName", p.legal), number))
	n.add(group("cac:Contact", leaf("cbc:Name", p.contact), leaf("cbc:Telephone", p.phone),
		leaf("cbc:ElectronicMail", p.email)))
	return n
}

// means are the ways to pay (BG-16): a credit transfer to the giro numbers where the country and the currency have
// them, and to the IBAN. Peppol, SE-R-012 and the guideline behind it: a bankgiro is an account at SE:BANKGIRO, with
// the means 30.
func (u *electronic) means(isCredit bool) (out []node) {
	i := &u.invoice
	transfer := func(code, account, branch string) {
		due := ""
		if isCredit && len(out) == 0 { // UBL-SR-45: at most one says the day
			due = string(dueOrIssued(i))
		}
		a := group("cac:PayeeFinancialAccount", leaf("cbc:ID", account), leaf("cbc:Name", u.sender.LegalName))
		if branch != "" {
			a.add(group("cac:FinancialInstitutionBranch", leaf("cbc:ID", branch)))
		}
		out = append(out, group("cac:PaymentMeans", leaf("cbc:PaymentMeansCode", code), leaf("cbc:PaymentDueDate", due),
			leaf("cbc:PaymentID", payerStates(u.sender, i.Document())), a))
	}
	if u.sender.CountryCode == "SE" && i.CurrencyCode == "SEK" {
		if u.sender.Bankgiro != "" {
			transfer("30", bareNumber(u.sender.Bankgiro), "SE:BANKGIRO")
		}
		if u.sender.Plusgiro != "" {
			transfer("30", bareNumber(u.sender.Plusgiro), "SE:PLUSGIRO")
		}
	}
	if u.sender.IBAN != "" {
		code := "30"
		if i.CurrencyCode == "EUR" || u.sender.CountryCode == "DK" {
			code = "58" // SEPA
		}
		transfer(code, u.sender.IBAN, u.sender.BIC)
	}
	return out
}

// document is the element as an XML document.
func (n node) document() []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	n.write(&b, 0)
	return b.Bytes()
}

func (n node) write(b *bytes.Buffer, depth int) {
	indent := strings.Repeat("  ", depth)
	b.WriteString(indent + "<" + n.name)
	for i := 0; i+1 < len(n.attributes); i += 2 {
		b.WriteString(" " + n.attributes[i] + `="`)
		_ = xml.EscapeText(b, []byte(n.attributes[i+1])) // a buffer does not fail
		b.WriteString(`"`)
	}
	b.WriteString(">")
	if len(n.nodes) == 0 {
		_ = xml.EscapeText(b, []byte(n.text))
	} else {
		b.WriteString("\n")
		for _, child := range n.nodes {
			child.write(b, depth+1)
		}
		b.WriteString(indent)
	}
	b.WriteString("</" + n.name + ">\n")
}
