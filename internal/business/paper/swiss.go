package paper

import (
	"strings"
	"unicode"

	"github.com/boombuler/barcode/qr"
	"github.com/signintech/gopdf"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
)

// The Swiss QR bill: SIX, Swiss Implementation Guidelines for the QR-bill, version 2.3, with the structured addresses
// that are alone taken since November 2026.

// swissBill is what a payer in Switzerland or Liechtenstein scans.
type swissBill struct {
	iban, amount, currency string
	creditor               swissAddress
	debtor                 *swissAddress // nil = the payer writes it
	reference              string
	message                string
}

type swissAddress struct{ name, street, number, postalCode, town, country string }

// swissBillOf is the bill of a booked invoice of which something is to be paid, in francs or euros to a Swiss account;
// there is none for others, nor where the seller's address is not whole.
func swissBillOf(s reference.Profile, i invoicing.Invoice) (b swissBill, ok bool) {
	if !isSwissAccount(s.IBAN) || i.Type != invoicing.Standard || i.Status != invoicing.Booked ||
		i.CurrencyCode != "CHF" && i.CurrencyCode != "EUR" || i.Balance() <= 0 {
		return b, false
	}
	b = swissBill{iban: s.IBAN, amount: i.Balance().Fixed(2), currency: i.CurrencyCode,
		reference: swissReference(s.IBAN, i.Document()), message: swissText(i.Document(), 140)}
	b.creditor, ok = swissAddressOf(s.LegalName, party.Postal{Street1: s.Street1, PostalCode: s.PostalCode,
		City: s.City, CountryCode: s.CountryCode})
	if to, whole := swissAddressOf(i.InvoiceAddress.Name, i.InvoiceAddress); whole {
		b.debtor = &to
	}
	return b, ok && len(b.amount) <= 12
}

func isSwissAccount(iban string) bool {
	return len(iban) == 21 && (strings.HasPrefix(iban, "CH") || strings.HasPrefix(iban, "LI"))
}

// swissAddressOf is an address in its parts: what stands behind the street's name from its first digit on is the number
// of the house.
func swissAddressOf(name string, p party.Postal) (swissAddress, bool) {
	street, number := p.Street1, ""
	if at := strings.LastIndexByte(street, ' '); at > 0 && at+1 < len(street) && unicode.IsDigit(rune(street[at+1])) {
		street, number = street[:at], street[at+1:]
	}
	a := swissAddress{swissText(name, 70), swissText(street, 70), swissText(number, 16), swissText(p.PostalCode, 16),
		swissText(p.City, 35), p.CountryCode}
	return a, a.name != "" && a.postalCode != "" && a.town != "" && len(a.country) == 2
}

// swissText is a text in the characters that a bill may hold, of so many at most.
func swissText(text string, most int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	for i, c := range r {
		if !(c >= 0x20 && c <= 0x7e || c >= 0xa0 && c <= 0x17f || c >= 0x218 && c <= 0x21b || c == '€') {
			r[i] = '.'
		}
	}
	return string(r[:min(len(r), most)])
}

// swissReference is the reference of a document: for a QR-IBAN a QR reference of 27 digits, else a creditor reference
// (ISO 11649), and none where the document's number does not fit into it.
func swissReference(iban, document string) string {
	if bank := iban[4:9]; bank >= "30000" && bank <= "31999" {
		digits := strings.Map(only(unicode.IsDigit), document)
		if len(digits) > 26 {
			digits = digits[len(digits)-26:]
		}
		digits = strings.Repeat("0", 26-len(digits)) + digits
		return digits + string(rune('0'+recursive(digits)))
	}
	own := strings.Map(only(func(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' }),
		strings.ToUpper(document))
	if own == "" || len(own) > 21 {
		return ""
	}
	check := 98 - mod97(own+"RF00")
	return "RF" + string(rune('0'+check/10)) + string(rune('0'+check%10)) + own
}

// payerStates is PaymentReference, or the reference of a Swiss bill where that is how the seller is paid.
func payerStates(s reference.Profile, document string) string {
	if isSwissAccount(s.IBAN) {
		if r := swissReference(s.IBAN, document); r != "" {
			return r
		}
	}
	return PaymentReference(s.CountryCode, document)
}

func only(is func(rune) bool) func(rune) rune {
	return func(r rune) rune {
		if r < unicode.MaxASCII && is(r) {
			return r
		}
		return -1
	}
}

// recursive is the check digit of a QR reference (modulo 10, recursive).
func recursive(digits string) int {
	carry := 0
	for _, d := range digits {
		carry = [...]int{0, 9, 4, 6, 8, 2, 7, 1, 3, 5}[(carry+int(d-'0'))%10]
	}
	return (10 - carry) % 10
}

// mod97 is the remainder of ISO 7064 MOD 97-10, letters being 10 to 35.
func mod97(text string) int {
	rest := 0
	for _, r := range text {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(r-'0')) % 97
		}
	}
	return rest
}

