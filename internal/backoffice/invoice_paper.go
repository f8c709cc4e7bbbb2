package backoffice

import (
	"strings"

	"github.com/signintech/gopdf"

	"kontor/internal/dec"
	"kontor/internal/invoicing"
	"kontor/internal/page"
	"kontor/internal/party"
)

// invoicePaper prints an invoice or a credit note in the person's language.
func invoicePaper(c *page.Ctx) (page.Paper, error) {
	i, err := loadInvoice(c)
	if err != nil {
		return page.Paper{}, err
	}
	p := newPaper()
	customer, err := party.Find(c.Tx, i.CustomerNumber)
	p.keep(err)
	printHead(c, p, i, customer)
	printLines(c, p, i)
	printSums(c, p, i)
	printExemption(c, p, i, customer)
	printFoot(c, p)
	body, err := p.bytes()
	return page.Paper{Name: strings.ToLower(string(i.Type)) + "-" + documentNumber(i) + ".pdf", Media: "application/pdf", Body: body, Inline: true}, err
}

// documentNumber is the number the customer knows an invoice by.
func documentNumber(i invoicing.Invoice) string {
	if i.ExternalDocumentNumber != "" {
		return i.ExternalDocumentNumber
	}
	return i.Number
}

func printHead(c *page.Ctx, p *paper, i invoicing.Invoice, customer party.Customer) {
	title := c.Say(page.Words(string(i.Type)))
	if i.Status == invoicing.Open {
		title += " (" + c.Say("not booked yet") + ")"
	}
	printLetterhead(c, p)
	p.write("bold", 15, 320, paperRight-320, gopdf.Right, title)
	end := p.block(paperLeft, 120, 240, c.Say("To"), address(i.InvoiceAddress))
	p.y = 120
	for _, f := range [][2]string{{c.Say("Number"), documentNumber(i)}, {c.Say("Date"), c.Show(page.Day(i.InvoiceDate))}, {c.Say("Due"), c.Show(page.Day(i.DueDate))},
		{c.Say("Customer"), i.CustomerNumber},
		{c.Say("VAT number of the customer"), customer.VATNumber}, {c.Say("Orders"), strings.Join(i.OrderNumbers, ", ")}, {c.Say("Credits invoice"), i.CreditsInvoiceNumber}} {
		p.pair(330, paperRight-330, "text", f[0], f[1])
	}
	p.y = max(end, p.y) + 2*paperHeader
}

func invoiceColumns(c *page.Ctx) []column {
	return []column{{c.Say("Item"), paperLeft, 80, false}, {c.Say("Description"), 136, 176, false}, {c.Say("Quantity"), 316, 62, true},
		{c.Say("Price"), 382, 62, true}, {c.Say("Tax"), 448, 32, true}, {c.Say("Total"), 482, paperRight - 482, true}}
}

func printLines(c *page.Ctx, p *paper, i invoicing.Invoice) {
	columns := invoiceColumns(c)
	p.heads(columns)
	for k := range i.Lines {
		l := &i.Lines[k]
		if p.room(paperLine) {
			p.heads(columns)
		}
		price := c.Show(page.Money(l.UnitPrice, i.CurrencyCode))
		if l.DiscountPercent != 0 {
			price += " −" + c.Show(page.Percent(l.DiscountPercent))
		}
		p.row("text", paperText, columns, []string{l.Item, l.Description, c.Show(page.Qty(l.Quantity)) + " " + l.Unit, price, c.Show(page.Percent(l.TaxPercent)),
			c.Show(page.Money(l.LineTotal, i.CurrencyCode))})
	}
	p.y += 4
	p.rule()
}

// printSums are the tax by its rate, the total, and how it is paid.
func printSums(c *page.Ctx, p *paper, i invoicing.Invoice) {
	p.room(10 * paperLine)
	width := paperRight - 330.0
	p.pair(330, width, "text", c.Say("Without tax"), c.Show(page.Money(i.TotalAmount, i.CurrencyCode)))
	var rates []dec.Dec
	taxes := map[dec.Dec]dec.Dec{}
	for k := range i.Lines {
		l := &i.Lines[k]
		if _, ok := taxes[l.TaxPercent]; !ok {
			rates = append(rates, l.TaxPercent)
		}
		taxes[l.TaxPercent] = taxes[l.TaxPercent].Add(l.TaxAmount)
	}
	for _, rate := range rates {
		p.pair(330, width, "text", c.Say("Tax")+" "+c.Show(page.Percent(rate)), c.Show(page.Money(taxes[rate], i.CurrencyCode)))
	}
	p.pair(330, width, "bold", c.Say("Total")+" "+i.CurrencyCode, c.Show(page.Money(i.TotalIncludingTax(), i.CurrencyCode)))
	if i.PaidAmount != 0 {
		p.pair(330, width, "text", c.Say("Paid"), c.Show(page.Money(i.PaidAmount, i.CurrencyCode)))
		p.pair(330, width, "bold", c.Say("Balance"), c.Show(page.Money(i.Balance(), i.CurrencyCode)))
	}
	if i.Comments != "" {
		p.y += paperHeader
		p.block(paperLeft, p.y, paperRight-paperLeft, "", i.Comments)
	}
}
