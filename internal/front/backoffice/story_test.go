package backoffice_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
	"kontor/internal/business/paper/papertest"
)

// goods makes an item with a price and stock, and a customer, through the pages.
func goods(b *browser) {
	b.t.Helper()
	b.get("/new/items")
	b.submit("/new/items", "itemNumber", "A-100", "name", "Hammer", "salesPrice", "1 200,50", "baseUnitCode", "PCS",
		"taxCode", "STD")
	b.see("Item A-100 is made.", "Hammer", "1,200.50")
	b.get("/new/adjustments")
	b.submit("/new/adjustments", "itemNumber", "A-100", "warehouseCode", "MAIN", "locationCode", "A-01", "quantity",
		"10")
	b.see("The stock is adjusted.")
	b.get("/new/customers")
	b.submit("/new/customers", "customerNumber", "C-1", "name", "Nordic Tools AB", "street1", "Hamngatan 1",
		"postalCode", "111 47", "city", "Stockholm", "countryCode", "SE", "paymentTermCode", "NET30")
	b.see("Customer C-1 is made.", "Nordic Tools AB", "111 47 Stockholm")
}

func order(b *browser) (number string) {
	b.t.Helper()
	b.get("/new/orders?customer=C-1")
	if got := b.value("customerNumber"); got != "C-1" {
		b.t.Errorf("the form begins with customer %q", got)
	}
	b.submit("/new/orders", "customerNumber", "C-1", "lines[1].itemNumber", "A-100", "lines[1].quantity", "3",
		"shippingMethodCode", "PARCEL", "notes", "Ring twice.")
	b.see("is placed.", "Hammer", "3,601.50")
	return strings.TrimPrefix(b.at, "/orders/")
}

func TestAnOrderFromTheFirstWordToTheMoney(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		number := order(b)
		at := "/orders/" + number
		b.submit(at + "/release")
		b.see("The order is released to the warehouse.", "Released")
		b.submit(at + "/ship")
		b.see("is made.", "Hammer", "Pick from", "A-01")
		shipment := b.at
		b.submit(shipment + "/pick")
		b.see("Everything is picked.", "Picked")
		b.miss("Pick from")
		b.get(shipment + "/pack")
		b.submit(shipment+"/pack", "packages[0].weightKg", "2,5")
		b.see("The shipment is packed.", "2.5 kg")
		b.get(shipment + "/book")
		b.submit(shipment+"/book", "trackingNumber", "T-77")
		b.see("The carrier is booked.", "T-77")
		b.get(shipment + "/hand-over")
		b.submit(shipment + "/hand-over")
		b.see("The goods are handed over.", "In transit")
		b.submit(shipment + "/deliver")
		b.see("Delivered")
		b.get(shipment + "/note")
		if said, err := papertest.Text([]byte(b.text)); err != nil || !strings.Contains(said, "Ring twice.") {
			t.Errorf("the delivery note says %s, without what the customer is told: %v", said, err)
		}

		b.get("/new/invoices?chosen=" + number)
		b.submit("/new/invoices")
		b.see("is made.", "Nordic Tools AB", "Open")
		invoice := b.at
		b.submit(invoice + "/book")
		b.see("The invoice is booked as")
		b.get(invoice + "/pdf")
		if b.status != 200 || !strings.HasPrefix(b.text, "%PDF-") {
			t.Errorf("the printed invoice is %d %.20q", b.status, b.text)
		}
		b.get(invoice + "/pay")
		if got := b.value("amount"); got != "4501.88" {
			t.Errorf("the payment begins with %s, want the balance", got)
		}
		b.submit(invoice+"/pay", "reference", "OCR 1")
		b.see("The payment is registered.", "Paid", "OCR 1")
		b.get(at)
		b.see("Closed", "Fully delivered", "Fully invoiced", "anna", "Release")
	})
}

