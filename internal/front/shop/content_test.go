package shop_test

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor/internal/business/channel"
	"kontor/internal/demo"
)

// visitor is a guest with cookies.
func (s *street) visitor() *guest {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &guest{t: s.t, client: &http.Client{Jar: jar}, shop: s.shop}
}

// needed are the fields that search engines require of each kind of thing that pages say (developers.google.com, Search
// Central, "Structured data": required properties of Product snippet, Breadcrumb, Article and FAQ page; of Article all
// are recommended).
func needed() map[string][]string {
	return map[string][]string{"Product": {"name", "image", "offers", "description", "sku"},
		"Offer": {"price", "priceCurrency", "availability"}, "AggregateRating": {"ratingValue", "reviewCount"},
		"BreadcrumbList": {"itemListElement"}, "ListItem": {"position", "name", "item"},
		"BlogPosting": {"headline", "image", "datePublished", "dateModified",
			"author"},
		"NewsArticle": {"headline", "image", "datePublished", "dateModified", "author"}, "FAQPage": {"mainEntity"},
		"Question": {"name", "acceptedAnswer"}, "Answer": {"text"}, "OnlineStore": {"name", "url"}, "Person": {"name"},
		"Organization": {"name"}, "Brand": {"name"}}
}

// kindsIn holds everything that is said in the words of schema.org against what is required of it, and answers which
// kinds there are.
func (g *guest) kindsIn(value any, found map[string]bool) {
	g.t.Helper()
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			g.kindsIn(one, found)
		}
	case map[string]any:
		kind, _ := v["@type"].(string)
		fields, known := needed()[kind]
		if !known {
			g.t.Errorf("%s says something of the kind %q, of which nobody knows what is required", g.at, kind)
		}
		found[kind] = true
		for _, f := range fields {
			if text, isText := v[f].(string); v[f] == nil || isText && strings.TrimSpace(text) == "" {
				g.t.Errorf("%s: a %s has no %s", g.at, kind, f)
			}
		}
		for _, one := range v {
			g.kindsIn(one, found)
		}
	}
}

var (
	spoken  = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)
	picture = regexp.MustCompile(`<img [^>]*>`)
)

// heads checks a page's head and pictures, and answers the kinds of things that it says.
func (g *guest) heads(path string) map[string]bool {
	g.t.Helper()
	g.get(path)
	if g.status != http.StatusOK {
		g.t.Fatalf("%s answers %d", path, g.status)
	}
	g.see("<title>", `<link rel="canonical" href="`+g.shop+path+`"`, `hreflang="x-default" href="`+g.shop+path+`"`,
		`hreflang="nb" href="`+g.shop+path+`?lang=nb"`, `hreflang="en"`,
		`<meta name="description" content="`, `property="og:description" content="`, `property="og:title"`, `property="og:url" content="`+g.shop+path+`"`, `property="og:type"`)
	if n := strings.Count(g.text, "<h1"); n != 1 {
		g.t.Errorf("%s has %d headings of the first order", path, n)
	}
	for i, img := range picture.FindAllString(g.text, -1) {
		if !strings.Contains(img, `alt="`) || !strings.Contains(img, "width=") || !strings.Contains(img, "height=") {
			g.t.Errorf("%s: a picture moves the page or has no text: %s", path, img)
		}
		if lazy := strings.Contains(img, `loading="lazy"`); i == 0 && lazy && !strings.HasPrefix(path, "/help") ||
			i > 8 && !lazy {
			g.t.Errorf("%s: picture %d is lazy: %v: %s", path, i, lazy, img)
		}
		if strings.Contains(img, "/media/") && !strings.Contains(img, "srcset=") && !strings.Contains(img, `w=160`) &&
			!strings.Contains(img, `w=320`) && !strings.Contains(img, `width="160"`) {
			g.t.Errorf("%s: a picture comes in one size alone: %s", path, img)
		}
	}
	found := map[string]bool{}
	for _, m := range spoken.FindAllStringSubmatch(g.text, -1) {
		var value any
		if err := json.Unmarshal([]byte(m[1]), &value); err != nil {
			g.t.Errorf("%s says what is no JSON: %v: %s", path, err, m[1])
		}
		g.kindsIn(value, found)
	}
	return found
}

