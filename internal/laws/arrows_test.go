package laws

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// levels are the folders that the house consists of, from the ground up. What stands beside them in internal wires,
// measures and serves the command line, and may import all of them.
var levels = []string{"foundation", "engine", "business", "front"}

// storeys is the order inside the house from the ground up: a package imports only packages that stand lower. A package
// without a storey breaks the build, and so does a folder with packages of another's height.
var storeys = map[string]int{
	"dec": -2, "durable": -2, "each": -2, "halt": -2, "lazy": -2, "ago": -2, "pause": -2, "fault": -1, "cache": -1, "tracing": -1, "fold": -1, "texts": -1, "layout": -1, "spool": -1,
	"day": 0, "limit": 0, "seal": 0,
	"db": 1, "blob": 1, "search": 1, "lifecycle": 1, "table": 1, "payment": 1,
	"db/sqlite": 2, "db/postgres": 2, "number": 2, "search/known": 2, "record": 3,
	"throttle": 4, "jobs": 4, "datadir": 4, "health": 0, "discussion": 5, "mail": 5, "letters": 6,

	"tax": 8, "costing": 8, "price": 8, "planning": 8, "configure": 8, "hours": 8,

	"reference": 10, "vote": 10, "imports": 10,
	"party": 11, "catalog": 11, "identity": 11,
	"pricing": 12,
	"stock":   13, "channel": 13, "configuration": 13, // stock and channel tell pricing what it asks for
	"sales": 14, "media": 14, // pictures of channels and items
	"promotion": 14, "freight": 14,
	"shipping": 15, "purchasing": 15, "production": 15, "transfer": 15, "assortment": 15, "quoting": 15,
	"replenishment": 16, "payable": 16, "analytics": 16,
	"returns": 16, "invoicing": 16, "support": 16, "content": 16, "review": 16, "newsletter": 16,
	"storefront": 17, "paper": 17, "mailing": 17,
	"cart": 18, "assistant": 18, "portal": 18, "notice": 18,
	"checkout": 19,
	"founding": 20,

	"gz": 28, "bodies": 28, "outbound": 28, "payment/wire": 29, // speak HTTP, and know nothing
	"rest": 30, "page": 30,
	"payment/invoice": 30, "payment/prepayment": 30, "payment/testing": 30,
	"payment/stripe": 30, "payment/klarna": 30, "payment/hosted": 30, "chat": 30,
	"wire":    31,
	"shop":    31, // the sample storefront: it knows nothing of the house, only its commerce API
	"preview": 32, "ecom": 32, "backoffice": 32, "oauth": 32, "postbox": 32,

	"exchange": 33, "demo": 34,
	"app/archive": 39, "app/socket": 39,
	"app": 40, "bench": 41, "command": 42,
	"laws": 50, "cmd/kontor": 50,
}

// heights are the storeys that a folder holds, lowest and highest.
var heights = map[string][2]int{"foundation": {-2, 7}, "engine": {8, 9}, "business": {10, 20}, "front": {21, 32},
	"": {33, 50}}

// importedBy are the packages of the house and of others that a file imports.
func importedBy(s source) (kontor, others []string) {
	for _, i := range s.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		if own, ok := strings.CutPrefix(name, "kontor/"); ok {
			_, pkg := located(own)
			kontor = append(kontor, pkg)
		} else {
			others = append(others, name)
		}
	}
	return kontor, others
}

func TestArrowsPointDown(t *testing.T) {
	for _, s := range sources(t, false) {
		if isForTests(s.pkg) {
			continue
		}
		from, ok := storeys[s.pkg]
		if !ok {
			t.Errorf("%s: package %s has no storey: decide where it stands and write it into the storeys of the laws",
				s.path, s.pkg)
			continue
		}
		if h := heights[s.level]; from < h[0] || from > h[1] {
			t.Errorf("%s stands in the folder %q, which is for the storeys %d to %d: its own is %d", s.path, s.level,
				h[0], h[1], from)
		}
		kontor, _ := importedBy(s)
		for _, name := range kontor {
			to, ok := storeys[name]
			switch {
			case isForTests(name):
				t.Errorf("%s imports %s, which is for tests", s.path, name)
			case !ok:
				t.Errorf("%s imports %s, which has no storey", s.path, name)
			case to >= from:
				t.Errorf(
					"%s imports %s, which does not stand lower: let the lower room fire an event that app subscribes",
					s.path, name)
			case name == "halt" && s.pkg != "bench" && s.pkg != "demo":
				t.Errorf("%s imports halt: what serves people hands its errors on", s.path)
			case s.level == "engine" && to > 0:
				t.Errorf("%s imports %s: an engine is a pure function over values", s.path, name)
			case (s.pkg == "rest" || s.pkg == "page" || s.pkg == "gz") && isRoom(name):
				t.Errorf("%s imports %s: %s knows no business", s.path, name, s.pkg)
			}
		}
	}
}

// isForTests reports whether a package helps tests: they may import anything, and nothing else may import them.
func isForTests(pkg string) bool { return strings.HasSuffix(pkg, "test") }

func isEngine(pkg string) bool { return stands(pkg, "engine") }

func isRoom(pkg string) bool { return stands(pkg, "business") }

func stands(pkg, level string) bool {
	n, ok := storeys[pkg]
	return ok && n >= heights[level][0] && n <= heights[level][1]
}

// byPlace are the files that know where fields lie: a page has some thousands of them. Each compares types first.
var byPlace = []string{"internal/foundation/db/mapping.go", "internal/front/rest/alike.go"}

// Rooms, engines and the cellar do not speak HTTP, but for tracing, which tells a collector of requests.
func TestHTTPAndDriversStayWhereTheyBelong(t *testing.T) {
	for _, s := range sources(t, false) {
		_, others := importedBy(s)
		for _, name := range others {
			switch {
			case strings.HasPrefix(name, "net/http") && !isForTests(s.pkg) && s.pkg != "tracing" &&
				storeys[s.pkg] <= heights["business"][1]:
				t.Errorf("%s imports %s: rooms, engines and the cellar do not speak HTTP", s.path, name)
			case strings.HasPrefix(name, "database/sql") && !isForTests(s.pkg) && s.pkg != "db" &&
				!strings.HasPrefix(s.pkg, "db/"):
				t.Errorf("%s imports %s: db is the only way to SQL", s.path, name)
			case isDriver(name) && s.pkg != "db/sqlite" && s.pkg != "db/postgres":
				t.Errorf("%s imports the driver %s: only db/sqlite and db/postgres do", s.path, name)
			case strings.HasPrefix(name, "github.com/maypok86/otter") && s.pkg != "cache" && s.pkg != "db":
				t.Errorf("%s imports %s, whose generic types whoever sees them compiles anew: use foundation/cache",
					s.path, name)
			case name == "unsafe" && !slices.Contains(byPlace, s.path):
				t.Errorf("%s imports unsafe: values are copied by where they lie in %q alone", s.path, byPlace)
			}
		}
	}
}

func isDriver(name string) bool {
	for _, d := range []string{"github.com/mattn/go-sqlite3", "modernc.org/sqlite", "github.com/jackc/pgx"} {
		if strings.HasPrefix(name, d) {
			return true
		}
	}
	return false
}
