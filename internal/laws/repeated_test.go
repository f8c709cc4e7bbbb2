package laws

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// A transaction may be run again: after a deadlock, a lost connection, a group that was broken up. So what its function
// changes of what stands around it, it sets before it reads it: else it would meet what the time before left.
func TestTransactionsMayBeRunAgain(t *testing.T) {
	seen := 0
	eachTyped(t, func(_ string, f *ast.File, fset *token.FileSet, info *types.Info) {
		ast.Inspect(f, func(n ast.Node) bool {
			fn, ok := n.(*ast.FuncLit)
			if !ok || !isTransaction(info, fn) {
				return true
			}
			seen++
			for _, m := range carried(info, fn) {
				t.Errorf("%s: %s is read here before it is set: run again, the transaction meets what it left",
					fset.Position(m.pos), m.path)
			}
			return true
		})
	})
	if seen < 250 {
		t.Errorf("only %d transactions were seen: the law no longer looks where they are", seen)
	}
}

// isTransaction says whether a function is of a kind that the database runs: func(*db.Tx) error, or with a value.
func isTransaction(info *types.Info, fn *ast.FuncLit) bool {
	s, ok := info.Types[fn].Type.(*types.Signature)
	return ok && s.Params().Len() == 1 && s.Results().Len() > 0 &&
		s.Params().At(0).Type().String() == "*kontor/internal/foundation/db.Tx" &&
		s.Results().At(s.Results().Len()-1).Type().String() == "error"
}

// mention is where a function names a variable from around it, or a field of one.
type mention struct {
	root        *types.Var
	path        string // v.F.G
	pos         token.Pos
	sets, reads bool
}

// meets says whether two mentions are of the same thing, or of a whole and its part.
func (m mention) meets(o mention) bool {
	return m.root == o.root && (strings.HasPrefix(m.path+".", o.path+".") || strings.HasPrefix(o.path+".", m.path+"."))
}

// carried are the mentions by which a function reads what it changes later.
func carried(info *types.Info, fn *ast.FuncLit) (found []mention) {
	all := mentions(info, fn)
	told := map[token.Pos]bool{}
	for i, m := range all {
		if !m.sets {
			continue
		}
		for _, before := range all[:i+1] {
			if before.meets(m) {
				if before.reads && !told[before.pos] {
					told[before.pos], found = true, append(found, before)
				}
				break
			}
		}
	}
	return found
}

// mentions are all of a function's, in the order in which they come about.
func mentions(info *types.Info, fn *ast.FuncLit) (all []mention) {
	var visit func(n ast.Node, sets, reads bool)
	add := func(e ast.Expr, sets, reads bool) bool {
		id, path := pathOf(info, e)
		if id == nil {
			return false
		}
		v, ok := info.Uses[id].(*types.Var)
		if ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && (v.Pos() < fn.Pos() || v.Pos() >= fn.End()) {
			all = append(all, mention{v, path, e.Pos(), sets, reads})
		}
		return true
	}
	visit = func(n ast.Node, sets, reads bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, r := range n.Rhs { // worked out before anything is set
					visit(r, false, true)
				}
				for _, l := range n.Lhs {
					visit(l, true, n.Tok != token.ASSIGN)
				}
				return false
			case *ast.IncDecStmt:
				visit(n.X, true, true)
				return false
			case *ast.UnaryExpr:
				if id, _ := pathOf(info, n.X); n.Op == token.AND && id != nil {
					visit(n.X, true, false)
					return false
				}
			case *ast.IndexExpr: // an entry is set among those that are there
				visit(n.Index, false, true)
				visit(n.X, sets, true)
				return false
			case ast.Expr:
				return !add(n, sets, reads)
			}
			return true
		})
	}
	visit(fn.Body, false, true)
	return all
}

// pathOf is the variable that an expression names, or a field of it; nil where it is no such thing.
func pathOf(info *types.Info, e ast.Expr) (*ast.Ident, string) {
	switch e := e.(type) {
	case *ast.Ident:
		return e, e.Name
	case *ast.SelectorExpr:
		id, path := pathOf(info, e.X)
		if _, isMethod := info.Uses[e.Sel].(*types.Func); isMethod { // it may look at all of it
			return id, path
		}
		return id, path + "." + e.Sel.Name
	case *ast.StarExpr:
		return pathOf(info, e.X)
	case *ast.ParenExpr:
		return pathOf(info, e.X)
	}
	return nil, ""
}
