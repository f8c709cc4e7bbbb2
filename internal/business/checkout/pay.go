package checkout

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/cart"
	"kontor/internal/business/channel"
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

// Payment is a payment of a cart: wanted, started, and whatever became of it.
type Payment struct {
	ID, CartID, SessionID string
	Method                string // code
	Provider, Ref         string // Ref "" = not started yet
	Status                payment.Status
	Amount                dec.Dec
	Currency              string
	Digits                int
	Captured, Refunded    dec.Dec
	Settled               dec.Dec // what of it has paid invoices
	Fingerprint           string
	Intent                payment.Intent `db:",json"`
	Mode                  payment.RenderMode
	Render                string // what the mode shows
	PublicKey             string
	IsDropped             bool   // its cart goes on without it
	Reason                string // why no order was made of it, or no money came
	OrderID, OrderNumber  string
	CreatedAt, ExpiresAt  db.Time

	moved bool // its status is another than the one written down
	isNew bool // nothing of it is written down yet
}

// At is the payment as its provider is handed it.
func (p *Payment) At() payment.Payment {
	return payment.Payment{ID: p.ID, Ref: p.Ref, Status: p.Status, Amount: p.Amount, Captured: p.Captured,
		Refunded: p.Refunded, Currency: p.Currency, Digits: p.Digits}
}

// IsUnheld reports whether the payment ended without money: what a provider holds ends by itself after some days or
// weeks, or is called off there. Nothing is left then to pay an order with that is still to be sent.
func (p *Payment) IsUnheld() bool {
	return p.Amount > 0 && (p.Status.IsOver() || p.Status == payment.Failed)
}

// take makes the payment what its provider says it is. What was taken only grows: an answer that knows of less was
// overtaken by another, and so was its status.
func (p *Payment) take(s payment.State) {
	if s.Captured < p.Captured {
		s.Captured, s.Status = p.Captured, p.Status
	}
	if s.Ref != "" {
		p.Ref = s.Ref
	}
	p.moved = p.moved || p.Status != s.Status
	p.Status, p.Refunded = s.Status, max(p.Refunded, s.Refunded)
	p.Captured = max(s.Captured, p.Refunded) // what went back was taken, whichever news comes first
	if s.Reason != "" {
		p.Reason = s.Reason
	}
}

// isFor reports whether the payment is for the checkout as it stands: its cart, its amount, its method.
func (p *Payment) isFor(c *Checkout) bool {
	return !p.IsDropped && p.Method == c.Method.Code && p.Amount == c.Amount() && p.Currency == c.Cart.CurrencyCode &&
		p.Fingerprint == c.print()
}

// isLive reports whether the buyer can still pay, or has paid.
func (p *Payment) isLive(now db.Time) bool {
	return p.Status.IsGood() || p.Status == payment.Pending && p.ExpiresAt > now
}

// leadsTo reports whether the buyer comes back there, or need not come back any more; "" is wherever it is.
func (p *Payment) leadsTo(address string) bool {
	return address == "" || p.Status.IsGood() || p.Intent.ReturnURL == address
}

// Transactor is where transactions come from while a provider is asked between them.
type Transactor interface {
	Read(fn func(tx *db.Tx) error) error
	Write(fn func(tx *db.Tx) error) error
}

// Wish is a payment that a buyer wants to start.
type Wish struct {
	Method    string            // code; "" = the one chosen
	ReturnURL string            // "" = that of the payment under way, else the store's /checkout
	Data      map[string]string // for the provider: the test card
}

// Opening is a payment that is being started.
type Opening struct {
	Payment Payment
	started *payment.Started // nil: it was started before

	account  payment.Account
	provider payment.Provider
	stale    *Payment // to be called off first
}

