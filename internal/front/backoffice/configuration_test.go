package backoffice_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/configuration"
	"kontor/internal/business/identity"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// beside is what stands as wrong beside a field.
func (b *browser) beside(name string) string {
	b.t.Helper()
	field := b.find(byName(name))
	if field == nil {
		b.t.Fatalf("no field %s on %s", name, b.at)
	}
	said := b.find(func(n *html.Node) bool { return attr(n, "id") == attr(field, "id")+"-error" })
	if said == nil {
		return ""
	}
	return inner(said)
}

const schemaAt = "/items/A-100/configuration"

// desk says in the office what can be chosen of an item.
func desk(b *browser) {
	b.t.Helper()
	goods(b)
	b.get("/items/A-100")
	b.get(schemaAt)
	b.see("the item is sold as it is")
	b.miss("Try it")
	b.get(schemaAt + "/new-feature")
	b.see("One of a list", "A number", "A text", "Yes or no")
	at := schemaAt + "/new-feature/Option"
	b.get(at)
	b.submit(at, "code", "top", "name", "Top", "isRequired", "on", "options[0].code", "pine", "options[0].name", "Pine",
		"options[0].isDefault", "on", "options[1].code", "oak", "options[1].name", "Oak", "options[1].pricePercent",
		"25", "options[2].code", "Oak", "options[2].name", "Oak again")
	if got := b.beside("options[2].code"); !strings.Contains(got, "is the code of another option") {
		b.t.Errorf("beside the second oak stands %q", got)
	}
	b.submit(at, "options[2].code", "", "options[2].name", "")
	b.see("The choice is added.", "Pine, Oak", "Must be chosen", "Try it")
	at = schemaAt + "/new-feature/Number"
	b.get(at)
	b.submit(at, "code", "width", "name", "Width", "isRequired", "on", "unit", "cm", "min", "80", "max", "60")
	if got := b.beside("max"); !strings.Contains(got, "60 is below min, which is 80") {
		b.t.Errorf("beside the greatest stands %q", got)
	}
	b.submit(at, "max", "240", "step", "2.5")
	b.see("The choice is added.", "80–240 cm")
	at = schemaAt + "/new-feature/Boolean"
	b.get(at)
	b.submit(at, "code", "lift", "name", "Motor", "options[0].priceImpact", "1500", "options[0].itemNumber", "NO-SUCH")
	if got := b.beside("options[0].itemNumber"); !strings.Contains(got, "no item has the number") {
		b.t.Errorf("beside the item stands %q", got)
	}
	b.submit(at, "options[0].itemNumber", "")
	b.see("The choice is added.", "Motor")
}

// ordered is the number of an order of a top of pine, 120 cm wide.
func ordered(o *office) (number string) {
	width := dec.Int(120)
	o.write(func(tx *db.Tx) error {
		c, err := configuration.Create(tx, configuration.Draft{Item: "A-100", CustomerNumber: "C-1", Quantity: dec.One,
			Choices: []configure.Value{{Feature: "top", Option: "pine"}, {Feature: "width", Number: &width}}})
		if err != nil {
			return err
		}
		order, err := sales.OrderConfiguration(tx, c.Number, sales.Head{}, stock.AsMuchAsThereIs)
		number = order.Number
		return err
	})
	return number
}

