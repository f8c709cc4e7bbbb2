package throttle

import "time"

const (
	minute  = time.Minute
	quarter = 15 * time.Minute
	hour    = time.Hour
	daylong = 24 * time.Hour
)

func limits(many int64, window time.Duration, more ...Limit) []Limit {
	return append([]Limit{{many, window}}, more...)
}

// What people come in by. A company's limit is far above what its customers mistype, and bounds the rows that strangers
// can cause.
var (
	ShopPassword = Kind{Name: "shop-password", Doc: "a customer's password at sign-in", Clears: true, Code: ErrAttempts,
		Pair: limits(10, quarter, Limit{40, daylong}), Account: limits(100, daylong),
		Peer: limits(100, quarter, Limit{400, daylong}), Company: limits(2_000, hour, Limit{10_000, daylong})}
	ShopProof = Kind{Name: "shop-proof", Doc: "the present password of who is signed in", Clears: true,
		Code: ErrAttempts, Pair: limits(10, quarter, Limit{40, daylong}),
		Peer: limits(100, quarter, Limit{400, daylong})}
	ShopCode = Kind{Name: "shop-code", Doc: "a mailed code", Code: ErrAttempts,
		Pair: limits(15, quarter, Limit{60, daylong}), Peer: limits(50, quarter, Limit{200, daylong}),
		Company: limits(1_000, hour, Limit{5_000, daylong})}
	OfficePassword = Kind{Name: "office-password", Doc: "a user's password at sign-in", Clears: true, Code: ErrAttempts,
		Pair: limits(10, quarter, Limit{40, daylong}), Account: limits(200, daylong),
		Peer: limits(100, quarter, Limit{400, daylong}), Company: limits(2_000, hour, Limit{10_000, daylong})}
	// Who gets as far as the second factor knows the password, so this one goes by the person.
	OfficeCode = Kind{Name: "office-code", Doc: "a code of the authenticator, or a recovery code", Clears: true,
		Code: ErrAttempts, Pair: limits(20, hour, Limit{60, daylong}), Account: limits(20, hour, Limit{60, daylong}),
		Peer: limits(100, hour, Limit{300, daylong})}
	OfficeProof = Kind{Name: "office-proof", Doc: "the present password or code of who is signed in", Clears: true,
		Code: ErrAttempts, Pair: limits(10, quarter, Limit{40, daylong}),
		Peer: limits(100, quarter, Limit{400, daylong})}
	OfficeLink = Kind{Name: "office-link", Doc: "the link of an invitation, of a new password or of a quote",
		Code: ErrAttempts, Peer: limits(30, quarter, Limit{100, daylong})}
	ShopLink = Kind{Name: "shop-link", Doc: "the token of a newsletter's mail", Code: ErrAttempts,
		Peer: limits(30, quarter, Limit{100, daylong})}
	OAuthSecret = Kind{Name: "oauth-secret", Doc: "a program's name, code or refresh token", Code: ErrAttempts,
		Peer: limits(100, quarter, Limit{1_000, daylong})}
)

// What is tried in a store without an account.
var (
	OrderCode = Kind{Name: "shop-order-code", Doc: "a discount code or gift card", Code: ErrRate,
		Pair: limits(10, 10*minute, Limit{40, daylong}), Peer: limits(30, quarter, Limit{100, daylong}),
		Company: limits(1_000, hour, Limit{5_000, daylong})}
	ReturnCode = Kind{Name: "shop-return-code", Doc: "the return code of an order", Code: ErrRate,
		Pair: limits(10, quarter, Limit{40, daylong}), Peer: limits(30, quarter, Limit{100, daylong}),
		Company: limits(1_000, hour, Limit{5_000, daylong})}
	OrderTrail = Kind{Name: "shop-order-trail", Doc: "the number of an order with its buyer's e-mail",
		Code: ErrAttempts, Pair: limits(20, quarter, Limit{60, daylong}),
		Peer: limits(20, quarter, Limit{100, daylong}), Company: limits(1_000, hour, Limit{5_000, daylong})}
	StoreDomain = Kind{Name: "store-domain", Doc: "the domain of a store", Code: ErrRate,
		Peer: limits(60, quarter, Limit{500, daylong})}
)

// What reaches strangers or makes records.
var (
	// "1 a minute and 5 an hour per address": all strangers together have these, and so has each place that the account
	// was let in from.
	ShopMail = Kind{Name: "shop-mail", Doc: "a code mailed to an address", Code: ErrAttempts,
		Pair:    limits(1, minute, Limit{5, hour}, Limit{20, daylong}),
		Account: limits(1, minute, Limit{5, hour}, Limit{20, daylong}), Peer: limits(30, hour, Limit{100, daylong}),
		Company: limits(1_000, hour, Limit{5_000, daylong})}
	Registration = Kind{Name: "shop-registration", Doc: "a registration", Code: ErrAttempts,
		Peer: limits(20, hour, Limit{50, daylong}), Company: limits(500, hour, Limit{2_000, daylong})}
	ShopForm = Kind{Name: "shop-form", Doc: "a form, a review or a subscription", Code: ErrRate,
		Peer: limits(60, quarter, Limit{300, daylong}), Company: limits(2_000, hour, Limit{10_000, daylong})}
	// Each question searches the whole store. The account is the visitor's session.
	Question = Kind{Name: "shop-question", Doc: "a question to a store's assistant", Code: ErrRate,
		Account: limits(20, 10*minute), Peer: limits(100, quarter, Limit{1_000, daylong})}
	OfficeReset = Kind{Name: "office-reset", Doc: "a link for a new password", Code: ErrAttempts,
		Pair: limits(5, hour, Limit{10, daylong}), Peer: limits(30, hour, Limit{100, daylong}),
		Company: limits(1_000, hour)}
	Invitation = Kind{Name: "office-invitation", Doc: "an invitation mailed to an address", Code: ErrRate,
		Account: limits(5, daylong), Company: limits(100, hour, Limit{300, daylong})}
	// The mail server that hands them over is one network for all senders, and sends again later what is refused.
	Letter = Kind{Name: "ticket-mail", Doc: "a mail to a company's tickets", Code: ErrRate,
		Account: limits(60, hour, Limit{300, daylong}), Company: limits(2_000, hour, Limit{10_000, daylong})}
	OAuthRegistration = Kind{Name: "oauth-registration", Doc: "a program that registers itself", Code: ErrRate,
		Peer: limits(20, hour, Limit{50, daylong}), Company: limits(500, daylong)}
)

// Kinds are all of them. A test walks them, and tries each from outside.
func Kinds() []*Kind {
	return []*Kind{&ShopPassword, &ShopProof, &ShopCode, &OfficePassword, &OfficeCode, &OfficeProof, &OfficeLink,
		&ShopLink, &OAuthSecret, &OrderCode, &ReturnCode, &OrderTrail, &StoreDomain, &ShopMail, &Registration,
		&ShopForm, &Question, &OfficeReset, &Invitation, &Letter, &OAuthRegistration}
}

// StrangerMails is what a store mails within an hour to addresses that nobody has confirmed.
func StrangerMails(most int) *Kind {
	return &Kind{Name: "store-mail", Doc: "a mail to an address that nobody has confirmed", Code: ErrRate,
		Company: limits(int64(most), hour)}
}

// House is the company of attempts that concern none: those of the whole installation.
const House = "house"
