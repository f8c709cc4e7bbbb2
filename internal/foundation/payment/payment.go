// Package payment is what a checkout knows of payment providers: one interface, the values that pass through it, and
// the rules that hold for every provider. It speaks no HTTP and keeps nothing; what was started, captured and given
// back is kept by its caller, who hands it in again as a Payment. The adapters stand in the packages below.
//
// Every call may be made again with the same ids and has its effect once. A call that failed with ErrUnavailable may
// have had its effect: make it again, or Look.
package payment

import (
	"context"
	"fmt"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Status is how far a payment has come.
type Status string

// The statuses. Money is promised with Authorized and there with Captured.
const (
	Pending    Status = "Pending"    // started; the buyer or the provider has not decided
	Authorized Status = "Authorized" // the money is held for us, or owed by a customer with credit
	Captured   Status = "Captured"   // the money was taken
	Failed     Status = "Failed"     // declined; a new attempt may follow with some providers
	Cancelled  Status = "Cancelled"  // called off by us or by the buyer
	Expired    Status = "Expired"    // too late: the hold or the session ran out
)

// Statuses are all of them.
func Statuses() []Status {
	return []Status{Pending, Authorized, Captured, Failed, Cancelled, Expired}
}

// IsGood reports whether an order may be placed on a payment of this status.
func (s Status) IsGood() bool { return s == Authorized || s == Captured }

// IsOver reports whether the buyer can do nothing more about it.
func (s Status) IsOver() bool { return s == Cancelled || s == Expired }

// RenderMode is what a front end does to let the buyer pay. It acts on the mode, never on the provider.
type RenderMode string

// The modes. Each but None has its one value in Started.
const (
	RenderNone         RenderMode = "None"
	RenderHTMLFragment RenderMode = "HtmlFragment"
	RenderRedirect     RenderMode = "Redirect"
	RenderClientKey    RenderMode = "ClientKey"
)

// Provider is a way to be paid. Errors are faults with the codes of this package; their details are fit for the buyer
// and never hold what a provider said word by word nor a secret.
type Provider interface {
	// Describe tells what the provider is and which settings it takes.
	Describe() Description
	// Start opens a payment. Started again with the same Intent it answers the same payment.
	Start(ctx context.Context, a Account, i Intent) (Started, error)
	// Look asks the provider how a payment stands.
	Look(ctx context.Context, a Account, p Payment) (State, error)
	// Placed tells the provider that the payment's order exists, under its number. Called after the order was
	// committed, and again until it succeeds; one provider repeats its callbacks until then, others show the number to
	// the merchant.
	Placed(ctx context.Context, a Account, p Payment, orderNumber string) error
	// Capture takes held money, wholly or a part. A provider that takes money at once answers the state it has.
	Capture(ctx context.Context, a Account, p Payment, c Capture) (State, error)
	// Cancel calls a payment off that was not captured. One that is called off already stays so; a captured one is
	// ErrWrongState:
	// refund it.
	Cancel(ctx context.Context, a Account, p Payment) (State, error)
	// Release lets go what is still held of a payment that was captured in part: no more will be. Where nothing is
	// held, nothing happens.
	Release(ctx context.Context, a Account, p Payment) error
	// Refund gives captured money back, wholly or a part.
	Refund(ctx context.Context, a Account, p Payment, r Refund) (Refunded, error)
	// Receive reads a callback after it has proved where it comes from and that it is fresh; now is the moment it
	// arrived. An event that concerns no payment of ours has no status: acknowledge and forget it.
	Receive(ctx context.Context, a Account, c Callback, now time.Time) (Event, error)
}

// Description is what a provider says of itself.
type Description struct {
	Name string // as a payment method names it: "Stripe"
	// PlacesUnpaid: an order is placed while the payment is Pending, because the money comes later or never through us.
	PlacesUnpaid bool
	// NeedsCredit: Intent.Credit decides; offer it to customers with credit only.
	NeedsCredit bool
	// TestOnly: companies of environment Test only.
	TestOnly bool
	// SendsCallbacks: Receive may be called.
	SendsCallbacks bool
	// Reports are what the account must be told to send, by the provider's names; none where it sends all by itself.
	Reports []string
	// IsSettledByUs: nobody else knows of the payment; Look repeats what the caller keeps.
	IsSettledByUs bool
	// CapturesOnce: held money is taken once; what a capture leaves is let go.
	CapturesOnce bool
	Settings     []Setting
}

// Setting is one thing a payment method of the provider can be set up with.
type Setting struct {
	Name       string
	Means      string // one sentence for the form
	IsRequired bool
	IsSecret   bool     // shown to nobody once it was saved
	Choices    []string // the values allowed; empty for any
}

// Account is a company's account with a provider: the settings of one of its payment methods.
type Account struct {
	Company  string
	IsTest   bool // the company's environment is Test
	Settings Settings
}

// Settings are name and value. They hold secrets, so they never print.
type Settings map[string]string

// Format keeps settings out of messages and logs, whatever the verb.
func (s Settings) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "settings(%d)", len(s)) }

