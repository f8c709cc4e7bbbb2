package backoffice_test

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
)

// column is what a list shows in the column with a head, row by row.
func (b *browser) column(head string) (out []string) {
	b.t.Helper()
	at, n := -1, 0
	walk(b.doc, func(h *html.Node) {
		if h.Data == "th" {
			if strings.TrimSpace(inner(h)) == head {
				at = n
			}
			n++
		}
	})
	walk(b.doc, func(row *html.Node) {
		if row.Data != "tr" || row.Parent.Data != "tbody" {
			return
		}
		n := 0
		for c := row.FirstChild; c != nil; c = c.NextSibling {
			if c.Data == "td" && !strings.Contains(attr(c, "class"), "pick") {
				if n == at {
					out = append(out, strings.TrimSpace(inner(c)))
				}
				n++
			}
		}
	})
	return out
}

// head is the link of a column by which a list can be sorted, and how it is sorted by it now.
func (b *browser) head(by string) (link, order string) {
	b.t.Helper()
	a := b.find(func(n *html.Node) bool { return n.Data == "a" && attr(n, "data-sort") == by })
	if a == nil {
		b.t.Fatalf("%s is not to be sorted by %s:\n%s", b.at, by, b.words())
	}
	return attr(a, "href"), attr(a.Parent, "aria-sort")
}

func TestAListIsSortedByItsColumns(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		for _, c := range []string{"C-1 Nordic Tools", "C-2 acme", "C-3 Zebra", "C-4 Bolt"} {
			number, name, _ := strings.Cut(c, " ")
			b.get("/new/customers")
			b.submit("/new/customers", "customerNumber", number, "name", name)
		}
		for _, i := range []string{"A-1 20", "A-2 ", "A-3 3,5", "A-4 100"} {
			number, price, _ := strings.Cut(i, " ")
			b.get("/new/items")
			b.submit("/new/items", "itemNumber", number, "name", "Item "+number, "salesPrice", price, "baseUnitCode",
				"PCS", "taxCode", "STD")
		}
		for _, c := range []struct {
			path, head, by string
			want           []string
		}{
			{"/customers", "Name", "name", []string{"acme", "Bolt", "Nordic Tools", "Zebra"}},
			{"/customers", "Number", "number", []string{"C-1", "C-2", "C-3", "C-4"}},
			{"/items", "Sales price", "price", []string{"", "3.50", "20.00", "100.00"}},
		} {
			b.get(c.path + "?sort=" + c.by)
			if got := b.column(c.head); !slices.Equal(got, c.want) {
				t.Errorf("%s by %s is %q, want %q", c.path, c.by, got, c.want)
			}
			link, order := b.head(c.by)
			if order != "ascending" || !strings.Contains(link, "sort=-"+c.by) {
				t.Errorf("%s by %s says %q and leads to %s", c.path, c.by, order, link)
			}
			b.get(link)
			slices.Reverse(c.want)
			if got := b.column(c.head); !slices.Equal(got, c.want) {
				t.Errorf("%s by %s downwards is %q, want %q", c.path, c.by, got, c.want)
			}
			if link, order := b.head(c.by); order != "descending" || strings.Contains(link, "sort=-") {
				t.Errorf("%s by %s downwards says %q and leads to %s", c.path, c.by, order, link)
			}
		}
		b.pagesAreOfOneOrder()
		b.get("/customers?sort=nothing")
		if got := b.column("Number"); b.status != 200 || got[0] != "C-1" {
			t.Errorf("an order that is none: %d %q", b.status, got)
		}
	})
}

// pagesAreOfOneOrder looks that a page goes on where the one before ended, and that order and filter stay in its
// address.
func (b *browser) pagesAreOfOneOrder() {
	b.t.Helper()
	for n := range 8 {
		b.get("/new/customers")
		b.submit("/new/customers", "customerNumber", "R-"+strconv.Itoa(n), "name", "Row "+strconv.Itoa(n%3))
	}
	for _, sort := range []string{"name", "-name", "latest", ""} {
		b.get("/customers?active=yes&rows=200&sort=" + sort)
		whole := b.column("Number")
		for range 2 { // the second time the place of the second page is known
			b.get("/customers?active=yes&rows=10&sort=" + sort)
			pages := b.column("Number")
			next := b.find(func(n *html.Node) bool { return attr(n, "rel") == "next" })
			if next == nil {
				b.t.Fatal("there is no second page")
			}
			b.get(attr(next, "href"))
			if pages = append(pages, b.column("Number")...); !slices.Equal(pages, whole) || len(whole) != 12 {
				b.t.Errorf("by %q the pages have %q, the whole %q", sort, pages, whole)
			}
			if chosen := b.find(func(n *html.Node) bool {
				return n.Data == "option" && attr(n, "value") == sort && has(n, "selected")
			}); chosen == nil {
				b.t.Errorf("by %q the tools above the list do not say so", sort)
			}
		}
	}
}

