package shop

import (
	"net/http"
	"net/url"
	"strings"
)

type cartPage struct {
	Cart    Cart
	Problem *Problem
	Line    string // that the problem is about
	Typed   string // the quantity that was refused
	Code    string // that was refused
}

// cart is the page of the cart (GET /ecom/cart). Prices and stock are looked up whenever it is read; what has changed
// since the visitor last saw it stands in its messages.
func cart(v *visit) error { return showCart(v, http.StatusOK, cartPage{}) }

func showCart(v *visit, status int, page cartPage) error {
	if err := v.ask(v.get("/cart", nil, &page.Cart)); err != nil {
		return err
	}
	return v.show(status, "cart", v.say("Your cart"), page, func(o *view) { o.Private = true })
}

// addToCart puts an item into the cart (POST /ecom/cart/items). A refusal is shown beside the button that was pressed.
func addToCart(v *visit) error {
	var in struct {
		ItemID   string `json:"itemId"`
		Quantity string `json:"quantity"`
	}
	in.ItemID, in.Quantity = v.r.FormValue("item"), decimal(v.r.FormValue("quantity"))
	err := v.api.Do(v.ctx, http.MethodPost, "/cart/items", in, nil)
	if p := problemOf(err); p != nil && isRefusal(p) {
		if slug := v.r.FormValue("slug"); slug != "" {
			return showProduct(v, slug, productPage{Quantity: v.r.FormValue("quantity"), Problem: p})
		}
		return showCart(v, http.StatusUnprocessableEntity, cartPage{Problem: p})
	}
	return v.done(err, "Added to your cart.", v.back("/cart"))
}

// changeLine changes the quantity of a line (PATCH /ecom/cart/items/{lineId}) or takes it out (DELETE): a quantity of 0
// as well, but not one that was wiped out on the way to another.
func changeLine(v *visit) error {
	line, typed := v.r.PathValue("line"), strings.TrimSpace(v.r.FormValue("quantity"))
	quantity := decimal(typed)
	at := "/cart/items/" + url.PathEscape(line)
	var err error
	if v.r.FormValue("remove") != "" || typed != "" && strings.Trim(quantity, "0.") == "" {
		err = v.api.Do(v.ctx, http.MethodDelete, at, nil, nil)
	} else {
		err = v.api.Do(v.ctx, http.MethodPatch, at, map[string]string{"quantity": quantity}, nil)
	}
	if p := problemOf(err); p != nil && isRefusal(p) {
		return showCart(v, http.StatusUnprocessableEntity, cartPage{Problem: p, Line: line, Typed: typed})
	}
	// taken out in another window already: that is what was wanted
	if err != nil && !refused(err, http.StatusNotFound) {
		return err
	}
	v.redirect("/cart")
	return nil
}

// applyCode redeems a discount code or a gift card (POST /ecom/checkout/apply-code). What it grants is kept when the
// order is placed.
func applyCode(v *visit) error {
	code := strings.TrimSpace(v.r.FormValue("code"))
	err := v.api.Do(v.ctx, http.MethodPost, "/checkout/apply-code", map[string]string{"code": code}, nil)
	if p := problemOf(err); p != nil && (isRefusal(p) || p.Status == http.StatusTooManyRequests) {
		if v.back("/cart") == "/checkout" {
			return showCheckout(v, http.StatusUnprocessableEntity, checkoutPage{Problem: p, At: "code", Code: code})
		}
		return showCart(v, http.StatusUnprocessableEntity, cartPage{Problem: p, Code: code})
	}
	return v.done(err, "", v.back("/cart"))
}

// removeCode takes a code off (DELETE /ecom/checkout/codes/{code}).
func removeCode(v *visit) error {
	err := v.api.Do(v.ctx, http.MethodDelete, "/checkout/codes/"+url.PathEscape(v.r.FormValue("code")), nil, nil)
	if err != nil && !refused(err, http.StatusNotFound) {
		return err
	}
	v.redirect(v.back("/cart"))
	return nil
}

// isRefusal reports whether a problem is what the visitor can do something about, so that it belongs beside the form.
func isRefusal(p *Problem) bool {
	return p.Status == http.StatusBadRequest || p.Status == http.StatusConflict || p.Status == http.StatusNotFound ||
		p.Status == http.StatusUnprocessableEntity
}

// decimal takes a number as people write it, 1,5 or 1.5.
func decimal(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	if text == "" {
		return "0"
	}
	return text
}
