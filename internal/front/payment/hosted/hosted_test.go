package hosted_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	. "kontor/internal/foundation/payment/paymenttest"
	"kontor/internal/front/payment/hosted"
	"kontor/internal/front/payment/wire"
)

// server speaks the provider's side of the protocol and keeps payments.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	payments map[string]map[string]any // by ref
	done     map[string]bool           // idempotency keys of captures and refunds
	asked    map[string]any
}

func serve(t *testing.T) *server {
	s := &server{payments: map[string]map[string]any{}, done: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/payments", func(w http.ResponseWriter, r *http.Request) {
		b := body(r)
		ref := "pay_" + b["id"].(string)
		if r.Header.Get("Idempotency-Key") != b["id"] {
			w.WriteHeader(400)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.payments[ref] == nil {
			s.asked = b
			s.payments[ref] = map[string]any{"ref": ref, "id": b["id"], "status": "Pending", "amount": b["amount"],
				"currency": b["currency"], "captured": "0", "refunded": "0", "redirectUrl": s.URL + "/page/" + ref,
				"expiresAt": "2026-05-04T12:30:00Z"}
		}
		_ = json.NewEncoder(w).Encode(s.payments[ref])
	})
	mux.HandleFunc("GET /v1/payments/{ref}", s.with(func(map[string]any, map[string]any) int { return 200 }))
	mux.HandleFunc("PUT /v1/payments/{ref}/order", s.with(func(p, b map[string]any) int {
		p["order"] = b["orderNumber"]
		return 200
	}))
	mux.HandleFunc("POST /v1/payments/{ref}/cancel", s.with(func(p, _ map[string]any) int {
		if p["status"] == "Captured" {
			return 409
		}
		p["status"] = "Cancelled"
		return 200
	}))
	mux.HandleFunc("POST /v1/payments/{ref}/captures", s.with(s.move("captured", "amount")))
	mux.HandleFunc("POST /v1/payments/{ref}/refunds", s.with(s.move("refunded", "captured")))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func body(r *http.Request) map[string]any {
	var v map[string]any
	_ = json.NewDecoder(r.Body).Decode(&v)
	return v
}

// move adds a part to a sum that stays within a limit, once for each id.
func (s *server) move(sum, limit string) func(p, b map[string]any) int {
	return func(p, b map[string]any) int {
		if s.done[b["id"].(string)] {
			return 200
		}
		next := dec.Must(p[sum].(string)).Add(dec.Must(b["amount"].(string)))
		if p["status"] == "Pending" || next > dec.Must(p[limit].(string)) {
			return 409
		}
		p[sum], p["status"], s.done[b["id"].(string)] = next.String(), "Captured", true
		return 200
	}
}

func (s *server) with(do func(p, b map[string]any) int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		p := s.payments[r.PathValue("ref")]
		switch {
		case r.Header.Get("Authorization") != "Bearer key-hush":
			w.WriteHeader(401)
		case p == nil:
			w.WriteHeader(404)
		default:
			status := do(p, body(r))
			w.WriteHeader(status)
			if strings.HasSuffix(r.URL.Path, "/refunds") {
				_, _ = w.Write([]byte(`{"ref": "refund_1", "status": "Pending"}`))
				return
			}
			_ = json.NewEncoder(w).Encode(p)
		}
	}
}

func (s *server) set(ref, name string, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.payments[ref][name] = v
}

func account(address string) payment.Account {
	return payment.Account{Company: "DEMO", IsTest: true, Settings: payment.Settings{"address": address,
		"apiKey": "key-hush", "secret": "s3cret", "capture": "Manual"}}
}

func begin(t *testing.T) (*server, *hosted.Provider, payment.Account, payment.Payment) {
	t.Helper()
	s := serve(t)
	p, a := hosted.New(wire.New(true)), account(s.URL+"/v1/")
	for range 2 {
		started, err := p.Start(context.Background(), a, Intent())
		if err != nil || started.Mode != payment.RenderRedirect || started.RedirectURL != s.URL+"/page/pay_"+ID ||
			started.Expires.IsZero() {
			t.Fatalf("started as %+v: %v", started, err)
		}
	}
	if s.asked["amount"] != "125.00" || s.asked["currency"] != "SEK" || s.asked["capture"] != "Manual" ||
		s.asked["returnUrl"] != Intent().ReturnURL {
		t.Errorf("asked for %v", s.asked)
	}
	return s, p, a, Kept("pay_"+ID, payment.Pending)
}