// Every public page says what search engines ask for, the map of the site leads to every page, and moved pages are
// found.
func TestWhatSearchEnginesAreTold(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company")
	}
	s := opened(t)
	g := s.visitor()
	for path, kinds := range map[string][]string{"/": {"OnlineStore", "FAQPage"},
		"/products/fjell-tent-3":        {"Product", "Offer", "AggregateRating", "BreadcrumbList", "Brand"},
		"/products/lavvo-made-to-order": {"Product", "Offer", "AggregateRating"},
		"/categories/tents":             {"BreadcrumbList"}, "/blog/which-stove": {"BlogPosting", "Person",
			"BreadcrumbList"}, "/news/lavvo-to-order": {"NewsArticle"},
		"/pages/delivery": {"FAQPage", "BreadcrumbList"}, "/help": {"FAQPage"},
		"/help/how-to-return": {"FAQPage"}, "/blog": nil, "/terms": nil} {
		found := g.heads(path)
		for _, k := range kinds {
			if !found[k] {
				t.Errorf("%s says nothing of the kind %s: %v", path, k, found)
			}
		}
	}
	g.get("/blog/which-stove?lang=nb")
	g.see(`<html lang="nb"`, `<link rel="canonical" href="`+s.shop+`/blog/which-stove?lang=nb"`)
	for _, path := range []string{"/cart", "/search?q=tent", "/blog?tag=winter", "/assistant",
		"/categories/tents?sort=price"} {
		if g.get(path); !strings.Contains(g.text, `content="noindex"`) {
			t.Errorf("%s is for search engines", path)
		}
	}
	g.get("/robots.txt")
	g.see("Sitemap: "+s.shop+"/sitemap.xml", "Disallow: /account")
	s.everyAddressAnswers(s.visitor())

	s.erp("PATCH", "/channels/WEB/content-pages/shops", `{"slug": "our-shops"}`, nil)
	if g.get("/pages/shops"); g.at != "/pages/our-shops" || g.status != http.StatusOK {
		t.Errorf("a page that was renamed is at %s (%d)", g.at, g.status)
	}
}

// everyAddressAnswers follows the map of the site.
func (s *street) everyAddressAnswers(g *guest) {
	var list struct {
		Maps []struct {
			Loc string `xml:"loc"`
		} `xml:"sitemap"`
	}
	var part struct {
		URLs []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"url"`
	}
	read := func(path string, out any) {
		g.get(path)
		if err := xml.Unmarshal([]byte(g.text), out); err != nil || g.status != http.StatusOK {
			s.t.Fatalf("%s answers %d: %v", path, g.status, err)
		}
	}
	read("/sitemap.xml", &list)
	seen := map[string]int{}
	for _, m := range list.Maps {
		read(strings.TrimPrefix(m.Loc, s.shop), &part)
	}
	for n, u := range part.URLs {
		path := strings.TrimPrefix(u.Loc, s.shop)
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		seen[kind]++
		if u.LastMod == "" {
			s.t.Errorf("%s has no day", u.Loc)
		}
		if kind == "products" && n%20 != 0 { // they are alike
			continue
		}
		if g.get(path); g.status != http.StatusOK {
			s.t.Errorf("the map leads to %s, which answers %d", u.Loc, g.status)
		}
	}
	for _, kind := range []string{"", "products", "categories", "brands", "pages", "blog", "news", "help"} {
		if seen[kind] == 0 {
			s.t.Errorf("the map has no address below /%s: %v", kind, seen)
		}
	}
}

// action is where the first form leads whose address begins so.
func (g *guest) action(begin string) string {
	g.t.Helper()
	m := regexp.MustCompile(`action="(` + regexp.QuoteMeta(begin) + `[^"]*)"`).FindStringSubmatch(g.text)
	if m == nil {
		g.t.Fatalf("%s has no form to %s: %s", g.at, begin, g.text)
	}
	return html.UnescapeString(m[1])
}

