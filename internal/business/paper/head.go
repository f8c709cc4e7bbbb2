package paper

import (
	"cmp"
	"strings"
	"time"

	"github.com/signintech/gopdf"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/letters"
)

// letterhead is the sender at the top of a paper, the logo or the name, and what the paper is; its further pages say
// that and the paper's number first: a long name is cut.
func (p *sheet) letterhead(title, number string) {
	p.running = title + " " + number + ", " + p.sender.Profile.LegalName
	const most, least, from = 15.0, 9.0, 270.0
	size := p.shrunk(bold, title, rightEdge-from, most, least)
	p.write(bold, size, from, rightEdge-from, gopdf.Right, title)
	if p.picture(p.sender.Logo, leftEdge, p.y-14, 180, 42) {
		return
	}
	const wide = 210.0
	size = p.shrunk(bold, p.sender.Profile.LegalName, wide, most, least)
	for _, line := range p.broken(bold, size, p.sender.Profile.LegalName, wide) {
		p.write(bold, size, leftEdge, wide, gopdf.Left, line)
		p.y += size * 1.2
	}
}

// address writes whom a paper is for, or where goods go, beside facts, and leaves room below both.
func (p *sheet) address(title string, to party.Postal, facts ...pair) {
	end, page := p.block(leftEdge, 120, 240, title, p.lines(to)), p.pdf.GetNumberOfPages()
	p.y = 120
	p.pairs(plain, facts...)
	if p.pdf.GetNumberOfPages() == page {
		p.y = max(end, p.y)
	}
	p.y += gap
}

// lines are an address as it stands on a letter.
func (p *sheet) lines(a party.Postal) []string {
	return each.Where([]string{a.Name, a.ContactPerson, a.Street1, a.Street2,
		strings.TrimSpace(a.PostalCode + " " + a.City), p.country(a.CountryCode), a.Phone, a.Email},
		func(line string) bool { return line != "" })
}

// country is the name of a country in the paper's language; "" for a code that is none.
func (p *sheet) country(code string) string {
	english, ok := reference.Country(code)
	if !ok {
		return ""
	}
	return cmp.Or(letters.Country(p.lang, code), english)
}

// number is a number as the receiver writes it, with at least so many decimals.
func (p *sheet) number(d dec.Dec, decimals int) string { return letters.Number(p.lang, d, decimals) }

// quantity is how much of something.
func (p *sheet) quantity(d dec.Dec, unit string) string {
	return strings.TrimSpace(p.number(d, 0) + " " + p.unit(unit))
}

// unit is what the reader calls a unit; "" for none.
func (p *sheet) unit(code string) string {
	if code == "" || p.sender.UnitWord == nil {
		return code
	}
	return p.sender.UnitWord(p.lang, code)
}

func (p *sheet) percent(d dec.Dec) string { return p.number(d, 0) + "\u00a0%" }

func (p *sheet) date(d day.Date) string { return letters.Date(p.lang, d) }

// moment is day and minute by the company's clock; "" for none.
func (p *sheet) moment(t db.Time) string {
	if t == 0 {
		return ""
	}
	zone := cmp.Or(p.sender.Zone, time.UTC)
	at := t.Time().In(zone)
	return p.date(day.Of(at, zone)) + " " + at.Format("15:04")
}

// foot is at the foot of the last page who sends it and how to pay: address, contact, numbers and bank.
//
// Directive 2006/112/EC, article 226 (3) and (5): the VAT number under which the goods were supplied, the full name and
// address of who supplied them. The Swedish Companies Act, chapter 28, section 5: name, registered office and
// organisation number.
func (p *sheet) foot() {
	s := p.sender.Profile
	labelled := func(them ...pair) (out []string) {
		for _, f := range them {
			if f.value != "" {
				out = append(out, f.name+" "+f.value)
			}
		}
		return out
	}
	numbers := labelled(pair{p.say.OrgNumber, s.OrganizationNumber}, pair{p.say.VATNumber, s.VATNumber},
		pair{p.say.Seat, s.Seat})
	if s.HasFTax {
		numbers = append(numbers, p.say.FTax)
	}
	own := append([]string{s.LegalName},
		p.lines(party.Postal{Street1: s.Street1, Street2: s.Street2, PostalCode: s.PostalCode, City: s.City,
			CountryCode: s.CountryCode})...)
	contact := []string{s.Phone, s.Email, strings.TrimPrefix(s.Website, "https://")}
	bank := append([]string{s.BankName}, labelled(pair{"Bankgiro", s.Bankgiro}, pair{"Plusgiro", s.Plusgiro},
		pair{"IBAN", s.SpacedIBAN()}, pair{"BIC", s.BIC})...)
	const size, line, apart, end = 7.0, 10.5, 122.0, 837.0
	widths := []float64{118, 118, 118, 124}
	columns, lines := [][]string{own, contact, numbers, bank}, 0
	for i, column := range columns {
		columns[i] = nil
		for _, text := range column {
			if text != "" {
				columns[i] = append(columns[i], p.broken(plain, size, text, widths[i])...)
			}
		}
		lines = max(lines, len(columns[i]))
	}
	top := min(bottomEdge+4, end-line*float64(lines))
	if p.y > top {
		p.pdf.AddPage()
	}
	p.y = top
	p.rule()
	for i, column := range columns {
		p.y = top + 4
		for _, text := range column {
			p.write(plain, size, leftEdge+float64(i)*apart, widths[i], gopdf.Left, text)
			p.y += line
		}
	}
}