// Start keeps the intent, holds the goods and asks the provider; Record keeps the answer. The payment that already is
// under way for the same cart and amount is answered again; one for another cart or amount, or that would lead the
// buyer back elsewhere, is called off first.
//
// Who could not order in the end pays nothing. Refusals: Cart.Empty, Permission.Denied, Checkout.Incomplete,
// Customer.Inactive, Checkout.NotOffered, Store.TermsMissing, Inventory.InsufficientStock, and those of the provider.
func (t *Payments) Start(ctx context.Context, g Transactor, w Wish) (o Opening, err error) {
	const tries = 3 // somebody else may start one meanwhile
	for range tries {
		err = g.Write(func(tx *db.Tx) (err error) {
			o, err = t.intend(tx, w)
			return err
		})
		if err != nil || o.stale == nil {
			break
		}
		if err = t.callOff(ctx, g, *o.stale); err != nil {
			break
		}
	}
	if err == nil && o.stale != nil {
		err = fault.ErrUnavailable.Because("the cart is being paid for elsewhere: try again in a moment")
	}
	if err != nil || o.Payment.Ref != "" {
		return o, err
	}
	started, err := o.provider.Start(ctx, o.account, o.Payment.Intent)
	if err == nil {
		o.started = &started
		return o, nil
	}
	if payment.IsNews(err) && !fault.Is(err, payment.ErrDeclined) || fault.Is(err, payment.ErrMismatch) {
		// what it says of a payment that it has not got yet tells of how it is set up, and of no record of ours
		err = payment.ErrMisconfigured.Because(
			"%s starts no payment as this payment method is set up. Choose another way to pay.", o.provider.Describe().Name).
			From(err)
	}
	if !payment.IsTemporary(err) {
		if failed := g.Write(func(tx *db.Tx) error {
			return fail(tx, o.Payment.ID, fault.As(err).Detail)
		}); failed != nil {
			return o, failed
		}
	}
	return o, err
}

// Record keeps what Start brought, and answers the payment.
func (t *Payments) Record(tx *db.Tx, o Opening) (*Payment, error) {
	if o.Payment.ID == "" {
		return nil, nil // nothing was started
	}
	p, err := lockPayment(tx, o.Payment.ID)
	if err != nil || o.started == nil || p.Ref != "" {
		return p, err
	}
	p.begin(*o.started)
	return p, writePayment(tx, p)
}

// begin makes the payment what its provider has started.
func (p *Payment) begin(s payment.Started) {
	p.Ref, p.Status, p.Mode, p.PublicKey = s.Ref, s.Status, s.Mode, s.PublicKey
	p.Render = s.HTMLFragment + s.RedirectURL + s.ClientKey // one of them
}

// intend keeps the intent of a payment, unless one for the same is under way or another must be called off first.
func (t *Payments) intend(tx *db.Tx, w Wish) (Opening, error) {
	v := storefront.Of(tx)
	if w.Method != "" {
		if err := t.payBy(tx, w.Method); err != nil {
			return Opening{}, err
		}
	}
	c, err := t.look(tx, v, cart.ReadForOrder)
	if err != nil {
		return Opening{}, err
	}
	if c.Cart.IsEmpty() {
		return Opening{}, cart.ErrEmpty.Because("nothing lies in the cart that could be paid for")
	}
	if err := mayOrder(v); err != nil {
		return Opening{}, err
	}
	if err := c.incomplete(); err != nil {
		return Opening{}, err
	}
	if err := isServed(tx, v, c); err != nil {
		return Opening{}, err
	}
	if err := isOpen(tx, v); err != nil {
		return Opening{}, err
	}
	if c.Method == nil {
		return t.nothingToPay(tx, v, c)
	}
	if err := c.tell(tx); err != nil {
		return Opening{}, err
	}
	provider, err := t.Providers().Of(c.Method.Provider)
	if err != nil {
		return Opening{}, err
	}
	o := Opening{account: c.account, provider: provider}
	p, err := t.newPayment(tx, v, c, w)
	if err != nil {
		return o, err
	}
	now, err := paymentOf(tx, c.CartID)
	if err != nil {
		return o, err
	}
	switch {
	case now == nil:
	case now.isFor(c) && now.isLive(tx.Now) && now.leadsTo(w.ReturnURL):
		o.Payment = *now
		return o, nil
	default:
		o.stale = now
		return o, nil
	}
	o.Payment = *p
	if err := insertPayment(tx, p); err != nil {
		return o, err
	}
	if _, err := jobs.Add(tx, Expiring, p.ID, about{p.ID}, jobs.Options{RunAt: p.ExpiresAt, Key: p.ID}); err != nil {
		return o, err
	}
	return o, hold(tx, v, c, p)
}