// A visitor without JavaScript reads, asks, says what he thinks, and chooses a lavvo.
func TestReadingAskingAndChoosing(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company")
	}
	s := opened(t)
	g := s.visitor()
	g.get("/pages/contact")
	form := g.action("/forms/")
	g.post(form, "page", "pages/contact", "back", "/pages/contact", "v.name", "Ida", "v.email", "no address",
		"v.message", "")
	g.see("Please write a whole e-mail address", "Please fill this in.", `value="Ida"`)
	g.post(form, "page", "pages/contact", "back", "/pages/contact", "v.name", "Ida", "v.email", "ida@mail.example",
		"v.message", "Do you hire out tents?")
	g.see("Thank you. A person reads it")
	var tickets struct {
		Items []struct {
			Source  string `json:"source"`
			Subject string `json:"subject"`
		} `json:"items"`
	}
	s.erp("GET", "/tickets?search=ida@mail.example", "", &tickets)
	if len(tickets.Items) != 1 || tickets.Items[0].Source != "Form" {
		t.Errorf("the form became %+v", tickets.Items)
	}
	g.get("/help?q=refund")
	g.see("How long does a refund take?")
	g.post("/help/refund-time/feedback", "helpful", "yes", "back", "/help/refund-time")
	g.see("Thank you for saying so.")
	g.get("/search?q=sleeping")
	g.see("In the help", "/help/wash-a-sleeping-bag", "To read", "/blog/how-warm-is-a-sleeping-bag")
	g.get("/blog?tag=Winter")
	g.see("/blog/first-winter-night")
	if strings.Contains(g.text, "/blog/which-stove") {
		t.Error("a post without the tag is listed")
	}
	s.opinions(g)
	s.choosing(g)
	g.post("/assistant", "message", "How do I waterproof a tent?")
	g.see("silicone", `href="/help/waterproof-a-tent"`, "Did this help?")
	g.post("/assistant", "message", "Who won the football cup in 1974?")
	g.see("I do not know", `href="/assistant/person"`)
	g.get("/assistant/person")
	if g.at != "/pages/contact?from=assistant" {
		t.Errorf("a guest is led to %s", g.at)
	}
	g.see("I asked the assistant: How do I waterproof a tent?", "I asked the assistant: Who won the football cup in 1974?",
		"It answered: I do not know")
	if g.get("/pages/contact"); strings.Contains(g.text, "I asked the assistant") {
		t.Error("who comes to the page otherwise finds the conversation in it")
	}
}

// opinions: buyers' reviews are marked; a review is taken, and seen by nobody before the merchant has read it.
func (s *street) opinions(g *guest) {
	g.get("/products/fjell-tent-3")
	g.see("What buyers say", "Stood when the others lay", "Our answer")
	product, bought := g.hidden("productId"), false
	for _, slug := range []string{"fjell-tent-3", "storm-shell-jacket", "polar-sleeping-bag-5-c", "flamme-stove-solo",
		"lune-fleece", "ragg-socks"} {
		g.get("/products/" + slug)
		bought = bought || strings.Contains(g.text, "Has bought it")
	}
	if !bought {
		s.t.Error("no review says that its author has bought the product")
	}
	g.post("/products/fjell-tent-3/reviews", "productId", product, "rating", "", "authorName", "Ida", "title", "Fine")
	g.see("Please choose how many stars.", `value="Fine"`)
	g.post("/products/fjell-tent-3/reviews", "productId", product, "rating", "4", "authorName", "Ida", "title",
		"Seen by nobody yet")
	g.see("as soon as we have read it")
	if strings.Contains(g.text, "Seen by nobody yet") {
		s.t.Error("a review is shown that nobody has read")
	}
	g.post(g.action("/reviews/"), "helpful", "yes", "back", "/products/fjell-tent-3#reviews")
	g.see("Thank you for saying so.", "Yes (1)")
}

// choosing: what breaks a rule is said beside the choice, and what goes together is put in the cart and ordered.
func (s *street) choosing(g *guest) {
	at := "/products/lavvo-made-to-order/configure"
	g.get("/products/lavvo-made-to-order")
	g.see(`href="` + at + `"`)
	g.get(at)
	g.see("These choices go together.")
	lavvo := "c.persons=4&c.cloth=cotton&c.colour=sand&c.pole=spruce"
	g.get(at + "?" + strings.Replace(lavvo, "cotton", "nylon", 1) + "&c.stove=true&quantity=1")
	g.see("A stove burns holes into nylon", "Does not go with the rest:", "Something does not go together yet")
	g.get(at + "?" + lavvo + "&c.stove=true&c.name=Moen&quantity=2")
	g.see("These choices go together.", "Wood stove with pipe: With stove", "2,990", "190")
	g.get(at + "?" + lavvo + "&c.porch=abc")
	g.see("Please write a number.")
	g.post(at, "c.persons", "4", "c.cloth", "nylon", "c.colour", "sand", "c.pole", "spruce", "c.stove", "true",
		"quantity", "1")
	g.see("A stove burns holes into nylon")
	if g.status != http.StatusUnprocessableEntity {
		s.t.Errorf("a lavvo that cannot be is answered with %d", g.status)
	}
	g.post(at, "c.persons", "6", "c.cloth", "cotton", "c.colour", "moss", "c.pole", "spruce", "c.stove", "true",
		"c.name", "Moen", "quantity", "1")
	if g.see("Room for: 6 persons, ", "Wood stove with pipe: Yes, Name above the door: Moen"); g.at != "/cart" {
		s.t.Errorf("it is put in the cart at %s", g.at)
	}
	g.post("/checkout/address", "email", "ida@mail.example", "firstName", "Ida", "lastName", "Moen", "billing.street1",
		"Storgata 2", "billing.postalCode", "0155", "billing.city", "Oslo", "billing.countryCode", "NO")
	g.post("/checkout/delivery", "method", "PARCEL")
	g.post("/checkout/payment", "method", "PREPAYMENT")
	g.post("/checkout/place", "terms", "1")
	order := regexp.MustCompile(`/checkout/orders/([\w-]+)`).FindStringSubmatch(g.at)
	if order == nil {
		s.t.Fatalf("the order is not placed: %s %s", g.at, g.text)
	}
	var placed struct {
		Lines []struct {
			ItemNumber          string `json:"itemNumber"`
			ConfigurationNumber string `json:"configurationNumber"`
		} `json:"lines"`
	}
	s.erp("GET", "/orders/"+order[1], "", &placed)
	if placed.Lines[0].ItemNumber != demo.Lavvo || placed.Lines[0].ConfigurationNumber == "" {
		s.t.Errorf("the order has %+v", placed.Lines)
	}
}

