package shop

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The checkout is one page with its steps below each other. Each step is a form of its own that the API keeps (PUT),
// and the page asks for the whole again: prices, ways to deliver and ways to pay follow from what is known so far.

type checkoutPage struct {
	Checkout
	Cart      Cart
	Contact   Contact // as known, or as just typed
	Billing   Address
	Delivery  Address
	Elsewhere bool // the goods go to another address than the bill
	form
	At        string // the step that the problem belongs to
	Code      string
	ShowSteps bool // an address is known, so delivery and payment can be chosen
	Invite    bool // a guest may sign in first
	Terms     bool
}

// checkout is the page.
//
//	GET /ecom/checkout/data   what is known, what may be chosen, what it costs, and which steps are missing
//	GET /ecom/cart            the lines beside it
func checkout(v *visit) error { return showCheckout(v, checkoutPage{}) }

func showCheckout(v *visit, page checkoutPage) error {
	typed := page
	if err := v.ask(v.get("/checkout/data", nil, &page.Checkout), v.get("/cart", nil, &page.Cart)); err != nil {
		return err
	}
	if len(page.Cart.Lines) == 0 {
		v.redirect("/cart")
		return nil
	}
	page.Contact, page.Billing, page.Delivery = Contact{}, Address{CountryCode: v.session.CountryCode},
		Address{CountryCode: v.session.CountryCode}
	if c := page.Checkout.Contact; c != nil {
		page.Contact = *c
	}
	if b := page.Addresses.Billing; b != nil {
		page.Billing = *b
	}
	if d := page.Addresses.Delivery; d != nil {
		page.Delivery, page.Elsewhere = *d, true
	}
	if page.At == "address" { // keep what was typed
		page.Contact, page.Billing, page.Delivery, page.Elsewhere = typed.Contact, typed.Billing, typed.Delivery,
			typed.Elsewhere
	}
	page.ShowSteps = !slices.Contains(page.Missing, "contact") && !slices.Contains(page.Missing, "addresses")
	page.Invite = !v.session.IsSignedIn
	return v.show("checkout", v.say("Checkout"), page, plain, private)
}

// saveAddress keeps who buys and where the goods go, which people fill in together.
//
//	PUT /ecom/checkout/contact
//	PUT /ecom/checkout/addresses
//	GET /ecom/checkout/postal-codes/{country}/{code}   where the city was left out
func saveAddress(v *visit) error {
	f := v.typed
	page := checkoutPage{At: "address", Elsewhere: f("elsewhere") != ""}
	page.Contact = Contact{Email: f("email"), FirstName: f("firstName"), LastName: f("lastName"), Phone: f("phone"),
		CompanyName: f("companyName"), OrganizationNumber: f("organizationNumber")}
	name := cmp.Or(page.Contact.CompanyName, strings.TrimSpace(page.Contact.FirstName+" "+page.Contact.LastName))
	address := func(prefix, name string) Address {
		a := Address{Name: name, Street1: f(prefix + "street1"), Street2: f(prefix + "street2"),
			PostalCode: f(prefix + "postalCode"), City: f(prefix + "city"), CountryCode: f(prefix + "countryCode")}
		if a.City == "" && a.PostalCode != "" {
			a.City = v.city(a.CountryCode, a.PostalCode)
		}
		return a
	}
	page.Billing, page.Delivery = address("billing.", name), address("delivery.", cmp.Or(f("delivery.name"), name))
	var body struct {
		Billing  Address  `json:"billing"`
		Delivery *Address `json:"delivery,omitempty"`
	}
	if body.Billing = page.Billing; page.Elsewhere {
		body.Delivery = &page.Delivery
	}
	// Both are sent whatever becomes of the first: everything that is wrong is shown at once. One after the other, as
	// both write.
	all := &Problem{}
	for _, step := range []struct {
		path string
		body any
	}{{"/checkout/contact", page.Contact}, {"/checkout/addresses", body}} {
		err := v.api.Do(v.ctx, http.MethodPut, step.path, step.body, nil)
		p := problemOf(err)
		switch {
		case isRefusal(p):
			all.Status, all.Detail, all.Errors = p.Status, p.Detail, append(all.Errors, p.Errors...)
		case err != nil:
			return err
		}
	}
	if all.Status != 0 {
		page.Problem = all
		return showCheckout(v, page)
	}
	v.redirect("/checkout#delivery")
	return nil
}

// city is the town that has a postal code, "" where the table does not know it.
func (v *visit) city(country, code string) string {
	var found struct {
		City string `json:"city"`
	}
	// the buyer then writes it
	_ = v.api.Get(v.ctx, "/checkout/postal-codes/"+url.PathEscape(country)+"/"+url.PathEscape(code), nil, &found)
	return found.City
}

