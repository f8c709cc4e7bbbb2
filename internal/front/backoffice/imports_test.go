package backoffice_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/imports"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// works does what waits to be done.
func (o *office) works(ctx context.Context) {
	o.t.Helper()
	if _, err := o.kontor.Work().RunDue(ctx, o.company.ID); err != nil {
		o.t.Fatal(err)
	}
}

const lamps = "Art.;Benämning;Price;Weight;Colour\n" +
	"L-1;Floor lamp;1200,50;4,5;black\nL-2;Desk lamp;499;cheap;white\n;Nameless;1;1;red\nL-3;Wall lamp;350;1,25;white\n"

func TestATableIsHandedIn(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/imports")
		b.see("Import a table")
		b.get("/new/imports")
		b.send("/new/imports", "file", "lamps.csv", []byte(lamps), "kind", "items", "comma", "on")
		b.see("lamps.csv", "Trying", "Art.", "Not read", "Floor lamp")
		at := b.at
		if !strings.Contains(b.text, "data-under-way") {
			t.Error("a page that waits for a trial does not look again by itself")
		}
		o.works(t.Context())
		b.get(at)
		b.see("Failed", "Item number: No column is taken as this: choose one.")

		b.get(at + "/columns")
		b.see("First row: L-1")
		b.submit(at+"/columns", "column0", "itemNumber", "column1", "itemNumber")
		b.see("holds this already")
		b.submit(at+"/columns", "column1", "name", "column2", "salesPrice", "column3", "weightKg")
		o.works(t.Context())
		b.get(at)
		b.see("Tried", "Would be created2", "Refused2", `Weight kg: "cheap"`)
		b.get("/items")
		b.miss("Floor lamp")
		b.get(at + "/refused")
		b.see(`Weight kg: "cheap"`, "Item number: Is empty: every row must have it.")

		b.get(at)
		form := b.filled(at + "/import")
		b.submit(at + "/import")
		b.see("The import has begun.", "Importing")
		o.works(t.Context())
		b.get(at)
		b.see("Imported", "Created2", "Refused2", "anna")
		b.get("/items/L-1")
		b.see("Floor lamp", "1,200.50")

		b.get("/new/imports")
		b.send("/new/imports", "file", "again.csv", []byte("itemNumber,name\nL-1,Floor lamp\nL-3,Wall lamp two\n"),
			"kind", "items")
		again := b.at
		o.works(t.Context())
		b.get(again)
		b.see("Would be updated1", "Would stay as they are1")
		b.get(again + "/stop")
		b.submit(again + "/stop")
		b.see("Stopped.")
		b.miss("Updated")
		form.Set("_token", "another")
		b.post(at+"/import", form)
		b.see("is Imported: it can no longer be imported")
		b.get("/imports")
		b.see("lamps.csv", "again.csv", "Stopped")
	})
}

// What is fetched in the office is taken by the import as it is: all that there is of a kind, and a list with the heads
// of whoever saved it, in his language.
func TestWhatIsExportedIsTakenAsItIs(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/items")
	b.submit("/new/items", "itemNumber", "KIT", "name", "Tool kit", "baseUnitCode", "PCS", "taxCode", "STD")
	b.get("/new/boms")
	b.submit("/new/boms", "itemNumber", "KIT", "lines[1].itemNumber", "A-100", "lines[1].quantity", "2")
	b.get("/new/help-articles")
	b.submit("/new/help-articles", "slug", "back", "title", "May I send it back?", "htmlContent", "<p>Yes.</p>")
	b.see("May I send it back?")
	taken := func(kind, file, at, language string) {
		b.get(at, "Accept-Language", language)
		if b.status != http.StatusOK {
			t.Fatalf("%s: %d", at, b.status)
		}
		table := []byte(b.text)
		b.get("/new/imports")
		b.send("/new/imports", "file", file, table, "kind", kind)
		run := b.at
		o.works(t.Context())
		b.get(run)
		b.see("Refused0", "Nothing would change")
		b.miss("was not read", "Gtin", "Html")
	}
	b.get("/exports")
	b.see("Bills of materials", "Help articles", "Items")
	for _, kind := range []string{"items", "boms", "help-articles", "customers"} {
		taken(kind, kind+".csv", "/exports/csv/"+kind, "en")
	}
	taken("boms", "boms.xlsx", wholeOf(b, "/boms"), "en")
	b.get("/customers?export=csv", "Accept-Language", "sv")
	table := []byte(b.text)
	b.get("/new/imports")
	b.send("/new/imports", "file", "kunder.csv", table, "kind", "customers")
	b.see("NummerCustomer number", "LandCountry code")
	run := b.at
	o.works(t.Context())
	b.get(run)
	b.see("Nothing would change")

	clerk := o.signedIn("bo@acme.test", identity.Sales)
	clerk.get("/exports/csv/tax-codes")
	if clerk.status < 400 {
		t.Error("who may not read settings has them in a table")
	}
}

