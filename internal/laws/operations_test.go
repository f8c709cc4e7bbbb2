package laws

import (
	"flag"
	"fmt"
	"os"
	"reflect"
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
		t.Errorf(
			"%s no longer matches the operations' tables (%s): run go test ./internal/laws -update and read the diff",
			path, firstDifference(string(want), string(got)))
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

// listing is a line for each operation of a description: its table of contents.
func listing(doc *openapi3.T) string {
	var lines []string
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			line := fmt.Sprintf("%-22s %-62s %-6s %-30s %v", op.Tags[0], path, method, op.OperationID,
				op.Extensions["x-required-scope"])
			if op.Extensions["x-extension"] == true {
				line += " extension"
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
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
		golden(t, "operations-"+name+".txt", []byte(listing(doc)))
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
					t.Errorf("%s %s (%s) was never promised: add it to testdata/promised.tsv, or take it out", o.Method,
						o.Path, o.ID)
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

// The contract's own list stands beside the repository where it is developed; our copy is all of it, and nothing else
// but what we say is our own.
func TestPromisesAreTheContracts(t *testing.T) {
	const contract = root + "/../shared/contract/operations.tsv"
	text, err := os.ReadFile(contract)
	if err != nil {
		t.Skip("the contract's list of operations is not beside this repository: " + err.Error())
	}
	ours := promises(t, "testdata/promised.tsv", own)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		f := strings.Split(line, "\t") // api, group, tier, operationId, method, path, scope, success, summary
		if len(f) != 9 {
			t.Fatalf("%s: %q has %d columns", contract, line, len(f))
		}
		key := f[1] + " " + f[3]
		if got, want := ours[key], (promise{f[1], f[3], f[4], f[5], f[6], f[7]}); got != want {
			t.Errorf("%s is promised as %v, in %s as %v", key, got, contract, want)
		}
		delete(ours, key)
	}
	for key := range ours {
		t.Errorf("%s is promised, and not in %s: its tier is %q", key, contract, own)
	}
}

// promisedRows is how many operations the contract has: a row that goes missing from our copy would otherwise be missed
// by nobody.
const promisedRows = 355

// Whoever reads a description of the APIs finds every operation that was promised, under its name, path, method and
// success.
func TestEveryPromisedOperationIsDescribed(t *testing.T) {
	all := promises(t, "testdata/promised.tsv", own)
	if len(all) != promisedRows {
		t.Errorf("%d operations are promised, the contract has %d", len(all), promisedRows)
	}
	guide, err := app.Guide()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range surfaces() {
		for _, version := range []string{"3.1", "3.0"} {
			described := described(t, name, version)
			for _, g := range s.Groups {
				for _, o := range g.Ops {
					p, ok := all[g.Tag+" "+o.ID]
					if !ok {
						continue
					}
					if got, want := described[p.id], p.method+" "+s.Prefix+p.path+" "+p.success; got != want {
						t.Errorf("%s in OpenAPI %s is described as %q, promised as %q", p.id, version, got, want)
					}
					if name == "ecom" && !strings.Contains(guide, p.method+" "+s.Prefix+p.path) {
						t.Errorf("%s is not in the guide of the commerce API", p.id)
					}
					if version == "3.0" {
						delete(all, g.Tag+" "+o.ID)
					}
				}
			}
		}
	}
	for key := range all {
		t.Errorf("%s is promised and in no description", key)
	}
}

// described are the operations of a description by id: method, path and success.
func described(t *testing.T, api, version string) map[string]string {
	t.Helper()
	text, err := app.Describe(api, version)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			for status := range o.Responses.Map() {
				if strings.HasPrefix(status, "2") {
					out[o.OperationID] = method + " " + path + " " + status
				}
			}
		}
	}
	return out
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

// What is made below a record is put into a collection, and its operation says so (createOrderLine). Anything else
// there is an action on the record, also where it answers 201 with what came of it, and heeds If-Match.
func TestActionsAreNoCreations(t *testing.T) {
	for _, s := range []rest.Surface{app.Preview(nil), app.Commerce(nil)} {
		for _, g := range s.Groups {
			for _, o := range g.Ops {
				if o.Kind == rest.KindCreate && parameter.MatchString(o.Path) && !strings.HasPrefix(o.ID, "create") {
					t.Errorf("%s is declared as a creation, which takes no If-Match: make it a Do that Creates", o.ID)
				}
			}
		}
	}
}

// What was read of a record that a path names can be sent as If-Match with whatever changes that record: its validator
// is the record's own, not that of the bytes of an answer.
func TestWhatWasReadCanBeInsistedOn(t *testing.T) {
	beside := []string{"rateHelpArticle", "notifyBackInStock"} // they note something, and leave what the path names
	read, looked := map[string]rest.Op{}, 0
	each := func(fn func(o rest.Op, path string)) {
		for _, s := range []rest.Surface{app.Preview(nil), app.Commerce(nil)} {
			for _, g := range s.Groups {
				for _, o := range g.Ops {
					fn(o, s.Prefix+o.Path)
				}
			}
		}
	}
	each(func(o rest.Op, path string) {
		if o.Kind == rest.KindGet && strings.HasSuffix(path, "}") {
			read[path] = o
		}
	})
	each(func(o rest.Op, path string) {
		switch o.Kind {
		case rest.KindPatch, rest.KindPut, rest.KindDelete, rest.KindDo:
		default:
			return
		}
		if o.Traits.Key == rest.KeyIgnored || slices.Contains(beside, o.ID) {
			return
		}
		for at := path; at != "" && at != "/"; at = at[:strings.LastIndexByte(at, '/')] {
			if get, ok := read[at]; ok {
				looked++
				if _, narrow := get.Out.MethodByName("ETag"); !narrow && !embeds[rest.WideTag](get.Out) {
					t.Errorf("%s takes If-Match, and what %s answers has no validator of its record", o.ID, get.ID)
				}
				return
			}
		}
	})
	if looked < 60 {
		t.Errorf("only %d operations change what is read by itself: the law no longer looks where they are", looked)
	}
}

// embeds reports whether a struct has a T among what it embeds.
func embeds[T any](t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	f, found := t.FieldByName(reflect.TypeFor[T]().Name())
	return found && f.Anonymous && f.Type == reflect.TypeFor[T]()
}
