package checkout

import (
	"cmp"
	"context"
	"errors"
	"time"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// The work that payments leave behind. Its handlers are the methods of Payments below.
var (
	// Expiring looks after a payment when its time is over, Settling makes an order of one that is paid, or gives the
	// money back.
	Expiring   = jobs.Kind{Name: "payment-expiry", Counted: true}
	Concluding = jobs.Kind{Name: "payment-order"}
	// Refunding and Capturing move money; Announcing tells a provider the order's number.
	Refunding  = jobs.Kind{Name: "payment-refund"}
	Capturing  = jobs.Kind{Name: "payment-capture"}
	Announcing = jobs.Kind{Name: "payment-placed"}
	// Releasing lets go what is still held of a payment that was taken in part.
	Releasing = jobs.Kind{Name: "payment-release"}
)

// about is the payload of these jobs: a payment or a transfer.
type about struct {
	ID string `json:"id"`
}

// believe makes a locked payment what its provider says it is, and sees to what follows from that: an order, a refund,
// goods that are free again.
func (p *Payment) believe(tx *db.Tx, s payment.State) error {
	disagrees := payment.Agrees(p.At(), s)
	p.take(s)
	switch {
	case p.OrderID != "":
		return p.record(tx)
	case p.Status.IsGood() && (p.IsDropped || disagrees != nil):
		reason := p.Reason
		if disagrees != nil {
			reason = fault.As(disagrees).Detail
		}
		return drop(tx, p, reason)
	case p.Status.IsGood():
		if err := writePayment(tx, p); err != nil {
			return err
		}
		_, err := jobs.Add(tx, Concluding, p.ID, about{p.ID}, jobs.Options{Key: p.ID})
		return err
	case p.Status != payment.Pending:
		if err := stock.Unhold(tx, p.ID, nil); err != nil {
			return err
		}
	}
	return writePayment(tx, p)
}

// Receive takes a provider's callback: proved by the provider, heard once, and enough to place the order by itself,
// which a job does. What concerns no payment of ours is forgotten. Refusals: PaymentMethod.NotFound, and those of the
// provider.
func (t *Payments) Receive(ctx context.Context, g Transactor, provider, method string, c payment.Callback,
	now time.Time) error {
	var account payment.Account
	var m Method
	err := g.Read(func(tx *db.Tx) (err error) {
		m, err = FindMethod(tx, method)
		if err == nil && record.Fold(m.Provider) != record.Fold(provider) {
			err = ErrMethodNotFound.Because("the payment method %s is none of %s", method, provider)
		}
		account = m.Account(tx)
		return err
	})
	if err != nil {
		return err
	}
	p, err := t.Providers().Of(m.Provider)
	if err != nil {
		return err
	}
	e, err := p.Receive(ctx, account, c, now)
	if err != nil || !e.Concerns() {
		return err
	}
	return t.follow(ctx, g, p, account, method, e)
}

// follow weighs what a callback tells. What contradicts that which is known is asked first.
func (t *Payments) follow(ctx context.Context, g Transactor, provider payment.Provider, account payment.Account,
	method string,
	e payment.Event) error {
	if e.Failed.Amount > 0 {
		return g.Write(func(tx *db.Tx) error { return refundFailed(tx, method, e) })
	}
	var known *Payment
	doubtful := false
	listen := func(state *payment.State) func(tx *db.Tx) error {
		return func(tx *db.Tx) error {
			p, err := concerned(tx, method, e)
			if known, doubtful = p, false; err != nil || p == nil {
				return err
			}
			verdict := payment.Follow(p.Status, e.Status)
			if verdict == payment.Take && payment.Agrees(p.At(), e.State) != nil {
				verdict = payment.Ask
			}
			if verdict == payment.Ask && state == nil {
				doubtful = true
				return nil
			}
			isNew, err := hear(tx, method, e.ID, p)
			if err != nil || !isNew {
				return err
			}
			switch {
			case state != nil:
				return p.believe(tx, *state)
			case verdict == payment.Take:
				return p.believe(tx, e.State)
			}
			return p.note(tx, e.State)
		}
	}
	if err := g.Write(listen(nil)); err != nil || !doubtful {
		return err
	}
	at := known.At()
	if e.Ref != "" {
		at.Ref = e.Ref
	}
	state, err := provider.Look(ctx, account, at)
	if err != nil {
		return err
	}
	return g.Write(listen(&state))
}

// concerned is the locked payment that an event is about; nil where it is none of ours.
func concerned(tx *db.Tx, method string, e payment.Event) (p *Payment, err error) {
	if e.PaymentID != "" {
		p, err = readPayment(tx, e.PaymentID)
	} else {
		p, err = paymentByRef(tx, method, e.Ref)
	}
	if err != nil || p == nil || record.Fold(p.Method) != record.Fold(method) {
		return nil, err
	}
	return p.lockMoney(tx)
}

// lockMoney locks the payment for who notes that money moved, after the invoices that it pays and the rest of the
// purse.
func (p *Payment) lockMoney(tx *db.Tx) (*Payment, error) {
	if p.OrderNumber != "" {
		o, err := sales.Find(tx, p.OrderNumber)
		if err == nil {
			err = invoicing.Hold(tx, o.InvoiceNumbers)
		}
		var w purse
		if err == nil {
			w, err = lockPurse(tx, o.ID)
		}
		if err != nil || w.payment != nil && w.payment.ID == p.ID {
			return w.payment, err
		}
	}
	return lockPayment(tx, p.ID)
}

// note keeps the sums of an event that changes nothing else: they only grow.
func (p *Payment) note(tx *db.Tx, s payment.State) error {
	if s.Captured <= p.Captured && s.Refunded <= p.Refunded {
		return nil
	}
	p.Refunded = max(p.Refunded, s.Refunded)
	p.Captured = max(p.Captured, s.Captured, p.Refunded)
	return p.record(tx)
}

// Conclude makes the order of a payment that is good, if nobody has. What cannot become an order is given back.
func (t *Payments) Conclude(_ context.Context, g Transactor, id string) error {
	err := g.Write(func(tx *db.Tx) error {
		p, err := readPayment(tx, id)
		if err != nil || p == nil || p.OrderID != "" || p.IsDropped || !p.Status.IsGood() {
			return err
		}
		v, err := storefront.Recall(tx, p.SessionID)
		if err != nil {
			return err
		}
		if v == nil {
			return ErrPriceChanged.Because("the visit has ended, and the cart with it")
		}
		_, err = t.place(tx, v, p.ID)
		return err
	})
	f := fault.As(err)
	if err == nil || f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		return err
	}
	return g.Write(func(tx *db.Tx) error {
		p, err := lockPayment(tx, id)
		if err != nil || p.OrderID != "" || p.IsDropped {
			return err
		}
		return drop(tx, p, f.Detail)
	})
}

