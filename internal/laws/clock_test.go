package laws

import (
	"go/ast"
	"strings"
	"testing"
)

// toldTheMachine are the functions that are told what this machine's clock says: what they do with it stays in the
// process, or bounds how long something takes.
var toldTheMachine = map[string]string{
	"Set":              "a moment of the process",
	"SetFirst":         "a moment of the process",
	"SetReadDeadline":  "of a connection",
	"SetWriteDeadline": "of a connection",
	"earlier":          "when the runner of jobs looks again",
	"uint64":           "how the segments of a search index are numbered",
	"see":              "when this process saw that another is alive",
}

// What is kept is dated by the clock of the data, which on PostgreSQL is the server's: a node whose own clock is ahead
// would hold what is still good to be expired. So this machine's clock measures how long something takes, and is told
// to nobody: neither as a db.Time nor beside a moment that was kept. Of a store, db.Store.Now says what time it is.
func TestTheMachinesClockOnlyMeasures(t *testing.T) {
	for _, s := range sources(t, false) {
		switch {
		case s.pkg == "bench" || s.pkg == "demo" || s.pkg == "command" && strings.HasSuffix(s.path, "/demo.go"),
			strings.HasSuffix(s.pkg, "test"), s.level == "foundation" && strings.HasPrefix(s.pkg, "db"):
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, of := called(call)
			if pkg, ok := of.(*ast.Ident); ok && pkg.Name == "time" && (name == "Until" || name == "Since" && isKept(call.Args[0])) {
				t.Errorf("%s: time.%s holds a moment that was kept against this machine's time: take the store's (Now)",
					at(call), name)
			}
			for _, arg := range call.Args {
				if readsClock(arg) && toldTheMachine[name] == "" {
					t.Errorf("%s: %s is told this machine's time: let it be that of the store (Now)", at(call), name)
				}
				if isKept(arg) && of != nil && readsClock(of) {
					t.Errorf("%s: a moment that was kept is held against this machine's time: take the store's (Now)",
						at(call))
				}
			}
			return true
		})
	}
}

// A moment of the process that is kept as a number lies ahead of everything once the clock was put back, and whoever
// rests for a while since then rests until the clock has come so far again: ago.Moment counts on.
func TestNoMomentOfTheProcessIsANumber(t *testing.T) {
	for _, s := range sources(t, false) {
		if s.pkg == "tracing" || s.pkg == "bench" { // a protocol wants numbers, and a key of its own
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "UnixNano" {
				t.Errorf("%s: a moment becomes a number that a clock put back leaves ahead: keep it in an ago.Moment", at(sel))
			}
			return true
		})
	}
}

// called is the name of what is called, and what it is a method of.
func called(call *ast.CallExpr) (name string, of ast.Expr) {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name, f.X
	case *ast.Ident:
		return f.Name, nil
	}
	return "", nil
}

// readsClock reports whether an expression is time.Now(), or what is made of it by its methods.
func readsClock(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, of := called(call)
	if pkg, ok := of.(*ast.Ident); ok && pkg.Name == "time" && name == "Now" {
		return true
	}
	return of != nil && readsClock(of)
}

// isKept reports whether an expression is a db.Time as one of package time.
func isKept(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, _ := called(call)
	return name == "Time" && len(call.Args) == 0
}
