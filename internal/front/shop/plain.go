package shop

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The API's sentences are English, and some are for whoever builds a shop: they name fields and calls. What visitors
// can bring about is said here in the words of a shop, by its code, so that it can be said in their language too. The
// rest is shown as it came.

// plainWords are the sentences, by code.
func plainWords() map[string]string {
	const (
		choose = "Please choose one of those that are offered."
		gone   = "This is not for sale at the moment."
		pay    = "This way to pay does not answer at the moment. Please try again or choose another."
	)
	return map[string]string{
		"Auth.ApprovalPending":                 "Your account waits for our approval. You will hear from us.",
		"Auth.SignInFailed":                    "The e-mail address or the password is wrong.",
		"Auth.TooManyAttempts":                 "Those were too many tries. Please wait a few minutes, or have a code mailed to you.",
		"Auth.WrongCode":                       "That code is wrong or no longer valid. Please check it, or ask for a new one.",
		"Cart.DeliveryNotPossible":             "The chosen delivery is not possible for this cart and address. Please choose another.",
		"Cart.LinesLeftOut":                    "Some of what was in your cart on your last visit did not fit into it any more.",
		"Cart.LinesMovedIn":                    "What was in your cart on your last visit is in it again.",
		"Cart.NoLongerMade":                    "This is no longer made as you chose it. Please take it out, or choose anew.",
		"Cart.NoLongerSold":                    "This is no longer sold here. Please take it out.",
		"Cart.NoPrice":                         "This has no price at the moment.",
		"Cart.NotPurchasable":                  gone,
		"Cart.PriceChanged":                    "Prices have changed since you last looked. Those shown here hold.",
		"Cart.QuantityNotSold":                 "It is not sold in that quantity. Please write another one.",
		"Cart.TooManyLines":                    "The cart is full. Please take something out first.",
		"ChannelMediaAsset.EmptyFile":          "The file is empty. Please choose another.",
		"ChannelMediaAsset.FileTooLarge":       "The file is larger than 10 MB. Please send a smaller one.",
		"ChannelMediaAsset.UnsupportedType":    "Only pictures (PNG, JPEG, GIF, WebP) and PDF documents can be sent.",
		"Checkout.Incomplete":                  "Something is still missing above.",
		"Checkout.NotOffered":                  choose,
		"Checkout.PaymentRequired":             "The payment did not go through. Nothing was taken; please try again or choose another way to pay.",
		"Checkout.PriceChanged":                "A price changed while you were paying. Please look at the new total and try again; what was paid goes back.",
		"Checkout.TermsNotAccepted":            "Please accept the terms of sale.",
		"CheckoutSession.NotFound":             "That payment is over. Please try again.",
		"Code.AlreadyApplied":                  "This code is in use already.",
		"Code.Expired":                         "This code or gift card is no longer valid.",
		"Code.Invalid":                         "There is no such code. Please check how it is written.",
		"Code.NotApplicable":                   "This code does not apply to what is in your cart.",
		"Code.TooMany":                         "No more codes can be used at once. Please take one off first.",
		"Code.UsedUp":                          "This code or gift card is used up.",
		"Customer.CreditLimitExceeded":         "The order would exceed your credit limit. Please pay open invoices first, or choose another way to pay.",
		"Customer.Inactive":                    "This account cannot order at the moment. Please get in touch.",
		"Customer.UnknownCode":                 choose,
		"Inventory.InsufficientStock":          "There is not enough left of what is in your cart. Please order less of it.",
		"Mail.Invalid":                         "Please write a whole e-mail address, such as name@example.com.",
		"Newsletter.TokenInvalid":              "This link is not valid any more. Please subscribe once more.",
		"Payment.Declined":                     "The payment did not go through. Nothing was taken; please try again or choose another way to pay.",
		"Payment.Invalid":                      pay,
		"Payment.Misconfigured":                pay,
		"Payment.ProviderUnavailable":          pay,
		"Permission.Denied":                    "Your account may not do this. Ask a colleague who manages it.",
		"Product.NotFound":                     gone,
		"RateLimit.Exceeded":                   "That was a lot at once. Please try again in a few seconds.",
		"SalesReturn.NoDeliveredLines":         "Nothing of this order can be sent back at the moment.",
		"SalesReturn.QuantityExceedsDelivered": "That is more than can be sent back.",
		"SalesOrder.NotFound":                  "We know no order with this number and this e-mail address. Please check both.",
		"Store.TermsMissing":                   "This shop takes no orders yet. Please get in touch.",
		"line Inventory.InsufficientStock":     "There is less of it in stock at present than you want.",
	}
}

