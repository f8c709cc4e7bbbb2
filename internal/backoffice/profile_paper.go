package backoffice

import (
	"bytes"
	"image"
	_ "image/jpeg" // formats of logos
	_ "image/png"
	"strings"

	"github.com/signintech/gopdf"

	"kontor/internal/invoicing"
	"kontor/internal/page"
	"kontor/internal/party"
	"kontor/internal/reference"
)

// printLetterhead is the seller at the top of a paper: the logo, or the name.
func printLetterhead(c *page.Ctx, p *paper) {
	profile := sellerOf(c, p)
	if profile.LogoHash != "" {
		picture, err := reference.Logo(c.Tx)
		p.keep(err)
		if p.picture(picture, paperLeft, p.y-14, 180, 42) {
			return
		}
	}
	p.write("bold", 15, paperLeft, 260, gopdf.Left, profile.LegalName)
}

// sellerOf is the company's profile.
func sellerOf(c *page.Ctx, p *paper) reference.Profile {
	book, err := reference.Of(c.Tx)
	if err != nil {
		p.keep(err)
		return reference.Profile{}
	}
	return book.Profile()
}

// picture puts a picture into a box and reports whether there was one.
func (p *paper) picture(data []byte, x, y, width, height float64) bool {
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return false // there is none: what is kept was checked when it was saved
	}
	w, h := float64(size.Width), float64(size.Height)
	scale := min(width/w, height/h)
	holder, err := gopdf.ImageHolderByBytes(data)
	if err == nil {
		err = p.pdf.ImageByHolder(holder, x, y, &gopdf.Rect{W: w * scale, H: h * scale})
	}
	p.keep(err)
	return err == nil
}

// printFoot is what the company adds to its invoices, and at the foot of the last page who sells and how to pay: address, contact,
// numbers and bank.
//
// Directive 2006/112/EC, article 226 (3) and (5): the VAT number under which the goods were supplied, the full name and address of
// who supplied them. The Swedish Companies Act, chapter 28, section 5: name, registered office and organisation number.
func printFoot(c *page.Ctx, p *paper) {
	profile := sellerOf(c, p)
	const line, top = 10.5, 774.0
	if profile.InvoiceText != "" {
		p.room(float64(2+strings.Count(profile.InvoiceText, "\n")) * paperLine)
		p.block(paperLeft, p.y, paperRight-paperLeft, "", profile.InvoiceText)
	}
	labelled := func(pairs ...string) (out []string) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i+1] != "" {
				out = append(out, c.Say(pairs[i])+" "+pairs[i+1])
			}
		}
		return out
	}
	numbers := labelled("Org. no.", profile.OrganizationNumber, "VAT number", profile.VATNumber, "Registered office", profile.Seat)
	if profile.HasFTax {
		numbers = append(numbers, c.Say("Approved for F-tax"))
	}
	contact := append(append([]string{}, profile.Phone, profile.Email), strings.TrimPrefix(profile.Website, "https://"))
	bank := append([]string{profile.BankName}, labelled("Bankgiro", profile.Bankgiro, "Plusgiro", profile.Plusgiro, "IBAN", profile.SpacedIBAN(), "BIC", profile.BIC)...)
	p.y = top
	p.rule()
	for i, column := range [][]string{append([]string{profile.LegalName}, profile.Lines()...), contact, numbers, bank} {
		p.y = top + 4
		x := paperLeft + float64(i)*122
		for _, text := range column {
			if text != "" {
				p.write("text", 7, x, 124, gopdf.Left, text)
				p.y += line
			}
		}
	}
}

// printExemption says why an invoice carries no tax, where the goods go to a business in another country of the union.
//
// Directive 2006/112/EC, article 226: "(4) the customer's VAT identification number (...) under which he received a supply (...) as
// referred to in Article 138; (11) in the case of an exemption, reference to the applicable provision of this Directive".
func printExemption(c *page.Ctx, p *paper, i invoicing.Invoice, customer party.Customer) {
	own, theirs := sellerOf(c, p).VATNumber, customer.VATNumber
	if i.TotalVAT != 0 || i.TotalAmount == 0 || !reference.IsUnionVAT(own) || !reference.IsUnionVAT(theirs) || own[:2] == theirs[:2] {
		return
	}
	p.y += paperLine
	p.write("text", paperSmall, paperLeft, paperRight-paperLeft, gopdf.Left, c.Say("Exempt from VAT: supply of goods within the European Union, article 138 of Directive 2006/112/EC"))
	p.y += paperLine
}
