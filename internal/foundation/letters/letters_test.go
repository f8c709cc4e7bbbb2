package letters

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/mail"
)

var update = flag.Bool("update", false, "write the golden files anew; then read their diff")

var languages = []string{"sv", "nb", "da", "fi", "de", "en"}

var shop = Store{
	Name: "Fjäll & Skog", URL: "https://fjall.example", Email: "hej@fjall.example", Phone: "+46 8 123 456",
	Color: "#14532d", LegalName: "Fjäll & Skog Handels AB", VATNumber: "SE556677889901",
	Address: []string{"Storgatan 1", "111 22 Stockholm"},
}

var buyer = mail.Address{Name: "Åsa Öberg", Email: "asa@example.com", Confirmed: true}

func order() Order {
	freight, fee := dec.Must("49"), dec.Must("19")
	return Order{
		Number: "SO-1042", Reference: "Projekt <b>7</b>", URL: "https://fjall.example/orders/SO-1042", Currency: "SEK",
		Digits: 2, Date: "2026-11-21", Lines: []Line{
			{Number: "TENT-2", Name: "Tält för två", Note: "Grön", Unit: "st", Quantity: dec.Must("2"),
				UnitPrice: dec.Must("1234.5"), Total: dec.Must("2469")},
			{Number: "ROPE", Name: "Rep", Unit: "m", Quantity: dec.Must("12.5"), UnitPrice: dec.Must("8"),
				Total: dec.Must("100")},
		},
		Subtotal: dec.Must("2569"), Freight: &freight, PaymentFee: &fee,
		Discounts: []Sum{{"HOST26", dec.Must("256.9")}}, GiftCards: []Sum{{"…4711", dec.Must("500")}},
		Taxes: []Sum{{"25 %", dec.Must("476.02")}}, PricesIncludeTax: true, Total: dec.Must("2380.1"),
		ToPay: dec.Must("1880.1"), Billing: []string{"Åsa Öberg", "Storgatan 1", "111 22 Stockholm", "Sverige"},
		Delivery: []string{"Åsa Öberg", "Stigen 3", "830 13 Åre"}, DeliveryMethod: "Ombud", PaymentMethod: "Förskott",
		Instructions: []string{"Bankgiro 123-4567", "OCR 1042"}, ReturnCode: "CDEFGHIJ23",
	}
}

