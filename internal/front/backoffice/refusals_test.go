package backoffice_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/texts"
)

// unmet are packages that refuse nothing to who works in the office: they speak to programs, to visitors of a store, or
// to who keeps the house running. What ends in a slash is all below.
var unmet = []string{"app", "app/", "command", "demo", "laws", "foundation/datadir", "foundation/letters",
	"business/assortment/", "business/cart", "business/portal", "business/storefront",
	"front/ecom", "front/payment/", "front/preview", "front/rest", "front/rest/", "front/shop"}

// refused are the patterns of the sentences that the house refuses with, each with a file that says it.
func refused(t *testing.T) map[string]string {
	t.Helper()
	packages := map[string][]*ast.File{}
	files := map[*ast.File]string{}
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.Base(path) == "verify.go" {
			return err
		}
		dir, _ := filepath.Rel("../..", filepath.Dir(path))
		if slices.ContainsFunc(unmet,
			func(u string) bool { return dir == u || strings.HasSuffix(u, "/") && strings.HasPrefix(dir, u) }) {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil {
			packages[dir] = append(packages[dir], f)
			files[f] = strings.TrimPrefix(path, "../../")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range packages {
		said := sayings(p)
		for _, f := range p {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if text, ok := said.by(call); ok {
						out[text] = files[f]
					}
				}
				return true
			})
		}
	}
	return out
}

// sayers are the functions that refuse, by name, with the place of the pattern among their arguments; constants are
// texts that have a name.
type sayers struct {
	place     map[string]int
	constants map[string]string
}

// sayings finds the functions of a package that pass a pattern on, besides those that all packages use.
func sayings(files []*ast.File) sayers {
	s := sayers{place: map[string]int{"Because": 0, "Say": 0, "At": 1, "Refusal": 1, "When": 2, "Add": 2, "If": 3},
		constants: map[string]string{}}
	note := func(name string, f *ast.FuncType) {
		at := 0
		for _, p := range f.Params.List {
			for _, n := range p.Names {
				if n.Name == "format" {
					s.place[name] = at
				}
				at++
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				note(n.Name.Name, n.Type)
			case *ast.AssignStmt:
				if lit, ok := n.Rhs[0].(*ast.FuncLit); ok {
					if name, ok := n.Lhs[0].(*ast.Ident); ok {
						note(name.Name, lit.Type)
					}
				}
			case *ast.ValueSpec:
				if len(n.Names) == 1 && len(n.Values) == 1 {
					if text, ok := literal(n.Values[0]); ok {
						s.constants[n.Names[0].Name] = text
					}
				}
			}
			return true
		})
	}
	return s
}

// by is the pattern that a call refuses with.
func (s sayers) by(call *ast.CallExpr) (string, bool) {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	at, ok := s.place[name]
	if !ok || len(call.Args) <= at {
		return "", false
	}
	if id, ok := call.Args[at].(*ast.Ident); ok {
		text, known := s.constants[id.Name]
		return text, known
	}
	return literal(call.Args[at])
}

func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING && strings.ContainsAny(text, " %")
	case *ast.BinaryExpr:
		a, one := literal(e.X)
		b, other := literal(e.Y)
		return a + b, one && other
	}
	return "", false
}

// stillEnglish lists what has no Swedish because, for all we know, no form of the office meets it. The list may only
// become shorter.
const (
	stillEnglish = "testdata/refusals-in-english.txt"
	atMost       = 132
)

// swedishWords are the words of the office and of its kinds of pages, by what they are in English.
func swedishWords(t *testing.T) map[string]string {
	t.Helper()
	swedish := map[string]string{}
	for _, folder := range []string{".", "../page"} {
		words, err := texts.Read(os.DirFS(folder), "words")
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(swedish, words["sv"])
	}
	return swedish
}