func (a *swissAddress) payload() []string {
	if a == nil {
		return make([]string, 7)
	}
	return []string{"S", a.name, a.street, a.number, a.postalCode, a.town, a.country}
}

// payload is what the code says, a line for each element (guidelines, 4.2.2).
func (b *swissBill) payload() string {
	kind := "NON"
	switch {
	case strings.HasPrefix(b.reference, "RF"):
		kind = "SCOR"
	case b.reference != "":
		kind = "QRR"
	}
	lines := append([]string{"SPC", "0200", "1", b.iban}, b.creditor.payload()...)
	lines = append(append(lines, make([]string, 7)...), b.amount, b.currency)
	lines = append(append(lines, b.debtor.payload()...), kind, b.reference, b.message, "EPD")
	return strings.Join(lines, "\n")
}

// millimetre is one in points.
const millimetre = 72 / 25.4

// swissWords are what stands on a bill.
type swissWords struct {
	PaymentPart, Receipt, Account, Reference, Additional, Currency, Amount, AcceptancePoint string
	PayableBy, PayableByWhom, Separate                                                      string
}

// swiss prints the receipt and the payment part at the foot of a page of their own: 62 and 148 mm wide, 105 mm high.
func (p *sheet) swiss(b swissBill) {
	say := swissWordsOf(p.lang)
	p.pdf.AddPage()
	const top = 192.0
	p.pdf.SetLineWidth(0.5)
	p.pdf.SetLineType("dashed")
	p.pdf.Line(0, top*millimetre, 210*millimetre, top*millimetre)
	p.pdf.Line(62*millimetre, top*millimetre, 62*millimetre, 297*millimetre)
	p.pdf.SetLineType("solid")
	p.swissLine(plain, 7, 75, top-4, 130, gopdf.Left, say.Separate)
	payable := append([]string{spaced(b.iban, 4, false)}, b.creditor.lines()...)
	receipt := swissPart{p, 5, top + 12, 52, 6, 8, 9}
	p.swissLine(bold, 11, 5, top+5, 52, gopdf.Left, say.Receipt)
	receipt.say(say.Account, payable...)
	receipt.say(say.Reference, spacedReference(b.reference))
	receipt.payer(say, b.debtor, 52, 20)
	p.swissAmount(say, b, swissPart{p, 5, top + 68, 52, 6, 8, 9}, 12)
	p.swissLine(bold, 6, 5, top+82, 52, gopdf.Right, say.AcceptancePoint)
	p.swissLine(bold, 11, 67, top+5, 51, gopdf.Left, say.PaymentPart)
	p.swissCode(b, 67, top+17)
	p.swissAmount(say, b, swissPart{p, 67, top + 68, 51, 8, 10, 11}, 14)
	info := swissPart{p, 118, top + 5, 87, 8, 10, 11}
	info.say(say.Account, payable...)
	info.say(say.Reference, spacedReference(b.reference))
	info.say(say.Additional, b.message)
	info.payer(say, b.debtor, 65, 25)
}

func (a *swissAddress) lines() []string {
	return []string{a.name, strings.TrimSpace(a.street + " " + a.number),
		a.country + "-" + strings.TrimSpace(a.postalCode+" "+a.town)}
}