// Whoever has made an item sees on its page that no channel shows it, and publishes it from there.
func TestAnItemIsPublishedFromItsPage(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/items/A-100")
	b.see("No channel shows it yet.", "Publish")
	b.get("/new/publications?item=A-100")
	b.submit("/new/publications", "channelCode", "WEB")
	if b.at != "/items/A-100" {
		t.Errorf("publishing leads to %s", b.at)
	}
	b.see("Web shopPublishedhammer")
	b.miss("No channel shows it yet.")
}

// A line of which nobody typed how many says that it is missing; blank rows below it are none.
func TestAQuantityLeftEmptyIsMissing(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/orders?customer=C-1")
	b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "3",
		"lines[1].itemNumber", "A-100")
	b.see("is missing")
	b.miss("must be above 0")
	b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "3",
		"lines[1].itemNumber", "")
	b.see("is placed.")
}

func TestAReturnIsReceivedAndCredited(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	number := order(b)
	b.submit("/orders/" + number + "/release")
	b.submit("/orders/" + number + "/ship")
	shipment := b.at
	b.submit(shipment + "/pick")
	b.get(shipment + "/hand-over")
	b.submit(shipment + "/hand-over")
	b.get("/new/invoices?chosen=" + number)
	b.submit("/new/invoices", "book", "on")
	b.see("Booked")

	b.get("/new/returns?order=" + number)
	b.see("Hammer")
	b.submit("/new/returns", "lines[0].quantity", "2", "reason", "Defective")
	b.see("is registered.", "Draft", "Defective")
	back := b.at
	b.submit(back + "/approve")
	b.get(back + "/receive")
	b.see("Hammer: 2 PCS")
	if b.find(byName("lines[1].quantity")) != nil {
		t.Error("there is a row for what is not on the return")
	}
	b.submit(back+"/receive", "lines[0].quantity", "0")
	b.see("enter what came back of at least one line")
	b.submit(back+"/receive", "lines[0].quantity", "1")
	b.see("The goods are received.")
	b.submit(back + "/credit")
	b.see("The return is credited. Its money goes back once", "Credit noted", "Credit note")
	credit := b.find(func(n *html.Node) bool { return strings.HasPrefix(attr(n, "href"), "/invoices/") })
	if credit == nil {
		t.Fatal("the return does not lead to its credit note")
	}
	b.get(attr(credit, "href"))
	b.see("Credit note", "1,500.63")
	b.get("/invoices?type=CreditNote")
	b.see("1,500.63") // 1,200.50 and a quarter of tax
}

// What is wrong with a row of what came back is said beside it, also where a row before it did not come.
func TestARowThatDidNotComeMovesNoRefusal(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/orders?customer=C-1")
	b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "3",
		"lines[1].itemNumber", "A-100", "lines[1].quantity", "2", "shippingMethodCode", "PARCEL")
	number := strings.TrimPrefix(b.at, "/orders/")
	b.submit("/orders/" + number + "/release")
	b.submit("/orders/" + number + "/ship")
	shipment := b.at
	b.submit(shipment + "/pick")
	b.get(shipment + "/hand-over")
	b.submit(shipment + "/hand-over")
	b.get("/new/returns?order=" + number)
	b.submit("/new/returns", "lines[0].quantity", "1", "lines[1].quantity", "1", "reason", "Defective")
	back := b.at
	b.submit(back + "/approve")
	b.get(back + "/receive")
	b.submit(back+"/receive", "lines[0].quantity", "0", "lines[1].quantity", "2")
	if first, second := b.beside("lines[0].quantity"), b.beside("lines[1].quantity"); first != "" || second == "" {
		t.Errorf("beside the rows stand %q and %q", first, second)
	}
}

