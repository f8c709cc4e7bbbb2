package app

import (
	"strings"
	"testing"

	"kontor/internal/foundation/datadir"
)

// The address of a callback names its company by an id, whose letters are read in either case.
func TestACallbackFindsItsCompanyInCapitals(t *testing.T) {
	g := newGallery(t, datadir.Dir{Data: t.TempDir()})
	g.enter()
	for _, tenant := range []string{g.company.ID, strings.ToUpper(g.company.ID)} {
		w := g.ask("POST", "/ecom/kco/push?klarna_order_id=x&tenant="+tenant)
		if w.Code != 404 || !strings.Contains(w.Body.String(), "PaymentMethod.NotFound") {
			t.Errorf("%s: %d %s", tenant, w.Code, w.Body)
		}
	}
	if w := g.ask("POST", "/ecom/kco/push?tenant=00000000-0000-7000-8000-00000000DEAD"); w.Code != 401 {
		t.Errorf("nobody's: %d %s", w.Code, w.Body)
	}
}
