package looktest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

const chromium = "/usr/bin/chromium"

// stop ends the browser, once there is one.
var stop = func() {}

// browser is what all tests of a process share: to start one takes longer than what most of them do in it.
var browser = sync.OnceValues(func() (context.Context, error) {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, err
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(chromium), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 900), chromedp.NoFirstRun, chromedp.UserDataDir(dir),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true)))
	stop = func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		os.RemoveAll(dir)
	}
	// The first use starts the browser, which lives as long as the context of that call.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", chromium, err)
	}
	return ctx, nil
})

// Main runs the tests of a package that looks at pages, and then ends its browser: TestMain calls it.
func Main(m *testing.M) {
	code := m.Run()
	stop()
	os.Exit(code)
}

// Window is a window of the browser that shows an address, 1280 wide, in which nobody was before: what it keeps no other
// window sees. The test is skipped where there is no browser.
func Window(t *testing.T, address string) context.Context {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		t.Skip("there is no browser at " + chromium + ", so nothing is looked at as people see it")
	}
	all, err := browser()
	if err != nil {
		t.Fatal(err)
	}
	ctx, shut := chromedp.NewContext(all, chromedp.WithNewBrowserContext())
	t.Cleanup(shut)
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	return ctx
}
