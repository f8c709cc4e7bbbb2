package backoffice_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/business/identity"
)

func TestSettingsAreChangedAndRemembered(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/new/settings/payment-terms")
		b.submit("/new/settings/payment-terms", "code", "NET45", "name", "45 days", "days", "45")
		b.see("NET45 is made.", "45 days")
		b.get("/settings/payment-terms/NET45/edit")
		b.submit("/settings/payment-terms/NET45/edit", "days", "50")
		b.see("Saved.", "Days45 50", "anna")
		b.get("/new/settings/payment-terms")
		b.submit("/new/settings/payment-terms", "code", "net45", "name", "Another")
		b.see("there is one with the code net45 already")

		b.get("/new/settings/warehouses/MAIN/locations")
		b.submit("/new/settings/warehouses/MAIN/locations", "code", "Z-9", "name", "Far away")
		b.see("Saved.", "Z-9", "Far away")
		b.get("/new/settings/tax-codes")
		b.submit("/new/settings/tax-codes", "code", "BOOKS", "name", "Books", "rates[0].countryCode", "SE",
			"rates[0].percent", "6", "rates[1].countryCode", "XX", "rates[1].percent", "7")
		b.see("is no country: its name, or its two letters")
		b.submit("/new/settings/tax-codes", "rates[1].countryCode", "FI", "rates[1].percent", "13,5")
		b.see("BOOKS is made.", "13.5", "FI")
		b.get("/new/settings/currencies")
		b.submit("/new/settings/currencies", "code", "PLN", "name", "Zloty")
		b.get("/settings/currencies/PLN/rates")
		b.submit("/settings/currencies/PLN/rates", "rates[0].amount", "2,58")
		b.see("The rates are added.", "2.58")

		b.get("/settings/number-series/order")
		b.submit("/settings/number-series/order", "prefix", "B-", "next", "500")
		b.see("B-500")
		b.get("/settings/number-series/order")
		b.submit("/settings/number-series/order", "next", "400")
		b.see("must not be below 500")
		b.get("/settings/defaults/edit")
		b.submit("/settings/defaults/edit", "paymentTermCode", "NET45")
		b.see("Saved.", "NET45", "B-") // the series stands in the history
	})
}

func TestWhoTheCompanyIs(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/settings/profile")
		b.see("A lawful invoice needs more", "VAT number")
		b.get("/settings/profile/edit")
		b.submit("/settings/profile/edit", "legalName", "Acme Handel AB", "vatNumber", "SE556016068002", "street1",
			"Hamngatan 1", "city", "Stockholm", "iban", "SE35 5000 0000 0549 1000 0003")
		b.see("is no VAT number")
		if b.status != http.StatusUnprocessableEntity || b.value("iban") == "" {
			t.Errorf("a wrong number is answered %d, and the account number is now %q", b.status, b.value("iban"))
		}
		b.submit("/settings/profile/edit", "vatNumber", "SE556016068001")
		b.see("Saved.", "Acme Handel AB", "SE35 5000 0000 0549 1000 0003")
		b.miss("A lawful invoice needs more")
	})
}

