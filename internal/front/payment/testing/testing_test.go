package testing_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	. "kontor/internal/foundation/payment/paymenttest"
	trial "kontor/internal/front/payment/testing"
	"kontor/internal/front/payment/wire"
)

// at is when the tests happen.
func at() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }

// shop is an account, a provider whose clock the test moves, and what was kept of the payment.
type shop struct {
	t   *testing.T
	now time.Time
	p   *trial.Provider
	a   payment.Account
	pay payment.Payment
}

func open(t *testing.T, settings ...string) *shop {
	s := &shop{t: t, now: at(), a: payment.Account{Company: "DEMO", IsTest: true,
		Settings: payment.Settings{"secret": "s3cret"}}}
	for i := 0; i < len(settings); i += 2 {
		s.a.Settings[settings[i]] = settings[i+1]
	}
	s.p = trial.New("https://erp.example/test-payment", func() time.Time { return s.now })
	return s
}

func (s *shop) start(card string) payment.Started {
	s.t.Helper()
	i := Intent()
	i.Data = map[string]string{"card": card}
	started, err := s.p.Start(context.Background(), s.a, i)
	Want(s.t, err, fault.Code{})
	if started.Status != payment.Pending {
		s.t.Fatalf("started as %s", started.Status)
	}
	s.pay = Kept(started.Ref, started.Status)
	return started
}

func (s *shop) look(want payment.Status) payment.State {
	s.t.Helper()
	state, err := s.p.Look(context.Background(), s.a, s.pay)
	if err != nil || state.Status != want {
		s.t.Fatalf("looked at as %s, want %s: %v", state.Status, want, err)
	}
	return state
}

func (s *shop) receive(d trial.Delivery) payment.Event {
	s.t.Helper()
	e, err := s.p.Receive(context.Background(), s.a, Callback(d.Body, d.Header, nil), d.Due)
	Want(s.t, err, fault.Code{})
	if e.PaymentID != s.pay.ID || !e.Concerns() {
		s.t.Fatalf("the event is %+v", e)
	}
	return e
}

// told are the callbacks of a payment as the shop reads them.
func (s *shop) told(card string) (ids []string, statuses string, last payment.Event) {
	s.t.Helper()
	sent, err := trial.Deliveries(s.a, s.pay.Ref, card, s.now)
	Want(s.t, err, fault.Code{})
	for _, d := range sent {
		last = s.receive(d)
		ids, statuses = append(ids, last.ID), statuses+" "+string(last.Status)
	}
	return ids, strings.TrimSpace(statuses), last
}

func TestCardsDecide(t *testing.T) {
	for _, c := range []struct {
		card, capture string
		look          payment.Status
		told          string
	}{
		{trial.CardSucceeds, "", payment.Captured, "Authorized Captured"},
		{trial.CardSucceeds, "Manual", payment.Authorized, "Authorized"},
		{"4242 4242 4242 4242", "", payment.Captured, "Authorized Captured"},
		{trial.CardDeclined, "", payment.Failed, "Failed"},
		{trial.CardSilent, "", payment.Captured, ""},
		{trial.CardTwice, "", payment.Captured, "Captured Captured"},
		{trial.CardDisordered, "", payment.Captured, "Captured Authorized"},
		{trial.CardDisordered, "Manual", payment.Authorized, "Authorized Pending"},
		{trial.CardRefused, "", payment.Captured, "Authorized Captured"},
	} {
		t.Run(c.card+c.capture, func(t *testing.T) {
			s := open(t, "capture", c.capture)
			s.start(c.card)
			s.look(c.look)
			ids, told, _ := s.told("")
			if told != c.told {
				t.Errorf("told %q, want %q", told, c.told)
			}
			if c.card == trial.CardTwice && ids[0] != ids[1] {
				t.Errorf("an event sent twice has the ids %v", ids)
			}
			if c.card != trial.CardTwice && len(ids) == 2 && ids[0] == ids[1] {
				t.Errorf("two events have the id %s", ids[0])
			}
		})
	}
}

