package backoffice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
)

// mostBytes is how large a page may be.
const mostBytes = 100_000

// Every page that the menu and the pages behind it lead to answers, keeps to what the browser is told, and is told
// apart by names.
func TestEveryPageAnswers(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	number := order(b)
	b.submit("/orders/" + number + "/release")
	b.submit("/orders/" + number + "/ship")
	b.get("/new/imports")
	b.send("/new/imports", "file", "lamps.csv", []byte("Item number,Name\nL-1,Lamp\n,Nameless\n"), "kind", "items")
	o.works(t.Context())
	for _, language := range []string{"en", "sv"} {
		b.language = language
		b.follow([]string{"/", "/account", "/account/password", "/account/second-factor", "/roles"}, func(path string) {
			check(b, path)
		})
		b.get("/nowhere", "Accept", "text/html")
		check(b, "/nowhere")
	}
}

// follow looks at pages and all that they lead to; each has to answer.
func (b *browser) follow(todo []string, look func(path string)) {
	b.t.Helper()
	seen := map[string]bool{}
	for len(todo) > 0 && len(seen) < 300 {
		path := todo[0]
		todo = todo[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		b.get(path)
		if strings.HasPrefix(b.header.Get("Content-Type"), "text/html") {
			look(path)
			todo = append(todo, links(b)...)
		}
		if b.status >= 400 {
			b.t.Errorf("%s answers %d: %s", path, b.status, b.words())
		}
	}
	if len(seen) < 80 {
		b.t.Errorf("only %d pages were found", len(seen))
	}
}

// links are where a page leads within the office.
func links(b *browser) (out []string) {
	walk(b.doc, func(n *html.Node) {
		href := attr(n, "href")
		if n.Data == "a" && strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "/docs") &&
			!strings.HasPrefix(href, "/media/") && !strings.Contains(href, "sort=") {
			out = append(out, href)
		}
	})
	return out
}

func check(b *browser, path string) {
	b.t.Helper()
	if len(b.text) > mostBytes {
		b.t.Errorf("%s has %d bytes", path, len(b.text))
	}
	if csp := b.header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") ||
		strings.Contains(csp, "unsafe") {
		b.t.Errorf("%s is sent with the policy %q", path, csp)
	}
	ids, headings := map[string]bool{}, 0
	labels := map[string]bool{}
	walk(b.doc, func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == "label" {
			labels[attr(n, "for")] = true
		}
	})
	walk(b.doc, func(n *html.Node) {
		if n.Type != html.ElementNode {
			return
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				b.t.Errorf("%s: <%s %s=%q> is not allowed by the policy", path, n.Data, a.Key, a.Val)
			}
		}
		switch id := attr(n, "id"); {
		case n.Data == "script" && attr(n, "src") == "", n.Data == "style":
			b.t.Errorf("%s: an inline <%s>", path, n.Data)
		case n.Data == "h1":
			headings++
		case id != "" && ids[id]:
			b.t.Errorf("%s: the id %s twice", path, id)
		case id != "":
			ids[id] = true
		}
		field := n.Data == "input" && attr(n, "type") != "hidden" || n.Data == "select" || n.Data == "textarea"
		wrapped := n.Parent != nil && n.Parent.Data == "label"
		if field && !wrapped && attr(n, "aria-label") == "" && !labels[attr(n, "id")] {
			b.t.Errorf("%s: the field %s has no label", path, attr(n, "name"))
		}
		if n.Data == "form" && attr(n, "method") == "post" && attr(n, "action") != "/language" &&
			!strings.HasPrefix(attr(n, "action"), "/account/") && !strings.Contains(attr(n, "action"), "sign-in") {
			if find := hasField(n, "_token"); !find {
				b.t.Errorf("%s: the form to %s has no token", path, attr(n, "action"))
			}
		}
	})
	for _, text := range shown(b.doc) {
		if found := insideShown.FindString(typedAsIs.ReplaceAllString(text, "")); found != "" {
			b.t.Errorf("%s: shows %q, which only programs say: %q", path, found, text)
		}
	}
	if headings != 1 {
		b.t.Errorf("%s has %d headings of the first order", path, headings)
	}
}

