package laws

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sqlText is what a statement, or a piece of one, looks like.
var sqlText = regexp.MustCompile(
	`(?s)^\s*(-- [^\n]*\n)?\s*(select\s.+\sfrom\s|insert into \w+\b|update \w+ set\s|delete from \w+\b|with \w+ as\b)` +
		`|\bfor update\b|(=|<|>|\()\s*:[a-z]+`)

// keepsSQLApart reports whether the law of _sql.go files holds for a package: rooms and what the write funnel is made
// of.
func keepsSQLApart(pkg string) bool { return isRoom(pkg) || pkg == "record" || pkg == "number" }

func TestSQLStandsInFilesOfItsOwn(t *testing.T) {
	for _, s := range sources(t, false) {
		if strings.HasSuffix(s.path, "_sql.go") || strings.HasPrefix(s.pkg, "db") {
			continue
		}
		if !keepsSQLApart(s.pkg) && storeys[s.pkg] < storeys["rest"] && !isEngine(s.pkg) {
			continue
		}
		for _, lit := range literals(s.File) {
			if text, err := strconv.Unquote(lit.Value); err == nil && sqlText.MatchString(text) {
				t.Errorf("%s: SQL stands in files ending _sql.go of the rooms only: %.50q", at(lit), text)
			}
		}
	}
}

// lower(text) knows ASCII alone on both engines, where a key or a word is folded as Unicode has it: SQL compares with
// fold(text). A list may sort by lower, as its index does.
func TestSQLFoldsAsKeysAreFolded(t *testing.T) {
	for _, s := range sources(t, false) {
		if !strings.HasSuffix(s.path, "_sql.go") {
			continue
		}
		for _, lit := range literals(s.File) {
			if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, "lower(") &&
				!sortedByLower.MatchString(text) {
				t.Errorf("%s: compare with fold(…), not with lower(…): %.80q", at(lit), text)
			}
		}
	}
}

var sortedByLower = regexp.MustCompile(`^lower\([\w.]+\)$`)

func literals(n ast.Node) (all []*ast.BasicLit) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if f, ok := n.(*ast.Field); ok && f.Tag != nil {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			all = append(all, lit)
		}
		return true
	})
	return all
}

// named is the first line of a statement: the function that sends it, and perhaps a word on which of its statements it
// is.
var named = regexp.MustCompile(`^-- (\w+)\.([\w.]+)( [^\n]*)?\n`)

func TestEveryStatementNamesItsFunction(t *testing.T) {
	files := sources(t, false)
	functions := functionsOf(files)
	seen := 0
	for _, s := range files {
		ast.Inspect(s.File, func(n ast.Node) bool {
			text, pos := statement(n)
			if pos == nil {
				return true
			}
			seen++
			if text == "-- " { // followed by the name of a record.Query, see TestEveryListNamesItsFunction
				return true
			}
			m := named.FindStringSubmatch(text)
			switch {
			case m == nil:
				t.Errorf("%s: a statement begins with a comment that names its function, like %q", at(pos),
					"-- "+s.Name.Name+".Find\n")
			case m[1] != path.Base(s.pkg) || !functions[s.pkg][m[2][strings.LastIndexByte(m[2], '.')+1:]]:
				t.Errorf("%s: there is no function %s.%s in package %s", at(pos), m[1], m[2], s.pkg)
			}
			return true
		})
	}
	if seen < 50 {
		t.Errorf("only %d statements were found: the law no longer looks where they are", seen)
	}
}

// What some of many rows are is for the statement to say: an engine takes whichever it comes upon, another engine
// others. Only what asks whether there are any, or counts up to a bound, needs no order.
func TestWhatIsLimitedIsOrdered(t *testing.T) {
	seen := 0
	for _, s := range sources(t, false) {
		if !strings.HasSuffix(s.path, "_sql.go") {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			text := literalText(e)
			if !ok || !limited.MatchString(text) {
				return true
			}
			seen++
			if !ordered.MatchString(text) {
				t.Errorf("%s: which rows come first is not said: order by, or select 1: %.80q", at(e), text)
			}
			return false
		})
	}
	if seen < 50 {
		t.Errorf("only %d statements with a limit were found: the law no longer looks where they are", seen)
	}
}

var (
	limited = regexp.MustCompile(`\blimit (\d|:)`)
	ordered = regexp.MustCompile(`\border by |\bselect 1 from |\(%s limit`) // %s is another statement, read by itself
)

// literalText is the text of an expression as far as it stands in the source.
func literalText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return literalText(e.X) + literalText(e.Y)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text
		}
	}
	return ""
}

