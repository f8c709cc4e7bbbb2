package klarna

import (
	"context"
	"fmt"
	"net/http"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
)

func isMissing(err error) bool { return fault.Is(err, payment.ErrNotFound) }

// Placed gives the order its number and acknowledges it, after which Klarna pushes no more.
func (p *Provider) Placed(ctx context.Context, a payment.Account, pay payment.Payment, orderNumber string) error {
	d, err := p.open(a)
	if err != nil {
		return err
	}
	if _, err := d.read(ctx, pay.Ref); err != nil {
		return err
	}
	if _, err := d.ask(ctx, http.MethodPatch, management+"/"+pay.Ref+"/merchant-references", "number "+pay.ID+" "+
		orderNumber, map[string]string{"merchant_reference1": orderNumber, "merchant_reference2": pay.ID},
		nil); err != nil {
		return err
	}
	_, err = d.ask(ctx, http.MethodPost, management+"/"+pay.Ref+"/acknowledge", "acknowledge "+pay.ID, nil, nil)
	return err
}

// key makes a write once on an order that stands as it was read. Klarna repeats for a day what it answered to a key, a
// refusal too, although what was refused may be possible by now: what a refund gives back is captured.
func (m *managed) key(write string) string {
	return fmt.Sprintf("%s %s %d %d", write, m.Status, m.Captured, m.Refunded)
}

// bought is a payment's order, proved to be its own.
func (d client) bought(ctx context.Context, pay payment.Payment) (managed, error) {
	m, err := d.read(ctx, pay.Ref)
	if err == nil && m.Reference != pay.ID {
		err = payment.ErrNotFound.Because("Klarna's order is of another payment.")
	}
	return m, err
}

// Capture takes held money; several parts may follow one another. A capture with our id that the order has already is
// not made again.
func (p *Provider) Capture(ctx context.Context, a payment.Account, pay payment.Payment,
	part payment.Capture) (payment.State, error) {
	d, m, err := p.forPart(ctx, a, pay, payment.Refund{ID: part.ID, Amount: part.Amount})
	if err != nil {
		return payment.State{}, err
	}
	for _, c := range m.Captures {
		if c.Reference == part.ID {
			return m.state(pay.Digits)
		}
	}
	body, err := partOf(part.ID, "captured_amount", part.Amount, part.Lines, pay.Digits)
	if err != nil {
		return payment.State{}, err
	}
	if _, err := d.ask(ctx, http.MethodPost, management+"/"+pay.Ref+"/captures", m.key("capture "+part.ID), body,
		nil); err != nil {
		return payment.State{}, err
	}
	if m, err = d.bought(ctx, pay); err != nil {
		return payment.State{}, err
	}
	return m.state(pay.Digits)
}

// Refund gives captured money back. A refund with our id that the order has already is not made again.
func (p *Provider) Refund(ctx context.Context, a payment.Account, pay payment.Payment,
	part payment.Refund) (payment.Refunded, error) {
	d, m, err := p.forPart(ctx, a, pay, part)
	if err != nil {
		return payment.Refunded{}, err
	}
	for _, r := range m.Refunds {
		if r.Reference == part.ID {
			return payment.Refunded{Ref: r.ID}, nil
		}
	}
	body, err := partOf(part.ID, "refunded_amount", part.Amount, part.Lines, pay.Digits)
	if err != nil {
		return payment.Refunded{}, err
	}
	if part.Reason != "" {
		body["description"] = cut(part.Reason, 255)
	}
	header, err := d.ask(ctx, http.MethodPost, management+"/"+pay.Ref+"/refunds", m.key("refund "+part.ID), body, nil)
	if err != nil {
		return payment.Refunded{}, err
	}
	return payment.Refunded{Ref: header.Get("Refund-Id")}, nil
}

// forPart opens the account and reads the order that a capture or refund is of.
func (p *Provider) forPart(ctx context.Context, a payment.Account, pay payment.Payment, part payment.Refund) (client,
	managed, error) {
	d, err := p.open(a)
	if err == nil {
		err = pay.CheckPart(part.ID, part.Amount)
	}
	if err != nil {
		return d, managed{}, err
	}
	m, err := d.bought(ctx, pay)
	return d, m, err
}

// Cancel lets a bought order go, and aborts a checkout that was not bought yet, so that nobody buys it any more.
func (p *Provider) Cancel(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	d, err := p.open(a)
	if err != nil {
		return payment.State{}, err
	}
	off := payment.State{Ref: pay.Ref, Status: payment.Cancelled, Amount: pay.Amount, Currency: pay.Currency}
	m, err := d.bought(ctx, pay)
	if isMissing(err) {
		_, aborted := d.ask(ctx, http.MethodPost, checkout+"/"+pay.Ref+"/abort", "abort "+pay.ID, nil, nil)
		if aborted == nil {
			return off, nil
		}
		if !payment.IsNews(aborted) {
			return payment.State{}, aborted
		}
		if m, err = d.bought(ctx, pay); isMissing(err) {
			return off, nil // aborted before, or forgotten by Klarna
		} // else bought in between
	}
	if err != nil {
		return payment.State{}, err
	}
	s, err := m.state(pay.Digits)
	if err != nil || s.Status.IsOver() || s.Status == payment.Failed {
		return s, err
	}
	if s.Captured > 0 {
		return s, payment.ErrWrongState.Because("The payment is captured. Refund it instead.")
	}
	if _, err := d.ask(ctx, http.MethodPost, management+"/"+pay.Ref+"/cancel", m.key("cancel "+pay.ID), nil,
		nil); err != nil {
		return payment.State{}, err
	}
	s.Status = payment.Cancelled
	return s, nil
}

// Release lets go what is still authorized of a bought order. One of which nothing is held any more is left alone.
func (p *Provider) Release(ctx context.Context, a payment.Account, pay payment.Payment) error {
	d, err := p.open(a)
	if err != nil {
		return err
	}
	m, err := d.bought(ctx, pay)
	if err != nil || m.Status != "PART_CAPTURED" {
		return err
	}
	_, err = d.ask(ctx, http.MethodPost, management+"/"+pay.Ref+"/release-remaining-authorization",
		m.key("release "+pay.ID), nil, nil)
	return err
}