// Expire looks after a payment whose time is over: its goods are free at once; then the provider is asked, and a
// payment that is not good is called off.
func (t *Payments) Expire(ctx context.Context, g Transactor, id string) error {
	var p *Payment
	err := g.Write(func(tx *db.Tx) (err error) {
		if err = stock.EndHolds(tx); err == nil {
			p, err = readPayment(tx, id)
		}
		return err
	})
	if err != nil || p == nil || p.OrderID != "" || p.IsDropped {
		return err
	}
	if p.Status == payment.Pending && p.Amount > 0 {
		if err := t.resume(ctx, g, p); err != nil {
			return err
		}
		if err := t.ask(ctx, g, p); err != nil && !payment.IsNews(err) {
			return err
		}
		if err := g.Read(func(tx *db.Tx) (err error) { p, err = readPayment(tx, id); return err }); err != nil {
			return err
		}
	}
	if p.Status.IsGood() { // the order's job is on its way, or was given up
		return t.Conclude(ctx, g, id)
	}
	state, err := t.cancelled(ctx, g, *p)
	if err != nil {
		return err
	}
	return g.Write(func(tx *db.Tx) error {
		now, err := lockPayment(tx, id)
		if err != nil || now.OrderID != "" || now.IsDropped {
			return err
		}
		if now.Status.IsGood() { // a callback was faster: the order's job is on its way
			return nil
		}
		if state != nil && state.Status.IsGood() { // it was paid at the last moment
			return now.believe(tx, *state)
		}
		now.Status = payment.Expired
		return drop(tx, now, "the time to pay is over")
	})
}