func TestAPaymentFromStartToRefund(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t)
	_, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
	Want(t, err, payment.ErrWrongState)
	s.set(pay.Ref, "status", "Authorized")
	if got, err := p.Look(ctx, a, pay); err != nil || got.Status != payment.Authorized ||
		payment.Agrees(pay, got) != nil {
		t.Errorf("looked at as %+v: %v", got, err)
	}
	Want(t, p.Placed(ctx, a, pay, "SO-1001"), fault.Code{})
	for range 2 {
		got, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
		if err != nil || got.Status != payment.Captured || got.Captured != dec.Int(100) {
			t.Fatalf("captured as %+v: %v", got, err)
		}
	}
	_, err = p.Cancel(ctx, a, pay)
	Want(t, err, payment.ErrWrongState)
	for range 2 {
		if r, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r1", Amount: dec.Int(60)}); err != nil ||
			r.Ref != "refund_1" || r.IsByHand {
			t.Fatalf("refunded as %+v: %v", r, err)
		}
	}
	_, err = p.Refund(ctx, a, pay, payment.Refund{ID: "r2", Amount: dec.Int(60)})
	Want(t, err, payment.ErrWrongState)
	if got, err := p.Look(ctx, a, pay); err != nil || got.Refunded != dec.Int(60) {
		t.Errorf("looked at as %+v: %v", got, err)
	}
	s, p, a, pay = begin(t)
	for range 2 {
		if got, err := p.Cancel(ctx, a, pay); err != nil || got.Status != payment.Cancelled {
			t.Errorf("cancelled as %+v: %v", got, err)
		}
	}
	_ = s
}

func TestAnswersAreNotBelievedBlindly(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t)
	for _, c := range []struct {
		name string
		v    any
		want fault.Code
	}{{"id", "another", payment.ErrNotFound}, {"status", "Paid", payment.ErrUnavailable},
		{"amount", "-1", payment.ErrUnavailable}, {"amount", "1e3", payment.ErrUnavailable}} {
		was := s.payments[pay.Ref][c.name]
		s.set(pay.Ref, c.name, c.v)
		_, err := p.Look(ctx, a, pay)
		Want(t, err, c.want)
		s.set(pay.Ref, c.name, was)
	}
	s.set(pay.Ref, "amount", "12.50")
	_, err := p.Start(ctx, a, Intent())
	Want(t, err, payment.ErrMismatch)
	s.set(pay.Ref, "amount", "125")
	s.set(pay.Ref, "redirectUrl", "javascript:alert(1)")
	_, err = p.Start(ctx, a, Intent())
	Want(t, err, payment.ErrUnavailable)
	_, err = p.Look(ctx, a, Kept("none", payment.Pending))
	Want(t, err, payment.ErrNotFound)
}

func TestTroubleAndSettings(t *testing.T) {
	p := hosted.New(wire.New(true))
	Settings(t, p, account("https://pay.invalid"), Kept("pay_1", payment.Authorized))
	Troubles(t, func(address string) (payment.Provider, payment.Account) { return p, account(address) }, "pay_1")
	for status, want := range map[int]fault.Code{402: payment.ErrDeclined, 302: payment.ErrMisconfigured,
		307: payment.ErrMisconfigured, 422: payment.ErrInvalid} {
		reached := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			reached++
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		}))
		_, err := p.Start(context.Background(), account(server.URL), Intent())
		Want(t, err, want)
		if reached != 1 {
			t.Errorf("a %d is followed: %d requests", status, reached)
		}
		server.Close()
	}
	live := account("http://pay.example")
	live.IsTest = false
	for _, address := range []string{"http://pay.example", "https://user:pass@pay.example", "pay.example",
		"https://pay.example/?key=1"} {
		live.Settings["address"] = address
		_, err := p.Start(context.Background(), live, Intent())
		Want(t, err, payment.ErrMisconfigured)
	}
	_, err := p.Start(context.Background(), account("https://pay.invalid"), payment.Intent{})
	Want(t, err, payment.ErrInvalid)
}

