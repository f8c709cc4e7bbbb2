// Package testing is a payment provider that moves no money, for companies of environment Test. It keeps nothing: the
// reference it gives out is a signed ticket that holds the payment and the card, so that any node, after any restart,
// knows the outcome. The rest (what was captured, refunded, cancelled) is what the caller keeps.
//
// The outcome is decided by the card number, given with the intent (Data "card"), by the setting card, or by the buyer
// on the provider's page. A card given at the start counts as confirmed at once: Look tells its outcome, whether or not
// a callback comes.
// One chosen on the page is known with the callback, whose reference replaces the first.
package testing

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
)

// The cards and what becomes of a payment with them.
const (
	CardSucceeds    = "4242424242424242"
	CardDeclined    = "4000000000000002"
	CardLate        = "4000000000000077" // succeeds lateAfter later
	CardChanged     = "4000000000000101" // succeeds over another amount
	CardSilent      = "4000000000000119" // succeeds, and no callback is ever sent
	CardTwice       = "4000000000000127" // succeeds, every callback is sent twice
	CardDisordered  = "4000000000000259" // succeeds, the callbacks come in the wrong order
	CardUnreachable = "4000000000000341" // the provider does not answer
	CardRefused     = "4000000000005126" // succeeds, and cannot be refunded
)

// Cards are all of them with what they do, for the page and the documentation.
func Cards() [][2]string {
	return [][2]string{{CardSucceeds, "succeeds"}, {CardDeclined, "is declined"}, {CardLate, "succeeds after a while"},
		{CardChanged, "succeeds over another amount"}, {CardSilent, "succeeds, no callback is sent"},
		{CardTwice, "succeeds, callbacks are sent twice"},
		{CardDisordered, "succeeds, callbacks come in the wrong order"},
		{CardUnreachable, "the provider does not answer"}, {CardRefused, "succeeds, cannot be refunded"}}
}

const (
	// lateAfter is when a late card succeeds.
	lateAfter = 30 * time.Second
	// openFor is how long a buyer has on the page.
	openFor = 30 * time.Minute
)

// Provider is the Test provider.
type Provider struct {
	page string
	now  func() time.Time
}

// New is the provider, with the address of its page as buyers reach it, and a clock (time.Now).
func New(page string, now func() time.Time) *Provider { return &Provider{page, now} }

// Describe tells what it is.
func (*Provider) Describe() payment.Description {
	return payment.Description{Name: "Test", TestOnly: true, SendsCallbacks: true, Settings: []payment.Setting{
		{Name: "secret", Means: "Signs references and callbacks; any text", IsRequired: true, IsSecret: true},
		{Name: "mode", Means: "What the front end gets: a key, or an address to send the buyer to",
			Choices: []string{"ClientKey", "Redirect"}},
		{Name: "capture", Means: "Automatic takes the money at once, Manual holds it",
			Choices: []string{"Automatic", "Manual"}},
		{Name: "card", Means: "The card of every payment that names none; empty lets the buyer choose"},
	}}
}

// ticket is what a reference holds.
type ticket struct {
	Payment  string    `json:"p"`
	Company  string    `json:"c"`
	Amount   dec.Dec   `json:"a"`
	Currency string    `json:"u"`
	Digits   int       `json:"d"`
	Card     string    `json:"k,omitempty"`
	IsManual bool      `json:"m,omitempty"`
	Started  time.Time `json:"s"`
	Return   string    `json:"r,omitempty"`
	Callback string    `json:"b,omitempty"`
	// IsCancelled: the buyer called it off on the page.
	IsCancelled bool `json:"x,omitempty"`
}

// isCard reports whether a number is one of the cards.
func isCard(number string) bool {
	return slices.ContainsFunc(Cards(), func(c [2]string) bool { return c[0] == number })
}

// Start opens a payment, pending until the card is known. Started again it answers another reference of the same
// payment; both hold.
func (p *Provider) Start(_ context.Context, a payment.Account, i payment.Intent) (payment.Started, error) {
	if err := p.Describe().Ready(a); err != nil {
		return payment.Started{}, err
	}
	if err := i.Check(); err != nil {
		return payment.Started{}, err
	}
	card := strings.ReplaceAll(cmp.Or(i.Data["card"], a.Settings["card"]), " ", "")
	if card != "" && !isCard(card) {
		return payment.Started{}, payment.ErrInvalid.At("data.card", "%s is none of the test cards; %s succeeds",
			masked(card), CardSucceeds)
	}
	if card == CardUnreachable {
		return payment.Started{},
			payment.ErrUnavailable.Because("Test does not answer, as this card asks. Try again with another.")
	}
	t := ticket{Payment: i.ID, Company: a.Company, Amount: i.Amount, Currency: i.Currency, Digits: i.Digits, Card: card,
		IsManual: a.Settings["capture"] == "Manual", Started: p.now().UTC().Truncate(time.Second), Return: i.ReturnURL,
		Callback: i.CallbackURL}
	ref := t.sign(a.Settings["secret"])
	s := payment.Started{Ref: ref, Status: payment.Pending, Mode: payment.RenderClientKey, ClientKey: ref,
		Expires: t.Started.Add(openFor)}
	if a.Settings["mode"] == "Redirect" {
		s.Mode, s.ClientKey = payment.RenderRedirect, ""
		s.RedirectURL = p.page + "?" + url.Values{"company": {a.Company}, "payment": {i.ID}}.Encode()
	}
	return s, s.Check()
}

