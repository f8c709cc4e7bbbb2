package laws

import (
	"testing"

	"kontor/internal/business/imports"
	"kontor/internal/exchange"
	"kontor/internal/front/backoffice"
	"kontor/internal/front/page"
)

// Whatever can be imported through the office, and whatever its columns can be taken as, has its words in Swedish.
func TestWhatIsImportedHasWords(t *testing.T) {
	all, err := backoffice.Words()
	if err != nil {
		t.Fatal(err)
	}
	named := []string{page.Words(imports.Runs.Name)}
	for _, kind := range exchange.HandedIn() {
		named = append(named, backoffice.RowsAre(kind))
		for _, target := range exchange.Targets(kind) {
			named = append(named, page.Words(target))
		}
	}
	for _, english := range named {
		if all["sv"][english] == "" {
			t.Errorf("no Swedish for %q: add a line to words/imports.tsv", english)
		}
	}
	if len(named) < 100 {
		t.Errorf("only %d names were found: the law no longer looks where they are", len(named))
	}
}
