package paper

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// MediaXML is the media type of an electronic invoice.
const MediaXML = "application/xml"

// ErrIncomplete refuses an electronic invoice for which details of the seller or the buyer are missing.
var ErrIncomplete = fault.New(fault.Conflict, "Invoice.DocumentIncomplete")

// The specification that an electronic invoice keeps to: Peppol BIS Billing 3.0, a use of the European norm EN 16931.
const (
	customization = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
	profile       = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
)

// Beside is what an electronic invoice says that the paper does not.
type Beside struct {
	// BuyerReference is what the buyer wants to know the invoice by.
	BuyerReference string
	// Corrected are the invoices that a credit note takes back from.
	Corrected []*invoicing.Invoice
	// Units are the codes of units in UN/ECE Recommendation 20, by the company's own.
	Units func(code string) string
}

// BesideOf reads what stands beside an invoice.
func BesideOf(tx *db.Tx, i invoicing.Invoice) (Beside, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return Beside{}, err
	}
	b := Beside{Units: func(code string) string { u, _ := book.Unit(code); return u.CommonCode }}
	if b.Corrected, err = invoicing.Corrected(tx, &i); err != nil {
		return b, err
	}
	for _, number := range i.OrderNumbers {
		o, err := sales.Find(tx, number)
		if err != nil {
			return b, err
		}
		if b.BuyerReference = o.CustomerReference; b.BuyerReference != "" {
			break
		}
	}
	return b, nil
}

// Electronic is a booked invoice or credit note as Peppol BIS Billing 3.0 in UBL 2.1. Refusals: Invoice.InvalidStatus
// before it is booked, Invoice.DocumentIncomplete naming what of the seller and the buyer must be known.
func Electronic(s Sender, r Receiver, i invoicing.Invoice, beside Beside) (File, error) {
	if i.Status != invoicing.Booked {
		return File{},
			invoicing.ErrInvalidStatus.Because("invoice %s is %s; the electronic invoice exists once it is Booked",
				i.Number, i.Status)
	}
	u := &electronic{sender: s.Profile, receiver: r, invoice: i, Beside: beside}
	u.buyer = buyerOf(r, i)
	if tax, known := s.taxAtHome(i); known && s.Currency.Decimals <= mostDecimals {
		u.atHome = &dec.Fixed{Value: tax, Digits: s.Currency.Decimals}
		u.home = s.Currency.Code
	}
	if err := u.complete(); err != nil {
		return File{}, err
	}
	u.gather()
	if err := u.exact(); err != nil {
		return File{}, err
	}
	root := "Invoice"
	if i.Type == invoicing.CreditNote {
		root = "CreditNote"
	}
	return File{Name: strings.ToLower(string(i.Type)) + "-" + i.Document() + ".xml", Body: u.document(root).document()},
		nil
}

