package payment

import (
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Check reports everything that is wrong with an intent.
func (i Intent) Check() error {
	var wrong fault.List
	if i.ID == "" || len(i.ID) > 64 || strings.ContainsFunc(i.ID, func(r rune) bool { return r <= ' ' || r > '~' }) {
		wrong.Add(ErrInvalid, "id", "A payment has an id of 1 to 64 visible ASCII characters")
	}
	if i.Amount <= 0 {
		wrong.Add(ErrInvalid, "amount", "The amount %s is not above zero: there is nothing to pay", i.Amount)
	} else if _, err := Minor(i.Amount, i.Digits); err != nil {
		wrong.Add(ErrInexact, "amount", "The amount %s has more than the %d decimals of %s", i.Amount, i.Digits,
			i.Currency)
	}
	wrong.If(!isCode(i.Currency, 3), ErrInvalid, "currency",
		"%q is no currency code: three capital letters", i.Currency)
	wrong.If(i.Country != "" && !isCode(i.Country, 2), ErrInvalid, "country",
		"%q is no country code: two capital letters", i.Country)
	if i.Email != "" {
		if _, err := mail.ParseAddress(i.Email); err != nil {
			wrong.Add(ErrInvalid, "email", "%q is no mail address", i.Email)
		}
	}
	for name, address := range map[string]string{"returnUrl": i.ReturnURL, "callbackUrl": i.CallbackURL,
		"termsUrl": i.TermsURL} {
		wrong.If(address != "" && !isAddress(address), ErrInvalid, name,
			"%q is no address of the form https://host/path", address)
	}
	i.checkLines(&wrong)
	return wrong.Err()
}

// checkLines: providers that get lines refuse those that do not add up.
func (i Intent) checkLines(wrong *fault.List) {
	if len(i.Lines) == 0 {
		return
	}
	sum := dec.Dec(0)
	for n, l := range i.Lines {
		if sum > 0 && l.Total > dec.Max.Sub(sum) || sum < 0 && l.Total < dec.Max.Neg().Sub(sum) {
			wrong.Add(ErrInvalid, "lines", "The lines up to the %dth add up to more than twelve digits", n+1)
			return
		}
		sum = sum.Add(l.Total)
	}
	wrong.If(sum != i.Amount, ErrInvalid, "lines", "The lines add up to %s, the amount is %s", sum, i.Amount)
}

func isCode(s string, n int) bool {
	return len(s) == n && !strings.ContainsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' })
}

func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// CheckSettings reports what is missing, unknown or not among the choices, without repeating a value.
func (d Description) CheckSettings(s Settings) error {
	var wrong fault.List
	for _, set := range d.Settings {
		v := s[set.Name]
		switch {
		case v == "" && set.IsRequired:
			wrong.Add(ErrInvalid, "settings."+set.Name, "%s needs it: %s", d.Name, set.Means)
		case v != "" && len(set.Choices) > 0 && !slices.Contains(set.Choices, v):
			wrong.Add(ErrInvalid, "settings."+set.Name, "It is one of %s", strings.Join(set.Choices, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if !slices.ContainsFunc(d.Settings, func(set Setting) bool { return set.Name == name }) {
			wrong.Add(ErrInvalid, "settings."+name, "%s has no such setting", d.Name)
		}
	}
	return wrong.Err()
}

// Ready is what every adapter asks before it acts for an account.
func (d Description) Ready(a Account) error {
	if d.TestOnly && !a.IsTest {
		return ErrNotAllowed.Because("The %s provider serves companies of environment Test only.", d.Name)
	}
	for _, set := range d.Settings {
		if set.IsRequired && a.Settings[set.Name] == "" {
			return ErrMisconfigured.Because("The payment method lacks the setting %s of %s.", set.Name, d.Name)
		}
	}
	return nil
}

// Prove is what adapters whose callbacks are signed with the setting secret ask before they read one: Ready and Verify.
func (d Description) Prove(a Account, signature string, body []byte, now time.Time) error {
	if err := d.Ready(a); err != nil {
		return err
	}
	return Verify(a.Settings["secret"], signature, body, now)
}

// Check reports an answer that no front end could act on: it holds exactly the value of its mode.
func (s Started) Check() error {
	has := func(v string) int { return min(len(v), 1) }
	given := has(s.HTMLFragment) + has(s.RedirectURL) + has(s.ClientKey)
	ok := s.Mode == RenderNone && given == 0
	switch s.Mode {
	case RenderHTMLFragment:
		ok = given == 1 && s.HTMLFragment != ""
	case RenderRedirect:
		ok = given == 1 && isAddress(s.RedirectURL)
	case RenderClientKey:
		ok = given == 1 && s.ClientKey != ""
	}
	if !ok || s.Ref == "" || !slices.Contains(Statuses(), s.Status) {
		return ErrUnavailable.Because(
			"The payment provider gave an answer that cannot be shown. Try again or choose another way to pay.")
	}
	return nil
}

// Agrees reports a provider that has another amount or currency for the payment than it was started with: no order is
// placed on it and the money goes back. A state that names none agrees.
func Agrees(p Payment, s State) error {
	if s.Amount != 0 && s.Amount != p.Amount || s.Currency != "" && s.Currency != p.Currency {
		return ErrMismatch.Because("The payment is over %s %s and the provider has %s %s. Start a new payment.",
			p.Amount.Fixed(p.Digits), p.Currency, s.Amount.Fixed(p.Digits), s.Currency)
	}
	return nil
}

// Verdict is what to do with a status that was told by a callback, which may be late, doubled or out of order.
type Verdict int

// The verdicts.
const (
	Keep Verdict = iota // nothing new
	Take                // believe it
	Ask                 // it contradicts what is known: Look, and believe that
)

// Follow weighs a told status against the known one. Used for callbacks alone; what Look answers is always believed.
func Follow(known, told Status) Verdict {
	if told == known || !slices.Contains(Statuses(), told) {
		return Keep
	}
	switch known {
	case Pending:
		if !told.IsGood() { // of another attempt, maybe, while this one is being paid
			return Ask
		}
		return Take
	case Authorized:
		switch told {
		case Captured:
			return Take
		case Cancelled, Expired: // the hold was released, or an older attempt's end comes late
			return Ask
		}
		return Keep // a failed attempt before the one that succeeded
	case Captured:
		return Keep
	case Failed:
		switch {
		case told == Pending:
			return Keep
		case told.IsOver():
			return Ask
		}
		return Take // another attempt
	}
	if told.IsGood() { // money for what was called off: it must be seen, and given back
		return Ask
	}
	return Keep
}

// CheckTold refuses the state of a callback with a status that there is not, or sums below zero.
func CheckTold(s State) error {
	if !slices.Contains(Statuses(), s.Status) || s.Amount < 0 || s.Captured < 0 || s.Refunded < 0 {
		return ErrCallback.Because("The callback tells a status or a sum that there is not.")
	}
	return nil
}