// all are the letters by name.
func all(lang string) map[string]mail.Message {
	business := order()
	business.PricesIncludeTax, business.PaymentFee, business.Discounts, business.GiftCards, business.ToPay,
		business.ReturnCode = false, nil, nil, nil, 0, ""
	business.NeedsApproval = true
	free := dec.Dec(0)
	business.Freight = &free
	code := func(p Purpose) mail.Message {
		return VerificationCode(lang, shop, buyer, Code{Purpose: p, Digits: "042137", Minutes: 10,
			Now: db.Time(1_000_000)})
	}
	return map[string]mail.Message{
		"order": OrderConfirmation(lang, shop, buyer, order()),
		"order-business": OrderConfirmation(lang, shop, mail.Address{Email: "buy@example.com", Confirmed: true},
			business),
		"code-sign-in": code(SignIn),
		"code-reset":   code(PasswordReset),
		"code-verify":  code(VerifyAddress),
		"welcome":      Welcome(lang, shop, buyer, "https://fjall.example/account"),
		"already":      AlreadyRegistered(lang, shop, buyer, "https://fjall.example/login"),
		"contact": ContactInvitation(lang, shop, buyer,
			Invitation{By: "Bo Ek", Link: "https://fjall.example/accept?t=1", Days: 7}),
		"contact-nameless": ContactInvitation(lang, shop, buyer, Invitation{Link: "https://fjall.example/accept?t=1",
			Days: 7}),
		"user": UserInvitation(lang, shop, buyer,
			Invitation{By: "Bo Ek", Link: "https://erp.example/accept?t=1", Days: 7}),
		"user-nameless": UserInvitation(lang, shop, buyer, Invitation{Link: "https://erp.example/accept?t=1",
			Days: 7}),
		"notification": OfficeNotification(lang, shop, buyer, Notification{Why: Mentioned, By: "Bo Ek",
			Title: "Order SO-1042", Excerpt: "@Åsa Öberg, can we send this today?\nThe customer called.",
			Link: "https://erp.example/orders/SO-1042"}),
		"notification-charged": OfficeNotification(lang, shop, buyer, Notification{Why: Charged, By: "Bo Ek",
			Title: "Ticket T-7", Link: "https://erp.example/tickets/T-7"}),
		"notification-accepted": OfficeNotification(lang, shop, buyer, Notification{Why: Accepted, By: "Bo Ek",
			Title: "Q-12", Link: "https://erp.example/quotes/Q-12"}),
		"notification-declined": OfficeNotification(lang, shop, buyer, Notification{Why: Declined, By: "Bo Ek",
			Title: "Q-12", Excerpt: "Next year perhaps.", Link: "https://erp.example/quotes/Q-12"}),
		"notification-overdue": OfficeNotification(lang, shop, buyer, Notification{Why: Overdue, By: "Bo Ek",
			Title: "T-7: The pump does not start", Link: "https://erp.example/tickets/T-7"}),
		"password": UserPasswordReset(lang, shop, buyer, "https://erp.example/reset?t=1", 60,
			db.Time(1_000_000)),
		"shipped": OrderShipped(lang, shop, buyer,
			Shipped{OrderNumber: "SO-1042", OrderURL: "https://fjall.example/o", Carrier: "PostNord",
				TrackingNumber: "00373", TrackingURL: "https://track.example/00373",
				Lines: []ShippedLine{{"TENT-2", "Tält för två", "st", "", dec.Must("2")}}}),
		"back-in-stock": BackInStock(lang, shop, buyer,
			Item{Name: "Tält för två", URL: "https://fjall.example/products/talt",
				ImageURL: "https://fjall.example/talt.png", Price: Money(lang, dec.Must("1234.5"), 2, "SEK")},
			"https://fjall.example/unwatch?t=1"),
		"refund": RefundMade(lang, shop, buyer, Refund{OrderNumber: "SO-1042", Amount: dec.Must("1234.5"),
			Currency: "SEK", Digits: 2, Method: "Kort", ReturnNumber: "RET-7"}),
		"approval": OrderApprovalWanted(lang, shop, buyer, Approval{OrderNumber: "SO-1042", By: "Bo Ek",
			Link: "https://fjall.example/approve", Total: dec.Must("98765.4"), Currency: "SEK", Digits: 2}),
		"approved": OrderDecided(lang, shop, buyer, Decision{OrderNumber: "SO-1042", IsApproved: true,
			By: "Bo Ek", Link: "https://fjall.example/orders", Total: dec.Must("98765.4"), Currency: "SEK", Digits: 2}),
		"rejected": OrderDecided(lang, shop, buyer, Decision{OrderNumber: "SO-1042", By: "Bo <b>7</b> Ek",
			Reason: "Över <b>7</b> budget", Link: "https://fjall.example/orders", Total: dec.Must("98765.4"),
			Currency: "SEK", Digits: 2}),
		"cancelled": OrderCancelled(lang, shop, buyer, "SO-1042", "https://fjall.example/orders/SO-1042"),
		"refund-cancelled": RefundMade(lang, shop, buyer, Refund{OrderNumber: "SO-1042", Amount: dec.Must("5"),
			Currency: "SEK", Digits: 2}),
		"refund-rest": RefundMade(lang, shop, buyer, Refund{OrderNumber: "SO-1042", Amount: dec.Must("5"),
			Currency: "SEK", Digits: 2, IsRest: true}),
		"refund-no-order": RefundMade(lang, shop, buyer, Refund{Amount: dec.Must("5"), Currency: "SEK", Digits: 2}),
		"invoice": InvoiceBooked(lang, shop, buyer, Invoice{Number: "1000001", OrderNumber: "SO-1042",
			Date: "2026-11-21", Due: "2026-12-21", Total: dec.Must("2380.1"), Currency: "SEK", Digits: 2}),
		"invoice-paid": InvoiceBooked(lang, shop, buyer, Invoice{Number: "1000001", OrderNumber: "SO-1042",
			Date: "2026-11-21", Total: dec.Must("2380.1"), Paid: dec.Must("2380.1"), Currency: "SEK", Digits: 2}),
		"credit-note": CreditNoteBooked(lang, shop, buyer, Invoice{Number: "1000002", Credits: "1000001",
			OrderNumber: "SO-1042", Date: "2026-11-28", Total: dec.Must("1234.5"), Currency: "SEK", Digits: 2}),
		"purchase": PurchaseOrdered(lang, shop, buyer,
			Purchase{Number: "PO-7", Reference: "Q-17", WantedBy: "2026-12-01", Total: dec.Must("1234.5"),
				Currency: "SEK", Digits: 2}),
		"ready": OrderReady(lang, shop, buyer,
			Collection{OrderNumber: "SO-1042", OrderURL: "https://fjall.example/o",
				Place: "Butiken, Storgatan 1, 111 22 Stockholm",
				Lines: []ShippedLine{{"TENT-2", "Tält för två", "st", "", dec.Must("2")}}}),
		"return-approved": ReturnApproved(lang, shop, buyer, Return{Number: "RET-7", OrderNumber: "SO-1042",
			Lines: []ShippedLine{{"TENT-2", "Tält för två", "st", "", dec.Must("1")}}}),
		"return-received": ReturnReceived(lang, shop, buyer, Return{Number: "RET-7", OrderNumber: "SO-1042",
			Lines: []ShippedLine{{"TENT-2", "Tält för två", "st", "", dec.Must("1")}}}),
		"ticket": TicketAnswered(lang, shop, buyer, Answer{TicketNumber: "T-10001", Subject: "Tältet läcker",
			Body: "Vi skickar ett <b>nytt</b>.\n\nI dag.\n", By: "Eva",
			Files: []File{{"retur.pdf", "https://erp.example/media/1"}}}),
		"newsletter": ConfirmNewsletter(lang, shop, mail.Address{Name: "Eve <b>7</b>", Email: "asa@example.com"},
			Subscription{Link: "https://erp.example/confirm?t=1", Leave: "https://erp.example/leave?t=1", Days: 7,
				Now: db.Time(1_000_000)}),
		"newsletter-joined": NewsletterJoined(lang, shop, buyer, Subscription{Leave: "https://erp.example/leave?t=1"}),
		"refund-in-nothing": RefundMade(lang, Store{Name: "X", CountryCode: "SE"}, mail.Address{Email: "a@example.com"},
			Refund{OrderNumber: "1", Amount: dec.Must("5"), Currency: "JPY"}),
	}
}