// A merchant's settings cannot make the server talk to its own network. In a company of environment Test a stand-in for
// the provider may run on the server's own machine.
func TestPrivateAddressesAreNotReached(t *testing.T) {
	reached := 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer server.Close()
	standIn := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer standIn.Close()
	p := hosted.New(wire.New(false))
	abroad := []string{"https://10.0.0.1", "https://169.254.169.254/latest", "https://100.64.0.1"}
	here := []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1), "https://[::ffff:127.0.0.1]"}
	for _, address := range append(abroad, here...) {
		a := account(address)
		a.IsTest = slices.Contains(abroad, address)
		if _, err := p.Start(context.Background(), a, Intent()); !fault.Is(err, payment.ErrMisconfigured) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if reached > 0 {
		t.Error("a private address was reached")
	}
	_, _ = p.Start(context.Background(), account(standIn.URL), Intent()) // it says nothing that could be understood
	if reached != 1 {
		t.Error("a stand-in of a company of environment Test was not reached")
	}
}

func TestCallbacks(t *testing.T) {
	p, a, now := hosted.New(wire.New(false)), account("https://pay.invalid"),
		time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	text := func(status string) string {
		return fmt.Sprintf(
			`{"eventId": "e1", "at": "2026-05-04T11:59:58Z", "payment": {"ref": "pay_1", "id": %q, "status": %q, "amount": "125.00", "currency": "SEK", "captured": "0", "refunded": "0"}}`,
			ID, status)
	}
	for name, c := range map[string]struct {
		body, secret string
		signed       time.Time
		want         fault.Code
	}{
		"good":           {text("Authorized"), "s3cret", now, fault.Code{}},
		"other secret":   {text("Authorized"), "other", now, payment.ErrForged},
		"stale":          {text("Authorized"), "s3cret", now.Add(-time.Hour), payment.ErrStale},
		"unknown status": {text("Paid"), "s3cret", now, payment.ErrCallback},
		"no JSON":        {"{", "s3cret", now, payment.ErrCallback},
		"no id":          {`{"payment": {"id": "x"}}`, "s3cret", now, payment.ErrCallback},
		"floating amount": {strings.Replace(text("Authorized"), `"125.00"`, "125.001e2", 1), "s3cret", now,
			payment.ErrCallback},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := p.Receive(context.Background(), a,
				Callback([]byte(c.body), map[string]string{hosted.SignatureHeader: payment.Sign(c.secret, c.signed,
					[]byte(c.body))}, nil), now)
			Want(t, err, c.want)
			if err == nil && (e.ID != "e1" || e.PaymentID != ID || e.Ref != "pay_1" || e.Status != payment.Authorized ||
				e.Amount != dec.Int(125) || e.At.IsZero()) {
				t.Errorf("read as %+v", e)
			}
		})
	}
}

// The provider tells of a refund that it took and could not bring to the buyer.
func TestAFailedRefundIsTold(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for amount, want := range map[string]fault.Code{"5.00": {}, "0": payment.ErrCallback, "-5": payment.ErrCallback} {
		body := fmt.Sprintf(`{"eventId": "e2", "at": "2026-05-04T11:59:58Z", "failedRefund": {"id": "r1", "amount": %q},
			"payment": {"ref": "pay_1", "id": %q, "status": "Captured", "amount": "125.00", "currency": "SEK",
			"captured": "125.00", "refunded": "0"}}`, amount, ID)
		e, err := hosted.New(wire.New(false)).Receive(context.Background(), account("https://pay.invalid"),
			Callback([]byte(body), map[string]string{hosted.SignatureHeader: payment.Sign("s3cret", now, []byte(body))},
				nil), now)
		Want(t, err, want)
		if err == nil && (e.Failed != payment.FailedRefund{ID: "r1", Amount: dec.Int(5)} || e.Status != "" ||
			!e.Concerns()) {
			t.Errorf("read as %+v", e)
		}
	}
}

func FuzzReceive(f *testing.F) {
	p, a, now := hosted.New(wire.New(false)), account("https://pay.invalid"), time.Unix(1777896000, 0)
	f.Add(
		[]byte(
			`{"eventId": "e1", "at": "2026-05-04T11:59:58Z", "payment": {"ref": "pay_1", "id": "p", "status": "Captured", "amount": "1", "currency": "SEK"}}`))
	f.Add([]byte(`{"eventId": " ", "payment": {"amount": -1}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := p.Receive(context.Background(), a,
			Callback(body, map[string]string{hosted.SignatureHeader: payment.Sign("s3cret", now, body)}, nil), now)
		if err == nil && (!e.Concerns() || e.ID == "" || e.Amount < 0) {
			t.Fatalf("read %+v", e)
		}
	})
}