func TestLateSuccessAndChangedAmount(t *testing.T) {
	s := open(t)
	s.start(trial.CardLate)
	s.look(payment.Pending)
	sent, err := trial.Deliveries(s.a, s.pay.Ref, "", s.now)
	if err != nil || len(sent) != 2 || !sent[1].Due.After(s.now) {
		t.Fatalf("sent %+v: %v", sent, err)
	}
	if e := s.receive(sent[1]); e.Status != payment.Captured {
		t.Errorf("the late callback says %s", e.Status)
	}
	s.now = sent[1].Due
	s.look(payment.Captured)

	s = open(t)
	s.start(trial.CardChanged)
	Want(t, payment.Agrees(s.pay, s.look(payment.Captured)), payment.ErrMismatch)
	_, _, e := s.told("")
	Want(t, payment.Agrees(s.pay, e.State), payment.ErrMismatch)
}

func TestUnreachableUnknownAndForeignCompanies(t *testing.T) {
	s, ctx := open(t), context.Background()
	for card, want := range map[string]fault.Code{trial.CardUnreachable: payment.ErrUnavailable,
		"4111111111111111": payment.ErrInvalid} {
		i := Intent()
		i.Data = map[string]string{"card": card}
		_, err := s.p.Start(ctx, s.a, i)
		Want(t, err, want)
		if strings.Contains(err.Error(), card) {
			t.Errorf("the error repeats a card number: %v", err)
		}
	}
	s.start(trial.CardSucceeds)
	Settings(t, s.p, s.a, s.pay)
	live := s.a
	live.IsTest = false
	for name, call := range Calls(s.p, live, s.pay) {
		if err := call(); name != "Placed" && !fault.Is(err, payment.ErrNotAllowed) {
			t.Errorf("%s for a company that is no test: %v", name, err)
		}
	}
	for name, change := range map[string]func(*payment.Account, *payment.Payment){
		"another company": func(a *payment.Account, _ *payment.Payment) { a.Company = "OTHER" },
		"another secret": func(a *payment.Account, _ *payment.Payment) {
			a.Settings = payment.Settings{"secret": "other"}
		},
		"another payment": func(_ *payment.Account, p *payment.Payment) { p.ID = "other" },
		"an altered ref":  func(_ *payment.Account, p *payment.Payment) { p.Ref = p.Ref[:9] + "x" + p.Ref[10:] },
		"no ref":          func(_ *payment.Account, p *payment.Payment) { p.Ref = "" },
	} {
		a, pay := s.a, s.pay
		change(&a, &pay)
		if _, err := s.p.Look(ctx, a, pay); !fault.Is(err, payment.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMoneyOfATestPayment(t *testing.T) {
	s, ctx := open(t, "capture", "Manual"), context.Background()
	s.start(trial.CardSucceeds)
	state, err := s.p.Capture(ctx, s.a, s.pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
	if err != nil || state.Status != payment.Captured || state.Captured != dec.Int(100) {
		t.Fatalf("captured as %+v: %v", state, err)
	}
	s.pay.Status, s.pay.Captured = state.Status, state.Captured
	s.look(payment.Captured)
	_, err = s.p.Refund(ctx, s.a, s.pay, payment.Refund{ID: "r1", Amount: dec.Int(101)})
	Want(t, err, payment.ErrWrongState)
	_, err = s.p.Refund(ctx, s.a, s.pay, payment.Refund{ID: "r1", Amount: dec.Int(100)})
	Want(t, err, fault.Code{})
	_, err = s.p.Cancel(ctx, s.a, s.pay)
	Want(t, err, payment.ErrWrongState)

	s = open(t, "capture", "Manual")
	s.start(trial.CardSucceeds)
	if state, err = s.p.Cancel(ctx, s.a, s.pay); err != nil || state.Status != payment.Cancelled {
		t.Errorf("cancelled as %+v: %v", state, err)
	}
	s.pay.Status = payment.Cancelled
	s.look(payment.Cancelled)

	s = open(t)
	s.start(trial.CardRefused)
	s.pay.Status, s.pay.Captured = payment.Captured, s.pay.Amount
	_, err = s.p.Refund(ctx, s.a, s.pay, payment.Refund{ID: "r1", Amount: dec.One})
	Want(t, err, payment.ErrDeclined)
	s = open(t)
	s.start(trial.CardDeclined)
	_, err = s.p.Capture(ctx, s.a, s.pay, payment.Capture{ID: "c1", Amount: dec.One})
	Want(t, err, payment.ErrWrongState)
}

func TestCallbacksAreProved(t *testing.T) {
	s, ctx := open(t), context.Background()
	s.start(trial.CardSucceeds)
	sent, err := trial.Deliveries(s.a, s.pay.Ref, "", s.now)
	Want(t, err, fault.Code{})
	good := sent[0]
	sign := func(body string) map[string]string {
		return map[string]string{trial.SignatureHeader: payment.Sign("s3cret", s.now, []byte(body))}
	}
	forged := strings.Replace(string(good.Body), `"captured":"0"`, `"captured":"9"`, 1)
	for name, c := range map[string]struct {
		body   string
		header map[string]string
		now    time.Time
		want   fault.Code
	}{
		"good":     {string(good.Body), good.Header, s.now, fault.Code{}},
		"old":      {string(good.Body), good.Header, s.now.Add(time.Hour), payment.ErrStale},
		"unsigned": {string(good.Body), nil, s.now, payment.ErrForged},
		"altered":  {forged, good.Header, s.now, payment.ErrForged},
		"not JSON": {"{", sign("{"), s.now, payment.ErrCallback},
		"another's ref": {`{"id": "e", "ref": "test_a.b"}`, sign(`{"id": "e", "ref": "test_a.b"}`), s.now,
			payment.ErrNotFound},
		"unknown status": {strings.Replace(string(good.Body), `"status":"Authorized"`, `"status":"Paid"`, 1),
			sign(strings.Replace(string(good.Body), `"status":"Authorized"`, `"status":"Paid"`, 1)), s.now,
			payment.ErrCallback},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.p.Receive(ctx, s.a, Callback([]byte(c.body), c.header, nil), c.now)
			Want(t, err, c.want)
		})
	}
}

// A buyer chooses on the page: the callback's reference replaces the first and holds the outcome.
func TestThePage(t *testing.T) {
	s := open(t, "mode", "Redirect")
	started := s.start("")
	at, err := url.Parse(started.RedirectURL)
	if err != nil || started.Mode != payment.RenderRedirect || at.Query().Get("payment") != ID ||
		at.Query().Get("company") != "DEMO" {
		t.Fatalf("the buyer is sent to %s: %v", started.RedirectURL, err)
	}
	s.look(payment.Pending)
	var sent []trial.Delivery
	var refusal error
	page := s.p.Page(func(_ context.Context, company, id string) (payment.Account, payment.Payment, error) {
		if company != "DEMO" || id != ID {
			return payment.Account{}, payment.Payment{}, payment.ErrNotFound.Because("There is no such payment.")
		}
		return s.a, s.pay, nil
	}, func(_ context.Context, d trial.Delivery) error { sent = append(sent, d); return refusal })
	ask := func(method, query, form string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(method, "/test-payment?"+query, strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		page.ServeHTTP(w, r)
		return w
	}
	if w := ask("GET", at.RawQuery, ""); w.Code != 200 || !strings.Contains(w.Body.String(), "125.00 SEK") ||
		!strings.Contains(w.Body.String(), trial.CardDeclined) {
		t.Errorf("the page is %d %s", w.Code, w.Body)
	}
	for query, want := range map[string]int{"company=DEMO&payment=other": 404, at.RawQuery: 400} {
		if w := ask("POST", query, "card=1"); w.Code != want {
			t.Errorf("card 1 at %s: %d", query, w.Code)
		}
	}
	if w := ask("DELETE", at.RawQuery, ""); w.Code != 405 {
		t.Errorf("DELETE: %d", w.Code)
	}
	refusal = errors.New("the shop is down")
	if w := ask("POST", at.RawQuery, "card="+trial.CardSucceeds); w.Code != 503 {
		t.Errorf("a callback not taken: %d", w.Code)
	}
	refusal, sent = nil, nil
	w := ask("POST", at.RawQuery, "card="+trial.CardSucceeds)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != Intent().ReturnURL || len(sent) != 2 ||
		sent[1].Address != Intent().CallbackURL {
		t.Fatalf("paid: %d to %s, %d callbacks", w.Code, w.Header().Get("Location"), len(sent))
	}
	e := s.receive(sent[1])
	s.pay.Ref = e.Ref
	s.look(payment.Captured)
	s.pay.Ref, sent = started.Ref, nil
	if w := ask("POST", at.RawQuery, "cancel=1"); w.Code != http.StatusSeeOther || len(sent) != 1 ||
		s.receive(sent[0]).Status != payment.Cancelled {
		t.Errorf("given up: %d", w.Code)
	}
	s.now = s.now.Add(time.Hour)
	s.look(payment.Expired)
}

// A delivery posted over HTTP arrives with the bytes that were signed.
func TestDeliveriesArriveAsSigned(t *testing.T) {
	s := open(t)
	var got []payment.Event
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e, err := s.p.Receive(r.Context(), s.a, payment.Callback{Header: r.Header.Get, Query: r.URL.Query().Get,
			Body: body}, s.now)
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		got = append(got, e)
	}))
	defer server.Close()
	i := Intent()
	i.CallbackURL, i.Data = server.URL, map[string]string{"card": trial.CardSucceeds}
	started, err := s.p.Start(context.Background(), s.a, i)
	Want(t, err, fault.Code{})
	sent, err := trial.Deliveries(s.a, started.Ref, "", s.now)
	Want(t, err, fault.Code{})
	post := trial.Post(wire.New(true))
	for _, d := range sent {
		Want(t, post(context.Background(), d), fault.Code{})
	}
	if len(got) != 2 || got[1].Status != payment.Captured {
		t.Errorf("arrived: %+v", got)
	}
	sent[0].Body = append([]byte(" "), sent[0].Body...)
	if err := post(context.Background(), sent[0]); err == nil {
		t.Error("an altered callback was taken")
	}
}

