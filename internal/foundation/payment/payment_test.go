package payment_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	. "kontor/internal/foundation/payment/paymenttest"
)

func TestMinorUnitsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.IntRange(0, dec.Scale).Draw(t, "digits")
		amount := dec.Dec(rapid.Int64Range(-int64(dec.Max), int64(dec.Max)).Draw(t, "amount"))
		n, err := payment.Minor(amount, digits)
		_, decimals, _ := strings.Cut(amount.String(), ".")
		if isExact := len(decimals) <= digits; isExact != (err == nil) {
			t.Fatalf("%s with %d decimals: %v", amount, digits, err)
		}
		if err != nil {
			return
		}
		back, err := payment.OfMinor(n, digits)
		if err != nil || back != amount {
			t.Fatalf("%s became %d and then %s: %v", amount, n, back, err)
		}
	})
	for _, c := range []struct {
		amount string
		digits int
		want   int64
	}{{"1250", 0, 1250}, {"12.50", 2, 1250}, {"-12.505", 3, -12505}, {"0", 2, 0}} {
		if got, err := payment.Minor(dec.Must(c.amount), c.digits); got != c.want || err != nil {
			t.Errorf("%s with %d decimals is %d, want %d: %v", c.amount, c.digits, got, c.want, err)
		}
	}
	_, err := payment.Minor(dec.Must("12.505"), 2)
	Want(t, err, payment.ErrInexact)
	_, err = payment.OfMinor(1<<62, 0)
	Want(t, err, payment.ErrInexact)
	_, err = payment.OfMinor(1, 7)
	Want(t, err, payment.ErrInexact)
}

func TestIntentsReportEverythingWrong(t *testing.T) {
	Want(t, Intent().Check(), fault.Code{})
	i := Intent()
	i.ID, i.Amount, i.Currency, i.Country, i.Email, i.ReturnURL = "", dec.Must("12.505"), "sek", "Sweden", "anna",
		"javascript:alert(1)"
	f := fault.As(i.Check())
	var fields []string
	for _, x := range f.Fields {
		fields = append(fields, x.Path)
	}
	for _, want := range []string{"id", "amount", "currency", "country", "email", "returnUrl", "lines"} {
		if !strings.Contains(strings.Join(fields, " "), want) {
			t.Errorf("%s is not reported: %v", want, fields)
		}
	}
	i = Intent()
	i.Amount, i.Lines = 0, nil
	Want(t, i.Check(), payment.ErrInvalid)
	i = Intent()
	for range 3 {
		i.Lines = append(i.Lines, payment.Line{Total: dec.Max})
	}
	Want(t, i.Check(), payment.ErrInvalid)
}

func TestStartedHoldsExactlyWhatItsModeSays(t *testing.T) {
	good := []payment.Started{
		{Ref: "r", Status: payment.Authorized, Mode: payment.RenderNone},
		{Ref: "r", Status: payment.Pending, Mode: payment.RenderHTMLFragment, HTMLFragment: "<p>"},
		{Ref: "r", Status: payment.Pending, Mode: payment.RenderRedirect, RedirectURL: "https://pay.example/1"},
		{Ref: "r", Status: payment.Pending, Mode: payment.RenderClientKey, ClientKey: "k"},
	}
	for _, s := range good {
		Want(t, s.Check(), fault.Code{})
		other := s
		other.ClientKey, other.HTMLFragment = "k", "<p>"
		Want(t, other.Check(), payment.ErrUnavailable)
		other = s
		other.Ref = ""
		Want(t, other.Check(), payment.ErrUnavailable)
		other = s
		other.Status = "Paid"
		Want(t, other.Check(), payment.ErrUnavailable)
	}
	Want(t, payment.Started{Ref: "r", Status: payment.Pending, Mode: payment.RenderRedirect,
		RedirectURL: "javascript:x"}.Check(), payment.ErrUnavailable)
}

func TestAmountsMustAgree(t *testing.T) {
	p := Kept("r", payment.Pending)
	for _, c := range []struct {
		amount, currency string
		want             fault.Code
	}{{"125", "SEK", fault.Code{}}, {"0", "", fault.Code{}}, {"125.01", "SEK", payment.ErrMismatch},
		{"125", "NOK", payment.ErrMismatch}} {
		Want(t, payment.Agrees(p, payment.State{Amount: dec.Must(c.amount), Currency: c.currency}), c.want)
	}
}

