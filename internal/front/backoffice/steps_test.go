package backoffice_test

import (
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
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/lifecycle"
)

// What cannot be done to a document, and what can, is there in Swedish, whichever document it is.
func TestEveryStepIsThereInSwedish(t *testing.T) {
	swedish := swedishWords(t)
	for _, kind := range []string{"order", "invoice", "shipment", "work order", "return", "supplier's invoice", "quote",
		"count", "transfer", "purchase order", "goods receipt", "ticket", "mailing", "import", "job"} {
		if swedish[kind] == "" {
			t.Errorf("no Swedish for the document %q", kind)
		}
	}
	saidInSwedish(t, swedish, sales.Moves)
	saidInSwedish(t, swedish, invoicing.Moves)
	saidInSwedish(t, swedish, shipping.Moves)
	saidInSwedish(t, swedish, production.Moves)
	saidInSwedish(t, swedish, returns.Moves)
	saidInSwedish(t, swedish, imports.Moves)
	saidInSwedish(t, swedish, mailing.Moves)
	saidInSwedish(t, swedish, support.Moves)
	saidInSwedish(t, swedish, payable.Moves)
	saidInSwedish(t, swedish, quoting.Moves)
	saidInSwedish(t, swedish, stock.ReceiptMoves)
	saidInSwedish(t, swedish, stock.CountMoves)
	saidInSwedish(t, swedish, transfer.Moves)
	saidInSwedish(t, swedish, purchasing.OrderMoves)
	saidInSwedish(t, swedish, jobs.Moves)
}

func saidInSwedish[S ~string](t *testing.T, swedish map[string]string, moves lifecycle.Moves[S]) {
	t.Helper()
	for verb, m := range moves {
		if done := m.Done; done != lifecycle.Unsaid && swedish["lifecycle.Done "+string(done)] == "" {
			t.Errorf("no Swedish for %q (%s): add a line to words/refusals.tsv", done, verb)
		}
	}
}