// resume starts a payment again of which nobody knows whether the provider has heard: with the same id it is the same
// payment.
func (t *Payments) resume(ctx context.Context, g Transactor, p *Payment) error {
	if p.Ref != "" {
		return nil
	}
	provider, account, err := t.of(g, p)
	if err != nil || provider.Describe().IsSettledByUs {
		return err
	}
	started, err := provider.Start(ctx, account, p.Intent)
	if err != nil {
		return err
	}
	var now *Payment
	err = g.Write(func(tx *db.Tx) (err error) {
		now, err = t.Record(tx, Opening{Payment: *p, started: &started})
		return err
	})
	if err == nil {
		*p = *now
	}
	return err
}

// TransferKind is which way money goes.
type TransferKind string

// The kinds of transfers.
const (
	Capture TransferKind = "Capture"
	Refund  TransferKind = "Refund"
)

// TransferStatus is how far a transfer has come. What fails is said by its job.
type TransferStatus string

// The statuses of transfers.
const (
	Open TransferStatus = "Open"
	Done TransferStatus = "Done"
)

// Transfer is money of a payment that is to be taken or given back. A refund of 0 lets held money go.
type Transfer struct {
	ID, PaymentID     string
	Kind              TransferKind
	Amount            dec.Dec
	Reason            string
	Invoice           string // that a capture settles; the credit note that a refund pays out
	Status            TransferStatus
	Ref               string // the provider's name of it
	CreatedAt, DoneAt db.Time
}

// giveBack lets a job give money of a locked payment back, as far as that is not under way.
func giveBack(tx *db.Tx, p *Payment, amount dec.Dec, reason string) error {
	open, n, err := openTransfers(tx, p.ID, Refund)
	if err != nil {
		return err
	}
	amount = min(amount, p.Captured.Sub(p.Refunded).Sub(open))
	isReleasing := n > 0 && open == 0 // what is held goes as a whole, taken meanwhile or not
	if amount < 0 || isReleasing || amount == 0 && (n > 0 || p.Captured > 0) {
		return nil
	}
	return transfer(tx, p, Refunding, Transfer{Kind: Refund, Amount: amount, Reason: reason})
}

func transfer(tx *db.Tx, p *Payment, kind jobs.Kind, m Transfer) error {
	m.ID, m.PaymentID, m.Status = record.NewID(), p.ID, Open
	if err := insertTransfer(tx, &m); err != nil {
		return err
	}
	return p.moves(tx, kind, m.ID)
}

// moves asks for the job that makes a transfer.
func (p *Payment) moves(tx *db.Tx, kind jobs.Kind, transferID string) error {
	subject := cmp.Or(p.OrderNumber, "payment "+p.ID)
	_, err := jobs.Add(tx, kind, subject, about{transferID}, jobs.Options{Key: transferID})
	return err
}

// Move does what a transfer says: it is the handler of Refunding and Capturing.
func (t *Payments) Move(ctx context.Context, g Transactor, id string) error {
	var m *Transfer
	var p *Payment
	err := g.Read(func(tx *db.Tx) (err error) {
		if m, err = readTransfer(tx, id); err != nil || m == nil || m.Status == Done {
			return err
		}
		if p, err = readPayment(tx, m.PaymentID); err == nil && p != nil {
			err = m.waits(tx, p)
		}
		return err
	})
	if err != nil || p == nil {
		return err
	}
	provider, account, err := t.of(g, p)
	if err != nil {
		return err
	}
	if m.Kind == Capture {
		state, err := provider.Capture(ctx, account, p.At(), payment.Capture{ID: m.ID, Amount: m.Amount})
		if err != nil {
			return lasting(err)
		}
		err = g.Write(func(tx *db.Tx) error { return captured(tx, p, m, state) })
		if errors.Is(err, errOvertaken) {
			return t.Move(ctx, g, id)
		}
		return err
	}
	return t.refund(ctx, g, provider, account, p, m)
}

// lasting makes an error that no further attempt helps against what it is.
func lasting(err error) error {
	if payment.IsTemporary(err) {
		return err
	}
	return jobs.Permanent(err)
}

