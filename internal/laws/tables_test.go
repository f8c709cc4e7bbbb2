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

// writtenRows are the tables that a file names to what writes rows of them: a transaction, or a record.Table with its
// parts and what it owns.
func writtenRows(n ast.Node) (tables []string) {
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				table, _, _ := strings.Cut(text, ".") // of a column that is owned
				tables = append(tables, table)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch name := sel.Sel.Name; {
			case len(n.Args) > 0 && slices.Contains([]string{"Insert", "InsertNew", "Upsert", "Update"}, name):
				add(n.Args[0])
			case len(n.Args) > 1 && name == "Delete":
				for _, table := range n.Args[1:] {
					add(table)
				}
			case len(n.Args) > 2 && name == "Define": // of a record.Resource, whose root is written by its table
				add(n.Args[1])
			}
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			owned, isList := n.Value.(*ast.CompositeLit)
			switch {
			case ok && key.Name == "Table":
				add(n.Value)
			case ok && key.Name == "Owned" && isList:
				for _, column := range owned.Elts {
					add(column)
				}
			}
		}
		return true
	})
	return tables
}
