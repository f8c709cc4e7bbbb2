package backoffice_test

import (
	"net/http"
	"slices"
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

// Lists say warehouses by their names and costs as an amount of the company's; their tables have them as programs read
// them.
func TestListsShowNames(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/suppliers")
	b.submit("/new/suppliers", "supplierNumber", "S-1", "name", "Tools GmbH", "countryCode", "DE")
	b.get("/new/purchase-orders?supplier=S-1")
	b.submit("/new/purchase-orders", "supplierNumber", "S-1", "warehouseCode", "MAIN", "lines[0].itemNumber", "A-100",
		"lines[0].quantity", "3", "lines[0].unitPrice", "33,333333", "lines[1].itemNumber", "A-100",
		"lines[1].quantity", "3", "lines[1].unitPrice", "0,0312")
	order := b.at
	b.get(order + "/send")
	b.submit(order + "/send")
	b.get(order + "/receive")
	b.submit(order+"/receive", "lines[0].quantity", "3", "lines[1].quantity", "3")
	b.see("33.33 SEK", "0.0312 SEK")
	for _, path := range []string{"/stock", "/stock/ledger", "/receipts", "/purchase-orders"} {
		b.get(path)
		for _, name := range b.column("Warehouse") {
			if name != "Main warehouse" {
				t.Errorf("%s says the warehouse %q", path, name)
			}
		}
	}
	b.get("/stock/ledger")
	if got := b.column("Unit cost"); !slices.Contains(got, "33.33 SEK") {
		t.Errorf("the ledger says the cost %q", got)
	}
	b.get("/stock/ledger?export=csv")
	b.see("MAIN", "33.333333")
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

// The settings say names, units and rates where they are listed, and the log opens what has no number by a word.
func TestSettingsSayNames(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.get("/settings/number-series")
	b.see("Tickets")
	b.get("/new/channels")
	b.submit("/new/channels", "channelCode", "WEB", "name", "Web shop", "currencyCode", "SEK")
	b.get("/new/store-keys")
	b.submit("/new/store-keys", "name", "server", "channel", "WEB")
	b.see("ChannelWeb shop")
	b.get("/store-keys")
	if got := b.column("Channel"); !slices.Equal(got, []string{"Web shop"}) {
		t.Errorf("the store keys are of %q", got)
	}
	b.get("/new/freight")
	b.submit("/new/freight", "shippingMethodCode", "PARCEL", "currencyCode", "SEK", "channelCode", "WEB",
		"steps[0].from", "0", "steps[0].price", "49")
	b.get("/freight")
	if got := b.column("Shipping method"); !slices.Equal(got, []string{"Parcel"}) {
		t.Errorf("freight is listed of %q", got)
	}
	if got := b.column("Channel"); !slices.Equal(got, []string{"Web shop"}) {
		t.Errorf("freight is listed for %q", got)
	}
	b.get("/activity")
	if got := b.column("Number"); !slices.Contains(got, "Show") || !slices.Contains(got, "WEB") {
		t.Errorf("the log is of %q", got)
	}
}
