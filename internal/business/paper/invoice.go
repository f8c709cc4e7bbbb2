package paper

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"github.com/boombuler/barcode/qr"
	"github.com/signintech/gopdf"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Invoice prints an invoice, or a credit note for the invoices that it corrects. One that is not booked yet says so.
func Invoice(s Sender, r Receiver, i invoicing.Invoice, corrected ...*invoicing.Invoice) (File, error) {
	p := newSheet(s, r)
	title := p.say.Types[i.Type]
	if i.Status == invoicing.Open {
		title += " (" + p.say.NotBooked + ")"
	}
	p.letterhead(title, i.Document())
	p.address(p.say.To, i.InvoiceAddress, pair{p.say.Number, i.Document()}, pair{p.say.Date, p.date(i.InvoiceDate)},
		pair{p.say.SuppliedOn, p.date(suppliedOn(i))}, pair{p.say.Due, p.date(dueOn(i))},
		pair{p.say.Customer, i.CustomerNumber}, pair{p.say.CustomerVAT, r.Customer.VATNumber},
		pair{p.say.RMANumber, strings.Join(i.References, ", ")}, pair{p.say.Orders, strings.Join(i.OrderNumbers, ", ")},
		pair{p.say.Credits, p.credits(i, corrected)}, p.reference(i))
	p.invoiceLines(i)
	p.sums(i)
	if i.Comments != "" {
		p.y += gap
		p.prose(plain, textSize, i.Comments)
	}
	p.exemption(i)
	if s.Profile.InvoiceText != "" && i.Type != invoicing.CreditNote { // it speaks of paying
		p.y += lineHeight
		p.prose(plain, textSize, s.Profile.InvoiceText)
	}
	bill, isSwiss := swissBillOf(s.Profile, i)
	if !isSwiss {
		p.transferCode(i)
	}
	p.foot()
	if isSwiss {
		p.swiss(bill)
	}
	return p.file(strings.ToLower(string(i.Type)) + "-" + i.Document())
}

// credits names the invoices that a credit note corrects, with their dates.
//
// Directive 2006/112/EC, article 219: a document that amends an invoice "refers specifically and unambiguously to the
// initial invoice".
func (p *sheet) credits(i invoicing.Invoice, corrected []*invoicing.Invoice) string {
	return cmp.Or(strings.Join(each.Of(corrected, func(c *invoicing.Invoice) string {
		return c.Document() + " (" + p.date(c.InvoiceDate) + ")"
	}), ", "), i.CreditsDocument)
}

// dueOn is when an invoice is to be paid; nobody has to pay a credit note, and a receipt is paid.
func dueOn(i invoicing.Invoice) day.Date {
	if i.Type != invoicing.Standard {
		return ""
	}
	return i.DueDate
}

// suppliedOn is the date of supply where an invoice has to say it.
//
// Directive 2006/112/EC, article 226 (7): "the date on which the supply of goods or services was made or completed
// (...) in so far as that date can be determined and differs from the date of issue of the invoice".
func suppliedOn(i invoicing.Invoice) day.Date {
	if i.SuppliedOn == i.InvoiceDate {
		return ""
	}
	return i.SuppliedOn
}

func (p *sheet) invoiceLines(i invoicing.Invoice) {
	columns := p.priced()
	p.heads(columns)
	for k := range i.Lines {
		l := &i.Lines[k]
		price := p.price(priced{l.Quantity, l.UnitPrice, l.DiscountPercent, l.DiscountAmount, l.LineTotal, l.TaxAmount,
			l.TaxPercent, l.IsPriceIncludingTax, i.Digits})
		p.row(columns, l.Item, l.Description, p.quantity(l.Quantity, l.Unit), price, p.percent(l.TaxPercent),
			p.number(l.LineTotal, i.Digits))
	}
	p.y += 4
	p.rule()
}

