package record_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// sorted is a list's order by a column, as its room declares it.
type sorted struct {
	file, from, by string
	columns        []string
	down           []bool
}

// text is the statement of a page in the order.
func (s sorted) text(turned bool) string {
	alias := strings.Fields(s.from + " x")[0]
	if f := strings.Fields(s.from); len(f) > 1 && f[1] != "join" {
		alias = f[1]
	}
	order := make([]string, len(s.columns))
	for i, c := range s.columns {
		if order[i] = c; s.down[i] != turned {
			order[i] += " desc"
		}
	}
	return fmt.Sprintf("select %s from %s where %s.company = :company order by %s limit 50", s.columns[0], s.from,
		alias, strings.Join(order, ", "))
}

// declared are the orders that the rooms' lists may be asked for.
func declared(t *testing.T) (all []sorted) {
	t.Helper()
	rooms, err := filepath.Glob("../../business/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range rooms {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		parsed := map[string]*ast.File{}
		for _, f := range files {
			if parsed[f], err = parser.ParseFile(token.NewFileSet(), f, nil, 0); err != nil {
				t.Fatal(err)
			}
		}
		tables := tablesOf(parsed)
		for f, file := range parsed {
			if !strings.HasSuffix(f, "_sql.go") {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					all = append(all, ordersOf(t, f, n)...)
				case *ast.FuncDecl:
					all = append(all, ordersIn(t, f, n, tables)...)
				}
				return true
			})
		}
	}
	return all
}

// tablesOf are the tables that the variables of a room stand for: a record.Resource, or a record.Table of one.
func tablesOf(files map[string]*ast.File) map[string]string {
	tables, of := map[string]string{}, map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, value := range spec.Values {
				call, ok := value.(*ast.CallExpr)
				if !ok || len(call.Args) < 2 {
					continue
				}
				switch called(call) {
				case "Define":
					tables[spec.Names[i].Name] = unquoted(call.Args[1])
				case "TableOf":
					if resource, ok := call.Args[0].(*ast.Ident); ok {
						of[spec.Names[i].Name] = resource.Name
					}
				}
			}
			return true
		})
	}
	for name, resource := range of {
		tables[name] = tables[resource]
	}
	return tables
}

func called(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return ""
}

// ordersIn are the orders that a function gives to the question of a record.Table.
func ordersIn(t *testing.T, file string, f *ast.FuncDecl, tables map[string]string) (all []sorted) {
	t.Helper()
	from := ""
	ast.Inspect(f, func(n ast.Node) bool {
		set, ok := n.(*ast.AssignStmt)
		if !ok || len(set.Lhs) != 1 {
			return true
		}
		if call, ok := set.Rhs[0].(*ast.CallExpr); ok && called(call) == "Query" {
			if table, ok := call.Fun.(*ast.SelectorExpr).X.(*ast.Ident); ok {
				from = tables[table.Name]
			}
		}
		field, ok := set.Lhs[0].(*ast.SelectorExpr)
		switch {
		case !ok:
		case field.Sel.Name == "From":
			from = unquoted(set.Rhs[0])
		case field.Sel.Name == "Sorts":
			all = append(all, written(t, file, from, set.Rhs[0])...)
		}
		return true
	})
	return all
}

// ordersOf are the orders of one record.Query whose tables are written out.
func ordersOf(t *testing.T, file string, lit *ast.CompositeLit) (all []sorted) {
	t.Helper()
	from, sorts := "", ast.Expr(nil)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			switch key, _ := kv.Key.(*ast.Ident); {
			case key == nil:
			case key.Name == "From":
				from = unquoted(kv.Value)
			case key.Name == "Sorts":
				sorts = kv.Value
			}
		}
	}
	if sorts == nil {
		return nil
	}
	return written(t, file, from, sorts)
}

// written are the orders of a list whose tables and orders are written out.
func written(t *testing.T, file, from string, sorts ast.Expr) (all []sorted) {
	t.Helper()
	// one list for the tables of many kinds, of some dozens of rows each
	if file == "../../business/reference/kind_sql.go" {
		return nil
	}
	orders, here := sorts.(*ast.CompositeLit)
	if from == "" || !here {
		t.Errorf("%s: a list whose tables or orders are not written where it is declared is not looked at", file)
		return nil
	}
	for _, e := range orders.Elts {
		by := e.(*ast.KeyValueExpr)
		s := sorted{file: file, from: from, by: unquoted(by.Key)}
		for _, column := range by.Value.(*ast.CompositeLit).Elts {
			name, down := strings.CutSuffix(unquoted(column), " desc")
			s.columns, s.down = append(s.columns, name), append(s.down, down)
		}
		all = append(all, s)
	}
	return all
}

func unquoted(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(l.Value)
		return text
	}
	return ""
}

// A list that people put into another order reads its first page by an index, from either end, however many rows there
// are.
func TestEveryOrderHasItsIndex(t *testing.T) {
	all := declared(t)
	if len(all) < 40 {
		t.Fatalf("only %d orders were found", len(all))
	}
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		err := s.Read(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
			if tx.Engine() == "postgres" { // empty tables are sorted where that is not the last resort
				for _, setting := range []string{"enable_sort", "enable_incremental_sort", "enable_seqscan",
					"enable_bitmapscan"} {
					if _, err := tx.One("-- record_test.plan\nselect set_config('"+setting+
						"', 'off', true) where :company <> ''", nil, new(string)); err != nil {
						return err
					}
				}
			}
			for _, o := range all {
				for _, turned := range []bool{false, true} {
					if plan, err := planOf(tx, o.text(turned)); err != nil {
						return fmt.Errorf("%s by %s: %w", o.file, o.by, err)
					} else if strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "Sort") {
						t.Errorf("%s: no index has the order by %s:\n%s\n%s", o.file, o.by, o.text(turned), plan)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func planOf(tx *db.Tx, text string) (string, error) {
	var plan strings.Builder
	explain := "explain "
	if tx.Engine() == "sqlite" {
		explain = "explain query plan "
	}
	err := tx.Each("-- record_test.plan\n"+explain+text, nil, func(r db.Row) error {
		var line string
		if tx.Engine() == "postgres" {
			err := r.Scan(&line)
			plan.WriteString(line + "\n")
			return err
		}
		var id, parent, unused int
		err := r.Scan(&id, &parent, &unused, &line)
		plan.WriteString(line + "\n")
		return err
	})
	return plan.String(), err
}
