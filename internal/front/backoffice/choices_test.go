package backoffice_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/front/backoffice"
	"kontor/internal/front/page"
)

// many gives the company so many more warehouses, and the last of them as many locations.
func (o *office) many(n int) {
	o.t.Helper()
	var houses []reference.Warehouse
	var places []reference.Location
	for i := range n {
		houses = append(houses, reference.Warehouse{Code: fmt.Sprintf("W%03d", i), Name: fmt.Sprint("House ", i),
			IsActive: true})
		places = append(places, reference.Location{Warehouse: fmt.Sprintf("W%03d", n-1), Code: fmt.Sprintf("L%03d", i),
			Name: fmt.Sprint("Shelf ", i), IsPickable: true, IsActive: true})
	}
	if err := o.kontor.InCompany(o.t.Context(), o.company.ID, func(tx *db.Tx) error {
		if err := reference.SaveWarehouses(tx, houses...); err != nil {
			return err
		}
		return reference.SaveLocations(tx, places...)
	}); err != nil {
		o.t.Fatal(err)
	}
}

// finds is what a field offers for what is typed.
func (b *browser) finds(path, text string) (values []string) {
	b.t.Helper()
	resp, err := b.client.Get(b.base + path + "?q=" + text)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	var found []page.Option
	if err := json.NewDecoder(resp.Body).Decode(&found); err != nil {
		b.t.Fatal(path, resp.StatusCode, err)
	}
	for _, o := range found {
		values = append(values, o.Value)
	}
	return values
}

// However many warehouses there are, an order can be of any of them, a list narrowed to it, and goods laid on any of
// its shelves: what no drop-down holds is searched.
func TestWhatNoDropDownHoldsIsSearched(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/orders")
		field := func(name string) *html.Node {
			t.Helper()
			f := b.find(byName(name))
			if f == nil {
				t.Fatalf("%s has no field %s", b.at, name)
			}
			return f
		}
		if f := field("warehouseCode"); f.Data != "select" {
			t.Errorf("a few warehouses are a %s", f.Data)
		}
		o.many(250)
		b.get("/new/orders")
		path := attr(field("warehouseCode"), "data-lookup")
		if got := b.finds(path, "house+249"); !slices.Equal(got, []string{"W249"}) {
			t.Errorf("a search for the last warehouse finds %q", got)
		}
		if got := b.finds(path, ""); len(got) != 20 {
			t.Errorf("a search for nothing finds %d", len(got))
		}
		b.get(path + "/list?q=house+249") // whoever has no scripts reads off what to type
		b.see("W249", "House 249")
		b.get("/new/orders")
		b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "1",
			"warehouseCode", "w249")
		b.see("is placed.", "House 249")
		b.get("/new/orders")
		b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "1",
			"warehouseCode", "W999")
		b.see("W999")
		b.miss("is placed.")
		b.get("/shipments?warehouse=W249")
		if f := field("warehouse"); attr(f, "data-lookup") != path || attr(f, "value") != "W249" {
			t.Error("the list is not narrowed to a warehouse that is searched")
		}
		b.get("/new/adjustments?warehouse=W249")
		if got := b.finds(attr(field("locationCode"), "data-lookup"), "shelf+201"); !slices.Equal(got, []string{"L201"}) {
			t.Errorf("a search for a shelf finds %q", got)
		}
	})
}

// What a discount is for stays when it is saved, however many categories there are, and what there is not is refused.
func TestADiscountKeepsItsCategories(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		o.categories(120, func(int) string { return "" })
		const first = "scope.included.categories[0].code"
		b.get("/new/discount-codes")
		b.submit("/new/discount-codes", "code", "SUMMER", "percent", "10", first, "K999")
		b.see("K999")
		b.miss("SUMMER is made")
		b.submit("/new/discount-codes", first, "k119")
		b.see("is made", "K119")
		b.get("/discount-codes/SUMMER/edit")
		b.submit("/discount-codes/SUMMER/edit", "percent", "15")
		b.see("Saved.", "15 %", "K119")
	})
}

// A category is offered however deep it lies.
func TestTheDeepestCategoryIsOffered(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		o.categories(30, func(i int) string {
			if i == 0 {
				return ""
			}
			return categoryCode(i - 1)
		})
		b.get("/new/items")
		b.see("Category K029")
		b.submit("/new/items", "itemNumber", "A-1", "name", "Chain", "categoryCode", "K029")
		b.see("Category K029")
	})
}

func categoryCode(i int) string { return fmt.Sprintf("K%03d", i) }