// newPayment is what is to be paid, not written down yet.
func (t *Payments) newPayment(tx *db.Tx, v *storefront.Visit, c *Checkout, w Wish) (*Payment, error) {
	until := db.TimeOf(tx.Now.Time().Add(v.Channel.Store.Hold()))
	p := &Payment{ID: record.NewID(), CartID: c.CartID, SessionID: v.Session.ID, Method: c.Method.Code,
		Provider: c.Method.Provider, Status: payment.Pending, Amount: c.Amount(), Currency: c.Cart.CurrencyCode,
		Digits: c.Cart.Digits, Fingerprint: c.print(), CreatedAt: tx.Now, ExpiresAt: until}
	p.Intent = payment.Intent{ID: p.ID, Amount: p.Amount, Currency: p.Currency, Digits: p.Digits,
		Reference: v.Channel.Name, ReturnURL: cmp.Or(w.ReturnURL, checkoutPage(v)),
		CallbackURL: t.CallbackURL(tx.Company, p.Provider, p.Method),
		CheckURL:    t.checkURL(tx.Company, p.Provider, p.Method),
		TermsURL:    v.Channel.URL(), Email: c.Contact.Email, Language: language(v.Language),
		Country: c.Billing.CountryCode, Lines: linesOf(c), Credit: c.credit,
		Data: w.Data}
	return p, p.Intent.Check()
}

// checkoutPage is where buyers come back to if nobody says otherwise.
func checkoutPage(v *storefront.Visit) string {
	return cmp.Or(v.Channel.URL(), "https://localhost") + "/checkout"
}

// nothingToPay is the payment of a cart that gift cards pay: it is there as soon as it is asked for.
func (t *Payments) nothingToPay(tx *db.Tx, v *storefront.Visit, c *Checkout) (Opening, error) {
	now, err := paymentOf(tx, c.CartID)
	switch {
	case err != nil:
		return Opening{}, err
	case now != nil && now.Amount == 0:
		return Opening{Payment: *now}, nil
	case now != nil:
		return Opening{stale: now}, nil
	}
	p := Payment{ID: record.NewID(), CartID: c.CartID, SessionID: v.Session.ID, Status: payment.Captured,
		Currency: c.Cart.CurrencyCode, Digits: c.Cart.Digits, Fingerprint: c.print(), Mode: payment.RenderNone,
		CreatedAt: tx.Now, ExpiresAt: db.TimeOf(tx.Now.Time().Add(v.Channel.Store.Hold()))}
	p.Ref = p.ID
	return Opening{Payment: p}, insertPayment(tx, &p)
}

// language is the ISO 639-1 part of a tag.
func language(tag string) string { return tag[:min(2, len(tag))] }

// hold promises the goods of a checkout to its payment.
func hold(tx *db.Tx, v *storefront.Visit, c *Checkout, p *Payment) error {
	claims, err := claimsOf(tx, v, c, p.ID)
	if err != nil {
		return err
	}
	return short(v, c, stock.Hold(tx, p.ID, p.ExpiresAt, claims))
}

// claimsOf are the goods of a checkout, each from the warehouse that has enough of it: the store's own first, then
// those whose stock it shows.
func claimsOf(tx *db.Tx, v *storefront.Visit, c *Checkout, owner string) ([]stock.Claim, error) {
	var claims []stock.Claim
	var items []string
	for i := range c.Cart.Lines {
		if l := c.Cart.Lines[i]; l.IsSellable && l.TakesStock() {
			claims = append(claims, stock.Claim{ItemID: l.ItemID, Item: l.Item.Number, Wanted: l.Quantity.Mul(l.Factor),
				MayWait: l.Article.AllowBackorder})
			items = append(items, l.ItemID)
		}
	}
	warehouses := append([]string{v.Channel.WarehouseCode}, v.Channel.ShownFrom()...)
	if !slices.ContainsFunc(warehouses, func(w string) bool { return w != warehouses[0] }) { // there is none to choose
		for i := range claims {
			claims[i].Warehouse = warehouses[0]
		}
		return claims, nil
	}
	left, err := stock.Promisable(tx, items)
	if err != nil {
		return nil, err
	}
	own, err := stock.HeldBy(tx, owner)
	if err != nil {
		return nil, err
	}
	for k, q := range own {
		left[k] = left[k].Add(q)
	}
	for i := range claims {
		claims[i].Warehouse = warehouses[0]
		for _, w := range warehouses {
			if left[stock.Key{ItemID: claims[i].ItemID, Warehouse: w}] >= claims[i].Wanted {
				claims[i].Warehouse = w
				break
			}
		}
		k := stock.Key{ItemID: claims[i].ItemID, Warehouse: claims[i].Warehouse}
		left[k] = left[k].Sub(claims[i].Wanted)
	}
	return claims, nil
}

