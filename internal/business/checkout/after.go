package checkout

import (
	"strings"

	"github.com/google/uuid"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/portal"
	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
)

// GiveBackMoney gives back what was paid for an order that is called off, lets held money go, and takes what gift cards
// paid off its invoices: promotion puts it back on the cards. It handles sales.OrderCancelled.
func GiveBackMoney(tx *db.Tx, e sales.OrderCancelled) error {
	if err := uncoverCards(tx, e.Order.ID); err != nil {
		return err
	}
	p, err := lockOrderPayment(tx, e.Order.ID)
	if err != nil || p == nil || p.Amount == 0 {
		return err
	}
	if p.Status.IsGood() || p.Captured > p.Refunded {
		return giveBack(tx, p, p.Captured.Sub(p.Refunded), "order "+e.Order.Number+" was cancelled")
	}
	if p.Status == payment.Pending {
		p.Status = payment.Cancelled
	}
	return writePayment(tx, p)
}

// PayInvoice settles an invoice with what its orders have paid already: money and gift cards. Money that is only held
// is taken by a job first. What it makes handles invoicing.Issued.
func PayInvoice(t *Payments) func(tx *db.Tx, e invoicing.Issued) error { return t.payInvoice }

func (t *Payments) payInvoice(tx *db.Tx, e invoicing.Issued) error {
	if e.Invoice.Type != invoicing.Standard {
		return nil
	}
	for _, number := range e.Invoice.OrderNumbers {
		o, err := sales.Find(tx, number)
		if fault.Is(err, sales.ErrNotFound) {
			continue // it came from elsewhere, or is written later in this transaction
		}
		if err != nil {
			return err
		}
		if err := t.payFor(tx, &o, e.Invoice.Number); err != nil {
			return err
		}
	}
	return nil
}

func (t *Payments) payFor(tx *db.Tx, o *sales.Order, invoice string) error {
	placed, err := receiptOf(tx, o.ID)
	if err != nil || placed == nil {
		return err
	}
	if err := payByCards(tx, o.ID, invoice); err != nil {
		return err
	}
	p, err := lockOrderPayment(tx, o.ID)
	if err != nil {
		return err
	}
	if p != nil && p.Amount > 0 {
		if err := t.payOrTake(tx, o, p, invoice); err != nil {
			return err
		}
	}
	if o.Status != sales.Closed {
		return nil
	}
	return weighRest(tx, o, p)
}

// payOrTake settles an invoice with money of a locked payment; what of it is only held is taken by a job first, bill by
// bill. A provider that takes money once is asked for all that the order needs when its first bill is made: the rest
// would be let go, and the goods that are still to come would leave unpaid.
func (t *Payments) payOrTake(tx *db.Tx, o *sales.Order, p *Payment, invoice string) error {
	if err := p.pay(tx, invoice); err != nil || !p.Status.IsGood() || p.Provider == invoiceProvider {
		return err
	}
	i, err := invoicing.Find(tx, invoice)
	if err != nil {
		return err
	}
	open, _, err := openTransfers(tx, p.ID, Capture)
	if err != nil {
		return err
	}
	amount, err := invoicing.BalanceOf(tx, &i, o.ID)
	left := p.Missing().Sub(open)
	if err != nil || left <= 0 || amount <= 0 {
		return err
	}
	provider, err := t.Providers().Of(p.Provider)
	if err != nil {
		return err
	}
	if provider.Describe().CapturesOnce {
		if p.Captured.Add(open) > 0 {
			return nil
		}
		needed, err := neededFor(tx, o)
		if err != nil {
			return err
		}
		amount = max(amount, needed)
	}
	return transfer(tx, p, Capturing, Transfer{Kind: Capture, Amount: min(amount, left), Invoice: invoice,
		Reason: "invoice " + i.Document()})
}

// invoiceProvider is paid by the invoice itself.
const invoiceProvider = "Invoice"

// ByGiftCard is the reference of what gift cards pay of an invoice: no card is named, whose number is money.
const ByGiftCard = "gift card"

// payByCards settles an invoice with what gift cards paid for its order, as far as no other invoice has used that up.
func payByCards(tx *db.Tx, orderID, invoice string) error {
	used, err := cardsSettled(tx, orderID)
	if err != nil {
		return err
	}
	paid, err := promotion.GiftCardsPaid(tx, orderID)
	if err != nil || paid <= used {
		return err
	}
	i, err := invoicing.Find(tx, invoice)
	if err != nil || i.Status != invoicing.Booked || i.Type == invoicing.CreditNote {
		return err
	}
	due, err := invoicing.BalanceOf(tx, &i, orderID)
	amount := min(due, paid.Sub(used))
	if err != nil || amount <= 0 {
		return err
	}
	return (&purse{orderID: orderID, used: used}).settleCards(tx, invoice, amount)
}

// pay settles an invoice with money of a locked payment that has settled none yet. What is about to go back of it
// counts too: it is taken off the invoice when it has.
func (p *Payment) pay(tx *db.Tx, invoice string) error {
	free, err := p.free(tx)
	if err != nil || free <= 0 || p.Provider == invoiceProvider {
		return err
	}
	i, err := invoicing.Find(tx, invoice)
	if err != nil || i.Status != invoicing.Booked || i.Type == invoicing.CreditNote {
		return err
	}
	going, err := goingBack(tx, p.ID, i.Number)
	if err != nil {
		return err
	}
	due, err := invoicing.BalanceOf(tx, &i, p.OrderID)
	amount := min(due.Add(going), free)
	if err != nil || amount <= 0 {
		return err
	}
	return p.settle(tx, invoice, p.Ref, amount)
}

