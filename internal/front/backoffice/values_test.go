package backoffice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/business/paper/papertest"
	"kontor/internal/front/page"
)

// unshown are lists of values that no page of the office shows by their names: they are of requests and of the inside,
// names that are the same in every language, or have words of their own where they are shown.
var unshown = strings.Fields(`analytics.Kind assortment.Sort assortment.Status catalog.Mode channel.MenuType
	checkout.Step identity.Status party.InvoiceDelivery portal.Purpose pricing.Mode storefront.PageType
	storefront.Role support.Security`)

// A value of a list (a status, a reason, a warning) is shown by its name in words, whichever page it stands on: so it
// has its Swedish from its first day.
func TestValuesOfListsAreThereInSwedish(t *testing.T) {
	swedish, lists := swedishWords(t), map[string][]string{}
	for _, storey := range []string{"business", "engine"} {
		folders, err := filepath.Glob("../../" + storey + "/*")
		if err != nil || len(folders) < 5 {
			t.Fatalf("%d rooms: %v", len(folders), err)
		}
		for _, folder := range folders {
			for list, values := range valuesIn(t, folder) {
				lists[filepath.Base(folder)+"."+list] = values
			}
		}
	}
	if len(lists) < 60 {
		t.Fatalf("only %d lists of values were found: the test no longer looks where they are", len(lists))
	}
	for list, values := range lists {
		for _, v := range values {
			word := page.Words(v)
			if swedish[word] == "" && swedish[list+" "+word] == "" && !slices.Contains(unshown, list) {
				t.Errorf("no Swedish for %q of %s: add a line to words/codes.tsv", word, list)
			}
		}
	}
	for _, list := range unshown {
		if lists[list] == nil {
			t.Errorf("%s is no list of values any more", list)
		}
	}
}

// valuesIn are the constants of the types of a package that say all their values.
func valuesIn(t *testing.T, folder string) map[string][]string {
	files, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	all, closed := map[string][]string{}, map[string][]string{}
	var types []string
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.Name == "Values" {
					if id, ok := n.Recv.List[0].Type.(*ast.Ident); ok {
						types = append(types, id.Name)
					}
				}
			case *ast.ValueSpec:
				id, typed := n.Type.(*ast.Ident)
				for _, v := range n.Values {
					if lit, ok := v.(*ast.BasicLit); ok && typed && lit.Kind == token.STRING {
						text, _ := strconv.Unquote(lit.Value)
						all[id.Name] = append(all[id.Name], text)
					}
				}
			}
			return true
		})
	}
	for _, name := range types {
		if all[name] != nil {
			closed[name] = all[name]
		}
	}
	return closed
}

// Where a price has its tax in it, every document says so beside the price: its total is without. Who is offered
// something reads both without tax, on the page and in the PDF.
func TestPricesWithTaxSayThatTheyAre(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/price-lists")
	b.submit("/new/price-lists", "code", "RETAIL", "name", "Retail", "type", "Customer", "currencyCode", "SEK",
		"isActive", "on", "isPriceIncludingTax", "on", "customerNumbers", "C-1")
	b.see("Retail")
	b.get("/price-lists/RETAIL/set")
	b.submit("/price-lists/RETAIL/set", "lines[0].itemNumber", "A-100", "lines[0].unitPrice", "125",
		"lines[0].minQuantity", "1")
	b.see("125.00")
	b.get("/new/orders?customer=C-1")
	b.submit("/new/orders", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "2")
	b.see("is placed.", "125.00", "Includes tax", "200.00")
	number := strings.TrimPrefix(b.at, "/orders/")
	b.submit("/orders/" + number + "/release")
	b.submit("/orders/" + number + "/ship")
	shipment := b.at
	b.submit(shipment + "/pick")
	b.get(shipment + "/hand-over")
	b.submit(shipment + "/hand-over")
	b.get("/new/invoices?chosen=" + number)
	b.submit("/new/invoices", "book", "on")
	b.see("125.00", "Includes tax", "200.00")
	b.get("/new/returns?order=" + number)
	b.submit("/new/returns", "lines[0].quantity", "1", "reason", "Defective")
	b.see("125.00", "Includes tax", "100.00")

	b.get("/new/quotes")
	b.submit("/new/quotes", "customerNumber", "C-1", "title", "Hammers", "contactEmail", "bo@nordic.test", "contactName",
		"Bo", "lines[0].itemNumber", "A-100", "lines[0].quantity", "2")
	b.see("125.00", "Includes tax", "200.00")
	at := b.at
	b.get(at + "/send")
	b.submit(at + "/send")
	link := linkTo(t, post, "bo@nordic.test")
	guest := o.browser()
	guest.get(link)
	guest.see("100.00", "200.00", "250.00")
	guest.miss("125.00")
	guest.get(strings.Replace(link, "/quote?", "/quote/pdf?", 1))
	if said, err := papertest.Text([]byte(guest.text)); err != nil || !strings.Contains(said, "100,00  25") {
		t.Errorf("the printed quote says %s: %v", said, err)
	}
}