func TestAStoreIsSetUp(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/new/channels")
		b.submit("/new/channels", "code", "SHOP", "name", "Shop", "type", "WebShop", "domain", "Shop.example.com",
			"currencyCode", "SEK", "warehouseCode", "MAIN", "orderTypeCode", "STANDARD")
		b.see("Channel SHOP is made.", "shop.example.com")
		b.get("/stores/SHOP/edit")
		b.submit("/stores/SHOP/edit", "store.baseUrl", "nowhere", "store.stockDisplay", "Quantity",
			"store.approvalOver", "5 000", "features.quotes", "on")
		b.see("is no address like")
		b.submit("/stores/SHOP/edit", "store.baseUrl", "https://www.example.com")
		b.see("Saved.", "https://www.example.com", "In numbers", "5,000.00")
		b.get("/new/categories")
		b.submit("/new/categories", "code", "CHAIRS", "name", "Chairs")
		b.get("/new/pages")
		b.submit("/new/pages", "channelCode", "SHOP", "title", "About", "slug", "about")
		b.get("/stores/SHOP/navigation")
		b.submit("/stores/SHOP/navigation", "store.navigation",
			"Chairs: category chairs\nTables: category tables\nTerms: page terms\nOurs: brand ours")
		b.see("line 2: no category has the address tables", "line 3: the store has no page with the address terms",
			"line 4: no brand has the address ours")
		b.get("/stores/SHOP/navigation")
		b.submit("/stores/SHOP/navigation", "store.navigation", "Chairs: category chairs\n-- Stools: /stools")
		b.see("line 2")
		b.submit("/stores/SHOP/navigation", "store.navigation",
			"Chairs: category chairs\n- Stools: low: /stools\nAbout: page about", "store.searchRedirects[0].query",
			"sofa", "store.searchRedirects[0].to", "/sofas")
		b.see("Saved.", "Chairs: category chairs - Stools: low: /stools About: page about", "sofa")

		// The host name is the company's: another company's channel cannot have it.
		other := o.newCompany("other", "Other AB")
		o.user("bea@other.test", identity.Admin, other)
		stranger := o.browser()
		stranger.signIn("bea@other.test")
		stranger.get("/new/channels")
		stranger.submit("/new/channels", "code", "THEIRS", "name", "Theirs", "type", "WebShop", "domain",
			"shop.example.com", "currencyCode", "SEK", "warehouseCode", "MAIN", "orderTypeCode", "STANDARD")
		stranger.see("belongs to a channel of another company")
	})
}

// What documents get that name none is not taken out of use: nobody could order any more.
func TestADefaultStaysInUse(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/settings/warehouses/MAIN/edit")
		b.submit("/settings/warehouses/MAIN/edit", "isActive", "")
		b.see("MAIN is used where a document names nothing: choose another under Defaults first")
		b.get("/settings/warehouses/MAIN")
		b.miss("Inactive")
	})
}