// Every column that says that it sorts does, up and down, with nothing lost.
func TestEveryColumnSorts(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		order(b)
		sorted := 0
		for _, path := range b.menu() {
			b.get(path)
			rows := strings.Count(b.text, "<tr>")
			var heads []string
			walk(b.doc, func(n *html.Node) {
				if by := attr(n, "data-sort"); by != "" {
					heads = append(heads, by)
				}
			})
			for _, by := range heads {
				for _, order := range []string{"ascending", "descending"} {
					address := path + "?sort=" + by
					if order == "descending" {
						address = path + "?sort=-" + by
					}
					b.get(address)
					if _, got := b.head(by); b.status != 200 || got != order || strings.Count(b.text, "<tr>") != rows {
						t.Errorf("%s answers %d, sorted %q, with %d rows instead of %d", address, b.status, got,
							strings.Count(b.text, "<tr>"), rows)
					}
					sorted++
				}
			}
		}
		if sorted < 60 {
			t.Errorf("only %d orders were looked at", sorted)
		}
	})
}

// menu are the pages of the menu.
func (b *browser) menu() (out []string) {
	b.get("/")
	nav := b.find(func(n *html.Node) bool { return n.Data == "nav" && strings.Contains(attr(n, "class"), "menu") })
	if nav == nil {
		b.t.Fatal("there is no menu")
	}
	walk(nav, func(n *html.Node) {
		if href := attr(n, "href"); n.Data == "a" && strings.HasPrefix(href, "/") {
			out = append(out, href)
		}
	})
	return out
}

// chosen are columns that hold one of a few values: a list's filters narrow by them, or its rows are few.
var chosen = map[string]bool{"Status": true, "Delivery": true, "Type": true, "Warehouse": true, "Category": true,
	"Brand": true, "Base unit": true, "Tax code": true, "Reason": true, "Currency": true, "Country": true,
	"Customer group": true, "Payment term": true, "Language": true, "Shipping method": true, "Unit": true, "Role": true,
	"Carrier": true, "UN/ECE code": true, "Is invoiced by itself": true}

// unsaid are cells that are no words of a record: days, amounts, and yes or no.
var unsaid = regexp.MustCompile(`^([\d.,]+ [A-Z]{3}|\d{1,2} [A-Z][a-z]{2} \d{4}.*|Yes|No|—)$`)

// What a list shows of a row in words finds the row, also in another case and with letters beyond ASCII.
func TestWhatAListShowsIsFound(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/customers/C-1/edit")
		b.submit("/customers/C-1/edit", "name", "Åströms Verktyg AB")
		number := order(b)
		b.submit("/orders/" + number + "/release")
		b.submit("/orders/" + number + "/ship")
		shipment := b.at
		b.submit(shipment + "/pick")
		b.get(shipment + "/hand-over")
		b.submit(shipment + "/hand-over")
		b.submit(shipment + "/deliver")
		b.get("/new/invoices?chosen=" + number)
		b.submit("/new/invoices")
		looked := 0
		for _, path := range b.menu() {
			b.get(path)
			if b.find(func(n *html.Node) bool { return n.Data == "input" && attr(n, "name") == "q" }) == nil {
				continue
			}
			for head, text := range b.firstRow() {
				if chosen[head] || unsaid.MatchString(text) || !strings.ContainsFunc(text, unicode.IsLetter) {
					continue
				}
				for _, typed := range []string{text, strings.ToUpper(text), strings.ToLower(text)} {
					b.get(path + "?q=" + url.QueryEscape(typed))
					if b.firstRow() == nil {
						t.Errorf("%s shows %q as %s, and is searched for %q in vain", path, text, head, typed)
					}
					looked++
				}
			}
		}
		if looked < 60 {
			t.Errorf("only %d searches were made", looked)
		}
	})
}

// firstRow is what the first row of a list says, by the heads of its columns; nil where there is none.
func (b *browser) firstRow() map[string]string {
	var row map[string]string
	walk(b.doc, func(h *html.Node) {
		if h.Data == "th" {
			if head := strings.TrimSpace(inner(h)); head != "" {
				if cells := b.column(head); len(cells) > 0 && row == nil {
					row = map[string]string{head: cells[0]}
				} else if len(cells) > 0 {
					row[head] = cells[0]
				}
			}
		}
	})
	return row
}
