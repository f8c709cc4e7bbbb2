package shop

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// Everything the pages say has its words in the other languages.
func TestEverythingSaidIsTranslated(t *testing.T) {
	said := regexp.MustCompile(`(?:[{(\s]t|"label") "([^"]+)"`)
	d, err := dictionaryOf("nb")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Glob(files, "templates/*.html")
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d templates: %v", len(pages), err)
	}
	for _, name := range pages {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(b), -1) {
			if d[m[1]] == "" {
				t.Errorf("%s says %q, which has no Norwegian words", name, m[1])
			}
		}
	}
	for english, other := range d {
		if strings.Count(english, "%s") != strings.Count(other, "%s") || strings.Count(english, "%d") != strings.Count(other, "%d") {
			t.Errorf("%q and %q are filled in with different values", english, other)
		}
	}
}

func TestNumbersAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ lang, amount, currency, want string }{
		{"nb", "1234567.50", "NOK", "1\u00a0234\u00a0567,50\u00a0kr"}, {"nb", "99.00", "NOK", "99\u00a0kr"}, {"en", "1234.50", "NOK", "1,234.50\u00a0kr"},
		{"en", "-1234.50", "EUR", "€\u22121,234.50"}, {"nb", "10.00", "EUR", "10\u00a0€"}, {"en", "5.00", "CHF", "CHF\u00a05"}, {"en", "", "NOK", ""},
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
	if _, err := s.unseal(sessionCookie, sealed[:len(sealed)-2]+"AA"); err == nil {
		t.Error("a changed cookie opens")
	}
	if _, err := New(Options{Key: []byte("short")}); err == nil {
		t.Error("a short key is taken")
	}
}