// Whatever order callbacks come in, money that was taken stays seen, and nothing is forgotten that would place an order
// or give money back.
func TestFollowIsTotalAndNeverLosesMoney(t *testing.T) {
	for _, known := range payment.Statuses() {
		for _, told := range payment.Statuses() {
			v := payment.Follow(known, told)
			switch {
			case known == told && v != payment.Keep:
				t.Errorf("%s told again: %v", known, v)
			case known == payment.Captured && v != payment.Keep:
				t.Errorf("%s after Captured: %v", told, v)
			case !known.IsGood() && told.IsGood() && v == payment.Keep:
				t.Errorf("%s after %s is lost", told, known)
			case known == payment.Authorized && told == payment.Captured && v != payment.Take:
				t.Errorf("a capture is lost")
			case !told.IsGood() && v == payment.Take:
				t.Errorf("%s is believed after %s without a look", told, known)
			}
		}
		if payment.Follow(known, "Paid") != payment.Keep {
			t.Errorf("an unknown status is believed after %s", known)
		}
	}
}

func TestSignatures(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	body := []byte(`{"id": "e1"}`)
	good := payment.Sign("s3cret", now, body)
	old := payment.Sign("s3cret", now.Add(-6*time.Minute), body)
	_, mac, _ := strings.Cut(good, ",")
	for name, c := range map[string]struct {
		secret, header string
		body           []byte
		want           fault.Code
	}{
		"good":             {"s3cret", good, body, fault.Code{}},
		"spaces":           {"s3cret", strings.Replace(good, ",", ", ", 1), body, fault.Code{}},
		"rolled secret":    {"s3cret", good + ",v1=" + strings.Repeat("0", 64), body, fault.Code{}},
		"other scheme too": {"s3cret", good + ",v0=abc", body, fault.Code{}},
		"other secret":     {"other", good, body, payment.ErrForged},
		"other body":       {"s3cret", good, []byte(`{"id": "e2"}`), payment.ErrForged},
		"no header":        {"s3cret", "", body, payment.ErrForged},
		"no signature":     {"s3cret", "t=1777896000", body, payment.ErrForged},
		"no moment":        {"s3cret", mac, body, payment.ErrForged},
		"newer moment": {"s3cret", fmt.Sprintf("t=%d,%s", now.Add(time.Minute).Unix(), mac), body,
			payment.ErrForged},
		"two moments":     {"s3cret", "t=1," + good, body, payment.ErrForged},
		"v0 alone":        {"s3cret", strings.Replace(good, "v1=", "v0=", 1), body, payment.ErrForged},
		"stale":           {"s3cret", old, body, payment.ErrStale},
		"from the future": {"s3cret", payment.Sign("s3cret", now.Add(6*time.Minute), body), body, payment.ErrStale},
		"no secret":       {"", payment.Sign("", now, body), body, payment.ErrMisconfigured},
		"endless body":    {"s3cret", good, make([]byte, 2<<20), payment.ErrCallback},
	} {
		t.Run(name, func(t *testing.T) { Want(t, payment.Verify(c.secret, c.header, c.body, now), c.want) })
	}
}

func FuzzVerify(f *testing.F) {
	now := time.Unix(1777896000, 0)
	body := []byte(`{}`)
	f.Add(payment.Sign("other", now, body), body)
	f.Add("t=1777896000,v1=", body)
	f.Add("t=-9223372036854775808,v1=00", []byte(nil))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		if payment.Verify("a secret nobody guesses", header, body, now) == nil {
			t.Fatal("a forged signature passed")
		}
	})
}

func TestSettingsNeverPrint(t *testing.T) {
	a := payment.Account{Company: "DEMO", Settings: payment.Settings{"secret": "hush"}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{a, &a, a.Settings, &a.Settings} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, "hush") || strings.Contains(text, "68757368") {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
	if b, err := json.Marshal(a.Settings); err != nil || string(b) != `{"secret":"hush"}` {
		t.Errorf("settings are stored as JSON: %s, %v", b, err)
	}
}

func TestProvidersByName(t *testing.T) {
	_, err := payment.NewProviders().Of("Cheque")
	Want(t, err, payment.ErrMisconfigured)
}

// What nobody but the caller keeps can neither be taken nor given back beyond what there is.
func TestKeptPaymentsStayWithinTheirSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Kept("r", payment.Authorized)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			part := dec.Int(rapid.Int64Range(-5, 200).Draw(t, "part"))
			if rapid.Bool().Draw(t, "refund") {
				if _, err := p.GiveBack(payment.Refund{ID: "r", Amount: part}); err == nil {
					p.Refunded = p.Refunded.Add(part)
				}
			} else if s, err := p.Take(payment.Capture{ID: "c", Amount: part}); err == nil {
				p.Status, p.Captured = s.Status, s.Captured
			}
			if p.Captured < 0 || p.Captured > p.Amount || p.Refunded < 0 || p.Refunded > p.Captured {
				t.Fatalf("taken %s, given back %s of %s", p.Captured, p.Refunded, p.Amount)
			}
			if _, err := p.CallOff(); (err == nil) != (p.Captured == 0) {
				t.Fatalf("called off with %s taken: %v", p.Captured, err)
			}
		}
	})
}
