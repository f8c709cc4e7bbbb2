package klarna_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	. "kontor/internal/foundation/payment/paymenttest"
	"kontor/internal/front/payment/klarna"
	"kontor/internal/front/payment/klarna/klarnatest"
	"kontor/internal/front/payment/wire"
)

func account(address string) payment.Account {
	return payment.Account{Company: "DEMO", IsTest: true, Settings: payment.Settings{"username": "K123_abc",
		"password": "hush-hush", "address": address}}
}

func begin(t *testing.T) (*klarnatest.Server, *klarna.Provider, payment.Account, payment.Payment) {
	t.Helper()
	s := klarnatest.Serve(t)
	p, a := klarna.New(wire.New(true)), account(s.URL)
	started, err := p.Start(context.Background(), a, Intent())
	if err != nil || started.Mode != payment.RenderHTMLFragment || !strings.Contains(started.HTMLFragment,
		"klarna-checkout-container") || started.Status != payment.Pending {
		t.Fatalf("started as %+v: %v", started, err)
	}
	return s, p, a, Kept(started.Ref, started.Status)
}

func TestWhatIsAsked(t *testing.T) {
	s, _, _, pay := begin(t)
	o := s.Order(pay.Ref)
	lines := o["order_lines"].([]any)
	rope := lines[1].(map[string]any)
	if rope["name"] != "2.5 m Rope" || rope["quantity"] != 1.0 || rope["unit_price"] != 3000.0 ||
		rope["tax_rate"] != 2500.0 {
		t.Errorf("2.5 m are sent as %v", rope)
	}
	if l := lines[2].(map[string]any); l["type"] != "discount" || l["total_amount"] != -500.0 ||
		l["total_tax_amount"] != -100.0 {
		t.Errorf("a discount is sent as %v", l)
	}
	urls := o["merchant_urls"].(map[string]any)
	if urls["confirmation"] != "https://shop.example/back?cart=7&klarna_order_id={checkout.order.id}" ||
		urls["push"] != "https://erp.example/callbacks/DEMO/CARD?klarna_order_id={checkout.order.id}" ||
		o["merchant_reference2"] != ID {
		t.Errorf("addresses %v, reference %v", urls, o["merchant_reference2"])
	}
}

func TestStatuses(t *testing.T) {
	s, p, a, pay := begin(t)
	look := func(want payment.Status) {
		t.Helper()
		got, err := p.Look(context.Background(), a, pay)
		if err != nil || got.Status != want || payment.Agrees(pay, got) != nil {
			t.Errorf("looked at as %+v, want %s: %v", got, want, err)
		}
	}
	look(payment.Pending)
	for _, c := range []struct {
		status, fraud string
		want          payment.Status
	}{
		{"AUTHORIZED", "PENDING", payment.Pending}, {"AUTHORIZED", "REJECTED", payment.Failed},
		{"AUTHORIZED", "ACCEPTED", payment.Authorized}, {"CANCELLED", "ACCEPTED", payment.Cancelled},
		{"EXPIRED", "ACCEPTED", payment.Expired}, {"CLOSED", "ACCEPTED", payment.Cancelled},
		{"SOMETHING_NEW", "ACCEPTED", payment.Pending},
	} {
		s.Buy(pay.Ref, c.status, c.fraud)
		look(c.want)
	}
	pay.Ref = "forgotten-by-klarna"
	look(payment.Expired)
	pay.Status = payment.Authorized
	_, err := p.Look(context.Background(), a, pay)
	Want(t, err, payment.ErrNotFound)
}

func TestCapturesRefundsAndCancel(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t)
	_, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c0", Amount: dec.One})
	Want(t, err, payment.ErrNotFound) // not bought yet
	s.Buy(pay.Ref, "AUTHORIZED", "ACCEPTED")
	for range 2 {
		Want(t, p.Placed(ctx, a, pay, "SO-1001"), fault.Code{})
	}
	if o := s.Order(pay.Ref); o["acknowledged"] != true || o["merchant_reference1"] != "SO-1001" ||
		o["merchant_reference2"] != ID {
		t.Errorf("placed as %v", o)
	}
	for _, c := range []struct{ id, taken string }{{"c1", "100"}, {"c1", "100"}, {"c2", "120"}} {
		amount := dec.Int(100)
		if c.id == "c2" {
			amount = dec.Int(20)
		}
		got, err := p.Capture(ctx, a, pay, payment.Capture{ID: c.id, Amount: amount, Lines: Intent().Lines})
		if err != nil || got.Status != payment.Captured || got.Captured != dec.Must(c.taken) {
			t.Fatalf("%s captured as %+v: %v", c.id, got, err)
		}
	}
	_, err = p.Capture(ctx, a, pay, payment.Capture{ID: "c3", Amount: dec.Int(20)})
	Want(t, err, payment.ErrWrongState)
	_, err = p.Cancel(ctx, a, pay)
	Want(t, err, payment.ErrWrongState)
	for range 2 {
		if got, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r1", Amount: dec.Int(70),
			Reason: "Broken"}); err != nil || got.Ref != "refund-1" {
			t.Fatalf("refunded as %+v: %v", got, err)
		}
	}
	_, err = p.Refund(ctx, a, pay, payment.Refund{ID: "r2", Amount: dec.Int(70)})
	Want(t, err, payment.ErrWrongState)
	_, err = p.Refund(ctx, a, pay, payment.Refund{ID: "r3", Amount: dec.Must("0.001")})
	Want(t, err, payment.ErrInexact)
	other := pay
	other.ID = "another"
	_, err = p.Refund(ctx, a, other, payment.Refund{ID: "r4", Amount: dec.One})
	Want(t, err, payment.ErrNotFound)
	if got, err := p.Look(ctx, a, pay); err != nil || got.Refunded != dec.Int(70) || got.Captured != dec.Int(120) {
		t.Errorf("looked at as %+v: %v", got, err)
	}
	for key, n := range s.Writes() {
		if len(key) != 36 || key[14] != '5' {
			t.Errorf("%d writes with the key %q, which is no UUID of version 5", n, key)
		}
	}
}