// categories makes n of them.
func (o *office) categories(n int, parentOf func(i int) string) {
	o.t.Helper()
	err := o.kontor.InCompany(o.t.Context(), o.company.ID, func(tx *db.Tx) error {
		for i := range n {
			_, err := catalog.CreateCategory(tx, catalog.Category{Code: categoryCode(i), ParentCode: parentOf(i),
				Name: "Category " + categoryCode(i), IsActive: true})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

// An item's page shows the first of its variants and says of how many; the rest have a list of their own.
func TestEveryVariantIsReached(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		drafts := make([]catalog.Draft, 120)
		for i := range drafts {
			drafts[i] = catalog.Draft{Number: fmt.Sprintf("V-%03d", i), Edit: func(v *catalog.Item) error {
				*v = catalog.New()
				v.Number, v.Name, v.VariantOf = fmt.Sprintf("V-%03d", i), "Hammer", "A-100"
				v.BaseUnit = "PCS"
				v.VariantOptions = []catalog.Option{{Name: "Size", Value: fmt.Sprint(i)}}
				return nil
			}}
		}
		if err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			_, err := catalog.Save(tx, drafts, catalog.CreateOnly)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		b.get("/items/A-100")
		b.see("Variants, 50 of 120", "Size 49")
		b.miss("Size 50")
		b.get("/items/A-100/variants?page=3")
		b.see("V-119", "Size 119")
	})
}

// In the browser the field is a list to choose from, by the keyboard as by the mouse.
func TestAChoiceIsSearchedByTheKeyboard(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	goods(o.signedIn("anna@acme.test", identity.Admin))
	o.many(250)
	w.do("sign in", w.to("/new/orders"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("[name=warehouseCode]"))
	w.do("a search", typed("warehouseCode", "house 17"), said("#found [data-value=W017]"),
		chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	if got := w.ask("document.querySelector('[name=warehouseCode]').value"); got != "W117" {
		t.Errorf("the second of what was found is %q", got)
	}
	if got := w.ask("String(document.querySelector('#found').hidden)"); got != "true" {
		t.Error("the list stays open once something is chosen")
	}
	w.do("a choice by the mouse", click("[name=customerNumber]"), said("#found [data-value=C-1]"),
		click("#found [data-value=C-1]"))
	if got := w.ask("document.querySelector('[name=customerNumber]').value"); got != "C-1" {
		t.Errorf("the customer is %q", got)
	}
	w.do("a search that nothing matches", typed("lines_0__itemNumber", "zzz"), said("#found [aria-disabled]"),
		chromedp.KeyEvent(kb.Escape))
	if got := w.ask("String(document.querySelector('#found').hidden)"); got != "true" {
		t.Error("Escape leaves the list open")
	}
	w.do("a list narrowed by what is chosen", w.to("/shipments?warehouse=MAIN"), click("[name=warehouse]"),
		said("#found [data-value=MAIN]"), click("#found [data-value=MAIN]"))
}

// Whatever a field searches, what there is not is refused, and what there is stands as its own record spells it,
// however it is typed: with a choice in a drop-down nobody could do otherwise.
func TestWhatIsSearchedIsWhatThereIs(t *testing.T) {
	defer backoffice.SearchAll()()
	o := sample(t, "sqlite")
	n := o.everyForm()
	n.walks(func(path string) {
		for _, f := range n.forms(path) {
			fields := fieldsOf(f.node, isSearched)
			f.alike = alikeForm(f.action, fields)
			n.form = &f
			for _, field := range fields {
				shape := f.alike + " " + anyRow.ReplaceAllString(field, "[]")
				if n.tried[shape]++; n.tried[shape] == 1 {
					n.searches(field)
				}
			}
		}
	})
	t.Logf("%d fields, %d codes seen again", len(n.tried), n.seen)
	if len(n.tried) < 150 || n.seen < 40 {
		t.Errorf("only %d fields were tried, and %d codes seen again", len(n.tried), n.seen)
	}
}

func isSearched(f *html.Node) bool { return attr(f, "data-lookup") != "" }

// searches types into a field what there is not, and where a record is changed what there is in small letters.
func (n *numbersOf) searches(field string) {
	n.t.Helper()
	if !n.opens(field) {
		return
	}
	f := n.find(func(f *html.Node) bool { return attr(f, "name") == field && isSearched(f) })
	n.sends(field, "NO-SUCH")
	if n.status < 400 && strings.Contains(n.words(), "NO-SUCH") || n.status >= 500 {
		n.t.Errorf("%s takes in %s what there is not (%d): %s", n.form.page, field, n.status, n.problem())
	}
	for _, code := range n.looksUp(attr(f, "data-lookup")) {
		typed := strings.ToLower(code)
		if typed == code || !n.opens(field) || !hasField(n.form.node, "_was") {
			continue
		}
		n.sends(field, typed)
		if n.status < 400 && n.opens(field) {
			n.seen++
			if got := n.value(field); got == typed {
				n.t.Errorf("%s keeps in %s %q for %q", n.form.page, field, got, code)
			}
		}
		break
	}
}