// sums are what is taxed at each rate, where there are several, the tax by its rate and together, also in the company's
// own currency, the total, and how much of it is paid.
//
// Directive 2006/112/EC, article 226: "(8) the taxable amount per rate or exemption; (10) the VAT amount payable".
func (p *sheet) sums(i invoicing.Invoice) {
	money := func(d dec.Dec) string { return p.number(d, i.Digits) }
	var rates []dec.Dec
	taxed, taxes := map[dec.Dec]dec.Dec{}, map[dec.Dec]dec.Dec{}
	for k := range i.Lines {
		l := &i.Lines[k]
		if _, ok := taxes[l.TaxPercent]; !ok {
			rates = append(rates, l.TaxPercent)
		}
		taxed[l.TaxPercent] = taxed[l.TaxPercent].Add(l.LineTotal)
		taxes[l.TaxPercent] = taxes[l.TaxPercent].Add(l.TaxAmount)
	}
	p.room(float64(2*len(rates)+8) * lineHeight)
	if len(rates) > 1 {
		for _, rate := range rates {
			p.pairs(plain, pair{p.say.WithoutTax + ", " + p.percent(rate), money(taxed[rate])})
		}
	}
	p.pairs(plain, pair{p.say.WithoutTax, money(i.TotalAmount)})
	for _, rate := range rates {
		p.pairs(plain, pair{p.say.Tax + " " + p.percent(rate), money(taxes[rate])})
	}
	if len(rates) > 1 {
		p.pairs(plain, pair{p.say.Tax, money(i.TotalVAT)})
	}
	if tax, known := p.sender.taxAtHome(i); known {
		p.pairs(plain, pair{p.say.Tax + " " + p.sender.Currency.Code, p.number(tax, p.sender.Currency.Decimals)})
	}
	p.pairs(bold, pair{p.say.Total + " " + i.CurrencyCode, money(i.TotalIncludingTax())})
	if i.PaidAmount != 0 {
		paid := p.say.Paid
		if i.Type == invoicing.CreditNote { // what it settled of its invoice, and what was paid out
			paid = p.say.Settled
		}
		p.pairs(plain, pair{paid, money(i.PaidAmount)})
		if b := i.Balance(); b < 0 {
			p.pairs(bold, pair{p.say.Surplus, money(b.Neg())})
		} else {
			p.pairs(bold, pair{p.say.Balance, money(b)})
		}
	}
}

// exemption says why an invoice carries no tax: the goods go to a business in another country of the union, or leave
// it.
//
// Directive 2006/112/EC, article 226: "(4) the customer's VAT identification number (...) under which he received a
// supply (...) as referred to in Article 138; (11) in the case of an exemption, reference to the applicable provision
// of this Directive".
func (p *sheet) exemption(i invoicing.Invoice) {
	if i.TotalVAT != 0 || i.TotalAmount == 0 {
		return
	}
	said := ""
	switch categoryOf(0, p.sender.Profile, p.receiver.Customer.VATNumber, buyerOf(p.receiver, i).country) {
	case intraCommunity:
		said = p.say.Exempt
	case export:
		if said = p.say.ExemptExport; !reference.IsUnion(p.sender.Profile.CountryCode) {
			return // another law's
		}
	default:
		return
	}
	p.y += lineHeight
	p.room(lineHeight)
	p.write(plain, smallSize, leftEdge, rightEdge-leftEdge, gopdf.Left, said)
	p.y += lineHeight
}

// reference is what a payer states where his country has numbers for it: the OCR number in Sweden, the KID in Norway.
func (p *sheet) reference(i invoicing.Invoice) pair {
	name := map[string]string{"SE": "OCR", "NO": "KID"}[p.sender.Profile.CountryCode]
	if name == "" || i.Type != invoicing.Standard || i.Status != invoicing.Booked {
		return pair{}
	}
	return pair{name, PaymentReference(p.sender.Profile.CountryCode, i.Document())}
}