// Colleagues ask, are offered, order and approve.
func TestTalkInTheAccount(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company")
	}
	s := opened(t)
	kari, ola := s.visitor(), s.visitor()
	for g, who := range map[*guest]string{kari: demo.Shopper, ola: demo.Colleague} {
		if g.post("/sign-in", "email", who, "password", password); g.at != "/account" {
			t.Fatalf("%s is not let in: %s", who, g.text)
		}
	}
	kari.post("/account/quotes/new", "message", "")
	kari.see("tell us what you want an offer on")
	kari.post("/products/lavvo-made-to-order/configure", "c.persons", "8", "c.cloth", "cotton", "c.colour", "moss",
		"c.pole", "spruce", "quantity", "2")
	kari.get("/cart")
	kari.see("/account/quotes/new")
	kari.post("/account/quotes/new", "message", "Delivered in two parts?")
	kari.see("We have your question", "We are working on it", "Delivered in two parts?", "Lavvo")
	var drafts struct {
		Items []struct{ Status string }
	}
	s.erp("GET", "/quotes?status=Draft", "", &drafts)
	if len(drafts.Items) != 1 {
		t.Errorf("the office has %+v", drafts)
	}
	kari.get("/account/quotes")
	quotes := regexp.MustCompile(`/account/quotes/[0-9a-f-]{36}`).FindAllString(kari.text, -1)
	quote := quotes[len(quotes)-1] // the one that the sample company has made
	kari.get(quote)
	kari.see("Rental tents for the summer", "Accept and order", "Printing of your logo")
	if kari.get(quote + "/pdf"); kari.status != 200 || !strings.HasPrefix(kari.text, "%PDF-") {
		t.Errorf("the quote on paper: %d", kari.status)
	}
	kari.post(quote + "/accept")
	kari.see("the quote is now an order", `href="/account/orders/`)
	kari.get(quote)
	kari.see("It has become order", `href="/account/orders/`)
	kari.post(quote+"/decline", "reason", "too late")
	if kari.status != http.StatusUnprocessableEntity || strings.Contains(kari.text, "Accept and order") {
		t.Errorf("an accepted quote is declined: %d", kari.status)
	}

	ola.post("/assistant", "message", "Who won the football cup in 1974?")
	ola.get("/assistant/person")
	ola.see(`value="Who won the football cup in 1974?"`, "It answered: I do not know")
	ola.get("/account/tickets/new?subject=refund")
	ola.see("This may answer it", "/help/refund-time")
	ola.post("/account/tickets/new", "subject", "A tent without pegs", "description", "The bag was empty.")
	ola.see("Your question is with us.", "The bag was empty.")
	at := strings.TrimSuffix(ola.action("/account/tickets/"), "/answer")
	kari.post(at+"/answer", "body", "Found them: they were in the other bag.")
	kari.see("Your message is sent.", "they were in the other bag")
	const paper = "%PDF-1.4\n%%EOF\n"
	kari.postFile(at+"/answer", "bill.pdf", paper, "body", "And here is the bill.")
	kari.see("And here is the bill.", ">bill.pdf</a>")
	if kari.get(regexp.MustCompile(`/media/[^"]+\.pdf`).FindString(kari.text)); kari.text != paper {
		t.Errorf("the attached file is %q", kari.text)
	}
	kari.postFile(at+"/answer", "", "", "body", "No file this time.")
	kari.see("Your message is sent.", "No file this time.")
	kari.postFile(at+"/answer", "song.mp3", "ID3", "body", "Listen.")
	kari.see("Only pictures (PNG, JPEG, GIF, WebP) and PDF documents can be sent.", ">Listen.</textarea>")
	kari.postFile(at+"/answer", "half.gif", "GIF89a   \t   ,", "body", "Look.")
	kari.see("The picture is damaged, or broke off on its way here.", ">Look.</textarea>")
	kari.postFile("/account/tickets/new", "large.pdf", strings.Repeat("x", 11<<20), "subject", "Large")
	kari.see("The file is larger than 10 MB.")
	kari.postFile("/account/tickets/new", "bill.pdf", paper, "subject", "A bill", "description", "Whose is it?")
	kari.see("Your question is with us.", "Whose is it?", ">bill.pdf</a>")
	kari.post(at + "/close")
	kari.see("The question is closed.")
	kari.post(at+"/answer", "body", "And once more.")
	if kari.status != http.StatusUnprocessableEntity {
		t.Errorf("a closed question is answered: %d", kari.status)
	}
	s.approving(kari, ola)
	for _, path := range []string{"/account/invoices", "/account/returns"} {
		kari.get(path)
		if pdf := regexp.MustCompile(`/account/invoices/[0-9a-f-]{36}/pdf`).
			FindString(kari.text); path == "/account/invoices" {
			if kari.get(pdf); !strings.HasPrefix(kari.text, "%PDF-") {
				t.Errorf("an invoice on paper: %d", kari.status)
			}
		}
	}
}