// Plain says a problem to the visitor: the API's own sentence in English where it tells more than ours.
func (p *Problem) Plain(lang string) string {
	switch {
	case p.Code == "RateLimit.Exceeded" && p.RetryAfter >= 60:
		return "Those were too many tries. Please wait a few minutes and try again."
	case len(p.Errors) == 1 && p.Code != "Code.NotApplicable":
		return p.Errors[0].Plain()
	case len(p.Errors) > 1:
		for _, e := range p.Errors[1:] {
			if e.Plain() != p.Errors[0].Plain() {
				return "Please look at what is marked."
			}
		}
		return p.Errors[0].Plain()
	}
	return plainly(lang, p.Code, p.Detail)
}

// fieldSaying is what a visitor is told of a field whose code, name and message are these; what is empty says nothing.
type fieldSaying struct{ code, field, part, text string }

// fieldSayings are looked through in their order.
func fieldSayings() []fieldSaying {
	const fill = "Please fill this in."
	noAddress := plainWords()["Mail.Invalid"]
	return []fieldSaying{
		{"", "", "is required", fill},
		{"Checkout.Invalid", "lastName", "", fill},
		{"Checkout.Invalid", "email", "", noAddress},
		{"ChannelMediaAsset.UnsupportedType", "", "is damaged",
			"The picture is damaged, or broke off on its way here. Please send it once more, or another one."},
		{"ContentForm.Invalid", "", "must be filled in", fill},
		{"ContentForm.Invalid", "", "no mail address", noAddress},
		{"ContentForm.Invalid", "", "is no number", "Please write a number."},
		{"Review.Invalid", "rating", "", "Please choose how many stars."},
		{"Quantity.TooManyDecimals", "", "whole", "It is sold in whole numbers only."},
		{"Quantity.TooManyDecimals", "", "", plainWords()["Cart.QuantityNotSold"]},
		{"Auth.PasswordInvalid", "currentPassword", "", "That is not your present password."},
		{"", "", "; at most", "That is too long."},
		{"Auth.PasswordInvalid", "", "", "A password needs at least 10 characters."},
		{"Request.Invalid", "quantity", "", "Please write a number above 0, such as 2."},
	}
}

// Plain says what is wrong with a field.
func (e FieldError) Plain() string {
	last := e.Field[strings.LastIndexAny(e.Field, ".[")+1:]
	for _, s := range fieldSayings() {
		if (s.code == "" || s.code == e.Code) && (s.field == "" || s.field == last) && strings.Contains(e.Message,
			s.part) {
			return s.text
		}
	}
	return plainly(fallback, e.Code, e.Message)
}

// Plain says a message of the cart.
func (m Message) Plain(lang string) string {
	if text := plainWords()["line "+m.Code]; text != "" {
		return text
	}
	return plainly(lang, m.Code, m.Text)
}

// plainly is the sentence of a code. Where it stands for several reasons or names amounts, the API's own tells an
// English reader more.
func plainly(lang, code, text string) string {
	ours := plainWords()[code]
	tellsMore := []string{"Code.NotApplicable", "Cart.PriceChanged", "Cart.LinesMovedIn", "Cart.LinesLeftOut",
		"Cart.NoLongerMade"}
	if ours == "" || lang == fallback && slices.Contains(tellsMore, code) {
		return sentence(text)
	}
	return ours
}

// aField is what the API begins the sentence about a single field with.
const aField = `^[a-z][A-Za-z]*(\[\d+\])?(\.[a-zA-Z]+)*: `

// sentence begins with a capital and ends with a full stop.
func sentence(text string) string {
	text = regexp.MustCompile(aField).ReplaceAllString(text, "")
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[n:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