// transferText is what banks' apps make a SEPA credit transfer of: for what is still to be paid in euros to an IBAN; ""
// where nothing is.
//
// EPC069-12, version 2.1: service tag BCD, version 002, character set 1 (UTF-8), SCT, then BIC, name, IBAN, amount,
// purpose, structured and unstructured reference, each on a line of its own.
func transferText(s reference.Profile, i invoicing.Invoice) string {
	if i.Type != invoicing.Standard || i.Status != invoicing.Booked || i.CurrencyCode != "EUR" || s.IBAN == "" ||
		i.Balance() <= 0 || len([]rune(s.LegalName)) > 70 {
		return ""
	}
	return strings.Join([]string{"BCD", "002", "1", "SCT", s.BIC, s.LegalName, s.IBAN, "EUR" + i.Balance().Fixed(2),
		"", "", PaymentReference(s.CountryCode, i.Document())}, "\n")
}

// transferCode draws, beside how to pay, the code of a transfer, if there is one: error correction level M, at most
// version 13.
func (p *sheet) transferCode(i invoicing.Invoice) {
	const side = 74.0
	text := transferText(p.sender.Profile, i)
	if text == "" {
		return
	}
	code, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return // longer than a code holds: the numbers stand at the foot
	}
	p.room(side + lineHeight)
	p.y += lineHeight
	p.modules(code, leftEdge, p.y, side)
	p.y += side
}

// modules draws a code, so wide and high in points.
func (p *sheet) modules(code image.Image, x, y, side float64) {
	n := code.Bounds().Dx()
	module := side / float64(n)
	for row := range n {
		for column := range n {
			if isBar(code.At(column, row).RGBA()) {
				p.pdf.RectFromUpperLeftWithStyle(x+module*float64(column), y+module*float64(row), module, module, "F")
			}
		}
	}
}

// InvoiceFor prints an invoice or a credit note for its customer. One that is booked is made for archives (PDF/A-3),
// with the electronic invoice inside where everything is known that one has to say. Customer.NotFound.
func InvoiceFor(tx *db.Tx, i invoicing.Invoice) (File, error) {
	beside, err := BesideOf(tx, i)
	if err != nil {
		return File{}, err
	}
	chosen, err := sales.ChosenOf(tx, i.OrderNumbers)
	if err != nil {
		return File{}, err
	}
	return For(tx, i.CustomerNumber, i.OrderNumbers, i.InvoiceAddress, func(s Sender, r Receiver) (File, error) {
		told, say := i, wordsOf(r.Language)
		told.Lines = slices.Clone(i.Lines)
		for k := range told.Lines {
			l := &told.Lines[k]
			l.Description = say.with(chosen[sales.At{OrderID: l.OrderID, Line: l.OrderLine}], l.Description)
		}
		f, err := Invoice(s, r, told, beside.Corrected...)
		if err != nil || i.Status != invoicing.Booked {
			return f, err
		}
		return archivedInvoice(s, r, i, beside, f)
	})
}

func archivedInvoice(s Sender, r Receiver, i invoicing.Invoice, beside Beside, f File) (File, error) {
	var inside []enclosed
	e, err := Electronic(s, r, i, beside)
	switch {
	case err == nil:
		inside = []enclosed{{e, "text/xml", i.InvoiceDate}}
	case fault.As(err).Kind != fault.Conflict: // something of it is not known, and the paper does without
		return f, err
	}
	f.Body, err = archive(f.Body, described{wordsOf(f.Language).Types[i.Type] + " " + i.Document(),
		s.Profile.LegalName, f.Language}, inside...)
	return f, err
}

// ElectronicFor is the electronic form of an invoice or a credit note for its customer; see Electronic.
func ElectronicFor(tx *db.Tx, i invoicing.Invoice) (File, error) {
	beside, err := BesideOf(tx, i)
	if err != nil {
		return File{}, err
	}
	return For(tx, i.CustomerNumber, i.OrderNumbers, i.InvoiceAddress,
		func(s Sender, r Receiver) (File, error) { return Electronic(s, r, i, beside) })
}