// Whatever a form of the office can be refused with is said in Swedish as well.
func TestEveryRefusalIsThereInSwedish(t *testing.T) {
	swedish := swedishWords(t)
	listed := map[string]bool{}
	f, err := os.Open(stillEnglish)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			listed[line] = true
		}
	}
	if len(listed) > atMost {
		t.Errorf("%s has become longer than %d: say it in Swedish instead", stillEnglish, atMost)
	}
	said := refused(t)
	for _, text := range slices.Sorted(maps.Keys(said)) {
		_, known := swedish[text]
		switch {
		case known && listed[text]:
			t.Errorf("%q has its Swedish: take it out of %s", text, stillEnglish)
		case !known && !listed[text]:
			t.Errorf("%s: no Swedish for the refusal %q: add a line to words/refusals.tsv", said[text], text)
		}
		delete(listed, text)
	}
	for text := range listed {
		t.Errorf("nobody says %q any more: take it out of %s", text, stillEnglish)
	}
}

// programs are the files whose refusals are shown to programs and those who write them, or to the buyer in a store, and
// never by a form of the office.
var programs = []string{"business/checkout/", "front/oauth/", "foundation/record/sync.go"}

// insideWords is what only programs call a thing: an operation of an API, a header, or a name written asIsHere or
// as_is_here.
var insideWords = regexp.MustCompile(`/(preview|ecom|admin)\b|\b(GET|POST|PUT|PATCH|DELETE) |` +
	`\b(Idempotency|If)-[A-Z][a-z]+\b|\b[a-z]{2,}[A-Z][A-Za-z]*\b|\b[a-z]+_[a-z]+\b`)

// What a program is told to call means nothing to a person: a refusal that names an operation of an API, or a thing by
// its name in code, says it in words/refusals-for-people.tsv as people do, and so does every translation.
func TestNoRefusalNamesWhatIsInside(t *testing.T) {
	words, err := texts.Read(os.DirFS("."), "words")
	if err != nil {
		t.Fatal(err)
	}
	for text, file := range refused(t) {
		if slices.ContainsFunc(programs, func(p string) bool { return strings.HasPrefix(file, p) }) {
			continue
		}
		for _, lang := range []string{"en", "sv"} {
			shown := text
			if there, ok := words[lang][text]; ok {
				shown = there
			}
			if found := insideWords.FindString(shown); found != "" {
				t.Errorf("%s: in %s the office says %q (%q): say it for people in words/%s-refusals.tsv", file, lang,
					shown, found, lang)
			}
		}
	}
}

// Who works in Swedish is refused in Swedish, with what the refusal names in the words and numbers of the language.
func TestAFormRefusesInThePersonsLanguage(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	number := order(b)
	b.language = "sv"
	b.get("/new/customers")
	b.submit("/new/customers", "customerNumber", "C-1", "name", "Again")
	b.see(`Kundnumret "C-1" finns redan.`)
	b.get("/new/adjustments")
	b.submit("/new/adjustments", "itemNumber", "A-100", "warehouseCode", "MAIN", "locationCode", "A-01", "quantity",
		"-12,5")
	b.see("12,5 är inget heltal: artikel A-100 räknas i hela enheter")
	b.get("/new/adjustments")
	b.submit("/new/adjustments", "itemNumber", "A-100", "warehouseCode", "MAIN", "locationCode", "A-01", "quantity",
		"-12")
	b.see("lagret räcker inte: artikel A-100: 12 behövs, 10 finns på lagerplats A-01 i lager MAIN")
	b.get("/new/orders?customer=C-1")
	b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "X-9", "lines[0].quantity", "1")
	b.see(`det finns ingen artikel med numret "X-9"`)
	b.get("/orders/" + number)
	form := b.filled("/orders/" + number + "/release")
	b.post("/orders/"+number+"/release", form)
	form.Set("_token", "another")
	b.post("/orders/"+number+"/release", form)
	b.see("Order " + number + " är Frisläppt och kan inte frisläppas nu, bara makuleras, ändras eller stängas.")
	b.language = "en"
	b.get("/new/customers")
	b.submit("/new/customers", "customerNumber", "C-1", "name", "Again")
	b.see(`A customer with the number "C-1" exists already.`)
}
