package laws

import (
	"go/ast"
	"strings"
	"testing"
)

// A letter that nothing causes is never sent: every function that writes one is called by code that runs.
func TestEveryLetterHasACause(t *testing.T) {
	written, caused := map[string]bool{}, map[string]bool{}
	for _, s := range sources(t, false) {
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if s.pkg == "letters" && n.Recv == nil && n.Name.IsExported() && answersMail(n) {
					written[n.Name.Name] = true
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "letters" && s.pkg != "letters" {
					caused[n.Sel.Name] = true
				}
			}
			return true
		})
	}
	if len(written) < 10 {
		t.Fatalf("only %d letters were found", len(written))
	}
	for name := range written {
		if !caused[name] {
			t.Errorf("nothing causes the letter %s", name)
		}
	}
}

func answersMail(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	for _, r := range f.Type.Results.List {
		if s, ok := r.Type.(*ast.SelectorExpr); ok && strings.HasSuffix(s.Sel.Name, "Message") {
			return true
		}
	}
	return false
}
