package shop

import (
	"io/fs"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/foundation/texts"
)

// Everything the pages say has its words in the other languages: what stands in templates, what handlers say, and the
// refusals.
func TestEverythingSaidIsTranslated(t *testing.T) {
	said := map[string]string{} // and where
	gather := func(from fs.FS, pattern string, in *regexp.Regexp, atLeast int) {
		names, err := fs.Glob(from, pattern)
		if err != nil || len(names) < atLeast {
			t.Fatalf("%d files %s: %v", len(names), pattern, err)
		}
		for _, name := range names {
			b, err := fs.ReadFile(from, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range in.FindAllStringSubmatch(string(b), -1) {
				said[m[1]] = name
			}
		}
	}
	gather(files, "templates/*.html", regexp.MustCompile(`(?:[{(\s]t|"label") "([^"]+)"`), 15)
	gather(os.DirFS("."), "*.go",
		regexp.MustCompile(
			`(?:v\.(?:say|remember)\(|mine\([^,]+, "\w+", |signPage\("\w+", |listOf\[\w+\]\(v, "[^"]+", "\w+", |`+
				`v\.letter\("\w+", |v\.done\(err, |return |Detail: |Title: )"([A-Z][^"]* [^"]*|[A-Z][a-z]+)"`), 10)
	for code, text := range plainWords() {
		said[text] = code
	}
	for act, text := range decided() {
		said[text] = act
	}
	// What the API's codes mean, as the description lists them; English is no code either.
	codes := "Placed Released Closed Cancelled NotDelivered PartiallyDelivered FullyDelivered Waiting Rejected Hold " +
		"Picking Picked ReadyForPickup Packing Packed Booked " +
		"PickedUp InTransit Delivered Failed Unpaid PartiallyPaid Paid AwaitingTaxReduction " +
		"Draft Approved Received CreditNoted Pending Authorized Captured Expired " +
		"New Confirmed Triaged InProgress WaitingForCustomer Resolved Sent Accepted Declined Converted"
	words, err := texts.Read(files, "words")
	if err != nil {
		t.Fatal(err)
	}
	for code := range strings.FieldsSeq(codes) {
		said[code] = "the API"
		if strings.Trim(code[1:], "abcdefghijklmnopqrstuvwxyz") != "" && words["en"][code] == "" {
			t.Errorf("the code %s is shown as it is", code)
		}
	}
	for text, where := range said {
		if words["sv"][text] == "" {
			t.Errorf("%s says %q, which has no words: add a line to words/pages.tsv", where, text)
		}
	}
}

// What the cart tells by itself is said in the words of the shop to who reads another language than the API writes.
func TestWhatTheCartTellsIsTranslated(t *testing.T) {
	for _, code := range []string{"Cart.PriceChanged", "Cart.LinesMovedIn", "Cart.LinesLeftOut", "Cart.NoLongerSold",
		"Cart.NoLongerMade", "Cart.NoPrice", "Inventory.InsufficientStock", "Cart.DeliveryNotPossible",
		"Cart.QuantityNotSold"} {
		if got := (Message{Code: code, Text: "as the API says it"}).Plain("nb"); got == "As the API says it." {
			t.Errorf("%s is shown as the API says it", code)
		}
	}
}

func TestRefusalsAreSaidToVisitors(t *testing.T) {
	field := func(code, name, message string) *Problem {
		return &Problem{Code: code, Detail: name + ": " + message + ".", Errors: []FieldError{{name, code, message}}}
	}
	for _, c := range []struct {
		lang string
		p    *Problem
		want string
	}{
		{"en", &Problem{Code: "Auth.SignInFailed", Detail: "ask for a code with POST /ecom/auth/request-code"},
			"The e-mail address or the password is wrong."},
		{"en", field("Request.Invalid", "quantity", "must be greater than 0"),
			"Please write a number above 0, such as 2."},
		{"en", field("Request.Invalid", "lines[0].quantity", "must be greater than 0"),
			"Please write a number above 0, such as 2."},
		{"en", field("Quantity.TooManyDecimals", "quantity",
			"1.5 is not a whole number: item A is counted in whole units"), "It is sold in whole numbers only."},
		{"en", field("Code.NotApplicable", "code", "TUR10 needs goods of at least 500 NOK"),
			"TUR10 needs goods of at least 500 NOK."},
		{"sv", field("Code.NotApplicable", "code", "TUR10 needs goods of at least 500 NOK"),
			"This code does not apply to what is in your cart."},
		{"nb", field("Auth.PasswordInvalid", "newPassword",
			"has 3 characters; a password needs at least 10, so choose a longer one"),
			"A password needs at least 10 characters."},
		{"nb", &Problem{Code: "RateLimit.Exceeded", RetryAfter: 480},
			"Those were too many tries. Please wait a few minutes and try again."},
		{"nb", &Problem{Code: "New.Code", Detail: "something else happened"}, "Something else happened."},
		{"nb", &Problem{Code: "Request.Invalid", Errors: []FieldError{{"email", "Mail.Invalid", "x"},
			{"city", "Request.Invalid", "is required and cannot be empty"}}}, "Please look at what is marked."},
	} {
		if got := c.p.Plain(c.lang); got != c.want {
			t.Errorf("%s in %s: %q, not %q", c.p.Code, c.lang, got, c.want)
		}
	}
}

func TestOddAddressesOfListsAskForWhatCanBe(t *testing.T) {
	for query, want := range map[string]string{
		"page=abc&sort=price": "pageSize=24&sort=price", "page=0": "pageSize=24",
		"page=99999999999999999999": "pageSize=24", "sort=foo": "pageSize=24",
		"priceFrom=1.2.3&priceTo=.": "pageSize=24", "priceFrom=99,50": "pageSize=24&priceFrom=99.50",
		"f.colour=%00&f.size=%ff": "pageSize=24", "f.size=S&f.size=M": "f.size=S%2CM&pageSize=24",
		"f.length.from=1&f.length.to=2,5": "f.length=1..2.5&pageSize=24",
	} {
		v := &visit{r: httptest.NewRequest("GET", "/categories/tents?"+query, nil)}
		if ask, _ := v.wishes("", ""); ask.Encode() != want {
			t.Errorf("%s asks for %s, not %s", query, ask.Encode(), want)
		}
	}
	if got := readable(" a\x00b\xff" + strings.Repeat("å", 300)); len([]rune(got)) > 200 ||
		strings.Contains(got, "\x00") || strings.Contains(got, "\xff") {
		t.Errorf("searched for %q", got)
	}
}

func TestNumbersAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ lang, amount, currency, want string }{
		{"nb", "1234567.50", "NOK", "1\u00a0234\u00a0567,50\u00a0kr"}, {"nb", "99.00", "NOK", "99\u00a0kr"},
		{"sv", "1234.50", "SEK", "1\u00a0234,50\u00a0kr"}, {"en", "1234.50", "NOK", "1,234.50\u00a0kr"},
		{"en", "-1234.50", "EUR", "€\u22121,234.50"}, {"nb", "10.00", "EUR", "10\u00a0€"},
		{"en", "5.00", "CHF", "CHF\u00a05"}, {"en", "", "NOK", ""},
	} {
		if got := (numbers{c.lang}).money(c.amount, c.currency); got != c.want {
			t.Errorf("%s %s in %s: %q, not %q", c.amount, c.currency, c.lang, got, c.want)
		}
	}
}

func TestCookiesAreSealed(t *testing.T) {
	s, err := New(Options{API: "http://127.0.0.1:1", Domain: "shop.test", Key: []byte(strings.Repeat("k", KeySize))})
	if err != nil {
		t.Fatal(err)
	}
	sealed := s.seal(sessionCookie, "a token")
	if strings.Contains(sealed, "token") {
		t.Error("the token can be read")
	}
	if got, err := s.unseal(sessionCookie, sealed); err != nil || got != "a token" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := s.unseal(noteCookie, sealed); err == nil {
		t.Error("one cookie stands for another")
	}
	other := "A"
	if strings.HasPrefix(sealed, other) {
		other = "B"
	}
	if _, err := s.unseal(sessionCookie, other+sealed[1:]); err == nil {
		t.Error("a changed cookie opens")
	}
	if _, err := New(Options{Key: []byte("short")}); err == nil {
		t.Error("a short key is taken")
	}
}
