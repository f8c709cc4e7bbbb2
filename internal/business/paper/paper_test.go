package paper

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/paper/papertest"
	"kontor/internal/business/party"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

var update = flag.Bool("update", false, "write the golden files anew; then read their diff")

var languages = []string{"sv", "nb", "da", "fi", "de", "en"}

func sender() Sender {
	zone := time.FixedZone("Stockholm", 3600)
	return Sender{Zone: zone, Profile: reference.Profile{LegalName: "Fjäll & Skog Handels AB",
		OrganizationNumber: "556677-8899", VATNumber: "SE556677889901", Street1: "Storgatan 1", PostalCode: "111 22",
		City: "Stockholm", CountryCode: "SE", Seat: "Stockholm", Email: "hej@fjall.example", Phone: "+46 8 123 456",
		Website: "https://fjall.example", BankName: "Banken", IBAN: "SE3550000000054910000003", BIC: "ESSESESS",
		Bankgiro: "5050-1055", HasFTax: true,
		InvoiceText: "Vid försenad betalning debiteras dröjsmålsränta enligt räntelagen, och en påminnelseavgift enligt lag. Anmärkningar görs inom åtta dagar.\nTack för din order!"}}
}

func receiver(language string) Receiver {
	return Receiver{Language: language, Customer: party.Customer{Number: "K-7", Name: "Schmidt & Söhne GmbH",
		VATNumber: "DE136695976", CountryCode: "DE"}}
}

func street() party.Postal {
	return party.Postal{Name: "Schmidt & Söhne GmbH", ContactPerson: "Jörg Groß", Street1: "Hauptstraße 5",
		PostalCode: "20095", City: "Hamburg", CountryCode: "DE"}
}

func invoice() invoicing.Invoice {
	d := dec.Must
	return invoicing.Invoice{Number: "I-1042", ExternalDocumentNumber: "1001", Type: invoicing.Standard,
		Status: invoicing.Booked, CustomerNumber: "K-7", InvoiceAddress: street(), InvoiceDate: "2026-11-22",
		DueDate: "2026-12-22", SuppliedOn: "2026-11-20", CurrencyCode: "EUR", Digits: 2, TotalAmount: d("12469"),
		TotalVAT: d("3117.25"), PaidAmount: d("5000"), Comments: "Ordered by phone.",
		References: []string{"PO 17", "Anna"}, OrderNumbers: []string{"SO-1", "SO-2"}, Lines: []invoicing.Line{
			{Number: 1, OrderNumber: "SO-1", OrderLine: 1, Item: "TENT-2",
				Description: "Tält för två, grön, med två ingångar och ett förtält som är för långt för raden",
				Unit:        "PCS", Quantity: d("2"), UnitPrice: d("1234.5"), DiscountPercent: d("12.5"),
				TaxPercent: d("25"), LineTotal: d("2160.38"), TaxAmount: d("540.1")},
			{Number: 2, OrderNumber: "SO-2", OrderLine: 1, Item: "ROPE", Description: "Rep", Unit: "M",
				Quantity: d("1250.5"), UnitPrice: d("8.125"), TaxPercent: d("25"), LineTotal: d("10160.31"),
				TaxAmount: d("2540.08")},
			{Number: 3, Description: "Frakt", Quantity: d("1"), UnitPrice: d("148.31"), TaxPercent: d("12"),
				LineTotal: d("148.31"), TaxAmount: d("37.07")},
		}}
}

func creditNote() invoicing.Invoice {
	i := invoice()
	i.Type, i.CreditsInvoiceNumber, i.CreditsDocument, i.ExternalDocumentNumber, i.Status = invoicing.CreditNote,
		"I-1041", "1001", "", invoicing.Open
	i.SuppliedOn, i.PaidAmount, i.TotalVAT, i.Comments = i.InvoiceDate, 0, 0, ""
	for k := range i.Lines {
		i.Lines[k].TaxPercent, i.Lines[k].TaxAmount = 0, 0
	}
	return i
}

func shipment() shipping.Shipment {
	return shipping.Shipment{Number: "S-9", CustomerNumber: "K-7", DeliveryAddress: street(),
		ShippingMethodName: "Ombud", TrackingNumber: "T-77",
		ShippedDate: db.Time(time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC).UnixMicro()),
		Lines: []shipping.Line{{OrderNumber: "SO-1", Item: "TENT-2", ItemName: "Tält för två",
			Quantity: dec.Must("2"), Unit: "PCS"}}}
}

