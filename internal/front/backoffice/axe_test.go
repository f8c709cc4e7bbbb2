package backoffice_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"kontor/internal/business/identity"
)

// accessible is what looks for what hinders people, in the page: axe-core, where KONTOR_AXE says.
func accessible(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(os.Getenv("KONTOR_AXE"))
	if err != nil {
		t.Skip("axe-core is not here (KONTOR_AXE names its file), so nothing looks for what hinders people")
	}
	return string(script)
}

// hindrance is what axe-core found, with the first elements it is found at.
type hindrance struct {
	ID, Help string
	Nodes    []string
}

// hindrances are what axe-core finds in the page, by the rules of WCAG 2.2 AA and its own best practice.
func (w *window) hindrances(axe string) (all []hindrance) {
	w.t.Helper()
	w.do("axe", chromedp.Evaluate[chromedp.Void](axe+";undefined"))
	found := w.ask(`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => ({
		ID: v.id, Help: v.help, Nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))}))))`)
	if err := json.Unmarshal([]byte(found), &all); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// widest is the first element that reaches beyond the window.
const widest = `(() => { for (const e of document.querySelectorAll("main *")) {
	if (e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll")) return e.outerHTML.slice(0, 200);
} return ""; })()`

// likeness is a path without the numbers and codes of records, whose pages look alike.
var likeness = regexp.MustCompile(`/[^/]*[0-9A-Z][^/]*`)

// Nothing on any page of the office hinders who does not see, has no mouse, or needs contrast.
func TestNothingHinders(t *testing.T) {
	axe := accessible(t)
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	number := order(b)
	b.submit("/orders/" + number + "/release")
	b.submit("/orders/" + number + "/ship")
	b.get("/new/imports")
	b.send("/new/imports", "file", "lamps.csv", []byte("Item number,Name\nL-1,Lamp\n,Nameless\n"), "kind", "items")
	o.works(t.Context())
	w.do("the way in", w.to("/sign-in"))
	w.hindered(axe, "/sign-in")
	w.ask(`document.querySelector("main").append(new Image()), ""`)
	if found := w.hindrances(axe); len(found) == 0 {
		t.Fatal("a picture that nobody describes hinders nobody: nothing is looked at")
	}
	w.do("sign in", w.to("/sign-in"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("nav"))
	met := map[string]bool{}
	todo := []string{"/", "/account", "/account/password", "/account/second-factor", "/roles", "/nowhere"}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		bare, _, _ := strings.Cut(path, "?")
		alike := likeness.ReplaceAllString(bare, "/1")
		if met[alike] {
			continue
		}
		met[alike] = true
		b.get(path)
		if !strings.HasPrefix(b.header.Get("Content-Type"), "text/html") {
			continue
		}
		todo = append(todo, links(b)...)
		w.do(path, w.to(path))
		w.hindered(axe, path)
	}
	t.Logf("%d pages", len(met))
	if len(met) < 80 {
		t.Errorf("only %d pages were looked at", len(met))
	}
}

// hindered reports what hinders people on the page, and whether it is wider than a phone.
func (w *window) hindered(axe, path string) {
	w.t.Helper()
	for _, h := range w.hindrances(axe) {
		w.t.Errorf("%s: %s (%s): %s", path, h.Help, h.ID, strings.Join(h.Nodes, " | "))
	}
	w.do("a phone", chromedp.EmulateViewport(390, 844))
	if got := w.ask("String(document.documentElement.scrollWidth <= innerWidth)"); got != "true" {
		w.t.Errorf("%s is wider than a phone: %s", path, w.ask(widest))
	}
	w.do("a desk", chromedp.EmulateViewport(1280, 900))
}