// masked keeps a real card number, typed by mistake, out of messages.
func masked(card string) string {
	if len(card) < 8 {
		return "The card"
	}
	return "The card ending in " + card[len(card)-4:]
}

func (t ticket) sign(secret string) string {
	b, err := json.Marshal(t)
	if err != nil {
		panic("payment/testing: a ticket has only texts, numbers and moments: " + err.Error())
	}
	text := base64.RawURLEncoding.EncodeToString(b)
	return "test_" + text + "." + seal(secret, text)
}

func seal(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("ticket " + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// open reads a reference that this account gave out.
func open(a payment.Account, ref string) (t ticket, err error) {
	text, mac, _ := strings.Cut(strings.TrimPrefix(ref, "test_"), ".")
	secret := a.Settings["secret"]
	if secret == "" || !strings.HasPrefix(ref, "test_") || !hmac.Equal([]byte(mac), []byte(seal(secret, text))) {
		return t, payment.ErrNotFound.Because("Test does not know this payment.")
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil || t.Company != a.Company {
		return t, payment.ErrNotFound.Because("Test does not know this payment.").From(err)
	}
	return t, nil
}

// find is the ticket of a payment of this account.
func (p *Provider) find(a payment.Account, pay payment.Payment) (ticket, error) {
	if err := p.Describe().Ready(a); err != nil {
		return ticket{}, err
	}
	t, err := open(a, pay.Ref)
	if err == nil && t.Payment != pay.ID {
		err = payment.ErrNotFound.Because("Test does not know this payment.")
	}
	return t, err
}

// state is how the payment stands at a moment, by its card alone.
func (t ticket) state(ref string, now time.Time) payment.State {
	s := payment.State{Ref: ref, Status: payment.Captured, Amount: t.Amount, Currency: t.Currency}
	if t.IsManual {
		s.Status = payment.Authorized
	}
	switch {
	case t.IsCancelled:
		s.Status = payment.Cancelled
	case t.Card == "" && now.Before(t.Started.Add(openFor)):
		s.Status = payment.Pending
	case t.Card == "":
		s.Status = payment.Expired
	case t.Card == CardDeclined:
		s.Status, s.Reason = payment.Failed, "card declined"
	case t.Card == CardLate && now.Before(t.Started.Add(lateAfter)):
		s.Status = payment.Pending
	case t.Card == CardChanged:
		if smallest, err := payment.OfMinor(1, t.Digits); err == nil && t.Amount <= dec.Max.Sub(smallest) {
			s.Amount = t.Amount.Add(smallest)
		}
	}
	if s.Status == payment.Captured {
		s.Captured = s.Amount
	}
	return s
}

// Look tells the card's outcome, and what the caller keeps on top.
func (p *Provider) Look(_ context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	_, s, err := p.standing(a, pay)
	return s, err
}

// standing is a payment's ticket, and how the payment stands.
func (p *Provider) standing(a payment.Account, pay payment.Payment) (t ticket, s payment.State, err error) {
	if t, err = p.find(a, pay); err != nil {
		return t, s, err
	}
	s = t.state(pay.Ref, p.now())
	switch {
	case pay.Captured > 0:
		s.Status, s.Captured = payment.Captured, pay.Captured
	case pay.Status == payment.Cancelled:
		s.Status, s.Captured = payment.Cancelled, 0
	}
	s.Refunded = pay.Refunded
	return t, s, nil
}

// Placed has nobody to tell.
func (*Provider) Placed(context.Context, payment.Account, payment.Payment, string) error { return nil }

// Capture takes held money.
func (p *Provider) Capture(_ context.Context, a payment.Account, pay payment.Payment,
	c payment.Capture) (payment.State, error) {
	t, s, err := p.standing(a, pay)
	if err != nil {
		return s, err
	}
	if !s.Status.IsGood() {
		return s, payment.ErrWrongState.Because("The payment is %s: no money can be taken.", s.Status)
	}
	if !t.IsManual { // taken from the start
		return s, pay.CheckPart(c.ID, c.Amount)
	}
	pay.Status = s.Status
	return pay.Take(c)
}

// Cancel calls a payment off.
func (p *Provider) Cancel(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	s, err := p.Look(ctx, a, pay)
	if err != nil {
		return s, err
	}
	pay.Status, pay.Captured = s.Status, s.Captured
	return pay.CallOff()
}

// Release has nothing to let go: a card holds no money of anybody's.
func (*Provider) Release(context.Context, payment.Account, payment.Payment) error { return nil }

// Refund gives captured money back, unless the card forbids it.
func (p *Provider) Refund(_ context.Context, a payment.Account, pay payment.Payment,
	r payment.Refund) (payment.Refunded, error) {
	t, s, err := p.standing(a, pay)
	if err != nil {
		return payment.Refunded{}, err
	}
	if t.Card == CardRefused {
		return payment.Refunded{}, payment.ErrDeclined.Because("The refund was refused by the card's bank.")
	}
	pay.Captured = s.Captured
	return pay.GiveBack(r)
}