func TestLettersReadAsTheyDid(t *testing.T) {
	for _, lang := range languages {
		for name, m := range written(all(lang)) {
			golden(t, filepath.Join(lang, name+".txt"), "Subject: "+m.Subject+"\n\n"+m.Text)
			if lang == "sv" {
				golden(t, filepath.Join("html", name+".html"), m.HTML)
			}
		}
	}
}

// written are letters as they are sent.
func written(all map[string]mail.Message) map[string]mail.Message {
	for name, m := range all {
		m.HTML = HTML(m.Letter)
		all[name] = m
	}
	return all
}

// What a job keeps is less than what is sent, and what is no letter leaves the text.
func TestAJobKeepsWhatALetterIsMadeOf(t *testing.T) {
	kept := all("en")["order"]
	if made := HTML(kept.Letter); len(kept.Letter)*2 > len(made) || kept.HTML != "" || kept.Text == "" {
		t.Errorf("of %d bytes %d are made, beside %d of text", len(kept.Letter), len(made), len(kept.Text))
	}
	if made := HTML([]byte(`{"Rows":7}`)); made != "" {
		t.Errorf("of what is no letter is made %q", made)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs: run go test ./internal/foundation/letters -update and read the diff", path)
	}
}

// Every letter may be sent, says the same in both of its forms, and leaves nothing unfilled.
func TestLettersAreWholeMails(t *testing.T) {
	for _, lang := range languages {
		for name, m := range written(all(lang)) {
			if err := m.Check(); err != nil {
				t.Errorf("%s %s: %v", lang, name, err)
			}
			if m.About == "" || m.From.Name == "" {
				t.Errorf("%s %s: about %q, from %q", lang, name, m.About, m.From.Name)
			}
			for _, form := range []string{m.Subject, m.Text, m.HTML} {
				if strings.Contains(form, "%!") || strings.Contains(form, "ZgotmplZ") ||
					strings.Contains(form, "<no value>") {
					t.Errorf("%s %s holds something unfilled:\n%s", lang, name, form)
				}
			}
			if strings.Contains(m.HTML, "<b>7</b>") {
				t.Errorf("%s %s: what a customer typed became markup", lang, name)
			}
			for _, url := range regexp.MustCompile(`https://\S+\?t=1`).FindAllString(m.Text, -1) {
				if !strings.Contains(m.HTML, `href="`+url+`"`) {
					t.Errorf("%s %s: %s is in the text alone", lang, name, url)
				}
			}
		}
	}
}