// short names the lines of the cart that there is not enough for. How much there is says only a store that shows it.
func short(v *storefront.Visit, c *Checkout, err error) error {
	rows := stock.Lacking(err)
	if len(rows) == 0 {
		return err
	}
	ids, names := []string{}, []string{}
	for i := range c.Cart.Lines {
		l := c.Cart.Lines[i]
		if slices.ContainsFunc(rows, func(r stock.Lack) bool { return r.Item == l.Item.Number }) {
			ids, names = append(ids, l.ID), append(names, l.Article.Name)
		}
	}
	f := fault.As(err)
	if v.Channel.Store.Shows() != channel.ShowQuantity {
		for i := range rows {
			rows[i].There = nil
		}
		f = stock.ErrInsufficient.Because("there is not as much of %s in stock at present", strings.Join(names, ", ")).
			With("shortages", rows)
	}
	return f.With("lineIds", ids)
}

// linesOf is what is paid for, line by line: they add up to the amount.
func linesOf(c *Checkout) []payment.Line {
	var out []payment.Line
	for i := range c.Cart.Lines {
		l := c.Cart.Lines[i]
		if !l.IsSellable {
			continue
		}
		kind := payment.Goods
		if !l.Item.InStock() {
			kind = payment.Services
		}
		total := l.Net.Add(l.Tax)
		unit := l.UnitPrice
		if !l.IsPriceIncludingTax {
			unit = unit.MulDiv(hundred.Add(l.TaxPercent), hundred)
		}
		unit = unit.Round(c.Cart.Digits)
		gross := sales.Amount(l.Quantity, unit, 0, c.Cart.Digits)
		out = append(out, payment.Line{Kind: kind, Number: l.Item.Number, Name: l.Article.Name, Quantity: l.Quantity,
			Unit: l.Unit, UnitPrice: unit, Discount: max(0, gross.Sub(total)), Total: total, TaxRate: l.TaxPercent,
			Tax: l.Tax})
	}
	if f := c.Cart.Freight; f != nil && f.PriceIncludingTax() > 0 {
		out = append(out, payment.Line{Kind: payment.Freight, Name: f.Name, Quantity: dec.One,
			UnitPrice: f.PriceIncludingTax(), Total: f.PriceIncludingTax(), TaxRate: f.TaxPercent, Tax: f.Tax})
	}
	if c.Fee.IncludingTax > 0 {
		out = append(out, payment.Line{Kind: payment.Fee, Name: c.Method.Name, Quantity: dec.One,
			UnitPrice: c.Fee.IncludingTax, Total: c.Fee.IncludingTax, TaxRate: c.Fee.TaxPercent, Tax: c.Fee.Tax})
	}
	if paid := c.Cart.GiftCardTotal; paid > 0 {
		out = append(out, payment.Line{Kind: payment.GiftCard, Name: "Gift card", Quantity: dec.One,
			UnitPrice: paid.Neg(), Total: paid.Neg()})
	}
	return out
}

const hundred = 100 * dec.One

// fail notes that a payment could not be started.
func fail(tx *db.Tx, id, reason string) error {
	p, err := lockPayment(tx, id)
	if err != nil || p.Ref != "" {
		return err
	}
	p.Status, p.Reason, p.IsDropped = payment.Failed, reason, true
	if err := stock.Unhold(tx, p.ID, nil); err != nil {
		return err
	}
	return writePayment(tx, p)
}

// callOff calls off with its provider the payment of a cart that was changed, and drops it. Money that was taken goes
// back.
func (t *Payments) callOff(ctx context.Context, g Transactor, p Payment) error {
	state, err := t.cancelled(ctx, g, p)
	if err != nil {
		return err
	}
	return g.Write(func(tx *db.Tx) error {
		now, err := lockPayment(tx, p.ID)
		if err != nil || now.OrderID != "" {
			return err
		}
		if state != nil && now.Status == p.Status { // else a callback was faster, and knows better
			now.take(*state)
		}
		return drop(tx, now, "the cart was changed")
	})
}

// cancelled is how a payment stands after its provider was told to cancel it; nil where there is nothing to cancel.
func (t *Payments) cancelled(ctx context.Context, g Transactor, p Payment) (*payment.State, error) {
	if p.Ref == "" || p.Amount == 0 || p.Status.IsOver() {
		return nil, nil
	}
	provider, account, err := t.of(g, &p)
	if err != nil {
		return nil, err
	}
	state, err := provider.Cancel(ctx, account, p.At())
	if payment.IsNews(err) { // it is paid, or gone
		state, err = provider.Look(ctx, account, p.At())
	}
	if fault.Is(err, payment.ErrNotFound) {
		s := p.At().State()
		s.Status = payment.Cancelled
		return &s, nil
	}
	return &state, err
}

