package backoffice_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
)

// A shipment says of whom, from where and on which terms by the names that its order shows, not by their codes.
func TestAShipmentShowsNames(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/orders?customer=C-1")
	b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "3",
		"shippingMethodCode", "PARCEL", "deliveryTermCode", "DAP")
	order := b.at
	b.see("Main warehouse", "Delivered at place")
	b.submit(order + "/release")
	b.submit(order + "/ship")
	b.see("CustomerNordic Tools AB", "WarehouseMain warehouse", "IncotermsDelivered at place (DAP)")
	b.get("/customers/C-1")
	b.see("Payment term30 days net")
	b.miss("NET30")
}

// A place in a list is no order of a customer: Swedish has two words for it.
func TestASortOrderIsNoOrder(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.language = "sv"
	for _, path := range []string{"/new/categories", "/new/brands", "/new/publications", "/new/help-articles",
		"/new/pages"} {
		b.get(path)
		if label := b.find(func(n *html.Node) bool { return n.Data == "label" && inner(n) == "Ordning" }); label == nil {
			t.Errorf("%s does not ask for the place in the list: %s", path, b.words())
		}
	}
}

// What is refused to a button is shown at the button's address, which leads to the record when it is asked for again.
func TestAButtonsAddressLeadsToItsRecord(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	at := "/orders/" + order(b)
	form := b.filled(at + "/release")
	b.submit(at + "/release")
	form.Set("_key", "another window")
	b.post(at+"/release", form)
	b.see("is Released: it cannot be released now, only cancelled, changed or closed")
	if !strings.Contains(b.words(), "Order "+strings.TrimPrefix(at, "/orders/")+" is Released") {
		t.Errorf("the refusal does not name the order: %s", b.words())
	}
	for _, below := range []string{"/release", "/comments"} {
		if b.get(at + below); b.at != at || b.status != http.StatusOK {
			t.Errorf("%s leads to %s (%d)", below, b.at, b.status)
		}
	}
}
