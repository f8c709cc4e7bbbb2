package invoice_test

import (
	"context"
	"testing"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	. "kontor/internal/foundation/payment/paymenttest"
	"kontor/internal/front/payment/invoice"
	"kontor/internal/front/payment/prepayment"
)

func TestInvoiceIsForCustomersWithCredit(t *testing.T) {
	p, ctx := invoice.New(), context.Background()
	for name, c := range map[string]struct {
		credit payment.Credit
		want   fault.Code
	}{
		"no credit":     {payment.Credit{}, payment.ErrNotAllowed},
		"without limit": {payment.Credit{HasCredit: true, Owed: dec.Int(1_000_000)}, fault.Code{}},
		"to the limit": {payment.Credit{HasCredit: true, IsLimited: true, Limit: dec.Int(1000), Owed: dec.Int(875)},
			fault.Code{}},
		"over the limit": {payment.Credit{HasCredit: true, IsLimited: true, Limit: dec.Int(1000),
			Owed: dec.Must("875.01")}, payment.ErrDeclined},
		"limit of zero": {payment.Credit{HasCredit: true, IsLimited: true}, payment.ErrDeclined},
	} {
		t.Run(name, func(t *testing.T) {
			i := Intent()
			i.Credit = c.credit
			s, err := p.Start(ctx, payment.Account{}, i)
			Want(t, err, c.want)
			if err == nil && (s.Status != payment.Authorized || s.Mode != payment.RenderNone || s.Ref != i.ID) {
				t.Errorf("started as %+v", s)
			}
		})
	}
	_, err := p.Start(ctx, payment.Account{}, payment.Intent{Credit: payment.Credit{HasCredit: true}})
	Want(t, err, payment.ErrInvalid)
}

func TestInvoiceAndPrepaymentRepeatWhatIsKept(t *testing.T) {
	ctx, a := context.Background(), payment.Account{}
	for _, p := range []payment.Provider{invoice.New(), prepayment.New()} {
		pay := Kept(ID, payment.Pending)
		if s, err := p.Look(ctx, a, pay); err != nil || s.Status != payment.Pending || payment.Agrees(pay, s) != nil {
			t.Errorf("looked at as %+v: %v", s, err)
		}
		s, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
		if err != nil || s.Status != payment.Captured || s.Captured != dec.Int(100) {
			t.Fatalf("captured as %+v: %v", s, err)
		}
		pay.Status, pay.Captured = s.Status, s.Captured
		_, err = p.Capture(ctx, a, pay, payment.Capture{ID: "c2", Amount: dec.Int(26)})
		Want(t, err, payment.ErrWrongState)
		_, err = p.Cancel(ctx, a, pay)
		Want(t, err, payment.ErrWrongState)
		r, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r1", Amount: dec.Int(100)})
		if err != nil || r.Ref != "r1" || r.IsByHand != p.Describe().PlacesUnpaid {
			t.Errorf("refunded as %+v: %v", r, err)
		}
		_, err = p.Refund(ctx, a, pay, payment.Refund{ID: "r2", Amount: dec.Int(101)})
		Want(t, err, payment.ErrWrongState)
		_, err = p.Receive(ctx, a, Callback(nil, nil, nil), time.Now())
		Want(t, err, payment.ErrCallback)
		Want(t, p.Placed(ctx, a, pay, "SO-1"), fault.Code{})
		s, err = p.Cancel(ctx, a, Kept(ID, payment.Authorized))
		if err != nil || s.Status != payment.Cancelled {
			t.Errorf("cancelled as %+v: %v", s, err)
		}
		if s, err = p.Cancel(ctx, a, Kept(ID, payment.Expired)); err != nil || s.Status != payment.Expired {
			t.Errorf("an expired payment cancelled as %+v: %v", s, err)
		}
	}
}

func TestPrepaymentPlacesUnpaid(t *testing.T) {
	p := prepayment.New()
	s, err := p.Start(context.Background(), payment.Account{}, Intent())
	if err != nil || s.Status != payment.Pending || s.Mode != payment.RenderNone || !p.Describe().PlacesUnpaid {
		t.Errorf("started as %+v: %v", s, err)
	}
}