// functionsOf are the names of functions and methods by package.
func functionsOf(files []source) map[string]map[string]bool {
	functions := map[string]map[string]bool{}
	for _, s := range files {
		for _, d := range s.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if functions[s.pkg] == nil {
				functions[s.pkg] = map[string]bool{}
			}
			functions[s.pkg][f.Name.Name] = true
		}
	}
	return functions
}

func TestEveryListNamesItsFunction(t *testing.T) {
	files := sources(t, false)
	functions := functionsOf(files)
	seen := 0
	for _, s := range files {
		ast.Inspect(s.File, func(n ast.Node) bool {
			lit := asks(n)
			if lit == nil || !isRoom(s.pkg) && s.pkg != "record" || !strings.HasSuffix(s.path, "_sql.go") {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			text, _, _ = strings.Cut(text, " ") // such as whole
			pkg, function, ok := strings.Cut(text, ".")
			if seen++; err != nil || !ok || pkg != path.Base(s.pkg) ||
				!functions[s.pkg][function[strings.LastIndexByte(function, '.')+1:]] {
				t.Errorf("%s: %s names no function of package %s", at(lit), lit.Value, s.pkg)
			}
			return true
		})
	}
	if seen < 10 {
		t.Errorf("only %d lists were found: the law no longer looks where they are", seen)
	}
}

// asks is the literal that names who asks a record.Query, or a record.Table what its rows are by a condition.
func asks(n ast.Node) *ast.BasicLit {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Name" {
			lit, _ := n.Value.(*ast.BasicLit)
			return lit
		}
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		at, asking := map[string]int{"Query": 0, "Where": 1, "One": 1, "All": 1}[nameOf(sel)]
		if ok && asking && len(n.Args) > at {
			lit, _ := n.Args[at].(*ast.BasicLit)
			return lit
		}
	}
	return nil
}

func nameOf(sel *ast.SelectorExpr) string {
	if sel == nil {
		return ""
	}
	return sel.Sel.Name
}

// sends are the functions that send a statement, and which of their arguments it is.
var sends = map[string]int{"tx.Exec": 0, "tx.Run": 0, "tx.Each": 0, "tx.One": 0, "db.Rows": 1, "db.Column": 1,
	"db.Value": 1, "db.Each2": 1, "db.Each3": 1, "db.ByKey": 1, "db.Grouped": 1, "db.Set": 1, "db.Pairs": 1, "db.Sums": 1,
	"db.First": 1, "record.Report": 2}

// statement is the text of a statement that a node sends through a transaction: its literal beginning.
func statement(n ast.Node) (text string, pos ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return "", nil
	}
	function := call.Fun
	if generic, ok := function.(*ast.IndexExpr); ok {
		function = generic.X
	}
	sel, ok := function.(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	on, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", nil
	}
	at, ok := sends[on.Name+"."+sel.Sel.Name]
	if !ok {
		return "", nil
	}
	e := call.Args[at]
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok {
			break
		}
		e = b.X
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return "", nil
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return "", nil
	}
	return text, lit
}

// What a row is scanned into and what is written of it stands in one list: db.Map makes both of the columns.
func TestTheFieldsOfATableAreListedOnce(t *testing.T) {
	const few = 8
	type list struct {
		at     string
		fields map[string]bool
	}
	for _, s := range sources(t, false) {
		if !strings.HasSuffix(s.path, "_sql.go") {
			continue
		}
		var scanned, written []list
		ast.Inspect(s.File, func(n ast.Node) bool {
			var elements []ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				elements = n.Args
			case *ast.CompositeLit:
				elements = n.Elts
			}
			into, from := map[string]bool{}, map[string]bool{}
			for _, e := range elements {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					e = pair.Value
				}
				fields := from
				if pointer, ok := e.(*ast.UnaryExpr); ok && pointer.Op == token.AND {
					e, fields = pointer.X, into
				}
				if f, ok := e.(*ast.SelectorExpr); ok && f.Sel.IsExported() {
					fields[f.Sel.Name] = true
				}
			}
			if len(into) >= few {
				scanned = append(scanned, list{at(n), into})
			}
			if len(from) >= few {
				written = append(written, list{at(n), from})
			}
			return true
		})
		for _, into := range scanned {
			for _, from := range written {
				same := 0
				for f := range into.fields {
					if from.fields[f] {
						same++
					}
				}
				if same >= few {
					t.Errorf("%s writes %d fields that %s scans: let db.Map list them once", from.at, same, into.at)
				}
			}
		}
	}
}