func TestCodesExpire(t *testing.T) {
	for _, name := range []string{"code-sign-in", "code-reset", "code-verify"} {
		if m := written(all("en"))[name]; m.Expires != 601_000_000 || !strings.Contains(m.Text, "042137") ||
			strings.Contains(m.Subject, "042137") {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m := all("en")["password"]; m.Expires != 3_601_000_000 {
		t.Errorf("%d", m.Expires)
	}
	m := all("en")["back-in-stock"]
	if m.Headers["List-Unsubscribe"] != "<https://fjall.example/unwatch?t=1>" ||
		m.Headers["List-Unsubscribe-Post"] != "List-Unsubscribe=One-Click" {
		t.Errorf("%v", m.Headers)
	}
}

// On a store's colour stands what reads better on it. On orange and red that is black: white has a contrast of 2.9 and
// 4.0 there.
func TestAStoresColorCanBeWrittenOn(t *testing.T) {
	for color, want := range map[string]string{"#000000": "#ffffff", "#14532d": "#ffffff", "#ffffff": "#000000",
		"#ffff00": "#000000", "#ff6600": "#000000", "#ff0000": "#000000", "#0000ff": "#ffffff", "#767676": "#000000",
		"#6b6b6b": "#ffffff", "red": "#ffffff"} {
		s := Store{Name: "Shop", Color: color}
		html := HTML(BackInStock("en", s, mail.Address{Email: "a@example.com"}, Item{Name: "Tent"}, "").Letter)
		if color == "red" {
			color = usualColor
		}
		if !strings.Contains(html, "background:"+color+";color:"+want) {
			t.Errorf("on %s nothing is written in %s: %s", color, want, html)
		}
	}
}

// What people typed into names and settings never keeps a mail back, nor gets into its head or its frame.
func TestNamesCannotBreakAMail(t *testing.T) {
	s := Store{Name: "Shop\r\nBcc: x@example.com", Email: "not an address", Color: "red;background:url(//evil)",
		URL: "javascript:alert(1)", LogoURL: "javascript:alert(2)"}
	m := BackInStock("en", s, mail.Address{Name: "A\nB", Email: "a@example.com"},
		Item{Name: "Tent\r\nX-Evil: 1", URL: "javascript:alert(3)"}, "")
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	m.HTML = HTML(m.Letter)
	if m.From.Email != "" || strings.ContainsAny(m.Subject+m.From.Name+m.To[0].Name+m.About, "\r\n") {
		t.Errorf("%+v", m)
	}
	if strings.Contains(m.HTML, `="javascript:`) || strings.Contains(m.HTML, "evil)") {
		t.Error(m.HTML)
	}
}

func TestAmountsAndDatesAreWrittenAsReadersWriteThem(t *testing.T) {
	for _, c := range []struct{ lang, amount, currency, want string }{
		{"sv-SE", "1234567.5", "SEK", "1 234 567,50 SEK"}, {"nb", "-1234.5", "NOK", "-1 234,50 NOK"},
		{"da_DK", "1234.5", "DKK", "1.234,50 DKK"}, {"fi", "999", "EUR", "999,00 EUR"},
		{"de", "1000.005", "EUR", "1.000,01 EUR"}, {"en-GB", "1234.5", "GBP", "1,234.50 GBP"},
		{"fr", "0.5", "", "0.50"}, {"no", "100000", "NOK", "100 000,00 NOK"},
	} {
		if got := strings.ReplaceAll(Money(c.lang, dec.Must(c.amount), 2, c.currency), noBreak, " "); got != c.want {
			t.Errorf("%s %s: %s, not %s", c.lang, c.amount, got, c.want)
		}
	}
	for lang, want := range map[string]string{"sv": "2026-01-09", "nn": "09.01.2026", "da": "09.01.2026",
		"fi": "09.01.2026", "de": "09.01.2026", "xx": "9 January 2026"} {
		if got := Date(lang, "2026-01-09"); got != want {
			t.Errorf("%s: %s, not %s", lang, got, want)
		}
	}
	if Date("en", "") != "" {
		t.Error("no date is written as one")
	}
}
