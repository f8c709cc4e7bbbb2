package shop

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
)

// A product that is made to order is chosen on a page of its own. What is chosen stands in its address, so that every
// choice is answered by the server: what it costs, which rule it breaks, and what is left. The script only sends the
// form by itself.

type configurePage struct {
	Product  Product
	Features []featureView
	Result   Calculation
	Quantity string
	General  []string // what is wrong with no feature in particular
	form
}

// featureView is a thing to choose, with what is chosen.
type featureView struct {
	ProductFeature
	Option, Number, Text string
	Boolean              string // "true", "false" or "" = not said
	Wrong                []string
	Rows                 []optionView
}

// optionView is an option with what choosing it would break.
type optionView struct {
	Code, Name string
	IsChosen   bool
	Breaks     []string
}

// configure is the page.
//
//	GET  /ecom/catalog/products/{slug}/configuration             what can be chosen
//	POST /ecom/catalog/products/{slug}/configuration/calculate   what a choice costs and breaks
func configure(v *visit) error { return v.showConfigure(v.r.URL.Query(), nil) }

func (v *visit) showConfigure(said url.Values, problem *Problem) error {
	at := "/catalog/products/" + v.part("slug")
	p := configurePage{Quantity: decimal(said.Get("quantity")), form: form{problem}}
	if p.Quantity == "0" {
		p.Quantity = "1"
	}
	var schema Choosable
	if err := v.ask(v.get(at, nil, &p.Product), v.get(at+"/configuration", nil, &schema)); err != nil {
		return err
	}
	if len(said) == 0 || said.Get("lang") != "" && len(said) == 1 {
		said = proposed(schema.Features)
	}
	values, unread := chosen(schema.Features, said)
	err := v.api.Do(v.ctx, http.MethodPost, at+"/configuration/calculate",
		map[string]any{"quantity": p.Quantity, "values": values}, &p.Result)
	if refusal := problemOf(err); isRefusal(refusal) && problem == nil {
		p.Problem = refusal
	} else if err != nil {
		return err
	}
	p.fill(schema.Features, said, unread)
	return v.show("configure", p.Product.Name, p, func(o *view) {
		o.head(v, SEO{Description: p.Product.SEO.Description, CanonicalPath: "/products/" + p.Product.Slug +
			"/configure"}, p.Product.ImageURL)
	})
}

// proposed is what the schema proposes, as the form would send it.
func proposed(features []ProductFeature) url.Values {
	form := url.Values{}
	for _, f := range features {
		for _, o := range f.Options {
			if o.IsDefault && f.Type == "Option" {
				form.Set("c."+f.Code, o.Code)
			}
		}
	}
	return form
}

// chosen are the values of the form as the API takes them, and the features whose number nobody can read.
func chosen(features []ProductFeature, form url.Values) (values []map[string]any, unread map[string]bool) {
	values, unread = []map[string]any{}, map[string]bool{}
	for _, f := range features {
		value, number := strings.TrimSpace(form.Get("c."+f.Code)), strings.TrimSpace(form.Get("n."+f.Code))
		if value == "" {
			continue
		}
		one := map[string]any{"featureCode": f.Code}
		switch f.Type {
		case "Option":
			one["optionCode"] = value
		case "Text":
			one["text"] = value
		case "Boolean":
			one["boolean"] = value == "true"
		case "Number":
			number = value
		}
		if number != "" && !isNumber(strings.TrimPrefix(number, "-")) {
			unread[f.Code] = true
			continue
		}
		if number != "" {
			one["number"] = decimal(number)
		}
		values = append(values, one)
	}
	return values, unread
}

// fill says of each feature what is chosen, what is wrong with it, and what each option would break.
func (p *configurePage) fill(features []ProductFeature, form url.Values, unread map[string]bool) {
	left := map[string]map[string][]string{}
	for _, f := range p.Result.Choices {
		left[f.FeatureCode] = map[string][]string{}
		for _, o := range f.Options {
			left[f.FeatureCode][o.OptionCode] = o.Messages
		}
	}
	for _, f := range features {
		one := featureView{ProductFeature: f, Text: form.Get("c." + f.Code), Number: form.Get("n." + f.Code)}
		switch f.Type {
		case "Option":
			one.Option, one.Text = one.Text, ""
		case "Boolean":
			one.Boolean = one.Text
			f.Options = []ProductOption{{Code: "true", Name: "Yes"}, {Code: "false", Name: "No"}}
			one.Option = one.Boolean
			one.Option = cmp.Or(one.Option, "false")
		case "Number":
			one.Number, f.Options = one.Text, nil
		default:
			f.Options = nil
		}
		for _, o := range f.Options {
			one.Rows = append(one.Rows, optionView{o.Code, o.Name, o.Code == one.Option, left[f.Code][o.Code]})
		}
		for _, e := range p.Result.Errors {
			if e.FeatureCode == f.Code {
				one.Wrong = append(one.Wrong, sentence(e.Message))
			}
		}
		if unread[f.Code] {
			one.Wrong = append(one.Wrong, "Please write a number.")
		}
		p.Result.IsValid = p.Result.IsValid && !unread[f.Code]
		p.Features = append(p.Features, one)
	}
	for _, e := range p.Result.Errors {
		if e.FeatureCode == "" {
			p.General = append(p.General, sentence(e.Message))
		}
	}
}

// addConfigured puts what was chosen into the cart (POST /ecom/cart/items with values), which the API checks again.
func addConfigured(v *visit) error {
	_ = v.r.ParseForm() // what cannot be read was not chosen
	at := "/catalog/products/" + v.part("slug")
	var schema Choosable
	if err := v.api.Get(v.ctx, at+"/configuration", nil, &schema); err != nil {
		return err
	}
	values, unread := chosen(schema.Features, v.r.PostForm)
	if len(unread) > 0 {
		return v.showConfigure(v.r.PostForm, nil)
	}
	body := map[string]any{"itemId": schema.ItemID, "quantity": decimal(v.r.PostFormValue("quantity")),
		"values": values}
	err := v.post("/cart/items", body)
	if p := problemOf(err); isRefusal(p) {
		return v.showConfigure(v.r.PostForm, p)
	}
	return v.done(err, "Added to your cart.", "/cart")
}