// of is a payment's provider and the account it was started with.
func (t *Payments) of(g Transactor, p *Payment) (payment.Provider, payment.Account, error) {
	provider, err := t.Providers().Of(p.Provider)
	if err != nil {
		return nil, payment.Account{}, err
	}
	var account payment.Account
	err = g.Read(func(tx *db.Tx) error {
		m, err := FindMethod(tx, p.Method)
		account = m.Account(tx)
		return err
	})
	return provider, account, err
}

// drop ends a locked payment of which no order is made: its goods are free, and what was taken goes back.
func drop(tx *db.Tx, p *Payment, reason string) error {
	p.IsDropped, p.Reason = true, reason
	if err := stock.Unhold(tx, p.ID, nil); err != nil {
		return err
	}
	if err := writePayment(tx, p); err != nil {
		return err
	}
	if p.Amount > 0 && (p.Status.IsGood() || p.Captured > p.Refunded) {
		return giveBack(tx, p, p.Captured.Sub(p.Refunded), reason)
	}
	return nil
}

// Find is a payment of this visit's session. CheckoutSession.NotFound.
func Find(tx *db.Tx, id string) (*Payment, error) {
	p, err := readPayment(tx, id)
	if err == nil && (p == nil || p.SessionID != storefront.Of(tx).Session.ID) {
		err = notFound(id)
	}
	return p, err
}

func notFound(id string) error {
	return ErrSessionNotFound.Because("there is no checkout session %q of this visitor", id)
}

// Look asks a payment's provider how it stands, unless that is known for good, and keeps the answer. Where nobody else
// knows, nobody is asked.
func (t *Payments) Look(ctx context.Context, g Transactor, id string) error {
	var p *Payment
	if err := g.Read(func(tx *db.Tx) (err error) { p, err = readPayment(tx, id); return err }); err != nil || p == nil {
		return err
	}
	if p.Ref == "" || p.Amount == 0 || p.Status != payment.Pending {
		return nil
	}
	return t.ask(ctx, g, p)
}

// lookTimeout bounds how long somebody who wants to place an order waits for a provider that is slow.
const lookTimeout = 15 * time.Second

// ask looks a payment up with its provider, and believes what that says.
func (t *Payments) ask(ctx context.Context, g Transactor, p *Payment) error {
	provider, account, err := t.of(g, p)
	if err != nil || provider.Describe().IsSettledByUs {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, lookTimeout)
	defer stop()
	state, err := provider.Look(ctx, account, p.At())
	if err != nil {
		return err
	}
	return g.Write(func(tx *db.Tx) error {
		now, err := lockPayment(tx, p.ID)
		if err != nil || now.Status != p.Status {
			return err
		}
		return now.believe(tx, state)
	})
}

// Refused follows on the refusal of an order: a buyer who was told that it comes to something else has seen that now.
func (t *Payments) Refused(g Transactor, refusal error) error {
	if !errors.Is(refusal, errMoved) {
		return nil
	}
	return g.Write(func(tx *db.Tx) error {
		if _, err := cart.Show(tx); err != nil {
			return err
		}
		_, err := t.change(tx, func(*Steps) error { return nil }, nil)
		return err
	})
}

// Prepare is what comes before an order and cannot be done in its transaction: a payment that is open is looked up with
// its provider, and one that the order is not for is called off there. Where there is none, nothing is asked: whatever
// else there is to say of the checkout says Place. The refusals of the provider.
func (t *Payments) Prepare(ctx context.Context, g Transactor, paymentID string) error {
	var now *Payment
	isOver := false
	err := g.Read(func(tx *db.Tx) (err error) {
		if paymentID != "" {
			now, err = readPayment(tx, paymentID)
			return err
		}
		v := storefront.Of(tx)
		if now, err = openPayment(tx, v.Session.ID); now == nil || err != nil {
			return err
		}
		c, err := t.look(tx, v, cart.Read)
		if err != nil || c.Cart.IsEmpty() || len(c.Missing) > 0 {
			return err
		}
		isOver = !now.Status.IsGood() && (c.Method == nil || t.isOurs(c) && !t.isSettledByUs(now.Provider))
		return nil
	})
	switch {
	case err != nil:
		return err
	case now == nil || now.IsDropped:
		return nil
	case isOver:
		return t.callOff(ctx, g, *now)
	}
	if err := t.Look(ctx, g, now.ID); err != nil && !payment.IsNews(err) {
		return err
	}
	return nil
}
