package backoffice_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"kontor/internal/identity"
)

const chromium = "/usr/bin/chromium"

// The main way in a real browser: sign in, find the orders with the keyboard, place one whose form grows a row, release it.
func TestTheMainWayInABrowser(t *testing.T) {
	if _, err := os.Stat(chromium); err != nil {
		t.Skip("there is no browser at " + chromium + ", so nothing is looked at as people see it")
	}
	o := opened(t, "sqlite")
	goods(o.signedIn("anna@acme.test", identity.Admin))
	ctx, stop := chromedp.NewContext(t.Context(), chromedp.WithAllocatorOptions(chromedp.ExecPath(chromium), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true)))
	defer stop()
	do := func(what string, steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		within, enough := context.WithTimeout(ctx, 30*time.Second)
		defer enough()
		if err := chromedp.Do(within, steps...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	ask := func(script string) string {
		t.Helper()
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string](script))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	// The first use starts the browser, which lives as long as the context of that call.
	if err := chromedp.Do(ctx, chromedp.Navigate(o.server.URL+"/orders")); err != nil {
		t.Fatal(err)
	}
	do("sign in", chromedp.SendKeys(chromedp.CSS("#f-email"), "anna@acme.test"), chromedp.SendKeys(chromedp.CSS("#f-password"), password+"\r"), chromedp.WaitVisible(chromedp.CSS("#q")))
	do("the search by the keyboard", chromedp.KeyEvent("/"))
	if got := ask("document.activeElement.id"); got != "q" {
		t.Errorf("the slash leads to %q", got)
	}
	do("a new order", chromedp.Click(chromedp.CSS(`a[href="/new/orders"]`)), chromedp.WaitVisible(chromedp.CSS("[data-more]")), chromedp.Click(chromedp.CSS("[data-more]")),
		chromedp.SendKeys(chromedp.CSS("#f-customerNumber"), "C-1"), chromedp.SendKeys(chromedp.CSS("#f-lines_3__itemNumber"), "A-100"), chromedp.SendKeys(chromedp.CSS("#f-lines_3__quantity"), "2"),
		chromedp.Click(chromedp.CSS(".form button.primary")), chromedp.WaitVisible(chromedp.CSS(".history")))
	do("its release", chromedp.Click(chromedp.CSS(`form[action$="/release"] button`)), chromedp.WaitNotPresent(chromedp.CSS(`form[action$="/release"]`)))
	if got := ask("document.querySelector('main').innerText"); !strings.Contains(got, "Released") || !strings.Contains(got, "2,401.00") {
		t.Error(got)
	}
	if got := ask("String(document.documentElement.scrollWidth <= innerWidth)"); got != "true" {
		t.Error("the page is wider than the window")
	}
}