// wholeOf is where a list leads to all that there is of its rows.
func wholeOf(b *browser, list string) string {
	b.get(list)
	return attr(b.find(func(n *html.Node) bool { return strings.HasPrefix(attr(n, "href"), "/exports/") }), "href")
}

// A table that would change nothing is not to be imported, and an empty file is said to be one.
func TestATableThatWouldChangeNothing(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.get("/new/imports")
	b.see("Bills of materials")
	b.send("/new/imports", "file", "empty.csv", nil, "kind", "items")
	b.see("is empty: there is nothing in it")
	for file, says := range map[string]string{"itemNumber,name\n": "There are no rows below the names of the columns",
		"itemNumber,name\nX-1,\n": "Nothing would change"} {
		b.get("/new/imports")
		b.send("/new/imports", "file", "nothing.csv", []byte(file), "kind", "items")
		at := b.at
		o.works(t.Context())
		b.get(at)
		b.see("Tried", says)
		if b.find(func(n *html.Node) bool { return n.Data == "form" && attr(n, "action") == at+"/import" }) != nil {
			t.Errorf("what would change nothing can be imported: %s", b.words())
		}
	}
}

// What the office exports in words is taken again as it is, and a cell says yes in the languages of who writes it.
func TestWordsOfAnExportAreTakenAgain(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.get("/new/imports")
	b.send("/new/imports", "file", "items.csv",
		[]byte("Number,Name,Type,Is active\nG-1,Gift wrapping,Non stock,ja\nG-2,Old,Service,nei\n"), "kind", "items")
	at := b.at
	o.works(t.Context())
	b.get(at)
	b.see("Would be created2", "Refused0")
}

func TestATableThatComesToNothing(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.language = "sv"
	b.get("/new/imports")
	b.send("/new/imports", "file", "photo.png", drawing(t, 20), "kind", "items")
	b.see("kan inte läsas som en tabell")
	b.send("/new/imports", "file", "broken.csv", []byte("itemNumber,name\nX-1,\"open"), "kind", "items")
	at := b.at
	o.works(t.Context())
	b.get(at)
	b.see("broken.csv", "Avvisade")
	b.get("/imports/nothing")
	if b.status != 404 {
		t.Errorf("an import that there is not is answered with %d", b.status)
	}
	store := o.signedIn("bo@acme.test", identity.Warehouse)
	store.get(at)
	if store.status != 404 {
		t.Errorf("a role that may not change items is shown their import: %d", store.status)
	}
	store.get("/new/imports")
	store.miss("Items", "Customers")
	store.see("Stock")
	store.get("/imports")
	store.miss("broken.csv")
}

// many is a table with so many items.
func many(n int) []byte {
	var b strings.Builder
	b.WriteString("itemNumber,name\n")
	for i := range n {
		fmt.Fprintf(&b, "M-%d,Screw %d\n", i, i)
	}
	return []byte(b.String())
}

// An import whose process stops in the midst of it goes on with the next, and several that would do it at once do it
// once.
func TestABrokenOffImportGoesOn(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		const rows = 3_000
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/new/imports")
		b.send("/new/imports", "file", "many.csv", many(rows), "kind", "items")
		at := b.at
		o.works(t.Context())
		b.get(at)
		b.see("Would be created1,000", "The first 1000 rows were tried.")
		b.submit(at + "/import")

		breaks, stop := context.WithCancel(t.Context())
		o.kontor.Store().OnCommit(func(string) { stop() })
		o.kontor.Work().RunDue(breaks, o.company.ID)
		if n := o.items(); n == 0 || n >= rows {
			t.Fatalf("%d of %d items came before it was broken off", n, rows)
		}
		o.becomesDue()
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { o.kontor.Work().RunDue(t.Context(), o.company.ID) })
		}
		all.Wait()
		b.get(at)
		b.see("Imported", "Rows read3,000")
		b.miss("Created3,000", "Unchanged0")
		if n := o.items(); n != rows {
			t.Errorf("%d items, want %d", n, rows)
		}
	})
}