// held is what the shipment holds, of which some is told apart.
func held() []shipping.Held {
	d, sh := dec.Must, shipment()
	whole := sh.Held()
	whole[0].Ordered = whole[0].Quantity
	return append(whole,
		shipping.Held{Line: &shipping.Line{OrderNumber: "SO-1", Item: "OIL", ItemName: "Lampolja", Unit: "L"},
			Quantity: d("2.5"), Ordered: d("4"), Batches: []shipping.Batch{{Number: "L-1", Quantity: d("2")},
				{Number: "L-2", Quantity: d("0.5")}}},
		shipping.Held{Line: &shipping.Line{OrderNumber: "SO-1", Item: "GPS", ItemName: "GPS", Unit: "PCS"},
			Quantity: d("2"), Batches: []shipping.Batch{{Number: "L-9", Quantity: d("2"), Serials: []string{"A1", "A2"}}}})
}

func slip() Slip {
	d := dec.Must
	return Slip{Code: "ABCDE23456", SendTo: party.Postal{Name: "Fjäll & Skog Handels AB", ContactPerson: "Returlagret",
		Street1: "Lagervägen 2", PostalCode: "721 31", City: "Västerås", CountryCode: "SE"},
		Return: returns.Return{Number: "R-100001", RMANumber: "PO 17", OrderNumber: "SO-1", CustomerNumber: "K-7",
			Status: returns.Approved, Reason: returns.DamagedInTransit, ReturnDate: "2026-11-22",
			ExternalNotes: "Please pack it well.", Lines: []returns.Line{
				{Number: 1, OrderLine: 1, Item: "TENT-2", ItemName: "Tält för två", Unit: "PCS", Registered: d("1"),
					Quantity: d("1"), Condition: "Torn", Notes: "A hole in the roof, beside the entrance."},
				{Number: 2, OrderLine: 2, Item: "ROPE", ItemName: "Rep", Unit: "M", Registered: d("2.5"),
					Quantity: d("2.5")}}}}
}