// insideShown is insideWords, and a value of a list as programs write it: OnHandOver.
var insideShown = regexp.MustCompile(insideWords.String() + `|\b[A-Z][a-z]+[A-Z][a-z]+`)

// typedAsIs is what people type as it is: the place of a number in an address.
var typedAsIs = regexp.MustCompile(`\{[a-zA-Z]+\}`)

// shown are the texts of a page that are its own: not what stands in <code>, which is there to be copied.
func shown(n *html.Node) (out []string) {
	switch {
	case n.Type == html.TextNode:
		if text := strings.TrimSpace(n.Data); text != "" {
			out = append(out, text)
		}
	case n.Type == html.ElementNode:
		if n.Data == "script" || n.Data == "style" || n.Data == "code" || n.Data == "pre" {
			return nil
		}
		for _, a := range n.Attr {
			if a.Key == "title" || a.Key == "placeholder" || a.Key == "aria-label" || a.Key == "alt" {
				out = append(out, a.Val)
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out = append(out, shown(c)...)
	}
	return out
}

func hasField(form *html.Node, name string) (found bool) {
	walk(form, func(n *html.Node) { found = found || attr(n, "name") == name })
	return found
}

// spoken are the texts in the sources that people read, with their files: they begin with a capital, or hold several
// words.
func spoken(t *testing.T, folder string) map[string]string {
	out := map[string]string{}
	files, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.CallExpr: // faults are translated by their codes
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Because" || s.Sel.Name == "Set" ||
					s.Sel.Name == "Error" || s.Sel.Name == "Errorf") {
					return false
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && isSpoken(text) {
					out[text] = f
				}
			}
			return true
		})
	}
	templates, _ := filepath.Glob(folder + "/templates/*.html")
	for _, f := range templates {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`say "([^"]*)"`).FindAllStringSubmatch(string(b), -1) {
			out[m[1]] = f
		}
	}
	return out
}

var (
	names = regexp.MustCompile(
		`^([A-Z]{2,3}|POST|Accept-Language|Content-Type|Sec-Fetch-Dest|X-Request-Id|X-Tenant-Id: |Production|Root|Say|Kontor|English|Svenska|Dansk|Deutsch|Suomi|Norsk bokmål|Android|Chrome|Edge|Firefox|Linux|Mac OS|Opera|Safari|Windows|CarrierBooked|change packages|visitor of )$`)
	plumbing = regexp.MustCompile(`[<>/=_{}@;]|^page: |^%s(–|$)|^%s|^[A-Z][a-z]+\.[A-Z]`)
	worded   = regexp.MustCompile(`^[A-Z%*]|[a-z] [a-z]`)
	sentence = regexp.MustCompile(`^[A-Z][^<>{}=@]*[a-z] [a-z][^<>{}=@]*[.?]$`) // of whatever signs: 5/6, or a; b
)

func isSpoken(text string) bool {
	return len(text) > 1 && worded.MatchString(text) && !names.MatchString(text) &&
		(sentence.MatchString(text) || !plumbing.MatchString(text))
}

// What is said in English is said in Swedish as well.
func TestEveryWordIsThereInSwedish(t *testing.T) {
	swedish := swedishWords(t)
	for _, folder := range []string{".", "../page"} {
		for text, file := range spoken(t, folder) {
			if swedish[text] == "" {
				t.Errorf("%s: no Swedish for %q: add a line to words/office.tsv, or to a table beside it", file,
					text)
			}
		}
	}
	for _, r := range identity.Role("").Values() {
		if name := strings.ToUpper(string(r)[:1]) + string(r)[1:]; swedish[name] == "" {
			t.Errorf("no Swedish for the role %s", name)
		}
	}
}
