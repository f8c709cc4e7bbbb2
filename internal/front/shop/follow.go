package shop

import (
	"cmp"
	"net/http"
	"net/url"
)

// Somebody who bought without an account follows the order by its number and e-mail address, or by the link in its
// mails.

type followPage struct {
	Number, Email string
	form
}

// follow is the form, and what it finds.
func follow(v *visit) error {
	p := followPage{Number: v.typed("orderNumber"),
		Email: v.typed("email")}
	if v.r.Method == http.MethodGet {
		return v.showFollow(p)
	}
	return v.showOrder(p, map[string]string{"orderNumber": p.Number, "email": p.Email})
}

// followed is where the link in a mail leads.
func followed(v *visit) error {
	p := followPage{Number: v.r.PathValue("number")}
	key := v.r.FormValue("key")
	if key == "" {
		return v.showFollow(p)
	}
	return v.showOrder(p, map[string]string{"orderNumber": p.Number, "key": key})
}

func (v *visit) showFollow(p followPage) error { return v.mine("follow", "Follow an order", p) }

// showOrder asks how an order stands (POST /ecom/checkout/orders/follow).
func (v *visit) showOrder(p followPage, by map[string]string) error {
	if err := v.ask(); err != nil {
		return err
	}
	var o Order
	err := v.api.Do(v.ctx, http.MethodPost, "/checkout/orders/follow", by, &o)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.showFollow(p)
	}
	if err == nil && v.session.IsSignedIn { // who may approve it is shown where
		err = v.ask(orNothing(v.get("/portal/context", nil, &v.session.Portal)))
	}
	if err != nil {
		return err
	}
	return v.show("followed", v.say("Order")+" "+o.OrderNumber, o, private)
}

// terms and privacy are the texts that the store keeps of its own (GET /ecom/store/texts).
func terms(v *visit) error   { return v.reading("Terms of sale", "terms") }
func privacy(v *visit) error { return v.reading("Personal data", "privacy") }

func (v *visit) reading(title, name string) error {
	var texts map[string]*string
	if err := v.ask(v.get("/store/texts", url.Values{}, &texts)); err != nil {
		return err
	}
	text := cmp.Or(texts[name], new(""))
	if *text == "" {
		return &Problem{Status: http.StatusNotFound, Code: "Route.NotFound"}
	}
	return v.show("reading", v.say(title), *text,
		func(o *view) { o.head(v, SEO{Description: summary(*text), CanonicalPath: "/" + name}, "") })
}
