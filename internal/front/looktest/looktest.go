// Package looktest looks in a browser for what hinders people on a page: who does not see, has no mouse, needs
// contrast, or holds a phone.
package looktest

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Looker looks at the page that a browser shows.
type Looker struct {
	t   *testing.T
	ctx context.Context // the browser's
	axe string
	met map[string]bool // shapes of elements
}

// New is a looker with axe-core, where KONTOR_AXE says; without it the test is skipped. The browser shows some page,
// which is spoiled to see that what hinders is found.
func New(t *testing.T, browser context.Context) *Looker {
	t.Helper()
	script, err := os.ReadFile(os.Getenv("KONTOR_AXE"))
	if err != nil {
		t.Skip("axe-core is not here (KONTOR_AXE names its file), so nothing looks for what hinders people")
	}
	l := &Looker{t, browser, string(script), map[string]bool{}}
	l.At("the way in")
	ask[string](l, `document.querySelector("main").append(new Image()), ""`)
	if found := l.hindrances(); len(found) == 0 {
		t.Fatal("a picture that nobody describes hinders nobody: nothing is looked at")
	}
	return l
}

// hindrance is what axe-core found, with the first elements it is found at.
type hindrance struct {
	ID, Help string
	Nodes    []string
}

// hindrances are what axe-core finds in the page, by the rules of WCAG and its own best practice.
func (l *Looker) hindrances() (all []hindrance) {
	l.t.Helper()
	l.do(chromedp.Evaluate[chromedp.Void](l.axe + ";undefined"))
	found := ask[string](l, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v =>
		({ID: v.id, Help: v.help, Nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))}))))`)
	if err := json.Unmarshal([]byte(found), &all); err != nil {
		l.t.Fatal(err)
	}
	return all
}

// shapes are how the elements of the page are made, each with the one it stands in: by name, class and what else
// decides how it looks and what it is called, but for what it says.
const shapes = `(() => {
	const kept = ["class", "type", "role", "scope", "autocomplete", "inputmode", "hidden", "open"];
	const made = e => e.localName + [...e.attributes].map(a => kept.includes(a.name) ? a.name + "=" + a.value :
		a.name + (a.value.trim() ? "" : "=")).sort().join() +
		(e.labels ? "/" + e.labels.length : "") + (e.textContent.trim() ? "" : "/-");
	return [...new Set([...document.querySelectorAll("*")].map(e =>
		made(e) + "<" + (e.parentElement ? made(e.parentElement) : "")))];
})()`

// isNew reports whether the page has an element of a shape that no page before had.
func (l *Looker) isNew() (is bool) {
	l.t.Helper()
	for _, shape := range ask[[]string](l, shapes) {
		is = is || !l.met[shape]
		l.met[shape] = true
	}
	return is
}

// widest is the first element that reaches beyond the window.
const widest = `(() => { for (const e of document.querySelectorAll("body *")) {
	if (e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll")) return e.outerHTML.slice(0, 200);
} return ""; })()`

// At reports what hinders people on the page that is shown, and whether it is wider than a phone. A page whose elements
// are all made as others were that were looked at hinders as little.
func (l *Looker) At(path string) {
	l.t.Helper()
	if l.isNew() {
		for _, h := range l.hindrances() {
			l.t.Errorf("%s: %s (%s): %s", path, h.Help, h.ID, strings.Join(h.Nodes, " | "))
		}
	}
	l.do(chromedp.EmulateViewport(390, 844))
	if !ask[bool](l, "document.documentElement.scrollWidth <= innerWidth") {
		l.t.Errorf("%s is wider than a phone: %s", path, ask[string](l, widest))
	}
	l.do(chromedp.EmulateViewport(1280, 900))
}

// Links are where the page leads to on the same server.
func (l *Looker) Links() []string {
	l.t.Helper()
	return ask[[]string](l, `[...document.querySelectorAll("a[href]")].filter(a => a.origin === location.origin &&
		!a.hasAttribute("download")).map(a => a.pathname + a.search)`)
}

func (l *Looker) do(step chromedp.Action[chromedp.Void]) {
	l.t.Helper()
	within, enough := context.WithTimeout(l.ctx, 30*time.Second)
	defer enough()
	if err := chromedp.Do(within, step); err != nil {
		l.t.Fatal(err)
	}
}

// ask is what a script in the page answers.
func ask[A any](l *Looker, script string) A {
	l.t.Helper()
	within, enough := context.WithTimeout(l.ctx, 30*time.Second)
	defer enough()
	got, err := chromedp.Run(within, chromedp.Evaluate[A](script, chromedp.EvalAwaitPromise))
	if err != nil {
		l.t.Fatalf("%s: %v", script, err)
	}
	return got
}