// referenceOf is what an invoice calls a payment of a store: its method, and enough of what the provider calls it to
// find it by.
func referenceOf(method, ref string) string { return method + " " + ref[:min(len(ref), 40)] }

// PaidBy is the method of a payment of a store, and what its provider calls it, by its reference on an invoice; ref is
// "" where the name is ours, which nobody else knows. ok is false for what did not come through a store.
func PaidBy(tx *db.Tx, reference string) (m Method, ref string, ok bool, err error) {
	code, ref, ok := strings.Cut(reference, " ")
	if !ok {
		return m, "", false, nil
	}
	m, err = FindMethod(tx, code)
	if fault.Is(err, ErrMethodNotFound) {
		return m, "", false, nil
	}
	if uuid.Validate(ref) == nil {
		ref = ""
	}
	return m, ref, err == nil, err
}

// record stores a payment whose order exists, and settles with it what is invoiced of that. What of it went back
// settles nothing any more, and what the order does not need goes back.
func (p *Payment) record(tx *db.Tx) error {
	if err := writePayment(tx, p); err != nil || p.OrderNumber == "" {
		return err
	}
	if err := p.uncover(tx); err != nil {
		return err
	}
	o, err := sales.Find(tx, p.OrderNumber)
	if err != nil {
		return err
	}
	for _, number := range o.InvoiceNumbers {
		if err := p.pay(tx, number); err != nil {
			return err
		}
	}
	return weighRest(tx, &o, p)
}

// AwaitsMoney reports whether an order was placed unpaid, and some of its money is still to come before it is sent. p
// is its payment; nil where it has none.
func (p *Payment) AwaitsMoney(o *sales.Order) bool {
	return p != nil && p.Status == payment.Pending && p.Captured < p.Amount && o.Status.IsOpen()
}

// Missing is what of the money is not taken yet.
func (p *Payment) Missing() dec.Dec { return p.Amount.Sub(p.Captured) }

// Arrival is money that came for an order: a transfer that somebody saw on the account.
type Arrival struct {
	Amount  dec.Dec
	Surplus bool // what is more than is missing is meant; it goes back to the buyer
}

// Arrived notes money that came for an order that was placed unpaid. Once all of it is there the order is released;
// what is too much is given back by the job that gives back what an order does not need. Refusals: SalesOrder.NotFound,
// CheckoutSession.NotFound, Payment.AmountExceedsMissing, Payment.Invalid, Payment.WrongState.
func Arrived(tx *db.Tx, orderNumber string, a Arrival) error {
	o, err := sales.LockOne(tx, orderNumber)
	if err != nil {
		return err
	}
	if err := releasePaid(tx, o, a); err != nil {
		return err
	}
	p, err := lockOrderPayment(tx, o.ID)
	if err != nil {
		return err
	}
	if !p.AwaitsMoney(o) {
		return ErrSessionNotFound.Because("order %s waits for no money", orderNumber)
	}
	missing := p.Missing()
	if a.Amount > missing && !a.Surplus {
		return ErrSurplus.At("amount",
			"is %s %s more than the %s that are missing; say that the surplus is meant, and it is paid back",
			a.Amount.Sub(missing).Fixed(p.Digits), p.Currency, missing.Fixed(p.Digits))
	}
	state, err := p.At().Take(payment.Capture{ID: p.ID, Amount: min(a.Amount, missing)})
	if err != nil {
		return err
	}
	state.Captured = state.Captured.Add(max(0, a.Amount.Sub(missing)))
	p.take(state)
	if p.Captured < p.Amount {
		p.Status = payment.Pending
	}
	return p.record(tx)
}

// releasePaid lets an order go that money is all there for with what arrives, unless a colleague has to agree first. It
// is done before the money is noted: bills that are made of it at once are numbered before anybody's money is locked. A
// surplus that is not meant is refused after it, and undoes it.
func releasePaid(tx *db.Tx, o *sales.Order, a Arrival) error {
	p, err := PaymentOf(tx, o.ID)
	if err != nil || !p.AwaitsMoney(o) || o.Status != sales.Placed {
		return err
	}
	if a.Amount < p.Missing() {
		return nil
	}
	if waits, err := portal.IsWaiting(tx, o.ID); waits || err != nil {
		return err
	}
	_, err = sales.Release(tx, o.Number)
	return err
}

// WaitForMoney keeps an order that a colleague has agreed to until it is paid, and one that nobody pays for ahead (a
// quote's) while the customer owes more than he may. It handles portal.Approved.
func WaitForMoney(tx *db.Tx, e portal.Approved) error {
	o := e.Order
	p, err := PaymentOf(tx, o.ID)
	if err != nil {
		return err
	}
	if p != nil {
		*e.Wait = *e.Wait || !p.Status.IsGood()
		return nil
	}
	credit, err := creditOfCustomer(tx, o.CustomerNumber, o.CurrencyCode)
	*e.Wait = *e.Wait || beyond(credit, 0, o.CurrencyCode, o.Digits) != nil // the order is among what he owes already
	return err
}