// complete refuses a document of which something is missing.
func (u *electronic) complete() error {
	var missing []string
	for _, n := range u.needs() {
		if n.value == "" {
			missing = append(missing, n.name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	why := "the electronic invoice needs to know %s: fill them in as the registers of their countries write them, and ask again"
	_, hasRegister := registers[u.buyer.country]
	if _, hasList := vatLists[u.buyer.country]; !hasRegister && !hasList && u.buyer.country != "" {
		why = "the electronic invoice needs to know %s, and companies of the buyer's country have no address in the network: send the PDF"
	}
	return ErrIncomplete.Because(why, strings.Join(missing, ", ")).With("missing", missing)
}

// electronic is an electronic invoice in the making.
type electronic struct {
	Beside
	sender   reference.Profile
	receiver Receiver
	invoice  invoicing.Invoice
	buyer    partner
	taxes    []taxPart
	// atHome is the tax in the currency that it is accounted in (BT-111, BT-6), where that is another than the
	// document's; nil where it is not, or has more decimals than a document takes (BR-DEC-15).
	atHome *dec.Fixed
	home   string
}

// taxPart is the tax of one category and rate (EN 16931, BG-23).
type taxPart struct {
	category category
	percent  dec.Dec
	net, tax dec.Dec
}

// category is a VAT category of UNCL5305, with why it carries no tax, from the list VATEX.
type category struct{ code, reasonCode, reason string }

var (
	standardRate   = category{code: "S"}
	zeroRated      = category{code: "Z"}
	intraCommunity = category{"K", "VATEX-EU-IC", "Intra-community supply, article 138 of Directive 2006/112/EC"}
	export         = category{"G", "VATEX-EU-G",
		"Export outside the European Union, article 146 of Directive 2006/112/EC"}
)

// categoryOf is the VAT category of what is sold at a rate to a customer with a VAT number, or none, and goes to a
// country.
func categoryOf(percent dec.Dec, seller reference.Profile, customer, country string) category {
	own := seller.VATNumber
	switch {
	case percent != 0:
		return standardRate
	case reference.IsUnionVAT(own) && reference.IsUnionVAT(customer) && own[:2] != customer[:2]:
		return intraCommunity
	case country != "" && country != seller.CountryCode && !reference.IsUnion(country):
		return export
	}
	return zeroRated
}

func (u *electronic) categoryOf(percent dec.Dec) category {
	return categoryOf(percent, u.sender, u.receiver.Customer.VATNumber, u.buyer.country)
}

// gather sums the tax by category and rate, in the order in which they come.
func (u *electronic) gather() {
	for k := range u.invoice.Lines {
		l := &u.invoice.Lines[k]
		c := u.categoryOf(l.TaxPercent)
		n := slices.IndexFunc(u.taxes,
			func(t taxPart) bool { return t.category.code == c.code && t.percent == l.TaxPercent })
		if n < 0 {
			n = len(u.taxes)
			u.taxes = append(u.taxes, taxPart{category: c, percent: l.TaxPercent})
		}
		u.taxes[n].net, u.taxes[n].tax = u.taxes[n].net.Add(l.LineTotal), u.taxes[n].tax.Add(l.TaxAmount)
	}
}

// exact refuses a document whose amounts the norm does not take: with a third decimal, or with tax that was rounded
// line by line and is too far from that of the sum.
//
// EN 16931, BR-DEC-23 and its like: "The allowed maximum number of decimals for the Invoice line net amount (BT-131) is
// 2".
// EN 16931, BR-CO-17: "VAT category tax amount (BT-117) = VAT category taxable amount (BT-116) x (VAT category rate
// (BT-119) / 100), rounded to two decimals"; its Schematron allows for less than one unit of currency between the two.
func (u *electronic) exact() error {
	if u.invoice.Digits > mostDecimals {
		return ErrIncomplete.Because(
			"an electronic invoice has amounts of two decimals at most, those in %s have %d: send the PDF",
			u.invoice.CurrencyCode, u.invoice.Digits)
	}
	for _, t := range u.taxes {
		ofSum := dec.Product(mostDecimals, t.net, t.percent, dec.One, 100*dec.One)
		if d := ofSum.Sub(t.tax); d >= dec.One || d <= dec.One.Neg() {
			return ErrIncomplete.Because(
				"the tax of %s %% was rounded on so many lines that it differs by %s from that of their sum, which no electronic invoice may: send the PDF",
				t.percent, d.Abs())
		}
	}
	return nil
}

// document is the whole document; root is Invoice or CreditNote.
func (u *electronic) document(root string) node {
	i := &u.invoice
	isCredit := root == "CreditNote"
	kind, due := node{name: "cbc:InvoiceTypeCode", text: "380"}, string(i.DueDate)
	if isCredit {
		kind, due = node{name: "cbc:CreditNoteTypeCode", text: "381"}, ""
	}
	d := group(root, leaf("cbc:CustomizationID", customization), leaf("cbc:ProfileID", profile),
		leaf("cbc:ID", i.Document()), leaf("cbc:IssueDate", string(i.InvoiceDate)), leaf("cbc:DueDate", due), kind,
		leaf("cbc:Note", i.Comments), leaf("cbc:DocumentCurrencyCode", i.CurrencyCode), leaf("cbc:TaxCurrencyCode", u.home),
		leaf("cbc:BuyerReference", cmp.Or(u.BuyerReference, i.CustomerNumber, i.Document())))
	d.attributes = []string{"xmlns", "urn:oasis:names:specification:ubl:schema:xsd:" + root + "-2",
		"xmlns:cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
		"xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"}
	if len(i.OrderNumbers) == 1 { // Peppol: a sales order's number alone goes beside an ID of NA
		d.add(group("cac:OrderReference", leaf("cbc:ID", "NA"), leaf("cbc:SalesOrderID", i.OrderNumbers[0])))
	}
	for _, c := range u.Corrected {
		d.add(group("cac:BillingReference", group("cac:InvoiceDocumentReference", leaf("cbc:ID", c.Document()),
			leaf("cbc:IssueDate", string(c.InvoiceDate)))))
	}
	seller := sellerOf(u.sender)
	d.add(group("cac:AccountingSupplierParty", seller.party()), group("cac:AccountingCustomerParty", u.buyer.party()),
		u.delivery())
	for _, m := range u.means(isCredit) {
		d.add(m)
	}
	d.add(group("cac:PaymentTerms", leaf("cbc:Note", u.terms(isCredit))), u.taxTotal())
	if u.atHome != nil {
		d.add(group("cac:TaxTotal", amountIn(u.home, "cbc:TaxAmount", *u.atHome)))
	}
	d.add(u.totals(isCredit))
	for k := range i.Lines {
		d.add(u.line(&i.Lines[k], root))
	}
	return d
}

func (u *electronic) terms(isCredit bool) string {
	switch {
	case isCredit && len(u.Corrected) > 0:
		return "Settles invoice " + strings.Join(each.Of(u.Corrected, (*invoicing.Invoice).Document), ", ")
	case isCredit:
		return "Credited to the account"
	case u.invoice.DueDate == "":
		return cmp.Or(u.invoice.PaymentTermCode, "Due at once")
	}
	return u.invoice.PaymentTermCode
}

// delivery is when and where the goods were supplied. EN 16931, BR-IC-11 and BR-IC-12: an intra-community supply says
// both.
func (u *electronic) delivery() node {
	on := u.invoice.SuppliedOn
	isAbroad := slices.ContainsFunc(u.taxes, func(t taxPart) bool { return t.category.code == intraCommunity.code })
	if on == "" && isAbroad {
		on = u.invoice.InvoiceDate
	}
	if on == "" {
		return node{}
	}
	return group("cac:Delivery", leaf("cbc:ActualDeliveryDate", string(on)),
		group("cac:DeliveryLocation", group("cac:Address", leaf("cbc:CityName", u.buyer.city),
			leaf("cbc:PostalZone", u.buyer.postalCode),
			group("cac:Country", leaf("cbc:IdentificationCode", u.buyer.country)))))
}

// amount is money of the document.
func (u *electronic) amount(name string, d dec.Dec) node {
	return u.decimals(name, d, u.invoice.Digits)
}

func (u *electronic) decimals(name string, d dec.Dec, digits int) node {
	return amountIn(u.invoice.CurrencyCode, name, dec.Fixed{Value: d, Digits: digits})
}

func amountIn(currency, name string, d dec.Fixed) node {
	return node{name: name, attributes: []string{"currencyID", currency}, text: d.String()}
}

func taxScheme() node { return group("cac:TaxScheme", leaf("cbc:ID", "VAT")) }

func (u *electronic) taxTotal() node {
	total := group("cac:TaxTotal", u.amount("cbc:TaxAmount", u.invoice.TotalVAT))
	for _, t := range u.taxes {
		total.add(group("cac:TaxSubtotal", u.amount("cbc:TaxableAmount", t.net), u.amount("cbc:TaxAmount", t.tax),
			group("cac:TaxCategory", leaf("cbc:ID", t.category.code), leaf("cbc:Percent", t.percent.String()),
				leaf("cbc:TaxExemptionReasonCode", t.category.reasonCode),
				leaf("cbc:TaxExemptionReason", t.category.reason), taxScheme())))
	}
	return total
}

// totals are those of the document (BG-22). What settles a credit note is no payment in advance.
func (u *electronic) totals(isCredit bool) node {
	i := &u.invoice
	prepaid, left := i.PaidAmount, i.Balance()
	if isCredit {
		prepaid, left = 0, i.TotalIncludingTax()
	}
	t := group("cac:LegalMonetaryTotal", u.amount("cbc:LineExtensionAmount", i.TotalAmount),
		u.amount("cbc:TaxExclusiveAmount", i.TotalAmount), u.amount("cbc:TaxInclusiveAmount", i.TotalIncludingTax()))
	if prepaid != 0 {
		t.add(u.amount("cbc:PrepaidAmount", prepaid))
	}
	t.add(u.amount("cbc:PayableAmount", left))
	return t
}

// mostDecimals are those that amounts have at most.
const mostDecimals = 2

// line is a line of the document (BG-25). Its price is without tax; what its quantity times its price is more or less
// than its amount is an allowance or a charge of the line, to two decimals also where the currency has none.
//
// PEPPOL-EN16931-R120: "Invoice line net amount MUST equal (Invoiced quantity * (Item net price/item price base
// quantity) + Sum of invoice line charge amount - sum of invoice line allowance amount".
func (u *electronic) line(l *invoicing.Line, root string) node {
	price, quantity := l.UnitPrice, l.Quantity
	if l.IsPriceIncludingTax {
		price = price.MulDiv(100*dec.One, (100 * dec.One).Add(l.TaxPercent))
	}
	if price < 0 { // BR-27: the price is not negative
		price, quantity = price.Neg(), quantity.Neg()
	}
	counted := "cbc:InvoicedQuantity"
	if root == "CreditNote" {
		counted = "cbc:CreditedQuantity"
	}
	name := cmp.Or(strings.TrimSpace(firstLine(l.Description)), l.Item, "-")
	n := group("cac:"+root+"Line", leaf("cbc:ID", strconv.Itoa(l.Number)),
		node{name: counted, attributes: []string{"unitCode", listedUnit(u.Units(l.Unit))},
			text: quantity.String()},
		u.amount("cbc:LineExtensionAmount", l.LineTotal))
	if l.OrderLine > 0 && len(u.invoice.OrderNumbers) == 1 {
		n.add(group("cac:OrderLineReference", leaf("cbc:LineID", strconv.Itoa(l.OrderLine))))
	}
	n.add(u.difference(sales.Amount(quantity, price, 0, mostDecimals).Sub(l.LineTotal)))
	item := group("cac:Item")
	if name != l.Description {
		item.add(leaf("cbc:Description", l.Description))
	}
	item.add(leaf("cbc:Name", name))
	if l.Item != "" {
		item.add(group("cac:SellersItemIdentification", leaf("cbc:ID", l.Item)))
	}
	item.add(group("cac:ClassifiedTaxCategory", leaf("cbc:ID", u.categoryOf(l.TaxPercent).code),
		leaf("cbc:Percent", l.TaxPercent.String()), taxScheme()))
	n.add(item, group("cac:Price",
		node{name: "cbc:PriceAmount", attributes: []string{"currencyID", u.invoice.CurrencyCode},
			text: price.String()}))
	return n
}

// unitList are the codes of UN/ECE Recommendation 20 and, after an X, those of packages of Recommendation 21, as EN
// 16931 lists them.
//
//go:embed units.txt
var unitList string

var listedUnits = strings.Fields(unitList)

// listedUnit is a unit's code as electronic invoices may have it (BR-CL-23): packages are known by Recommendation 21
// without its X, too; what no list has counts as one (C62).
func listedUnit(code string) string {
	for _, c := range []string{code, "X" + code} {
		if slices.Contains(listedUnits, c) {
			return c
		}
	}
	return "C62"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// difference is what a line costs less (an allowance, reason 95: discount) or more (a charge) than its quantity times
// its price.
func (u *electronic) difference(d dec.Dec) node {
	switch {
	case d > 0:
		return group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "false"),
			leaf("cbc:AllowanceChargeReasonCode", "95"), leaf("cbc:AllowanceChargeReason", "Discount"),
			u.decimals("cbc:Amount", d, mostDecimals))
	case d < 0:
		return group("cac:AllowanceCharge", leaf("cbc:ChargeIndicator", "true"),
			leaf("cbc:AllowanceChargeReason", "Rounding"), u.decimals("cbc:Amount", d.Neg(), mostDecimals))
	}
	return node{}
}

// PaymentReference is what a payer states so that his payment finds its invoice: in Sweden an OCR number, in Norway a
// KID, both the digits of the document's number with the check digit of the modulus 10 method behind them; elsewhere
// the document's number.
func PaymentReference(country, document string) string {
	if country != "SE" && country != "NO" {
		return document
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, document)
	if digits == "" || len(digits) > 24 {
		return document
	}
	return digits + strconv.Itoa(luhn(digits))
}

// luhn is the check digit of digits (ISO/IEC 7812-1, annex B).
func luhn(digits string) int {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return (10 - sum%10) % 10
}

// node is an element. One without a name is left out, and so is one that holds nothing.
type node struct {
	name       string
	attributes []string // names and values in turn
	text       string
	nodes      []node
}

func leaf(name, text string) node { return node{name: name, text: text} }

func group(name string, nodes ...node) node {
	n := node{name: name}
	n.add(nodes...)
	return n
}

func (n *node) add(nodes ...node) {
	for _, one := range nodes {
		if one.name != "" && (one.text != "" || len(one.nodes) > 0) {
			n.nodes = append(n.nodes, one)
		}
	}
}

// dueOrIssued is the day a payment is due.
func dueOrIssued(i *invoicing.Invoice) day.Date { return cmp.Or(i.DueDate, i.InvoiceDate) }
