package laws

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/business/imports"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/mailing"
	"kontor/internal/business/payable"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/support"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/front/backoffice"
	"kontor/internal/front/preview"
)

// Every lifecycle is total: whatever is said to a document in whatever status moves it, or is refused with its status
// and what is allowed, which the office says in Swedish too.
func TestEveryLifecycleIsTotal(t *testing.T) {
	total(t, "order", sales.Moves, sales.Status("").Values())
	total(t, "shipment", shipping.Moves, shipping.Status("").Values())
	total(t, "invoice", invoicing.Moves, invoicing.Status("").Values())
	total(t, "quote", quoting.Moves, quoting.Status("").Values())
	total(t, "return", returns.Moves, returns.Status("").Values())
	total(t, "work order", production.Moves, production.Status("").Values())
	total(t, "purchase order", purchasing.OrderMoves, purchasing.OrderStatus("").Values())
	total(t, "goods receipt", stock.ReceiptMoves, stock.ReceiptStatus("").Values())
	total(t, "count", stock.CountMoves, stock.CountStatus("").Values())
	total(t, "transfer", transfer.Moves, transfer.Status("").Values())
	total(t, "import", imports.Moves, imports.Status("").Values())
	total(t, "supplier's invoice", payable.Moves, payable.Status("").Values())
	total(t, "ticket", support.Moves, support.Status("").Values())
	total(t, "mailing", mailing.Moves, mailing.Status("").Values())
	total(t, "job", jobs.Moves, jobs.Status("").Values())
}

func total[S ~string](t *testing.T, name string, moves lifecycle.Moves[S], statuses []S) {
	t.Helper()
	words, err := backoffice.Words()
	if err != nil {
		t.Fatal(err)
	}
	if words["sv"][name] == "" {
		t.Errorf("no Swedish for the document %q: add a line to words/refusals.tsv", name)
	}
	refuse := fault.New(fault.Conflict, "Law.InvalidStatus")
	for verb, m := range moves {
		if len(m.From) == 0 {
			t.Errorf("%s: nobody can ever %s", name, verb)
		}
		if m.Done == "" {
			t.Errorf("%s: nothing says what it is after %s", name, verb)
		}
		if m.Done != lifecycle.Unsaid && words["sv"]["lifecycle.Done "+string(m.Done)] == "" {
			t.Errorf("%s: no Swedish for %q: add a line to words/refusals.tsv", name, m.Done)
		}
		for _, s := range append(slices.Clone(m.From), m.To) {
			if s != "" && !slices.Contains(statuses, s) {
				t.Errorf("%s: %s names the status %q, which there is not", name, verb, s)
			}
		}
	}
	for _, s := range statuses {
		for verb, m := range moves {
			to, err := moves.Check(refuse, name, "1", s, verb)
			if allowed := slices.Contains(m.From, s); allowed != (err == nil) {
				t.Errorf("%s: %s while %s: %v", name, verb, s, err)
				continue
			}
			if err == nil && m.To != "" && to != m.To {
				t.Errorf("%s: %s while %s leads to %s", name, verb, s, to)
			}
			if err != nil && (to != s || !fault.Is(err, refuse) || !strings.Contains(err.Error(), string(s))) {
				t.Errorf("%s: the refusal of %s while %s: %v", name, verb, s, err)
			}
		}
		if _, err := moves.Check(refuse, name, "1", s, "unheard-of"); !fault.Is(err, refuse) {
			t.Errorf("%s understands an unheard-of verb", name)
		}
	}
}

// Whatever is written can be followed: every resource that a room reports is one that /changes can be asked for.
func TestEveryResourceIsInTheChangeFeed(t *testing.T) {
	known := preview.Changeable("").Values()
	defined := 0
	for _, s := range sources(t, false) {
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 3 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Define" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "record" {
				return true
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: a resource's name is written out", at(call))
				return true
			}
			defined++
			if name, err := strconv.Unquote(lit.Value); err != nil ||
				!slices.Contains(known, preview.Changeable(name)) {
				t.Errorf("%s: %s is missing from the resources of GET /preview/changes", at(call), lit.Value)
			}
			return true
		})
	}
	if defined < 20 {
		t.Errorf("only %d resources were found: the law no longer looks where they are", defined)
	}
}