func TestCardsHaveValidNumbers(t *testing.T) {
	for _, c := range trial.Cards() {
		sum := 0
		for i, r := range c[0] {
			n := int(r - '0')
			if i%2 == 0 {
				if n *= 2; n > 9 {
					n -= 9
				}
			}
			sum += n
		}
		if sum%10 != 0 {
			t.Errorf("card %s has no valid check digit: front ends refuse it", c[0])
		}
	}
}

func FuzzReceive(f *testing.F) {
	a := payment.Account{Company: "DEMO", IsTest: true, Settings: payment.Settings{"secret": "s3cret"}}
	p := trial.New("https://erp.example/test-payment", at)
	started, err := p.Start(context.Background(), a, Intent())
	if err != nil {
		f.Fatal(err)
	}
	sent, err := trial.Deliveries(a, started.Ref, trial.CardTwice, at())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sent[0].Body)
	f.Add([]byte(`{"id": "e", "ref": "test_e30.x", "amount": "-1"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := p.Receive(context.Background(), a,
			Callback(body, map[string]string{trial.SignatureHeader: payment.Sign("s3cret", at(), body)}, nil), at())
		if err == nil && (e.PaymentID != ID || e.Amount < 0) {
			t.Fatalf("read %+v", e)
		}
	})
}