func TestWhatWasTypedStays(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.get("/new/customers")
	b.submit("/new/customers", "name", "", "city", "Lund", "countryCode", "XX", "invoiceEmail", "a@b.example")
	if b.status != http.StatusUnprocessableEntity || b.value("city") != "Lund" || b.value("countryCode") != "XX" {
		t.Errorf("%d: city %q, country %q", b.status, b.value("city"), b.value("countryCode"))
	}
	b.see("Something is not right yet", "is missing")
	b.submit("/new/customers", "name", "Lunda AB")
	if n := b.find(byName("countryCode")); attr(n, "aria-invalid") != "true" ||
		!strings.Contains(b.text, `id="f-countryCode-error"`) {
		t.Error("the refusal of the verb does not stand at its field")
	}
	b.submit("/new/customers", "name", "Lunda AB", "countryCode", "SE")
	b.see("Lunda AB", "Lund")

	b.get("/new/orders")
	b.submit("/new/orders", "customerNumber", "nobody", "lines[0].itemNumber", "", "lines[2].itemNumber", "nothing",
		"lines[2].quantity", "many")
	if b.value("lines[0].itemNumber") != "nothing" || b.value("lines[0].quantity") != "many" {
		t.Error("a line that was filled in is lost, or blank rows are kept before it")
	}
	b.submit("/new/orders", "lines[0].quantity", "2")
	if n := b.find(byName("lines[0].itemNumber")); attr(n, "aria-invalid") != "true" {
		t.Errorf("the refusal of a line does not stand at it:\n%s", b.words())
	}
}

func TestASecondPersonLosesNothing(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna, bo := o.signedIn("anna@acme.test", identity.Admin), o.signedIn("bo@acme.test", identity.Sales)
		goods(anna)
		const form = "/customers/C-1/edit"
		anna.get(form)
		bo.get(form)
		anna.submit(form, "name", "Nordic Tools Group AB", "phone", "08-1")
		anna.see("Saved.")
		bo.submit(form, "name", "Nordiska Verktyg AB", "city", "Solna")
		bo.see("anna changed this while you were writing", "Nordic Tools Group AB", "you: Nordiska Verktyg AB")
		if bo.status != http.StatusConflict || bo.value("name") != "Nordiska Verktyg AB" ||
			bo.value("city") != "Solna" || bo.value("phone") != "08-1" {
			t.Errorf("%d: name %q, city %q, phone %q", bo.status, bo.value("name"), bo.value("city"), bo.value("phone"))
		}
		anna.get("/customers/C-1")
		anna.see("Nordic Tools Group AB")
		bo.submit(form)
		bo.see("Saved.", "Nordiska Verktyg AB", "Solna", "08-1")
	})
}

func TestADoubleClickHappensOnce(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/orders")
		values := b.filled("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity",
			"1")
		var crowd sync.WaitGroup
		for range 4 {
			again := &browser{t: t, base: b.base, client: b.client, language: "en"}
			crowd.Go(func() { again.post("/new/orders", values) })
		}
		crowd.Wait()
		b.get("/orders")
		b.see("1–1 of 1")
		b.get("/new/api-keys")
		key := b.filled("/new/api-keys", "name", "till", "scopes", "items:read")
		b.post("/new/api-keys", key)
		b.see("The key is made")
		secret := inner(b.find(func(n *html.Node) bool { return attr(n, "class") == "secret" }))
		b.post("/new/api-keys", key)
		b.see("till")
		b.miss(secret)
		b.get("/api-keys")
		b.see("1–1 of 1", "till")
	})
}