// What can be chosen of an item is said in forms, on both engines: wrong things are told beside their fields, rules are
// checked when they are saved, and choices are tried with the price line by line.
func TestAnItemIsMadeToOrder(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		desk(b)
		at := schemaAt + "/new-rule"
		b.get(at)
		b.see(`values.top ("pine", "oak"), values.width (a number), values.lift (yes or no)`)
		b.submit(at, "expression", `values.top != "oak" || values.depth <= 200`, "message",
			"Oak is at most 200 cm wide")
		if got := b.beside("expression"); !strings.Contains(got, `there is no feature "depth"`) {
			t.Errorf("beside the condition stands %q", got)
		}
		b.submit(at, "expression", `values.top != "oak" || values.width <= 200`)
		b.see("The rule is added.", "Oak is at most 200 cm wide")

		b.get(schemaAt + "?quantity=2&option0=oak&number1=" + "240" + "&yes2=on")
		b.see("Top, WidthOak is at most 200 cm wide.", "Base price", "Top: Oak", "Motor", "For one")
		b.get(schemaAt + "?quantity=2&option0=pine&number1=82,5")
		b.see("They go together", "Can be chosen")
		b.get(schemaAt + "?quantity=2&option0=pine&number1=81")
		b.see("in steps of 2.5")
		b.get(schemaAt + "?quantity=1&customer=NOBODY")
		b.see("no customer has the number")
		b.get(schemaAt + "?quantity=two&option0=pine&number1=1,2,3x")
		b.miss("Base price")
		for _, field := range []string{"quantity", "number1"} {
			if got := b.beside(field); !strings.Contains(got, "no number") {
				t.Errorf("beside %s stands %q", field, got)
			}
		}
		for _, asked := range []string{schemaAt + "?option0=pine&number1=80&", "/price?item=A-100&"} {
			for typed, wrong := range map[string]string{"2x": "no number", "-2": "must be above 0",
				"1234567890123": "no number"} {
				b.get(asked + "quantity=" + typed)
				if got := b.beside("quantity"); !strings.Contains(got, wrong) {
					t.Errorf("beside %s stands %q", typed, got)
				}
			}
		}
		b.get(schemaAt)
		b.see("Width must be chosen.") // the pine is proposed
		order := "/orders/" + ordered(o)
		b.get(order)
		b.see("Top: Pine, Width: 120")
		b.submit(order + "/release")
		made := b.find(func(n *html.Node) bool { return strings.HasPrefix(attr(n, "href"), "/work-orders/") })
		b.get(attr(made, "href"))
		b.see("Hammer (A-100)", "Choices · ", "Top: Pine Width: 120") // who makes it reads how
		b.get(schemaAt)

		// A rule reads the width: it cannot go, nor be called something else.
		b.submit(schemaAt + "/features/width/delete")
		b.see(`there is no feature "width"`)
		b.get(schemaAt + "/features/width")
		b.submit(schemaAt+"/features/width", "code", "breadth")
		b.see("Rules 1, Expression", `there is no feature "width"`)
		b.get(schemaAt + "/features/width")
		b.submit(schemaAt+"/features/width", "max", "300")
		b.see("Saved.", "80–300 cm")
		b.submit(schemaAt+"/features/lift/move", "to", "0")
		b.get("/items/A-100/edit")
		if !has(b.find(byName("isConfigurable")), "checked") {
			t.Error("the item is not configured when it is ordered")
		}
		movesAndGoes(t, b)
	})
}

// movesAndGoes holds the order of the choices against what was moved, and removes all of them.
func movesAndGoes(t *testing.T, b *browser) {
	t.Helper()
	b.get(schemaAt)
	if first := b.find(func(n *html.Node) bool { return attr(n, "data-place") == "0" }); !strings.HasPrefix(
		strings.TrimSpace(inner(first)), "Motor") {
		t.Errorf("the first choice is %q", inner(first))
	}
	rule := b.find(func(n *html.Node) bool { return n.Data == "a" && strings.Contains(attr(n, "href"), "/rules/") })
	at := attr(rule, "href")
	b.get(at)
	b.submit(at, "message", "Oak is no wider than 200 cm")
	b.see("Saved.", "Oak is no wider than 200 cm")
	b.get(at)
	if b.status != 404 {
		t.Errorf("the address of the rule as it was answers %d", b.status)
	}
	b.get(schemaAt)
	rule = b.find(func(n *html.Node) bool { return n.Data == "a" && strings.Contains(attr(n, "href"), "/rules/") })
	b.submit(attr(rule, "href") + "/delete")
	b.see("The rule is removed.")
	for _, f := range []string{"width", "top", "lift"} {
		b.submit(schemaAt + "/features/" + f + "/delete")
		b.see("The choice is removed.")
	}
	b.see("the item is sold as it is")
}

// What is chosen is answered as one chooses, without leaving the page.
func TestChoicesAreTriedInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	desk(b)
	b.get(schemaAt + "/new-rule")
	b.submit(schemaAt+"/new-rule", "expression", `values.top != "oak" || values.width <= 200`, "message",
		"Oak is at most 200 cm wide")
	w.do("sign in", w.to(schemaAt), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("[data-answer]"))
	w.see("Width must be chosen.")
	w.do("a width", typed("number1", "240"), said("[data-answer] > :first-child .empty"))
	w.ask(
		`{ const s = document.querySelector("[name=option0]"); s.value = "oak"; s.dispatchEvent(new Event("input", { bubbles: true })); "" }`)
	w.do("oak", said("[data-answer] > :first-child table"))
	w.see("Top, Width", "Oak is at most 200 cm wide.")
	if got := w.ask(
		`document.querySelector("[name=number1]").value + " " + location.search.includes("option0=oak")`); got != "240 true" {
		t.Errorf("the form says %q", got)
	}
	w.looksAt("configuration")
	w.do("the wood", w.to(schemaAt+"/features/top"), said(".form"))
	w.looksAt("configuration-feature")
	w.do("a rule", w.to(schemaAt+"/new-rule"), said(".form"))
	w.looksAt("configuration-rule")
}
