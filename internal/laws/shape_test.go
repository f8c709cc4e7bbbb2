package laws

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	longestFunction = 70
	longestFile     = 600
	widestLine      = 120 // columns, of which a tab takes four
	widestStatement = 140 // a line of SQL, or of what is told of it
	mostPaths       = 20  // through a function: McCabe's cyclomatic complexity
)

func TestFunctionsAndFilesAreShort(t *testing.T) {
	for _, s := range sources(t, true) {
		if s.lines > longestFile {
			t.Errorf("%s has %d lines, the law is %d: split it by what a reader asks", s.path, s.lines, longestFile)
		}
		if s.isTest() {
			continue
		}
		for _, d := range s.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := positions.Position(f.End()).Line - positions.Position(f.Pos()).Line + 1
			if n > longestFunction {
				t.Errorf("%s: %s has %d lines, the law is %d", at(f), f.Name.Name, n, longestFunction)
			}
		}
	}
}

// A line is read without moving the page. Only a text that stands in it, which nothing can break, makes it wider; a
// statement can be broken anywhere.
func TestLinesAreNarrow(t *testing.T) {
	for _, s := range sources(t, true) {
		source, err := os.ReadFile(filepath.Join(root, s.path))
		if err != nil {
			t.Fatal(err)
		}
		hasText := map[int]bool{}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				for l := positions.Position(lit.Pos()).Line; l <= positions.Position(lit.End()).Line; l++ {
					hasText[l] = true
				}
			}
			return true
		})
		for i, line := range strings.Split(string(source), "\n") {
			width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			most := widestLine
			switch {
			case hasText[i+1] && strings.HasSuffix(s.path, "_sql.go"):
				most = widestStatement
			case hasText[i+1]:
				continue
			}
			if width > most {
				t.Errorf("%s:%d is %d columns wide, the law is %d", s.path, i+1, width, most)
			}
		}
	}
}

// A reader sees at once what a file rests on: the standard library first, then other people's code, then ours.
func TestImportsStandInTheirOrder(t *testing.T) {
	for _, s := range sources(t, true) {
		before := 0
		for _, i := range s.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(path, "/")
			whose := 0
			switch {
			case first == "kontor":
				whose = 2
			case strings.Contains(first, "."):
				whose = 1
			}
			if whose < before {
				t.Errorf("%s imports %s behind what comes after it: the standard library, others, ours", s.path, path)
			}
			before = whose
		}
	}
}

func TestFunctionsHaveFewPaths(t *testing.T) {
	for _, s := range sources(t, false) {
		for _, d := range s.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := paths(f); n > mostPaths {
				t.Errorf("%s: %s has %d paths, the law is %d: what it decides apart stands in functions of its own",
					at(f), f.Name.Name, n, mostPaths)
			}
		}
	}
}

// paths is McCabe's cyclomatic complexity: one more than the function's decisions.
func paths(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func TestNothingHappensBeforeMain(t *testing.T) {
	for _, s := range sources(t, true) {
		for _, d := range s.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s: init() runs unasked: call it where the house is put together", at(f))
			}
		}
	}
}

// packageVars are the names of a package's variables, with the types that hold state by nature reported at once.
func packageVars(t *testing.T, files []source) map[string]map[string]bool {
	vars := map[string]map[string]bool{}
	for _, s := range files {
		if vars[s.pkg] == nil {
			vars[s.pkg] = map[string]bool{}
		}
		for _, d := range s.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for _, n := range v.Names {
					vars[s.pkg][n.Name] = n.Name != "_" // which keeps nothing
				}
				if kind := stateful(v); kind != "" {
					t.Errorf(
						"%s: a %s at package level is state that every user shares: put it into the value that owns it",
						at(v), kind)
				}
			}
		}
	}
	return vars
}

