package shop

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

type cartPage struct {
	Cart  Cart
	Line  string // that the problem is about
	Typed string // the quantity that was refused
	Code  string // that was refused
	form
}

// cart is the page of the cart (GET /ecom/cart). Prices and stock are looked up whenever it is read; what has changed
// since the visitor last saw it stands in its messages.
func cart(v *visit) error { return showCart(v, cartPage{}) }

func showCart(v *visit, page cartPage) error {
	if err := v.ask(v.get("/cart", nil, &page.Cart)); err != nil {
		return err
	}
	return v.mine("cart", "Your cart", page)
}

// addToCart puts an item into the cart (POST /ecom/cart/items). A refusal is shown beside the button that was pressed.
func addToCart(v *visit) error {
	err := v.post("/cart/items", map[string]string{"itemId": v.r.FormValue("item"),
		"quantity": decimal(v.r.FormValue("quantity"))})
	if p := problemOf(err); isRefusal(p) {
		if slug := v.r.FormValue("slug"); slug != "" {
			return showProduct(v, slug, productPage{Quantity: v.r.FormValue("quantity"), form: form{p}})
		}
		return showCart(v, cartPage{form: form{p}})
	}
	return v.done(err, "Added to your cart.", v.back("/cart"))
}

// changeLine changes the quantity of a line (PATCH /ecom/cart/items/{lineId}) or takes it out (DELETE): a quantity of 0
// as well, but not one that was wiped out on the way to another.
func changeLine(v *visit) error {
	line, typed := v.r.PathValue("line"), v.typed("quantity")
	quantity := decimal(typed)
	at := "/cart/items/" + url.PathEscape(line)
	var err error
	if v.r.FormValue("remove") != "" || typed != "" && strings.Trim(quantity, "0.") == "" {
		err = v.api.Do(v.ctx, http.MethodDelete, at, nil, nil)
	} else {
		err = v.api.Do(v.ctx, http.MethodPatch, at, map[string]string{"quantity": quantity}, nil)
	}
	if p := problemOf(err); isRefusal(p) {
		return showCart(v, cartPage{form: form{p}, Line: line, Typed: typed})
	}
	return v.done(unlessGone(err), "", "/cart")
}

// unlessGone is the error of a removal, where what was to be removed was still there: taken out in another window
// already is what was wanted.
func unlessGone(err error) error {
	if refused(err, http.StatusNotFound) {
		return nil
	}
	return err
}

// applyCode redeems a discount code or a gift card (POST /ecom/checkout/apply-code). What it grants is kept when the
// order is placed.
func applyCode(v *visit) error {
	code := v.typed("code")
	err := v.post("/checkout/apply-code", map[string]string{"code": code})
	if p := problemOf(err); isRefusal(p, http.StatusTooManyRequests) {
		if v.back("/cart") == "/checkout" {
			return showCheckout(v, checkoutPage{form: form{p}, At: "code", Code: code})
		}
		return showCart(v, cartPage{form: form{p}, Code: code})
	}
	return v.done(err, "", v.back("/cart"))
}

// removeCode takes a code off (DELETE /ecom/checkout/codes/{code}).
func removeCode(v *visit) error {
	err := v.api.Do(v.ctx, http.MethodDelete, "/checkout/codes/"+url.PathEscape(v.r.FormValue("code")), nil, nil)
	return v.done(unlessGone(err), "", v.back("/cart"))
}

// isRefusal reports whether a problem is what the visitor can do something about, so that it belongs beside the form:
// it has one of these statuses, or one that the form names besides.
func isRefusal(p *Problem, also ...int) bool {
	return p != nil && slices.Contains(append(also, http.StatusBadRequest, http.StatusConflict, http.StatusNotFound,
		http.StatusUnprocessableEntity), p.Status)
}

// decimal takes a number as people write it, 1,5 or 1.5.
func decimal(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	return cmp.Or(text, "0")
}
