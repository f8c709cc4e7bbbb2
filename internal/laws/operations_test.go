package laws

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"kontor/internal/app"
	"kontor/internal/front/rest"
)

var update = flag.Bool("update", false, "write the golden files anew; then read their diff")

// golden compares a document with the file that is kept of it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("%s no longer matches the operations' tables (%s): run go test ./internal/laws -update and read the diff", path, firstDifference(string(want), string(got)))
	}
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return "line " + strconv.Itoa(i+1) + ": kept " + strconv.Quote(as[i]) + ", now " + strconv.Quote(bs[i])
		}
	}
	return "one is longer than the other"
}

// surfaces are the APIs by their names on the command line.
func surfaces() map[string]rest.Surface {
	return map[string]rest.Surface{"preview": app.Preview(nil), "ecom": app.Commerce(nil)}
}

func TestOperationsAreListed(t *testing.T) {
	for name, s := range surfaces() {
		listing, err := rest.Listing(s)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "operations-"+name+".txt", []byte(listing))
	}
}

func TestTheGuideIsKept(t *testing.T) {
	text, err := app.Guide()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "llms.txt", []byte(text))
}

func TestTheDescriptionIsKeptAndValid(t *testing.T) {
	for name := range surfaces() {
		text, err := app.Describe(name, "3.1")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "openapi-"+name+".json", text)
		doc, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := doc.Validate(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// promise is an operation as the contract lists it.
type promise struct{ group, id, method, path, scope, success string }

// own is the tier of operations that no contract lists: an answer to something that it leaves without one.
const own = "own"

func promises(t *testing.T, name string, without ...string) map[string]promise {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]promise{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if i > 0 && len(f) == 7 && !slices.Contains(without, f[1]) {
			all[f[0]+" "+f[2]] = promise{f[0], f[2], f[3], f[4], f[5], f[6]}
		}
	}
	return all
}

// What is served is what was promised: the contract's operations, and no other.
func TestEveryPromisedOperationIsServed(t *testing.T) {
	want := promises(t, "testdata/promised.tsv")
	if len(want) < 100 {
		t.Fatalf("only %d promised operations were read", len(want))
	}
	for _, s := range surfaces() {
		for _, g := range s.Groups {
			for _, o := range g.Ops {
				p, ok := want[g.Tag+" "+o.ID]
				if !ok {
					t.Errorf("%s %s (%s) was never promised: add it to testdata/promised.tsv, or take it out", o.Method, o.Path, o.ID)
					continue
				}
				delete(want, g.Tag+" "+o.ID)
				if got := (promise{g.Tag, o.ID, o.Method, o.Path, scopeOf(g, o), strconv.Itoa(o.Status)}); got != p {
					t.Errorf("%s is served as %v, promised as %v", o.ID, got, p)
				}
			}
		}
	}
	for _, p := range want {
		t.Errorf("%s %s (%s) is promised and not served", p.method, p.path, p.id)
	}
}

// An operation of our own says in the description that it is an extension.
func TestOwnOperationsSaySo(t *testing.T) {
	listed := promises(t, "testdata/promised.tsv", own)
	for _, s := range surfaces() {
		for _, g := range s.Groups {
			for _, o := range g.Ops {
				if _, ok := listed[g.Tag+" "+o.ID]; !ok && !o.Traits.Extension {
					t.Errorf("%s is in no contract: mark it as an extension", o.ID)
				}
			}
		}
	}
}

func scopeOf(g rest.Group, o rest.Op) string {
	switch {
	case o.Scope != "":
		return o.Scope
	case o.Traits.Open:
		return rest.ScopeNone
	case g.Scope == rest.ScopeSession || g.Scope == rest.ScopeCustomer:
		return g.Scope
	case o.Writes():
		return g.Scope + ":write"
	}
	return g.Scope + ":read"
}

// The contract's own list stands beside the repository where it is developed; our copy must not drift from it.
func TestPromisesAreTheContracts(t *testing.T) {
	const contract = root + "/../shared/contract/operations.tsv"
	text, err := os.ReadFile(contract)
	if err != nil {
		t.Skip("the contract's list of operations is not beside this repository: " + err.Error())
	}
	listed := string(text)
	for _, p := range promises(t, "testdata/promised.tsv", own) {
		if !strings.Contains(listed, strings.Join([]string{p.id, p.method, p.path, p.scope, p.success}, "\t")) {
			t.Errorf("%s is promised otherwise than in %s", p.id, contract)
		}
	}
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

func TestEveryOperationSpeaksForItself(t *testing.T) {
	for _, s := range surfaces() {
		speaksForItself(t, s)
	}
}

func speaksForItself(t *testing.T, s rest.Surface) {
	ids, routes := map[string]bool{}, map[string]string{}
	for _, g := range s.Groups {
		if g.Doc == "" || g.Tag == "" || g.Scope == "" {
			t.Errorf("group %q needs a tag, a scope and a sentence", g.Tag)
		}
		for _, o := range g.Ops {
			route := o.Method + " " + parameter.ReplaceAllString(o.Path, "{}")
			if other := routes[route]; other != "" || ids[o.ID] {
				t.Errorf("%s %s: its name or its route is taken (%s)", o.ID, route, other)
			}
			ids[o.ID], routes[route] = true, o.ID
			if !strings.HasSuffix(o.Doc, ".") {
				t.Errorf("%s: its sentence ends without a full stop: %q", o.ID, o.Doc)
			}
			if hasBody(o) && o.Traits.Example == "" {
				t.Errorf("%s takes a body and shows no example", o.ID)
			}
			if parameter.MatchString(o.Path) && len(o.Codes) == 0 {
				t.Errorf("%s names a record in its path and says no code for one that is not there", o.ID)
			}
			for _, c := range o.Codes {
				if area, reason, ok := strings.Cut(c.Name, "."); !ok || area == "" || reason == "" {
					t.Errorf("%s raises %q, which is not Area.Reason", o.ID, c.Name)
				}
			}
		}
	}
}

// hasBody reports whether an operation's In has a Body of its own or of a struct it embeds.
func hasBody(o rest.Op) bool {
	_, ok := o.In.FieldByName("Body")
	return ok
}