// stateful names the type of a variable that is made to be changed. A pool forgets by itself and is none.
func stateful(v *ast.ValueSpec) (kind string) {
	for _, e := range append([]ast.Expr{v.Type}, v.Values...) {
		if e == nil {
			continue
		}
		if lit, ok := e.(*ast.CompositeLit); ok {
			e = lit.Type
		}
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if x, ok := sel.X.(*ast.Ident); ok && (x.Name == "sync" && sel.Sel.Name != "Pool" || x.Name == "atomic") {
			kind = x.Name + "." + sel.Sel.Name
		}
	}
	return kind
}

func TestPackagesHoldNoMutableState(t *testing.T) {
	files := sources(t, false)
	vars := packageVars(t, files)
	for _, s := range files {
		if s.pkg == "lazy" {
			continue // it holds what other packages declare as their variables are set
		}
		written := func(e ast.Expr) {
			id := rootOf(e)
			if id == nil || !vars[s.pkg][id.Name] || isLocal(s, id) {
				return
			}
			t.Errorf("%s: package variable %s is written: packages hold no mutable state", at(e), id.Name)
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						written(e)
					}
				}
			case *ast.IncDecStmt:
				written(n.X)
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") && len(n.Args) > 0 {
					written(n.Args[0])
				}
			}
			return true
		})
	}
}

// rootOf is the variable that an assignment to x, x[i], x.f or *x changes.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// isLocal reports whether the name is declared in a function of this file and so hides the package's.
func isLocal(s source, id *ast.Ident) bool {
	if id.Obj == nil {
		return false
	}
	for _, d := range s.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Pos() <= id.Obj.Pos() && id.Obj.Pos() < g.End() {
			return false
		}
	}
	return true
}

// said are methods that an interface of the standard library names, and which need no words of their own.
var said = map[string]bool{"Error": true, "Unwrap": true, "Len": true, "Less": true, "Swap": true, "String": true}

func TestExportedNamesAreDocumented(t *testing.T) {
	for _, s := range sources(t, false) {
		for _, d := range s.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && !said[d.Name.Name] && isExportedReceiver(d) {
					t.Errorf("%s: %s has no comment", at(d), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if name := undocumented(d, spec); name != "" {
						t.Errorf("%s: %s has no comment", at(spec), name)
					}
				}
			}
		}
	}
}

func isExportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	e := f.Recv.List[0].Type
	if i, ok := e.(*ast.StarExpr); ok {
		e = i.X
	}
	if i, ok := e.(*ast.IndexExpr); ok {
		e = i.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.IsExported()
}

// undocumented is the first exported name of a declaration without a comment of its own or of its group.
func undocumented(d *ast.GenDecl, spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
			return spec.Name.Name
		}
	case *ast.ValueSpec:
		for _, n := range spec.Names {
			if n.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				return n.Name
			}
		}
	}
	return ""
}

var (
	emptyWord  = regexp.MustCompile(`(Service|Manager|Helper|Helpers|Util|Utils|Repository|DTO|Impl)$`)
	unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
)

func TestNamesSaySomething(t *testing.T) {
	for _, s := range sources(t, true) {
		if emptyWord.MatchString(strings.ToUpper(s.Name.Name[:1]) + s.Name.Name[1:]) {
			t.Errorf("%s: package %s is named for no part of the business", s.path, s.Name.Name)
		}
		for _, d := range s.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.Name != "Service" &&
					emptyWord.MatchString(ts.Name.Name) {
					t.Errorf("%s: %s says nothing about what it is", at(ts), ts.Name.Name)
				}
			}
		}
		for _, c := range s.Comments {
			if m := unfinished.FindString(c.Text()); m != "" && s.pkg != "laws" {
				t.Errorf("%s: %s in a comment: finish it, or say what is left out and why", at(c), m)
			}
		}
	}
}

// A file of the project points at nothing outside it: what is read there is reached relative to the repository.
func TestNothingPointsOutside(t *testing.T) {
	outside := regexp.MustCompile(`"/(` + `work|home|root|Users)/`)
	for _, s := range sources(t, true) {
		for _, lit := range literals(s.File) {
			if outside.MatchString(lit.Value) {
				t.Errorf("%s: %s is a place on one machine", at(lit), lit.Value)
			}
		}
	}
}
