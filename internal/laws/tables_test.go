package laws

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
)

// written is what a statement says of the table that it writes.
var written = regexp.MustCompile(`\b(?:insert into|delete from|update|replace into) (\w+)`)

// writtenByTwo are the tables that two packages write, and why.
var writtenByTwo = map[string]string{
	"oauth_grant": "the OAuth server makes connections, and people end theirs in the office",
}

// What a row means, and what must hold for it, is known by one room: others ask it to write.
func TestEveryTableHasOneWriter(t *testing.T) {
	writers := map[string]map[string]bool{}
	for _, s := range sources(t, false) {
		if strings.HasPrefix(s.pkg, "db") || s.pkg == "bench" || s.pkg == "app/archive" { // which copy rows as they are
			continue
		}
		for _, lit := range literals(s.File) {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				continue
			}
			for _, m := range written.FindAllStringSubmatch(text, -1) {
				note(writers, m[1], s.pkg)
			}
		}
		for _, table := range writtenRows(s.File) {
			note(writers, table, s.pkg)
		}
	}
	for _, table := range append(tables(t, db.CellSchema), tables(t, db.ControlSchema)...) {
		all := slices.Sorted(maps.Keys(writers[table]))
		if len(all) > 1 && writtenByTwo[table] == "" {
			t.Errorf("%s is written by %s: let one of them, and the others ask it", table, strings.Join(all, " and "))
		}
		if len(all) == 1 && writtenByTwo[table] != "" {
			t.Errorf("%s has one writer by now: take it from the list", table)
		}
	}
	if len(writers) < 100 {
		t.Errorf("only %d written tables were found", len(writers))
	}
}

func note(writers map[string]map[string]bool, table, pkg string) {
	if writers[table] == nil {
		writers[table] = map[string]bool{}
	}
	writers[table][pkg] = true
}

// writtenRows are the tables that a file names to what writes many rows at once.
func writtenRows(n ast.Node) (tables []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Insert" && sel.Sel.Name != "Upsert" {
			return true
		}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok {
			if table, err := strconv.Unquote(lit.Value); err == nil {
				tables = append(tables, table)
			}
		}
		return true
	})
	return tables
}