// postalCode answers the script, which fills in the city while the form is being filled in.
func postalCode(v *visit) error {
	city := v.city(v.r.FormValue("country"), v.r.FormValue("code"))
	if city == "" {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	v.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := v.w.Write([]byte(city))
	return err
}

// saveDelivery chooses how the goods travel (PUT /ecom/checkout/delivery).
func saveDelivery(v *visit) error {
	return v.step("delivery", "/checkout#payment", map[string]string{"shippingMethodCode": v.r.FormValue("method")})
}

// savePayment chooses how to pay (PUT /ecom/checkout/payment).
func savePayment(v *visit) error {
	return v.step("payment", "/checkout#review", map[string]string{"paymentMethodCode": v.r.FormValue("method")})
}

func (v *visit) step(name, next string, body any) error {
	err := v.api.Do(v.ctx, http.MethodPut, "/checkout/"+name, body, nil)
	if p := problemOf(err); isRefusal(p) {
		return showCheckout(v, checkoutPage{form: form{p}, At: name})
	}
	return v.done(err, "", next)
}

// place pays and places the order.
//
//	POST /ecom/checkout/sessions   starts the payment and holds the goods; the answer says what to show, whichever the
//	                               provider
//	POST /ecom/checkout/place      places the order, at once where nothing is to be shown
func place(v *visit) error {
	if v.r.FormValue("terms") == "" {
		p := &Problem{Status: http.StatusBadRequest, Code: "Checkout.TermsNotAccepted"}
		return showCheckout(v, checkoutPage{form: form{p}, At: "review"})
	}
	var data Checkout
	if err := v.ask(v.get("/checkout/data", nil, &data)); err != nil {
		return err
	}
	if strings.Trim(data.Totals.AmountToPay, "0.") == "" || data.Payment == nil {
		return placeOrder(v, "") // a gift card pays for all of it, or the refusal says what is missing
	}
	var p Payment
	err := v.api.Do(v.ctx, http.MethodPost, "/checkout/sessions",
		map[string]string{"returnUrl": v.public("/checkout/return")}, &p)
	if refusal := problemOf(err); isRefusal(refusal) || refusal != nil && strings.HasPrefix(refusal.Code, "Payment.") {
		return showCheckout(v, checkoutPage{form: form{refusal}, At: "review", Terms: true})
	}
	if err != nil {
		return err
	}
	switch p.RenderMode {
	case "Redirect":
		v.redirect(p.RedirectURL)
		return nil
	case "HtmlFragment":
		// The provider's own form: this one page lets it load what it needs.
		v.csp = "default-src 'self' https:; script-src 'self' 'unsafe-inline' https:; style-src 'self' 'unsafe-inline' https:; img-src https: 'self' data:; base-uri 'none'; frame-ancestors 'none'"
		return v.show("pay", v.say("Payment"), payPage{p, template.HTML(p.HTMLFragment)}, plain, private)
	case "ClientKey":
		v.csp = "default-src 'none'; script-src 'self' https://js.stripe.com; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; connect-src 'self' https://api.stripe.com; " +
			"frame-src https://js.stripe.com https://hooks.stripe.com; base-uri 'none'; frame-ancestors 'none'"
		return v.show("pay", v.say("Payment"), payPage{Payment: p}, plain, private)
	}
	return placeOrder(v, p.ID)
}

type payPage struct {
	Payment
	Fragment template.HTML // of the provider that the merchant has an account with
}

// returned is where the buyer comes back to from a provider's page. The provider tells the API by itself how it went,
// also when the buyer never comes back; placing asks it, and answers the order that a callback may have placed already.
func returned(v *visit) error { return placeOrder(v, v.r.FormValue("session")) }

// placeOrder places the order of the cart (POST /ecom/checkout/place). However often it is asked, one cart is one
// order.
func placeOrder(v *visit, session string) error {
	body := map[string]any{"termsAccepted": true}
	if session != "" {
		body["checkoutSessionId"] = session
	}
	var placed struct {
		OrderNumber string `json:"orderNumber"`
	}
	err := v.api.Do(v.ctx, http.MethodPost, "/checkout/place", body, &placed)
	if p := problemOf(err); isRefusal(p) {
		if p.Code == "Cart.Empty" {
			v.redirect("/cart")
			return nil
		}
		return showCheckout(v, checkoutPage{form: form{p}, At: "review", Terms: true})
	}
	return v.done(err, "", "/checkout/orders/"+url.PathEscape(placed.OrderNumber))
}

// confirmation is the page of an order that this session placed (GET /ecom/checkout/orders/{number}).
func confirmation(v *visit) error {
	var c Confirmation
	if err := v.ask(v.get("/checkout/orders/"+v.part("number"), nil, &c)); err != nil {
		return err
	}
	if v.session.IsSignedIn {
		var own List[Order]
		if err := v.ask(orNothing(v.get("/portal/orders", url.Values{"pageSize": {"20"}}, &own))); err != nil {
			return err
		}
		c.IsWaiting = slices.ContainsFunc(own.Items,
			func(o Order) bool { return o.OrderNumber == c.OrderNumber && o.ApprovalStatus == "Waiting" })
	}
	return v.mine("confirmation", "Thank you", c)
}

// preferences keeps language and how prices are shown (PATCH /ecom/session), each within what the store allows.
func preferences(v *visit) error {
	change := map[string]any{}
	if code := v.r.FormValue("language"); code != "" {
		change["languageCode"] = code
	}
	if tax := v.r.FormValue("tax"); tax != "" {
		change["isPriceIncludingTax"] = tax == "with"
	}
	err := v.api.Do(v.ctx, http.MethodPatch, "/session", change, nil)
	if refused(err, http.StatusBadRequest) {
		err = nil
	}
	return v.done(err, "", v.back("/"))
}