// swissLine writes a line at a place in millimetres.
func (p *sheet) swissLine(font string, size, x, y, width float64, align int, text string) {
	p.y = y * millimetre
	p.write(font, size, x*millimetre, width*millimetre, align, text)
}

// swissPart is a column of a bill: where it stands in millimetres, and its sizes of type and height of lines in points.
type swissPart struct {
	p                  *sheet
	x, y, width        float64
	head, text, height float64
}

func (t *swissPart) say(head string, lines ...string) {
	if len(lines) == 0 || lines[0] == "" {
		return
	}
	t.p.swissLine(bold, t.head, t.x, t.y, t.width, gopdf.Left, head)
	t.y += t.height / millimetre
	for _, line := range lines {
		if line != "" {
			t.p.swissLine(plain, t.text, t.x, t.y, t.width, gopdf.Left, line)
			t.y += t.height / millimetre
		}
	}
	t.y += t.height / millimetre / 2
}

// payer names who pays, or leaves a field to write it into, between its corners.
func (t *swissPart) payer(say swissWords, who *swissAddress, width, height float64) {
	if who != nil {
		t.say(say.PayableBy, who.lines()...)
		return
	}
	t.p.swissLine(bold, t.head, t.x, t.y, t.width, gopdf.Left, say.PayableByWhom)
	const corner = 3.0
	x, y := t.x, t.y+t.height/millimetre
	t.p.pdf.SetLineWidth(0.75)
	for _, at := range [][4]float64{{x, y, corner, corner}, {x + width, y, -corner, corner},
		{x, y + height, corner, -corner}, {x + width, y + height, -corner, -corner}} {
		left, top := at[0]*millimetre, at[1]*millimetre
		t.p.pdf.Line(left, top, left+at[2]*millimetre, top)
		t.p.pdf.Line(left, top, left, top+at[3]*millimetre)
	}
}

func (p *sheet) swissAmount(say swissWords, b swissBill, t swissPart, apart float64) {
	right := t
	right.x += apart + 2
	right.width -= apart + 2
	t.say(say.Currency, b.currency)
	whole, cents, _ := strings.Cut(b.amount, ".")
	right.say(say.Amount, spaced(whole, 3, true)+"."+cents)
}

// swissCode draws the code, 46 mm wide with the Swiss cross of 7 mm in its middle (guidelines, 6).
func (p *sheet) swissCode(b swissBill, x, y float64) {
	const side, cross, unit = 46.0, 7.0, 7.0 / 19.8
	code, err := qr.Encode(b.payload(), qr.M, qr.Unicode)
	if p.keep(err); err != nil {
		return
	}
	box := func(left, top, width, height float64) {
		p.pdf.RectFromUpperLeftWithStyle(left*millimetre, top*millimetre, width*millimetre, height*millimetre, "F")
	}
	p.modules(code, x*millimetre, y*millimetre, side*millimetre)
	left, top := x+(side-cross)/2, y+(side-cross)/2
	p.pdf.SetFillColor(255, 255, 255)
	box(left, top, cross, cross)
	p.pdf.SetFillColor(0, 0, 0)
	box(left+1.4*unit, top+1.4*unit, 17*unit, 17*unit)
	p.pdf.SetFillColor(255, 255, 255)
	box(left+8.25*unit, top+4.4*unit, 3.3*unit, 11*unit)
	box(left+4.4*unit, top+8.25*unit, 11*unit, 3.3*unit)
	p.pdf.SetFillColor(0, 0, 0)
}

// spaced is a text in groups of so many, counted from its end or its beginning.
func spaced(text string, group int, fromEnd bool) string {
	var b strings.Builder
	for i, r := range text {
		if n := i; i > 0 && (!fromEnd && n%group == 0 || fromEnd && (len(text)-n)%group == 0) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// spacedReference is a reference as it is printed: a creditor reference in fours, a QR reference in fives behind its
// first two digits.
func spacedReference(reference string) string {
	if strings.HasPrefix(reference, "RF") {
		return spaced(reference, 4, false)
	}
	return spaced(reference, 5, true)
}
