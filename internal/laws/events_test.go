package laws

import (
	"go/ast"
	"testing"
)

// An event that nobody hears is a promise that nobody keeps: what is fired is subscribed to where the house is put
// together, and what is subscribed to is fired.
func TestEveryEventIsHeard(t *testing.T) {
	files := sources(t, false)
	heard, fired := map[string]ast.Node{}, map[string]ast.Node{}
	takes := map[string]string{} // function -> the event it takes, or that what it makes takes
	for _, s := range files {
		for _, d := range s.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				takes[s.Name.Name+"."+f.Name.Name] = eventOf(s, f.Type)
			}
		}
	}
	for _, s := range files {
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch fn, _ := call.Fun.(*ast.SelectorExpr); {
			case fn == nil:
			case fn.Sel.Name == "On" && isNamed(fn.X, "db") && len(call.Args) == 2:
				hook := call.Args[1]
				if made, ok := hook.(*ast.CallExpr); ok {
					hook = made.Fun
				}
				if lit, ok := hook.(*ast.FuncLit); ok {
					heard[eventOf(s, lit.Type)] = call
				} else {
					heard[takes[qualified(s, hook)]] = call
				}
			case fn.Sel.Name == "Fire" && len(call.Args) == 1:
				if name := valueOf(s, call.Args[0]); name != "" {
					fired[name] = call
				}
			}
			return true
		})
	}
	for name, call := range fired {
		if heard[name] == nil {
			t.Errorf("%s: nobody hears %s: subscribe to it, or do not fire it", at(call), name)
		}
	}
	if len(fired) < 20 || heard[""] != nil {
		t.Errorf("%d events were found, and %v is subscribed to none: the law no longer looks where they are",
			len(fired), heard[""])
	}
}

// eventOf is the event that a hook takes, or that the hook takes which a function makes.
func eventOf(s source, f *ast.FuncType) string {
	if f.Results != nil && len(f.Results.List) == 1 {
		if made, ok := f.Results.List[0].Type.(*ast.FuncType); ok {
			return eventOf(s, made)
		}
	}
	if len(f.Params.List) != 2 {
		return ""
	}
	return qualified(s, f.Params.List[1].Type)
}

// valueOf is the type of an event written out where it is fired.
func valueOf(s source, e ast.Expr) string {
	if lit, ok := e.(*ast.CompositeLit); ok {
		return qualified(s, lit.Type)
	}
	return ""
}

// qualified is a name with its package.
func qualified(s source, e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return s.Name.Name + "." + x.Name
	case *ast.SelectorExpr:
		if p, ok := x.X.(*ast.Ident); ok {
			return p.Name + "." + x.Sel.Name
		}
	}
	return ""
}

func isNamed(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Ident)
	return ok && x.Name == name
}