// Who sent a form twice, and was told that the first is under way, sends what is shown then: that is the same form.
func TestAFormThatIsShownAnewHappensOnce(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/orders")
		b.submit("/new/orders", "customerNumber", "nobody", "lines[0].itemNumber", "A-100", "lines[0].quantity", "1")
		if b.status != http.StatusUnprocessableEntity {
			t.Fatalf("an order of nobody: %d", b.status)
		}
		values := b.filled("/new/orders", "customerNumber", "C-1")
		b.post("/new/orders", url.Values{"_token": values["_token"], "_company": values["_company"]})
		if shown := b.filled("/new/orders", "customerNumber", "C-1"); shown.Get("_token") != values.Get("_token") {
			t.Error("a form that was refused is another when it is shown anew")
		}
		b.post("/new/orders", values)
		b.post("/new/orders", values)
		b.get("/orders")
		b.see("1–1 of 1")
		b.get("/new/api-keys")
		b.submit("/new/api-keys", "name", "till", "scopes", "")
		b.submit("/new/api-keys", "name", "till", "scopes", "items:read")
		b.see("The key is made")
	})
}

func TestFormsOfOthersAreRefused(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/customers/C-1/edit")
	values := b.filled("/customers/C-1/edit", "name", "Stolen AB")
	b.post("/customers/C-1/edit", values, "Sec-Fetch-Site", "cross-site")
	if b.status != http.StatusForbidden {
		t.Errorf("a form of another site: %d", b.status)
	}
	b.post("/customers/C-1/edit", values, "Origin", "https://evil.example")
	if b.status != http.StatusForbidden {
		t.Errorf("a form of another origin: %d", b.status)
	}

	other := o.newCompany("other", "Other AB")
	err := o.join("anna@acme.test", identity.Admin, other)
	if err != nil {
		t.Fatal(err)
	}
	b.get("/")
	b.submit("/switch", "company", other.ID)
	b.get("/customers/C-1")
	if b.status != http.StatusNotFound {
		t.Errorf("a record of another company: %d", b.status)
	}
	b.post("/new/customers", url.Values{"_company": {o.company.ID}, "_token": {"x"}, "name": {"Misplaced AB"}})
	b.see("belongs to another company")
	if b.value("name") != "Misplaced AB" {
		t.Error("what was typed is lost")
	}
	b.get("/customers")
	b.miss("Misplaced AB")
}

func TestARoleBoundsWhatIsSeenAndDone(t *testing.T) {
	o := opened(t, "sqlite")
	admin := o.signedIn("anna@acme.test", identity.Admin)
	goods(admin)
	number := order(admin)
	b := o.signedIn("viv@acme.test", identity.Viewer)
	b.get("/orders/" + number)
	b.see("Hammer")
	b.miss("Release", "Cancel the order", "Add a line")
	b.post("/orders/"+number+"/release", url.Values{})
	if b.status != http.StatusForbidden {
		t.Errorf("a viewer released an order: %d", b.status)
	}
	for _, path := range []string{"/users", "/api-keys", "/activity", "/new/orders", "/new/customers"} {
		if b.get(path); b.status != http.StatusForbidden {
			t.Errorf("a viewer opens %s: %d", path, b.status)
		}
	}
	b.get("/")
	if strings.Contains(b.text, `href="/users"`) {
		t.Error("the menu leads a viewer where they may not go")
	}
	if o.browser().ends("/orders/"+number) != "/sign-in?next=%2Forders%2F"+number {
		t.Error("a stranger is not led to the sign-in")
	}
}

// What leaves short is what its delivery note says, beside what was ordered.
func TestADeliveryNoteSaysWhatWasPicked(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		at := "/orders/" + order(b)
		b.submit(at + "/release")
		b.submit(at + "/ship")
		shipment := b.at
		says := func(want string) {
			t.Helper()
			b.get(shipment + "/note")
			if said, err := papertest.Text([]byte(b.text)); err != nil || !strings.Contains(said, want) {
				t.Errorf("the delivery note says, without %q: %s %v", want, said, err)
			}
		}
		says("Hammer  3 st\nRing twice.")
		b.get(shipment + "/pick-some")
		b.submit(shipment+"/pick-some", "picks[0].quantity", "2")
		b.get(shipment + "/hand-over")
		b.submit(shipment + "/hand-over")
		says("Hammer  2 st\nBeställt: 3 st\n")
	})
}