// Klarna repeats what it answered to a key. What it refused is possible once the order stands otherwise, and the same
// write whose answer was lost is made once.
func TestWhatWasRefusedIsAskedForAnew(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t)
	s.Buy(pay.Ref, "AUTHORIZED", "ACCEPTED")
	back := payment.Refund{ID: "r1", Amount: dec.Int(110)}
	for _, part := range []payment.Capture{{ID: "c1", Amount: dec.Int(100)}, {ID: "c2", Amount: dec.Int(20)}} {
		_, err := p.Refund(ctx, a, pay, back)
		Want(t, err, payment.ErrWrongState)
		_, err = p.Capture(ctx, a, pay, part)
		Want(t, err, fault.Code{})
	}
	for range 2 {
		_, err := p.Refund(ctx, a, pay, back)
		Want(t, err, fault.Code{})
	}
	if got, err := p.Look(ctx, a, pay); err != nil || got.Refunded != dec.Int(110) {
		t.Errorf("looked at as %+v: %v", got, err)
	}
}

// What nobody will take any more is let go, once and after a part was taken.
func TestReleaseOfWhatIsStillHeld(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t)
	Want(t, p.Release(ctx, a, pay), payment.ErrNotFound) // not bought yet
	s.Buy(pay.Ref, "AUTHORIZED", "ACCEPTED")
	Want(t, p.Release(ctx, a, pay), fault.Code{})
	if o := s.Order(pay.Ref); o["status"] != "AUTHORIZED" {
		t.Errorf("released before anything was taken: %v", o["status"])
	}
	if _, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		Want(t, p.Release(ctx, a, pay), fault.Code{})
	}
	if o := s.Order(pay.Ref); o["remaining_authorized_amount"] != 0.0 {
		t.Errorf("still held: %v", o)
	}
	_, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c2", Amount: dec.Int(20)})
	Want(t, err, payment.ErrWrongState)
	other := pay
	other.ID = "another"
	Want(t, p.Release(ctx, a, other), payment.ErrNotFound)
}

func TestCancelBeforeAndAfterTheBuyerBought(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t)
	for range 2 {
		if got, err := p.Cancel(ctx, a, pay); err != nil || got.Status != payment.Cancelled {
			t.Errorf("an open checkout cancelled as %+v: %v", got, err)
		}
	}
	if s.Order(pay.Ref)["aborted"] != true {
		t.Error("the checkout is still open to the buyer")
	}
	s, p, a, pay = begin(t)
	s.Buy(pay.Ref, "AUTHORIZED", "ACCEPTED")
	for range 2 {
		if got, err := p.Cancel(ctx, a, pay); err != nil || got.Status != payment.Cancelled ||
			s.Order(pay.Ref)["status"] != "CANCELLED" {
			t.Errorf("a bought order cancelled as %+v: %v", got, err)
		}
	}
}

