package backoffice_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/paper/papertest"
	"kontor/internal/foundation/db"
)

// A shelf is counted in the browser, on both engines: begun, scanned, corrected from the sheet, looked at with its
// value, posted once.
func TestACountGoesItsWay(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/counts")
		b.submit("/new/counts", "warehouseCode", "MAIN", "locationCodes", "Z-99")
		b.see("warehouse MAIN has no location Z-99")
		b.submit("/new/counts", "warehouseCode", "MAIN", "locationCodes", "A-01", "isBlind", "on")
		b.see("has begun.", "0 of 1 lines", "This count is blind")
		at := b.at
		b.get("/new/counts")
		b.submit("/new/counts", "warehouseCode", "MAIN")
		b.see("A stock row is counted by one open count at a time", strings.TrimPrefix(at, "/counts/"))
		b.get(at + "/scan")
		b.submit(at+"/scan", "code", "nothing")
		b.see("there is no item nothing")
		b.submit(at+"/scan", "code", "a-100", "locationCode", "a-01")
		b.see("A-100, Hammer in A-01: 1 counted.")
		b.submit(at+"/scan", "code", "A-100", "quantity", "6")
		b.see("7 counted.")
		b.submit(at+"/scan", "code", "A-100", "quantity", "8", "anew", "on")
		b.see("8 counted.")
		b.get(at + "/lines?counted=yes")
		b.see("Hammer", "8")
		if got := b.column("Difference"); len(got) != 1 || got[0] != "" {
			t.Errorf("a blind count shows the difference %q", got)
		}
		b.get(at + "/record")
		b.submit(at+"/record", "lines[0].lineNumber", "1", "lines[0].itemNumber", "B-1", "lines[0].countedQuantity",
			"9")
		b.see("line 1 is of A-100, not of B-1: name no line to count something else")
		b.submit(at+"/record", "lines[0].lineNumber", "1", "lines[0].itemNumber", "A-100", "lines[0].countedQuantity",
			"9")
		b.see("1 row is counted.")
		b.get(at + "/pdf")
		if said, err := papertest.Text([]byte(b.text)); err != nil || !strings.Contains(said, "Hammer  9 pcs\n") {
			t.Errorf("the count sheet of a blind count says %q: %v", said, err)
		}
		b.get(at + "/post")
		b.see("Changes stock by", "Hammer in A-01: −1")
		b.submit(at + "/post")
		b.see("The count is posted.", "Posted", "-1")
		b.get("/items/A-100")
		b.see("9")
		b.get("/new/counts")
		b.submit("/new/counts", "warehouseCode", "MAIN", "itemNumbers", "A-100")
		b.get(b.at + "/cancel")
		b.submit(b.at)
		b.see("The count is given up.", "Cancelled")
	})
}

// A batch that nobody received is found on a shelf: whoever counts it says that it is new, once, while scanning or from
// the sheet.
func TestABatchIsFoundInACount(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		o.write(func(tx *db.Tx) error {
			milk := catalog.New()
			milk.Number, milk.Name, milk.TaxCode, milk.Tracking = "MILK", "Milk", "STD", catalog.Batch
			return catalog.CreateMany(tx, []catalog.Item{milk})
		})
		b.get("/new/counts")
		b.submit("/new/counts", "warehouseCode", "MAIN")
		at := b.at
		b.get(at + "/scan")
		b.submit(at+"/scan", "code", "MILK", "locationCode", "A-01", "batchNumber", "M-1")
		b.see("has no batch M-1: look at how it is written, or say that it is new")
		b.submit(at+"/scan", "newBatch", "on")
		b.see("Milk in A-01: 1 counted.")
		b.get(at + "/scan")
		b.submit(at+"/scan", "code", "MILK", "locationCode", "A-01", "batchNumber", "m-1")
		b.see("Milk in A-01: 2 counted.")
		b.get(at + "/record")
		b.submit(at+"/record", "lines[1].itemNumber", "MILK", "lines[1].locationCode", "A-01",
			"lines[1].batchNumber", "M-2", "lines[1].countedQuantity", "3", "lines[1].newBatch", "on")
		b.see("1 row is counted.")
		b.get(at + "/post")
		b.submit(at + "/post")
		b.see("The count is posted.", "M-1", "M-2")
	})
}

// Who counts on a phone loses nothing while there is no connection, nor by reloading: each scan is taken once.
func TestScansWaitForTheConnection(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/counts")
	b.submit("/new/counts", "warehouseCode", "MAIN", "locationCodes", "A-01")
	at := b.at
	w.do("sign in", w.to(at+"/scan"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("#f-code"))
	if got := w.ask("document.activeElement.id"); got != "f-code" {
		t.Errorf("a scanner would type into %q", got)
	}
	w.looksAt("count-scan")
	w.do("the sheet", w.to(at+"/record"), said("[data-more]"))
	w.looksAt("count-sheet")
	w.do("the scanner again", w.to(at+"/scan"), said("#f-code"))
	w.do("a scan", chromedp.KeyEvent("A-100\r"), said(".taken"))
	w.see("A-100, Hammer in A-01: 1 counted.")
	w.ask(`window.there = fetch, window.fetch = () => Promise.reject(new TypeError("no connection")), ""`)
	w.do("scans without a connection", chromedp.KeyEvent("A-100\r"), chromedp.KeyEvent("gone\r"),
		typed("quantity", "4"), said(".queue li"))
	w.see("Waits for the connection")
	w.do("the page again", chromedp.Reload(), said(".queue li .error"))
	w.see("A-100, Hammer in A-01: 2 counted.", "There is no item gone.", "Take away")
	if got := w.ask("document.querySelector('#f-quantity').value"); got != "4" {
		t.Errorf("of what was typed is left %q", got)
	}
	w.do("what was wrong is taken away", click(".queue li button:last-child"),
		chromedp.WaitNotPresent(chromedp.CSS(".queue li")))
	// Nothing of the form is anywhere but here: no page that looks for news of a record looks again at this one.
	if got := w.ask("lookAgain().then(() => document.querySelector('#f-quantity').value)"); got != "4" {
		t.Errorf("after a look at the page what was typed is %q", got)
	}
	// The answer is lost, the scan was taken: sent again, it counts once.
	w.ask(
		`window.there = fetch, window.fetch = async (...a) => { window.fetch = there; await there(...a); throw new TypeError("lost") }, ""`)
	w.do("a lost answer", chromedp.SendKeys(chromedp.CSS("#f-code"), "A-100\r"),
		chromedp.WaitNotPresent(chromedp.CSS(".queue li")))
	b.get(at)
	b.see("1 of 1 lines")
	b.get(at + "/lines")
	if got := b.column("Counted"); len(got) != 1 || got[0] != "6" {
		t.Errorf("counted %q, want 6", got)
	}
	b.get(at + "/scan")
	b.submit("/sign-out")
	if got := w.ask("String(document.documentElement.scrollWidth <= innerWidth)"); got != "true" {
		t.Error("the page is wider than the window")
	}
}