// errOvertaken is answered where other money of the payment was noted while a provider was asked to take some: what it
// said may not count that. It is asked again, knows the capture by its id, and takes nothing twice.
var errOvertaken = errors.New("other money of the payment was noted meanwhile")

// captured notes what a provider took of the payment as it was handed to it.
func captured(tx *db.Tx, handed *Payment, m *Transfer, s payment.State) error {
	p, err := handed.lockMoney(tx)
	if err != nil {
		return err
	}
	if now, err := readTransfer(tx, m.ID); err != nil || now.Status == Done {
		return err
	}
	if p.Captured != handed.Captured {
		return errOvertaken
	}
	if err := endTransfer(tx, m.ID, ""); err != nil {
		return err
	}
	p.take(s)
	return p.record(tx)
}

// refund gives money back, or lets it go where it was only held.
func (t *Payments) refund(ctx context.Context, g Transactor, provider payment.Provider, account payment.Account,
	p *Payment,
	m *Transfer) error {
	amount := m.Amount
	if amount == 0 {
		state, err := t.cancelled(ctx, g, *p)
		if err != nil {
			return lasting(err)
		}
		if state == nil || !state.Status.IsGood() {
			return g.Write(func(tx *db.Tx) error { return refunded(tx, p, m, 0, payment.Refunded{}, state) })
		}
		p.take(*state) // it was taken meanwhile
		if amount = p.Captured.Sub(p.Refunded); amount <= 0 {
			return jobs.Permanent(payment.ErrWrongState.Because(
				"The provider holds the money still and does not let it go."))
		}
	}
	back, err := provider.Refund(ctx, account, p.At(), payment.Refund{ID: m.ID, Amount: amount, Reason: m.Reason})
	if err != nil {
		return lasting(err)
	}
	return g.Write(func(tx *db.Tx) error { return refunded(tx, p, m, amount, back, nil) })
}

// refunded notes that money is on its way back.
func refunded(tx *db.Tx, p *Payment, m *Transfer, amount dec.Dec, back payment.Refunded, s *payment.State) error {
	p, err := p.lockMoney(tx)
	if err != nil {
		return err
	}
	if now, err := readTransfer(tx, m.ID); err != nil || now.Status == Done {
		return err
	}
	if err := endTransfer(tx, m.ID, back.Ref); err != nil {
		return err
	}
	if s != nil {
		p.take(*s)
	}
	// The provider's callback may have told of this refund already: what we gave back is not counted twice.
	ours, err := wentBack(tx, p.ID)
	if err != nil {
		return err
	}
	if m.Amount == 0 {
		ours = ours.Add(amount)
	}
	p.Refunded = max(p.Refunded, ours)
	p.Captured = max(p.Captured, p.Refunded)
	if err := writePayment(tx, p); err != nil || amount == 0 {
		return err
	}
	if m.Invoice != "" {
		if err := p.takeOff(tx, m.Invoice, back.Ref, amount); err != nil {
			return err
		}
	}
	if err := p.uncover(tx); err != nil {
		return err
	}
	if back.IsByHand {
		return leaveToPeople(tx, p, m, amount)
	}
	m.Ref = back.Ref
	return mailRefund(tx, p, m, amount)
}

// Announce tells a provider the number of the order that was placed on its payment.
func (t *Payments) Announce(ctx context.Context, g Transactor, id string) error {
	var p *Payment
	if err := g.Read(func(tx *db.Tx) (err error) { p, err = readPayment(tx, id); return err }); err != nil ||
		p == nil || p.OrderNumber == "" {
		return err
	}
	provider, account, err := t.of(g, p)
	if err != nil {
		return err
	}
	return provider.Placed(ctx, account, p.At(), p.OrderNumber)
}

// Subject is the id of the payment or the transfer that a job is about.
func Subject(j jobs.Job) (string, error) {
	var a about
	err := j.Read(&a)
	return a.ID, err
}

// FindStarted is a payment of the company, whoever's. CheckoutSession.NotFound.
func FindStarted(tx *db.Tx, id string) (*Payment, error) {
	p, err := readPayment(tx, id)
	if err == nil && p == nil {
		err = notFound(id)
	}
	return p, err
}
