// Package paymenttest asks of every payment adapter what the interface promises, and gives tests their values.
package paymenttest

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
)

// ID is the payment that Intent is of.
const ID = "01930000-0000-7000-8000-000000000001"

// Intent is a payment of 125.00 SEK for three lines.
func Intent() payment.Intent {
	return payment.Intent{ID: ID, Amount: dec.Must("125"), Currency: "SEK", Digits: 2, Reference: "Nordic Tools",
		ReturnURL:   "https://shop.example/back?cart=7",
		CallbackURL: "https://erp.example/callbacks/DEMO/CARD", TermsURL: "https://shop.example/terms",
		Email: "anna@example.com", Language: "sv", Country: "SE", Lines: []payment.Line{
			{Kind: payment.Goods, Number: "DRILL-18V", Name: "Drill", Quantity: dec.Must("2"), Unit: "pcs",
				UnitPrice: dec.Must("50"), Total: dec.Must("100"), TaxRate: dec.Must("25"), Tax: dec.Must("20")},
			{Kind: payment.Goods, Number: "ROPE", Name: "Rope", Quantity: dec.Must("2.5"), Unit: "m",
				UnitPrice: dec.Must("12.5"), Discount: dec.Must("1.25"), Total: dec.Must("30"), TaxRate: dec.Must("25"),
				Tax: dec.Must("6")},
			{Kind: payment.Discount, Name: "Welcome", Quantity: dec.One, UnitPrice: dec.Must("-5"),
				Total: dec.Must("-5"), TaxRate: dec.Must("25"), Tax: dec.Must("-1")},
		}}
}

// Kept is the payment of a started Intent.
func Kept(ref string, status payment.Status) payment.Payment {
	i := Intent()
	return payment.Payment{ID: i.ID, Ref: ref, Status: status, Amount: i.Amount, Currency: i.Currency, Digits: i.Digits}
}

// Callback is a callback with headers and query of name and value.
func Callback(body []byte, header, query map[string]string) payment.Callback {
	return payment.Callback{Body: body, Header: func(n string) string { return header[n] },
		Query: func(n string) string { return query[n] }}
}

// Want fails the test unless err is a fault of the code; the zero code stands for none.
func Want(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if want.Name == "" {
		if err != nil {
			t.Fatalf("no error was expected: %v", err)
		}
		return
	}
	if !fault.Is(err, want) {
		t.Fatalf("the error is %v, want %s", err, want.Name)
	}
}

// Calls are all calls of a provider that go to its server, by name.
func Calls(p payment.Provider, a payment.Account, pay payment.Payment) map[string]func() error {
	ctx := context.Background()
	return map[string]func() error{
		"Start":  func() error { _, err := p.Start(ctx, a, Intent()); return err },
		"Look":   func() error { _, err := p.Look(ctx, a, pay); return err },
		"Placed": func() error { return p.Placed(ctx, a, pay, "SO-1001") },
		"Capture": func() error {
			_, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.One})
			return err
		},
		"Cancel": func() error { _, err := p.Cancel(ctx, a, pay); return err },
		"Refund": func() error {
			_, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r1", Amount: dec.One})
			return err
		},
	}
}

// Settings asks that no call of a provider passes without a required setting, or with one that is none.
func Settings(t *testing.T, p payment.Provider, a payment.Account, pay payment.Payment) {
	t.Helper()
	d := p.Describe()
	Want(t, d.CheckSettings(a.Settings), fault.Code{})
	for _, s := range d.Settings {
		if !s.IsRequired {
			continue
		}
		less := a
		less.Settings = maps.Clone(a.Settings)
		delete(less.Settings, s.Name)
		Want(t, d.CheckSettings(less.Settings), payment.ErrInvalid)
		for name, call := range Calls(p, less, pay) {
			if err := call(); !fault.Is(err, payment.ErrMisconfigured) && !(name == "Placed" && err == nil) {
				t.Errorf("%s without the setting %s: %v", name, s.Name, err)
			}
		}
		_, err := p.Receive(context.Background(), less, Callback(nil, nil, nil), time.Now())
		Want(t, err, payment.ErrMisconfigured)
	}
}

// Troubles asks how a provider takes a server in trouble: what may be tried again is ErrUnavailable, refused
// credentials and redirects are ErrMisconfigured, and no secret of the account nor a word of the server is in an error,
// cause included.
func Troubles(t *testing.T, start func(address string) (payment.Provider, payment.Account), ref string) {
	t.Helper()
	const word = "Zebrafish" // said by the server
	status := func(n int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://elsewhere.example/"+word)
			w.WriteHeader(n)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   fault.Code
	}{
		"internal error": {status(500, `{"error": {"message": "`+word+`"}}`), payment.ErrUnavailable},
		"bad gateway":    {status(502, "<html>"+word), payment.ErrUnavailable},
		"too many":       {status(429, `{"error": {"message": "`+word+`"}}`), payment.ErrUnavailable},
		"no JSON":        {status(200, "<html>"+word), payment.ErrUnavailable},
		"cut off": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			payment.ErrUnavailable},
		"endless":     {status(200, strings.Repeat(" ", 1<<20)+`{}`), payment.ErrUnavailable},
		"credentials": {status(401, `{"error": {"message": "`+word+`"}}`), payment.ErrMisconfigured},
	} {
		server := httptest.NewServer(c.answer)
		p, a := start(server.URL)
		for call, do := range Calls(p, a, Kept(ref, payment.Authorized)) {
			err := do()
			if (name == "no JSON" || name == "endless") && call == "Placed" && err == nil {
				continue // whose answer nobody reads
			}
			if !fault.Is(err, c.want) {
				t.Errorf("%s at %s: the error is %v, want %s", call, name, err, c.want.Name)
				continue
			}
			for setting, secret := range a.Settings {
				if len(secret) > 3 && setting != "address" && setting != "capture" && strings.Contains(err.Error(),
					secret) {
					t.Errorf("%s at %s: the error holds the setting %s", call, name, setting)
				}
			}
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s at %s: the error repeats the server's words: %v", call, name, err)
			}
		}
		server.Close()
	}
}