// items are how many the company has.
func (o *office) items() (n int) {
	o.t.Helper()
	o.write(func(tx *db.Tx) error {
		found, err := catalog.List(tx, catalog.Filter{}, record.Page{Number: 1, Size: 1})
		n = found.Total
		return err
	})
	return n
}

// becomesDue lets what was broken off be tried again at once.
func (o *office) becomesDue() {
	o.t.Helper()
	o.write(func(tx *db.Tx) error {
		found, err := jobs.List(tx, jobs.Filter{Kind: imports.Kind.Name, Status: jobs.Waiting},
			record.Page{Number: 1, Size: 1})
		if err != nil || len(found.Items) != 1 {
			return fmt.Errorf("%d imports wait: %w", len(found.Items), err)
		}
		_, err = jobs.Retry(tx, found.Items[0].ID)
		return err
	})
}

func TestAnImportInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	o.signedIn("anna@acme.test", identity.Admin)
	file := filepath.Join(t.TempDir(), "lamps.csv")
	if err := os.WriteFile(file, []byte(lamps), 0o600); err != nil {
		t.Fatal(err)
	}
	w.do("sign in", w.to("/new/imports"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("#f-kind"))
	w.do("hand in", chromedp.SetValue(chromedp.CSS("#f-kind"), "items"), click("#f-comma"),
		chromedp.SetUploadFiles(chromedp.CSS("#f-file"), []string{file}), click(".form button.primary"),
		said("[data-under-way]"))
	o.works(t.Context())
	w.do("the page looks by itself", chromedp.WaitNotPresent(chromedp.CSS("[data-under-way]")))
	w.see("Failed", "Item number")
	w.do("columns", click(`a[href$="/columns"]`), chromedp.SetValue(chromedp.CSS("#f-column0"), "itemNumber"),
		chromedp.SetValue(chromedp.CSS("#f-column1"), "name"), click(".form button.primary"), said("[data-under-way]"))
	o.works(t.Context())
	w.do("tried", said(`form[action$="/import"]`))
	w.see("Would be created", "Taken as")
	w.looksAt("import-tried")
	w.do("import", click(`form[action$="/import"] button`), said("[data-under-way]"))
	o.works(t.Context())
	w.do("imported", chromedp.WaitNotPresent(chromedp.CSS("[data-under-way]")))
	w.see("Imported", "Created")
}

// Whoever hands in what is no table, or is one only in part, reads in their language what is wrong with it and what to
// do; what is wrong further down is told when it is met, and not tried over and over.
func TestWhatIsNoTableIsSaidInThePersonsLanguage(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.language = "sv"
	for _, c := range []struct{ name, table, want string }{
		{"items.csv", "\n", "filen är tom"},
		{"items.xlsx", "itemNumber,name\n", "det är ingen XLSX-arbetsbok"},
		{"items.xlsx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more", "det är en arbetsbok av äldre slag"},
		{"items.csv", "itemNumber,na\"me\nA-1,One\n", "dess citattecken går inte ihop"},
		{"items.csv", "itemNumber,n\xe4me\n", "rad 1 är inte UTF-8: välj hur bokstäverna är skrivna"},
		{"items.csv", "itemNumber,name" + strings.Repeat(",x", imports.MostColumns), "den har fler än 500 kolumner"},
		{"items.pdf", "%PDF-1.4", "okänd sorts tabell"},
	} {
		b.get("/new/imports")
		b.send("/new/imports", "file", c.name, []byte(c.table), "kind", "items")
		b.see(c.want)
	}
	b.get("/new/imports")
	b.send("/new/imports", "file", "items.csv",
		[]byte("itemNumber,name,baseUnitCode\nA-1,One,PCS\nA-2,2\" pipe,PCS\nA-3,Three,PCS,x\nA-4,\"Four,PCS\nA-5,5,PCS\n"),
		"kind", "items")
	at := b.at
	o.works(t.Context())
	b.get(at)
	b.see("Misslyckad", "Filen kan inte läsas vidare efter 3 rader", "ett citattecken som öppnas på rad 5")
}