// approving: an order above the company's limit waits for who may approve, and goes ahead.
func (s *street) approving(kari, ola *guest) {
	for _, verdict := range []string{"approve", "reject"} {
		ola.post("/products/lavvo-made-to-order/configure", "c.persons", "8", "c.cloth", "cotton", "c.colour", "moss",
			"c.pole", "spruce", "quantity", "2")
		ola.post("/checkout/address", "email", demo.Colleague, "firstName", "Ola", "lastName", "Hansen",
			"billing.street1", "Storgata 2", "billing.postalCode", "0155", "billing.city", "Oslo",
			"billing.countryCode", "NO", "elsewhere", "1", "delivery.name", "The cabin", "delivery.street1", "Stien 7",
			"delivery.postalCode", "5700", "delivery.city", "Voss", "delivery.countryCode", "NO")
		ola.get("/checkout")
		ola.see("Goes to: The cabin, Stien 7, 5700 Voss, Norway")
		ola.post("/checkout/delivery", "method", "PARCEL")
		ola.post("/checkout/payment", "method", "INVOICE")
		ola.post("/checkout/place", "terms", "1")
		order := regexp.MustCompile(`/checkout/orders/([\w-]+)`).FindStringSubmatch(ola.at)
		if order == nil {
			s.t.Fatalf("the order is not placed: %s %s", ola.at, ola.text)
		}
		ola.see("A colleague has to approve the order before it goes ahead.")
		ola.get("/account/approvals")
		if strings.Contains(ola.text, "/approve") {
			s.t.Error("a buyer may approve")
		}
		ola.get("/account/orders")
		ola.see("Waits for approval")
		if strings.Contains(ola.text, `href="/account/approvals"`) {
			s.t.Error("a buyer is led to what he may not see")
		}
		at := regexp.MustCompile(`/account/orders/[0-9a-f-]{36}`).FindString(ola.text)
		ola.get(at)
		if strings.Contains(ola.text, "/account/returns/new") {
			s.t.Error("of what is not delivered yet something can be sent back")
		}
		mailed := "/orders/" + order[1] + "?key=" + channel.OrderKey(strings.TrimPrefix(at, "/account/orders/"))
		kari.get(mailed)
		kari.see(`class="button other" href="/account/approvals"`)
		kari.get("/account")
		kari.see("orders to approve")
		kari.get("/account/approvals")
		kari.see(order[1], "Ola Hansen")
		kari.post(regexp.MustCompile(`approve$`).ReplaceAllString(kari.action("/account/approvals/"), verdict),
			"reason", "One is enough.")
		kari.see(map[string]string{"approve": "The order is approved", "reject": "The order is rejected"}[verdict])
		kari.get("/account/approvals")
		kari.see("No order waits for you.")
		var o struct {
			Status string `json:"status"`
		}
		s.erp("GET", "/orders/"+order[1], "", &o)
		if want := map[string][]string{"approve": {"Placed", "Released"},
			"reject": {"Cancelled"}}[verdict]; !slices.Contains(want, o.Status) {
			s.t.Errorf("after %s the order is %s", verdict, o.Status)
		}
		if ola.get(at); verdict == "reject" {
			ola.see("A colleague has rejected the order:", "One is enough.")
		}
	}
}