// Intent is a payment that is wanted.
type Intent struct {
	ID        string // ours; the provider knows the payment by it, and a repeated start by it alone
	Amount    dec.Dec
	Currency  string // ISO 4217
	Digits    int    // the currency's decimals
	Reference string // what the buyer reads: an order number or the shop's name for the cart
	// ReturnURL is where the buyer comes back, CallbackURL where the provider reports: a secret-free address that leads
	// to this payment method's Receive. TermsURL is asked by some.
	ReturnURL, CallbackURL, TermsURL string
	// CheckURL is where a provider that does asks, before the buyer may pay, whether the order can still be placed; ""
	// = nowhere.
	CheckURL string
	Email    string
	Language string // ISO 639-1
	Country  string // ISO 3166-1 alpha-2, of the billing address
	Lines    []Line // add up to Amount; may be empty where the provider does not ask for them
	// Credit decides where the seller gives credit himself.
	Credit Credit
	// Data are further values the front end gave for the method: the Test provider's card.
	Data map[string]string
}

// Line is one line of what is paid for. Amounts include tax; a discount, a code and a gift card are lines below zero.
type Line struct {
	Kind      LineKind
	Number    string
	Name      string
	Quantity  dec.Dec
	Unit      string
	UnitPrice dec.Dec // includes tax
	Discount  dec.Dec // of the line, includes tax, not below zero
	Total     dec.Dec // includes tax
	TaxRate   dec.Dec // in percent
	Tax       dec.Dec // the tax in Total
}

// LineKind is what a line is of.
type LineKind string

// The kinds of lines.
const (
	Goods    LineKind = "Goods"
	Services LineKind = "Services"
	Freight  LineKind = "Freight"
	Fee      LineKind = "Fee"
	Discount LineKind = "Discount"
	GiftCard LineKind = "GiftCard"
	Rounding LineKind = "Rounding"
)

// Credit is what the seller knows of the buyer's credit when the payment starts.
type Credit struct {
	HasCredit bool // a signed-in customer who may buy on invoice
	IsLimited bool
	Limit     dec.Dec // with IsLimited: what may be owed at most
	Owed      dec.Dec // open invoices and unbilled orders, in the currency of the intent
}

// Started is a payment that was opened.
type Started struct {
	Ref    string // the provider's name of it, to be kept with the payment
	Status Status
	Mode   RenderMode
	// Exactly one of these, as Mode says; none with RenderNone.
	HTMLFragment, RedirectURL, ClientKey string
	// PublicKey goes with ClientKey to the front end, where the provider has one. It is no secret.
	PublicKey string
	// Expires is when the provider lets the payment go; zero if it does not say.
	Expires time.Time
}

// Payment is a started payment as the caller keeps it.
type Payment struct {
	ID, Ref            string
	Status             Status
	Amount             dec.Dec
	Captured, Refunded dec.Dec
	Currency           string
	Digits             int
}

// State is how a payment stands with its provider.
type State struct {
	// Ref replaces the payment's where it is not empty and differs.
	Ref                string
	Status             Status
	Amount             dec.Dec // what it is about; compare it with the payment's: Agrees
	Currency           string
	Captured, Refunded dec.Dec
	Reason             string // of a failure, for the merchant; from a list of ours, not the provider's words
}

// Capture is held money to be taken. ID is ours and makes it once.
type Capture struct {
	ID     string
	Amount dec.Dec
	Lines  []Line
}

// Refund is captured money to be given back. ID is ours and makes it once.
type Refund struct {
	ID     string
	Amount dec.Dec
	Reason string // for the buyer's statement where the provider shows one
	Lines  []Line
}

// Refunded is a refund that the provider took.
type Refunded struct {
	Ref      string // the provider's name of it
	IsByHand bool   // no provider moves it: the transfer is the merchant's to make
}

// Callback is a message to the callback address as it came.
type Callback struct {
	Header func(name string) string
	Query  func(name string) string
	Body   []byte
}

// Event is what a proved callback says.
type Event struct {
	ID        string // the same for the same event sent again: the replay key, unique with the company and the method
	PaymentID string // ours; empty when the provider names the payment by its own ref alone
	State            // Ref is the provider's name of the payment
	At        time.Time
	// Failed is a refund that was taken and did not reach the buyer. An event that has one tells no status.
	Failed FailedRefund
}

// FailedRefund is a refund whose money is back with the provider: the buyer's account is closed, his card has expired.
type FailedRefund struct {
	ID     string  // ours; empty when it was made at the provider's
	Amount dec.Dec // 0 = none has failed
}

// Concerns reports whether the event says anything of a payment.
func (e Event) Concerns() bool {
	return (e.Status != "" || e.Failed.Amount > 0) && (e.PaymentID != "" || e.Ref != "")
}

// Providers are the providers of the house by name; app fills it.
type Providers map[string]Provider

// Of is the provider of that name, or ErrMisconfigured.
func (ps Providers) Of(name string) (Provider, error) {
	if p, ok := ps[name]; ok {
		return p, nil
	}
	return nil, ErrMisconfigured.Because("There is no payment provider %q. Choose another way to pay.", name)
}

// NewProviders are providers by the names they give themselves.
func NewProviders(list ...Provider) Providers {
	return each.By(list, func(p Provider) string { return p.Describe().Name })
}