func TestFreightPaymentAndCodes(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/new/freight")
		b.submit("/new/freight", "shippingMethodCode", "PARCEL", "countryCode", "SE", "steps[0].from", "0",
			"steps[0].price", "59", "steps[1].from", "500", "steps[1].price", "29", "estimatedDays", "two")
		b.see("is no whole number")
		b.submit("/new/freight", "estimatedDays", "2")
		b.see("The rate is made.", "59.00", "29.00")
		b.get("/settings/shipping-methods/PARCEL")
		b.see("Freight", "Sweden", "59.00")

		b.get("/new/payment-methods")
		b.see("Stripe", "Klarna", "Plays every outcome")
		b.get("/new/payment-methods/Test")
		b.submit("/new/payment-methods/Test", "code", "CARD", "name", "Card")
		b.see("Test needs it")
		b.submit("/new/payment-methods/Test", "settings.secret", "a very secret word", "settings.mode", "Redirect")
		b.see("Payment method Card is made.", "kept, and shown to nobody", "Redirect")
		b.get("/payment-methods/CARD/edit")
		if strings.Contains(b.text, "a very secret word") {
			t.Error("the form shows the secret")
		}
		b.submit("/payment-methods/CARD/edit", "fee", "9,50", "countries", "Sverige\nNorge\nAtlantis")
		b.see(`"Atlantis" is no country`)
		b.submit("/payment-methods/CARD/edit", "countries", "Sweden\nno")
		b.see("Saved.", "kept, and shown to nobody", "9.50", "CountriesSweden, Norway")
		b.miss("Not ready")
		b.get("/new/payment-methods/Prepayment")
		b.submit("/new/payment-methods/Prepayment", "code", "TRANSFER", "name", "Transfer")
		b.see("Buyers are not told where the money goes")
		b.get("/new/payment-methods/Stripe")
		b.submit("/new/payment-methods/Stripe", "code", "STRIPE", "name", "Stripe", "settings.secretKey", "sk_test_1",
			"settings.secret", "whsec_hush")
		b.see("What it has to report", "payment_intent.succeeded", "refund.failed")

		b.get("/new/discount-codes")
		b.submit("/new/discount-codes", "code", "SUMMER", "percent", "10", "amount", "5", "scope.included.items",
			"NO-SUCH")
		b.see("a percentage or an amount", "NO-SUCH")
		if !strings.Contains(b.text, `id="f-scope_included_items-error"`) {
			t.Error("an item that there is not is not refused at the field that names it")
		}
		b.submit("/new/discount-codes", "amount", "", "scope.included.items", "", "limitTotal", "100")
		b.see("Discount code SUMMER is made.", "10", "100")
		b.submit("/discount-codes/SUMMER/deactivate")
		b.see("The code may not be used any more.", "Inactive", "Activate")

		b.get("/new/gift-cards")
		b.submit("/new/gift-cards", "initial", "500", "recipient", "Bea")
		b.see("The gift card is issued.", "500.00", "Bea")
		card := b.at
		b.get(card + "/correct")
		b.submit(card+"/correct", "amount", "-600", "note", "by mistake")
		b.see("cannot be taken off")
		b.submit(card+"/correct", "amount", "-100")
		b.see("The balance is corrected.", "400.00", "by mistake")

		b.get("/new/synonyms")
		b.submit("/new/synonyms", "words", "sofa\ncouch")
		b.see("Saved.", "sofa, couch")
		b.get("/new/synonyms")
		b.submit("/new/synonyms", "words", "Sofa\nsettee")
		b.see("another synonym of this language begins with \"Sofa\": add the words there")
		b.submit("/new/synonyms", "words", "stool", "means", "Stool\nstool ")
		b.see("\"stool\" means nothing else: give a second word, or what it leads to in means")
		b.submit("/new/synonyms", "means", "", "words", "stool\n"+strings.Repeat("ö", 60), "language", "svenska")
		b.see("\"svenska\" is no language tag like sv or en-GB")
		b.miss("longer than 100 characters")
		b.submit("/new/synonyms", "words", "stool\ntaburet", "language", "SV")
		b.see("Saved.", "sofa, couch", "stool, taburet")
		edit := regexp.MustCompile(`/synonyms/[0-9a-f-]{36}`).FindString(b.text) + "/edit"
		b.get(edit)
		b.submit(edit, "words", "couch\nsofa\nsettee")
		b.get(edit)
		b.submit(edit, "words", "stool\nsofa", "language", "sv")
		b.see("another synonym of this language begins with \"stool\"")
		b.get("/popular-searches")
		b.see("Nothing was searched for often enough yet.")
	})
}

func TestSettingsAreForThoseWhoMay(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		finance := o.signedIn("fia@acme.test", identity.Finance)
		finance.get("/settings/payment-terms")
		finance.miss("New payment term")
		finance.get("/settings/payment-terms/NET30/edit")
		if finance.status != http.StatusForbidden {
			t.Errorf("who may only read is answered %d by the form", finance.status)
		}
		sales := o.signedIn("sam@acme.test", identity.Sales)
		for _, path := range []string{"/settings/payment-terms", "/payment-methods", "/settings/profile"} {
			if sales.get(path); sales.status != http.StatusForbidden {
				t.Errorf("%s answers a seller with %d", path, sales.status)
			}
		}
	})
}

// The number that the page says comes next is the one that the next record gets, also where records were given theirs
// by hand.
func TestTheNumberThatComesNext(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		for _, taken := range []string{"10000", "10001", "10003"} {
			b.get("/new/customers")
			b.submit("/new/customers", "customerNumber", taken, "name", "Customer "+taken)
		}
		for _, want := range []string{"10002", "10004"} {
			b.get("/settings/number-series")
			if got := b.column("Next number"); len(got) < 7 || got[0] != want {
				t.Fatalf("the page says %q, want %s first", got, want)
			}
			b.get("/new/customers")
			b.submit("/new/customers", "name", "Next")
			b.see("Customer " + want + " is made.")
		}
	})
}