// A push proves nothing by itself: only what the order says when it is read back counts.
func TestPushesAreReadBack(t *testing.T) {
	s, p, a, pay := begin(t)
	ctx, now := context.Background(), time.Now()
	push := func(ref string) (payment.Event, error) {
		return p.Receive(ctx, a, Callback([]byte("AUTHORIZED"), nil, map[string]string{"klarna_order_id": ref}), now)
	}
	if e, err := push(pay.Ref); err != nil || e.Status != payment.Pending || e.PaymentID != ID {
		t.Errorf("a push before the buyer bought is %+v: %v", e, err)
	}
	s.Buy(pay.Ref, "AUTHORIZED", "ACCEPTED")
	first, err := push(pay.Ref)
	if err != nil || first.Status != payment.Authorized || first.PaymentID != ID ||
		payment.Agrees(pay, first.State) != nil {
		t.Fatalf("read as %+v: %v", first, err)
	}
	if again, err := push(pay.Ref); err != nil || again.ID != first.ID {
		t.Errorf("pushed again as %s, before %s: %v", again.ID, first.ID, err)
	}
	s.Order(pay.Ref)["captured_amount"] = 100.0
	if later, err := push(pay.Ref); err != nil || later.ID == first.ID || later.Status != payment.Captured {
		t.Errorf("another state is pushed as %+v: %v", later, err)
	}
	s.Order(pay.Ref)["merchant_data"] = "another system's"
	if foreign, err := push(pay.Ref); err != nil || foreign.Concerns() {
		t.Errorf("another system's order is read as %+v: %v", foreign, err)
	}
	_, err = push("8cf27b55-none")
	Want(t, err, payment.ErrNotFound)
	for _, ref := range []string{"", "../../refunds", "a/b", "a?b", strings.Repeat("a", 256)} {
		_, err = push(ref)
		Want(t, err, payment.ErrCallback)
	}
	s.Close()
	_, err = push(pay.Ref)
	Want(t, err, payment.ErrUnavailable)
}

func TestWhatKlarnaNeeds(t *testing.T) {
	p, a := klarna.New(wire.New(true)), account(klarnatest.Serve(t).URL)
	for name, c := range map[string]struct {
		change func(*payment.Intent)
		want   fault.Code
	}{
		"no lines":      {func(i *payment.Intent) { i.Lines = nil }, payment.ErrInvalid},
		"no country":    {func(i *payment.Intent) { i.Country = "" }, payment.ErrInvalid},
		"no terms":      {func(i *payment.Intent) { i.TermsURL = "" }, payment.ErrMisconfigured},
		"no callback":   {func(i *payment.Intent) { i.CallbackURL = "" }, payment.ErrMisconfigured},
		"odd tax rate":  {func(i *payment.Intent) { i.Lines[0].TaxRate = dec.Must("8.875") }, payment.ErrInexact},
		"tax of others": {func(i *payment.Intent) { i.Lines[0].Tax = dec.Must("19.50") }, fault.Code{}},
	} {
		t.Run(name, func(t *testing.T) {
			i := Intent()
			c.change(&i)
			_, err := p.Start(context.Background(), a, i)
			Want(t, err, c.want)
		})
	}
	a.Settings["password"] = "wrong"
	_, err := p.Start(context.Background(), a, Intent())
	Want(t, err, payment.ErrMisconfigured)
	Settings(t, p, account("https://api.klarna.invalid"), Kept("o1", payment.Authorized))
	Troubles(t, func(address string) (payment.Provider, payment.Account) { return p, account(address) }, "o1")
	live := account("http://api.klarna.invalid")
	live.IsTest = false
	_, err = p.Start(context.Background(), live, Intent())
	Want(t, err, payment.ErrMisconfigured) // plain HTTP
}

// Whatever the lines are, what is sent satisfies Klarna's own arithmetic.
func TestLinesAlwaysAddUpForKlarna(t *testing.T) {
	s := klarnatest.Serve(t)
	p, a := klarna.New(wire.New(true)), account(s.URL)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		i := Intent()
		n++
		i.ID, i.Lines, i.Amount = strconv.Itoa(n), nil, 0
		for range rapid.IntRange(1, 6).Draw(rt, "lines") {
			quantity := dec.Dec(rapid.Int64Range(1, 40_000_000).Draw(rt, "quantity"))
			if rapid.Bool().Draw(rt, "whole") {
				quantity = quantity.Round(0)
			}
			price := dec.Dec(rapid.Int64Range(0, 900_000_000).Draw(rt, "price"))
			rate := dec.Must(rapid.SampledFrom([]string{"0", "6", "12", "25", "8.1", "25.5", "13.5"}).Draw(rt, "rate"))
			total := quantity.MulRound(price, 2)
			tax := total.Sub(total.MulDiv(dec.Int(100), dec.Int(100).Add(rate))).Round(2)
			i.Lines = append(i.Lines, payment.Line{Kind: payment.Goods, Number: "A", Name: "Item", Quantity: quantity,
				Unit: "m", UnitPrice: price, Total: total, TaxRate: rate, Tax: tax})
			i.Amount = i.Amount.Add(total)
		}
		if i.Amount == 0 {
			return
		}
		if _, err := p.Start(context.Background(), a, i); err != nil {
			rt.Fatalf("%+v: %v", i.Lines, err)
		}
	})
}

func FuzzReceive(f *testing.F) {
	a := account("https://127.0.0.1:1")
	p := klarna.New(wire.New(false)) // which reaches nothing there
	f.Add("klarna_order_id=8cf27b55-53e8")
	f.Add("klarna_order_id=..%2F..")
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		e, err := p.Receive(context.Background(), a, payment.Callback{Query: q.Get, Header: q.Get}, time.Unix(0, 0))
		if err == nil {
			t.Fatalf("believed without reading: %+v", e)
		}
	})
}