// Figures stand in full whatever they come to: the largest price, quantity, discount and amount that the books hold.
func TestNoFigureIsShortened(t *testing.T) {
	d := dec.Must
	i := invoice()
	i.Lines = append(i.Lines, invoicing.Line{Number: 4, Item: "PLANT", Description: "Anlage", Unit: "PCS",
		Quantity: d("999999999999.999999"), UnitPrice: d("999999999999.999999"), DiscountPercent: d("99.999999"),
		DiscountAmount: d("888888888888.88"), TaxPercent: d("12.345678"), LineTotal: d("14437076.05"),
		TaxAmount: d("1")})
	i.Lines = append(i.Lines, invoicing.Line{Number: 5, Item: "PLANT", Description: "Anlage", Quantity: d("1"),
		UnitPrice: d("777777777777.77"), LineTotal: d("777777777777.77")})
	f, err := Invoice(sender(), receiver("de"), i)
	if err != nil {
		t.Fatal(err)
	}
	text, err := papertest.Text(f.Body)
	if err != nil {
		t.Fatal(err)
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, figure := range []string{"14.437.076,05", "777.777.777.777,77", "999.999.999.999,999999 PCS",
		"999.999.999.999,999999 −888.888.888.888,88", "12,345678 %"} {
		if !strings.Contains(text, figure) {
			t.Errorf("%s is missing: %s", figure, text)
		}
	}
}

// Names, addresses, numbers and descriptions stand in full, however long the books let them be: a word that is longer
// than its line goes on in the next.
func TestNothingIsCutOff(t *testing.T) {
	long := func(end string) string { return strings.Repeat("Handelsgesellschaft ", 9) + end }
	i, s, sh, b := invoice(), sender(), shipment(), purchase()
	s.Profile.LegalName, s.Profile.Street1, s.Profile.BankName = long("Seller"), strings.Repeat("Ж", 190), long("Finance")
	s.Profile.IBAN = "MT84MALT011000012345MTLCAST001S"
	i.InvoiceAddress.Name, i.InvoiceAddress.Street1 = long("Buyer"), strings.Repeat("Щ", 200)
	i.Lines[0].Item, i.Lines[0].Description = strings.Repeat("Ю", 50), strings.Repeat("Ф", 300)
	i.OrderNumbers = nil
	for n := range 40 {
		i.OrderNumbers = append(i.OrderNumbers, fmt.Sprintf("SO-%06d", n))
	}
	sh.DeliveryAddress.City, sh.Lines[0].OrderNumber = long("Town"), strings.Repeat("Ю", 50)
	b.Supplier.Name = strings.Repeat("Щ", 200)
	b.Theirs["i1"] = purchasing.SupplierItem{TheirNumber: strings.Repeat("Ю", 50)}
	for name, c := range map[string]struct {
		print func() (File, error)
		want  map[string]int
	}{
		"invoice": {func() (File, error) { return Invoice(s, receiver("en"), i) },
			map[string]int{"Seller": 2, "Ж": 190, "Finance": 1, "01S": 1, "Buyer": 1, "Щ": 200, "Ю": 50, "Ф": 300,
				"SO-0000": 40}},
		"note": {func() (File, error) { return DeliveryNote(s, receiver("en"), sh, sh.Held(), nil) },
			map[string]int{"Town": 1, "Ю": 2 * 50}},
		"purchase": {func() (File, error) { return PurchaseOrder(s, receiver("en"), b) },
			map[string]int{"Щ": 200, "Ю": 50}},
	} {
		f, err := c.print()
		if err != nil {
			t.Fatal(err)
		}
		said := text(t, f)
		for what, want := range c.want {
			if got := strings.Count(said, what); got != want {
				t.Errorf("%s: %s stands there %d times, want %d:\n%s", name, what, got, want, said)
			}
		}
	}
}

// all are the papers by name.
func all(t *testing.T, lang string) map[string]File {
	t.Helper()
	draft, cancelled, received := slip(), slip(), slip()
	draft.Return.Status, cancelled.Return.Status = returns.Draft, returns.Cancelled
	received.Return.Status, received.Return.ReceivedDate = returns.Received, "2026-11-30"
	received.Return.Lines[0].Quantity, received.Return.Lines[0].Condition = 0, returns.Scrap
	out := map[string]File{}
	keep := func(name string, f File, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[name] = f
	}
	r := receiver(lang)
	f, err := Invoice(sender(), r, invoice())
	keep("invoice", f, err)
	f, err = Invoice(sender(), r, creditNote())
	keep("credit-note", f, err)
	f, err = DeliveryNote(sender(), r, shipment(), held(), map[string]string{"SO-1": "CDEFGHIJ23"},
		"Ring at the back door.")
	keep("delivery-note", f, err)
	f, err = ReturnSlip(sender(), r, slip())
	keep("return-slip", f, err)
	f, err = ReturnSlip(sender(), r, draft)
	keep("return-slip-draft", f, err)
	f, err = ReturnSlip(sender(), r, cancelled)
	keep("return-slip-cancelled", f, err)
	f, err = ReturnSlip(sender(), r, received)
	keep("return-slip-received", f, err)
	f, err = Quote(sender(), r, quote())
	keep("quote", f, err)
	f, err = PurchaseOrder(sender(), r, purchase())
	keep("purchase-order", f, err)
	f, err = CountSheet(sender(), r.Language, counted(), map[string]string{"i1": "PCS", "i2": "L"})
	keep("count-sheet", f, err)
	return out
}

func quote() quoting.Quote {
	return quoting.Quote{Number: "Q-7", Status: quoting.Sent, CustomerNumber: "C-1", CustomerName: "Lund & Söner AB",
		ContactName: "Åsa Öberg", Title: "Tents for the summer", QuoteDate: "2026-03-02", ValidUntil: "2026-04-01",
		CurrencyCode: "SEK", Digits: 2, TotalAmount: dec.Must("1800"), TotalVAT: dec.Must("450"),
		Lines: []quoting.Line{{Number: 1, Item: "TENT-2", Description: "Tält för två", Unit: "PCS",
			Quantity: dec.Must("2"), UnitPrice: dec.Must("1000"), DiscountPercent: dec.Must("10"),
			TaxPercent: dec.Must("25"), LineTotal: dec.Must("1800")}}}
}

func counted() stock.Count {
	return stock.Count{Number: "CNT-7", Status: stock.CountOpen, Warehouse: "MAIN", Lines: []stock.CountLine{
		{Number: 1, ItemID: "i1", Item: "TENT-2", ItemName: "Tält för två", Location: "A-01", Expected: dec.Must("12"),
			Counted: new(dec.Must("11"))},
		{Number: 2, ItemID: "i2", Item: "OIL", ItemName: "Lamp oil", Location: "A-02", Batch: "L-1",
			Expected: dec.Must("2.5")},
		{Number: 3, ItemID: "i1", Item: "GPS", ItemName: "GPS", Location: "A-02", Batch: "L-1", Serial: "A1",
			Expected: dec.Must("1")}}}
}

func purchase() Purchase {
	return Purchase{
		Order: purchasing.Order{Number: "PO-7", Status: purchasing.Cancelled, Digits: 2, Total: dec.Must("412.31"),
			OrderHead: purchasing.OrderHead{SupplierReference: "Q-17", OrderDate: "2026-03-02",
				ExpectedDate: "2026-03-20", CurrencyCode: "EUR", Notes: "Please ring before you come."},
			Lines: []purchasing.OrderLine{
				{Number: 1, ItemID: "i1", Item: "TENT-2", Description: "Tält för två", Unit: "PCS",
					Quantity: dec.Must("3"), UnitPrice: dec.Must("129.1042"), LineTotal: dec.Must("387.31"),
					ExpectedDate: "2026-03-18"},
				{Number: 2, Description: "Freight", Quantity: dec.Must("1"), UnitPrice: dec.Must("25"),
					LineTotal: dec.Must("25")}}},
		Supplier: purchasing.Supplier{Name: "Zelte GmbH", ContactPerson: "Jörg Maß", Street1: "Hafenstraße 1",
			PostalCode: "24103", City: "Kiel", CountryCode: "DE", OurCustomerNumber: "4711"},
		Theirs: map[string]purchasing.SupplierItem{"i1": {TheirNumber: "Z-200", TheirName: "Zweipersonenzelt"}},
		DeliverTo: party.Postal{Name: "Fjäll & Skog Handels AB", ContactPerson: "Centrallagret",
			Street1: "Lagervägen 2", PostalCode: "111 22", City: "Stockholm", CountryCode: "SE"},
	}
}

func text(t *testing.T, f File) string {
	t.Helper()
	s, err := papertest.Text(f.Body)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a page has no room for goes on in the next: the orders of an invoice for a month, and the tax at many rates.
func TestNothingStandsBeyondItsPage(t *testing.T) {
	i := invoice()
	for n := range 300 {
		i.OrderNumbers = append(i.OrderNumbers, fmt.Sprint("SO-", 100_000+n))
	}
	for n := range 40 {
		l := i.Lines[0]
		l.TaxPercent = dec.Must(fmt.Sprint(n))
		i.Lines = append(i.Lines, l)
	}
	f, err := Invoice(sender(), receiver("en"), i)
	if err != nil {
		t.Fatal(err)
	}
	lost, err := papertest.Lost(f.Body)
	if err != nil || len(lost) > 0 {
		t.Errorf("beyond their page: %q %v", lost, err)
	}
	said := text(t, f)
	for _, want := range []string{"SO-100299", "Tax 39 %", "Tax  3,117.25", "Total EUR"} {
		if !strings.Contains(strings.ReplaceAll(said, "\u00a0", " "), want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// Every paper says in every language what its golden file says, and is made of the same bytes each time.
func TestPapersAreKept(t *testing.T) {
	for _, lang := range languages {
		again := all(t, lang)
		for name, f := range all(t, lang) {
			if !bytes.Equal(f.Body, again[name].Body) {
				t.Errorf("%s %s: other bytes the second time", lang, name)
			}
			if strings.Contains(text(t, f), "…") {
				t.Errorf("%s %s is cut off:\n%s", lang, name, text(t, f))
			}
			got, path := "# "+f.Name+"\n"+text(t, f), filepath.Join("testdata", lang, name+".txt")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != got {
				t.Errorf("%s has changed: run go test ./internal/business/paper -update and read the diff\n%s", path,
					got)
			}
		}
	}
}

// No type or reason is left out.
func TestEveryTypeAndReasonHasItsWord(t *testing.T) {
	w := wordsOf("en")
	for _, x := range invoicing.Type("").Values() {
		if w.Types[x] == "" {
			t.Errorf("no word for %s", x)
		}
	}
	for _, x := range returns.Reason("").Values() {
		if w.Reasons[x] == "" {
			t.Errorf("no word for %s", x)
		}
	}
}

// The date of supply is told where it is not the invoice date, and where it is known.
// An invoice without tax names the article by which there is none: not where it is taxed, at home, in another country's
// law, or where nobody knows where the goods go.
func TestWhyThereIsNoTax(t *testing.T) {
	for name, c := range map[string]struct {
		from, seller, to, buyer string
		tax                     dec.Dec
		article                 string
	}{
		"to a business in the union":  {"SE", "SE556677889901", "DE", "DE136695976", 0, "artikel 138"},
		"to a business, taxed":        {"SE", "SE556677889901", "DE", "DE136695976", 1, ""},
		"to a person in the union":    {"SE", "SE556677889901", "DE", "", 0, ""},
		"at home":                     {"SE", "SE556677889901", "SE", "", 0, ""},
		"out of the union":            {"SE", "SE556677889901", "NO", "", 0, "artikel 146"},
		"out of another country":      {"NO", "", "US", "", 0, ""},
		"to where nobody has written": {"SE", "SE556677889901", "", "", 0, ""},
	} {
		s, r, i := sender(), receiver("sv"), invoice()
		s.Profile.CountryCode, s.Profile.VATNumber = c.from, c.seller
		r.Customer.CountryCode, r.Customer.VATNumber, i.InvoiceAddress.CountryCode = c.to, c.buyer, c.to
		i.TotalVAT = c.tax
		f, err := Invoice(s, r, i)
		if err != nil {
			t.Fatal(err)
		}
		said := text(t, f)
		if c.article == "" && strings.Contains(said, "2006/112") || !strings.Contains(said, c.article) {
			t.Errorf("%s: want %q\n%s", name, c.article, said)
		}
	}
}

func TestTheDateOfSupply(t *testing.T) {
	for _, c := range []struct {
		on   day.Date
		told bool
	}{{"2026-11-20", true}, {"2026-11-22", false}, {"", false}} {
		i := invoice()
		i.SuppliedOn = c.on
		f, err := Invoice(sender(), receiver("en"), i)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text(t, f), "Date of supply"); got != c.told {
			t.Errorf("supplied on %q: told is %v\n%s", c.on, got, text(t, f))
		}
	}
}

// A paper goes on on a second page, with the heads of its columns; the foot stands on the last.
func TestLongPapers(t *testing.T) {
	i, s := invoice(), slip()
	for n := range 60 {
		l := i.Lines[0]
		l.Item, l.Description = fmt.Sprint("LINE-", n), "Tält"
		i.Lines = append(i.Lines, l)
		s.Return.Lines = append(s.Return.Lines, returns.Line{Item: l.Item, ItemName: "Tält", Registered: dec.One,
			Notes: "Also"})
	}
	i.Lines[30].Description = strings.Repeat("endless ", 500)
	i.Comments = strings.Repeat("A comment that goes on and on without an end to be seen. ", 60)
	print, err := Invoice(sender(), receiver("en"), i)
	if err != nil {
		t.Fatal(err)
	}
	slips, err := ReturnSlip(sender(), receiver("en"), s)
	if err != nil {
		t.Fatal(err)
	}
	for head, f := range map[string]File{"Item  Description  Quantity": print,
		"Item  Name  Condition  Quantity": slips} {
		got := text(t, f)
		pages := strings.Split(got, "\n\n")
		if len(pages) < 2 || strings.Count(got, "LINE-") != 60 {
			t.Errorf("60 lines stand on %d pages as\n%s", len(pages), got)
		}
		for n, page := range pages {
			if (strings.Contains(page, "LINE-") || strings.Contains(page, "endless")) != strings.Contains(page, head) {
				t.Errorf("page %d has lines without heads, or heads without lines:\n%s", n+1, page)
			}
		}
		if strings.Count(got, "SE556677889901") != 1 || !strings.Contains(pages[len(pages)-1], "SE556677889901") {
			t.Errorf("the foot does not stand on the last page alone:\n%s", got)
		}
	}
	if got := strings.Count(text(t, print), "endless"); got != 500 {
		t.Errorf("the description is %d of 500 words long", got)
	}
	if got := strings.Count(strings.ReplaceAll(text(t, print), "\n", " "), "goes on and on"); got != 60 {
		t.Errorf("the comment is %d of 60 sentences long", got)
	}
}

// Whatever people type can be printed: letters the font does not have, words without an end, no address, a picture that
// is none.
func TestOddPapers(t *testing.T) {
	i, s, r := invoice(), sender(), receiver("xx-invalid")
	i.InvoiceAddress = party.Postal{Name: "北京 😀 \u202e" + strings.Repeat("W", 200)}
	i.Comments = strings.Repeat("Ω", 4000)
	i.Lines[0].Description, s.Logo = "", []byte("no picture")
	if _, err := Invoice(s, r, i); err != nil {
		t.Error(err)
	}
	if _, err := Invoice(Sender{}, Receiver{}, invoicing.Invoice{}); err != nil {
		t.Error(err)
	}
	if _, err := ReturnSlip(Sender{}, Receiver{}, Slip{}); err != nil {
		t.Error(err)
	}
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewGray(image.Rect(0, 0, 40, 10))); err != nil {
		t.Fatal(err)
	}
	s.Logo = logo.Bytes()
	f, err := Invoice(s, receiver("sv"), invoice())
	if err != nil || !bytes.Contains(f.Body, []byte("/Subtype /Image")) {
		t.Errorf("there is no logo: %v", err)
	}
	s.Logo = logo.Bytes()[:logo.Len()-12] // its end is missing
	f, err = Invoice(s, receiver("sv"), invoice())
	if err != nil || bytes.Contains(f.Body, []byte("/Subtype /Image")) {
		t.Errorf("a damaged logo is drawn, or leaves no paper: %v", err)
	}
}

// The bars of a slip are the return's number: read by the standard's own table, start and check character included.
func TestTheBarCodeIsTheNumber(t *testing.T) {
	for number, want := range map[string]string{
		// ISO/IEC 15417: widths of bars and spaces by code. Start B, R, -, start C, 10, 00, 01, check, stop.
		"R-100001": "211214" + "231131" + "122132" + "113141" + "221312" + "212222" + "222122" +
			checkOf(t, 104, 50, 13, 99, 10, 0, 1) + "2331112",
	} {
		s := slip()
		s.Return.Number = number
		f, err := ReturnSlip(sender(), receiver("en"), s)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := papertest.Bars(f.Body)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, w := range runs {
			fmt.Fprintf(&got, "%.0f", w)
		}
		if got.String() != want {
			t.Errorf("%s is drawn as\n%s, want\n%s", number, got.String(), want)
		}
	}
	for _, number := range []string{"Å-1", strings.Repeat("R7x", 16)} {
		s := slip()
		s.Return.Number = number
		f, err := ReturnSlip(sender(), receiver("en"), s)
		if err != nil {
			t.Fatal(err)
		}
		if runs, err := papertest.Bars(f.Body); err != nil || len(runs) > 0 {
			t.Errorf("%q has bars: %v %v", number, runs, err)
		}
	}
}

// checkOf is the check character of Code 128: the weighted sum of the codes, modulo 103.
func checkOf(t *testing.T, codes ...int) string {
	t.Helper()
	sum := codes[0]
	for i, c := range codes[1:] {
		sum += (i + 1) * c
	}
	widths, ok := map[int]string{8: "132212"}[sum%103]
	if !ok {
		t.Fatalf("the check is %d: add its widths", sum%103)
	}
	return widths
}

// A further page says of which paper it is, however long its sender's name, and which of how many.
func TestFurtherPagesSayWhoseTheyAre(t *testing.T) {
	i := invoice()
	for len(i.Lines) < 60 {
		i.Lines = append(i.Lines, i.Lines[0])
	}
	s := sender()
	s.Profile.LegalName += strings.Repeat(" Beteiligungs- und Verwaltungsgesellschaft mbH & Co. KG", 3)
	f, err := Invoice(s, receiver("en"), i)
	if err != nil {
		t.Fatal(err)
	}
	text, err := papertest.Text(f.Body)
	if err != nil {
		t.Fatal(err)
	}
	pages := strings.Split(text, "\n\n")
	for n, page := range pages[1:] {
		line, _, _ := strings.Cut(page, "\n")
		want := fmt.Sprintf("…  %d / %d", n+2, len(pages))
		if !strings.HasPrefix(line, "Invoice 1001, Fjäll & Skog Handels AB Bet") || !strings.HasSuffix(line, want) {
			t.Errorf("page %d begins with %q, want %q", n+2, page[:min(len(page), 80)], want)
		}
	}
	if len(pages) < 3 || strings.Contains(pages[0], " / ") {
		t.Errorf("%d pages, the first one %q", len(pages), pages[0])
	}
}
