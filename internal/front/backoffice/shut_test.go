package backoffice_test

import (
	"cmp"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/texts"
	"kontor/internal/front/page"
	"kontor/internal/front/payment/hosted"
	"kontor/internal/front/payment/invoice"
	"kontor/internal/front/payment/klarna"
	"kontor/internal/front/payment/prepayment"
	"kontor/internal/front/payment/stripe"
	testpay "kontor/internal/front/payment/testing"
)

// No page leads anybody to one that their role does not include: neither by a link, nor by the button of a form.
func TestNobodyIsLedToWhatTheyMayNotOpen(t *testing.T) {
	o := opened(t, "sqlite")
	admin := o.signedIn("anna@acme.test", identity.Admin)
	goods(admin)
	number := order(admin)
	admin.submit("/orders/" + number + "/release")
	admin.submit("/orders/" + number + "/ship")
	for _, act := range []string{"/pick", "/pack", "/book", "/hand-over"} {
		at := strings.TrimSuffix(admin.at, "/")
		if act != "/pick" {
			admin.get(at + act)
		}
		admin.submit(at + act)
	}
	admin.get("/orders/" + number)
	admin.submit("/orders/" + number + "/invoice")
	admin.get("/customers/C-1/contacts/new")
	admin.submit("/customers/C-1/contacts/new", "name", "Carl Carlsson", "email", "carl@nordic.test")
	admin.see("Carl Carlsson")
	admin.get("/new/publications")
	admin.submit("/new/publications", "channelCode", "WEB", "itemNumber", "A-100")
	for _, role := range []identity.Role{identity.Viewer, identity.Warehouse, identity.Finance, identity.Purchasing,
		identity.Support, identity.Sales} {
		b := o.signedIn(string(role)+"@acme.test", role)
		seen, from := map[string]bool{}, map[string]string{}
		for todo := []string{"/", "/account"}; len(todo) > 0 && len(seen) < 250; {
			path := todo[0]
			todo = todo[1:]
			if seen[path] {
				continue
			}
			seen[path] = true
			if b.get(path); b.status >= 400 {
				t.Errorf("%s is led from %s to %s, which answers %d", role, from[path], path, b.status)
			}
			if !strings.HasPrefix(b.header.Get("Content-Type"), "text/html") {
				continue
			}
			for _, to := range links(b) {
				todo, from[to] = append(todo, to), path
			}
		}
		if !seen["/customers/C-1"] || !seen["/orders/"+number] {
			t.Errorf("%s saw %d pages, and not those of the customer and the order", role, len(seen))
		}
	}
}

// Who is signed out in the middle of a form comes back to it, and is told that it was not sent.
func TestASessionThatEndsWithinAForm(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	number := order(b)
	b.get("/customers/C-1/edit")
	typed := b.filled("/customers/C-1/edit", "name", "Nordic Tools and Sons AB")
	stranger := o.browser()
	stranger.post("/customers/C-1/edit", typed)
	if stranger.at != "/sign-in?next=%2Fcustomers%2FC-1%2Fedit" {
		t.Errorf("the form leads to %s", stranger.at)
	}
	stranger.see("You were signed out before this was sent, so nothing was done. Sign in and send it again.")
	stranger.submit("/sign-in", "email", "anna@acme.test", "password", password)
	if stranger.at != "/customers/C-1/edit" || stranger.value("name") != "Nordic Tools AB" {
		t.Errorf("after signing in: %s, %q", stranger.at, stranger.value("name"))
	}
	other := o.browser()
	other.post("/orders/"+number+"/release", url.Values{}, "Referer", other.base+"/orders/"+number)
	if other.at != "/sign-in?next=%2Forders%2F"+number {
		t.Errorf("a button leads to %s", other.at)
	}
	if other.find(func(n *html.Node) bool { return attr(n, "data-person") != "" }) != nil {
		t.Error("the sign-in page names a person")
	}
}

// Who has lost their last company is told so where somebody else can sign in: the browser was theirs until they did.
func TestWhoHasNoCompanyLeavesTheBrowserToOthers(t *testing.T) {
	o := opened(t, "sqlite")
	o.user("anna@acme.test", identity.Admin, o.company)
	b := o.signedIn("vera@acme.test", identity.Viewer)
	err := o.kontor.Control(t.Context(), func(tx *db.Tx) error {
		all, err := identity.Members(tx, o.company.ID)
		at := slices.IndexFunc(all, func(m identity.Member) bool { return m.Email == "vera@acme.test" })
		return cmp.Or(err, identity.Deactivate(tx, o.company.ID, all[at].ID))
	})
	if err != nil {
		t.Fatal(err)
	}
	b.get("/customers")
	if b.at != "/sign-in?next=%2Fcustomers" {
		t.Errorf("who has no company is led to %s", b.at)
	}
	b.see("You have no company to work in any more")
	b.submit("/sign-in", "email", "anna@acme.test", "password", password)
	if b.at != "/customers" || b.status != http.StatusOK {
		t.Errorf("another who signs in there is answered %d at %s", b.status, b.at)
	}
}

// A script that asks on its own after a sign-out (a name to offer, an answer below a question) is refused, and neither
// leads to the sign-in page nor takes away the sentence that waits for it.
func TestAScriptTakesNoSentenceFromThePage(t *testing.T) {
	o := opened(t, "sqlite")
	goods(o.signedIn("anna@acme.test", identity.Admin))
	stranger := o.browser()
	stranger.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	stranger.post("/customers/C-1/edit", url.Values{"name": {"Nordic"}})
	next := stranger.header.Get("Location")
	for path, want := range map[string]int{"/customers": http.StatusUnauthorized, "/sign-in": http.StatusOK} {
		stranger.get(path, "Sec-Fetch-Dest", "empty")
		if stranger.status != want {
			t.Errorf("a script that asks for %s is answered %d, not %d", path, stranger.status, want)
		}
	}
	stranger.get(next)
	stranger.see("You were signed out before this was sent, so nothing was done. Sign in and send it again.")
}

// What work is called, what payment providers want to be told, and countries, are said in Swedish too: they come from
// other rooms than the pages'.
func TestNamesFromOtherRoomsAreThereInSwedish(t *testing.T) {
	var said []string
	for _, k := range []jobs.Kind{mail.Kind, portal.CodeKind, checkout.Expiring, checkout.Concluding,
		checkout.Refunding,
		checkout.Capturing, checkout.Announcing, checkout.Weighing, party.ErasureKind, {Name: "domains"}} {
		said = append(said, page.Words(k.Name))
	}
	for _, p := range []payment.Provider{klarna.New(nil), stripe.New(nil, ""), hosted.New(nil), invoice.New(),
		prepayment.New(), testpay.New("", nil)} {
		for _, s := range p.Describe().Settings {
			said = append(said, page.Words(s.Name), s.Means)
			said = append(said, each.Of(s.Choices, page.Words)...)
		}
	}
	for _, code := range []string{"SE", "NO", "DK", "FI", "DE", "NL", "BE", "FR", "GB", "IE", "PL", "EE", "LV", "LT",
		"AT", "CH", "ES", "IT", "US"} {
		name, _ := reference.Country(code)
		said = append(said, name)
	}
	words, err := texts.Read(os.DirFS("."), "words")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range said {
		if words["sv"][text] == "" {
			t.Errorf("no Swedish for %q", text)
		}
	}
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.language = "sv"
	b.get("/customers/C-1")
	b.see("Sverige")
}
