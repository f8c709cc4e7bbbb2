package shop_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"kontor/internal/business/content"
	"kontor/internal/demo"
	"kontor/internal/front/looktest"
)

// likeness is a path without the names of what is sold and the numbers of what was bought, whose pages look alike.
var likeness = regexp.MustCompile(`/[^/]*[0-9][^/]*|(/(products|categories|brands|blog|help|c|pages))/.+`)

// Nothing on any page of the shop hinders who does not see, has no mouse, needs contrast, or holds a phone: as a guest
// with a full cart, and as a customer.
func TestNothingHinders(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company and drives a browser")
	}
	s := opened(t)
	w := s.looking("/sign-in")
	look := looktest.New(t, w.ctx)
	w.do("a full cart", chromedp.Navigate(s.shop+"/products/fjell-tent-3"), chromedp.SendKeys(css(".add button"), "\r"),
		chromedp.WaitVisible(css(".lines")))
	for _, tone := range []string{"Default", "Muted", "Accent", "Dark"} {
		w.do(tone, chromedp.Navigate(s.shop+s.everySection(tone)))
		look.At(tone)
	}
	met := map[string]bool{}
	w.walks(look, s.shop, met, "/", "/search?q=tent", "/cart", "/checkout", "/nowhere")
	if len(met) < 15 {
		t.Errorf("a guest found only %d pages: %v", len(met), met)
	}
	w.do("sign in", chromedp.Navigate(s.shop+"/sign-in"), chromedp.SendKeys(css("#email"), demo.Shopper),
		chromedp.SendKeys(css("#password"), password+"\r"), chromedp.WaitNotPresent(css("#password")))
	before := len(met)
	w.walks(look, s.shop, met, "/account")
	if len(met) < before+3 {
		t.Errorf("a customer found only %d pages more", len(met)-before)
	}
}

// everySection makes a page of a section of every type, on one ground, and says where it is.
func (s *street) everySection(tone string) string {
	s.t.Helper()
	var sections []map[string]any
	if b, err := os.ReadFile("testdata/sections.json"); err != nil {
		s.t.Fatal(err)
	} else if err := json.Unmarshal(b, &sections); err != nil {
		s.t.Fatal(err)
	}
	met := map[any]bool{}
	for _, section := range sections {
		section["tone"], met[section["type"]] = tone, true
	}
	if want := len(content.SectionType("").Values()); len(met) != want {
		s.t.Errorf("testdata/sections.json has %d types of sections, not all %d", len(met), want)
	}
	config, err := json.Marshal(map[string]any{"sections": sections})
	if err != nil {
		s.t.Fatal(err)
	}
	slug := "all-" + strings.ToLower(tone)
	at := "/channels/WEB/content-pages"
	s.erp("POST", at, `{"slug": "`+slug+`", "title": "Everything", "pageType": "Page"}`, nil)
	s.erp("PUT", at+"/"+slug+"/config", string(config), nil)
	s.erp("POST", at+"/"+slug+"/publish", "", nil)
	return "/pages/" + slug
}

// walks looks at all pages that can be reached from some, each kind of page once.
func (w *window) walks(look *looktest.Looker, shop string, met map[string]bool, todo ...string) {
	w.t.Helper()
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		bare, _, _ := strings.Cut(path, "?")
		alike := likeness.ReplaceAllString(bare, "$1/1")
		if met[alike] || strings.HasSuffix(bare, "pdf") || strings.HasSuffix(bare, ".xml") {
			continue
		}
		met[alike] = true
		w.do(path, chromedp.Navigate(shop+path))
		look.At(path)
		todo = append(todo, look.Links()...)
	}
}
