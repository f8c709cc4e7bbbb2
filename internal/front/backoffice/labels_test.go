package backoffice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// labels are what a file calls the fields of its records: in forms, and on pages. A list has less room.
type labels struct{ asked, shown map[string][]string }

// What a form asks for under a name is shown under that name: else nobody knows which of them the other is. A form may
// say more of it, behind a comma or a colon.
func TestAPageCallsAFieldAsItsFormDoes(t *testing.T) {
	areas := map[string]labels{}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		area := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_forms"), "s")
		if areas[area].asked == nil {
			areas[area] = labels{map[string][]string{}, map[string][]string{}}
		}
		ast.Inspect(file, areas[area].note)
	}
	compared := 0
	for area, l := range areas {
		for field, shown := range l.shown {
			asked := l.asked[field]
			for _, s := range shown {
				isSame := func(a string) bool {
					more, ok := strings.CutPrefix(a, s)
					return ok && (more == "" || strings.ContainsAny(more[:1], ",:"))
				}
				isOther := area == "price" && s == "Includes tax" // a price that is asked for, and not its list
				if compared++; len(asked) > 0 && !isOther && !slices.ContainsFunc(asked, isSame) {
					t.Errorf("%s: %s is asked for as %q and shown as %q", area, field, asked, s)
				}
			}
		}
	}
	if compared < 250 {
		t.Errorf("only %d names were compared", compared)
	}
}

// note takes down page.Text("code", "Label", &record.Field), page.Noted("Label", record.Field) and {Label: "Label",
// Value: page.T(record.Field)}.
func (l labels) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch of := inPage(n); {
		case of == "" || len(n.Args) < 2:
		case len(n.Args) > 2 && isAddress(n.Args[2]):
			labelled(l.asked, n.Args[1], n.Args[2].(*ast.UnaryExpr).X)
		case of == "Noted":
			labelled(l.shown, n.Args[0], n.Args[1])
		}
	case *ast.CompositeLit:
		if len(n.Elts) == 2 {
			label, ok1 := n.Elts[0].(*ast.KeyValueExpr)
			value, ok2 := n.Elts[1].(*ast.KeyValueExpr)
			if !ok1 || !ok2 {
				return true
			}
			if key, ok := label.Key.(*ast.Ident); ok && key.Name == "Label" {
				labelled(l.shown, label.Value, value.Value)
			}
		}
	}
	return true
}

func isAddress(e ast.Expr) bool {
	u, ok := e.(*ast.UnaryExpr)
	return ok && u.Op == token.AND
}

// inPage is the function of the package page that is called.
func inPage(c *ast.CallExpr) string {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if p, ok := s.X.(*ast.Ident); !ok || p.Name != "page" {
		return ""
	}
	return s.Sel.Name
}

// labelled notes the label of a value that is a field, or made of one alone.
func labelled(to map[string][]string, label, value ast.Expr) {
	text, ok := label.(*ast.BasicLit)
	if !ok {
		return
	}
	for {
		c, ok := value.(*ast.CallExpr)
		if !ok {
			break
		}
		if inPage(c) == "" || len(c.Args) == 0 {
			return
		}
		value = c.Args[0]
	}
	if s, ok := value.(*ast.SelectorExpr); ok {
		said, _ := strconv.Unquote(text.Value)
		to[s.Sel.Name] = append(to[s.Sel.Name], said)
	}
}
