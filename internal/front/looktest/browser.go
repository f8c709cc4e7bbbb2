package looktest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// chromium is where Debian puts the browser, first the one that draws no windows, which costs a third less; "" where
// there is none.
func chromium() string {
	for _, path := range []string{"/usr/bin/chromium-headless-shell", "/usr/bin/chromium"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// browser is what all tests of a process share: to start one takes longer than what most of them do in it.
type browser struct {
	once sync.Once
	ctx  context.Context
	err  error
	stop func() // nil until it was started
}

var shared browser

func (b *browser) start() {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		b.err = err
		return
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(chromium()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 900), chromedp.NoFirstRun, chromedp.UserDataDir(dir),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true)))
	b.ctx = ctx
	b.stop = func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		os.RemoveAll(dir)
	}
	// The first use starts the browser, which lives as long as the context of that call.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		b.err = fmt.Errorf("%s does not start: %w", chromium(), err)
	}
}

// Main runs the tests of a package that looks at pages, and then ends its browser: TestMain calls it.
func Main(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// Window is a window of the browser that shows an address, 1280 wide, in which nobody was before: what it keeps no
// other window sees. The test is skipped where there is no browser.
func Window(t *testing.T, address string) context.Context {
	t.Helper()
	if chromium() == "" {
		t.Skip("there is no browser in /usr/bin, so nothing is looked at as people see it")
	}
	shared.once.Do(shared.start)
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	ctx, shut := chromedp.NewContext(shared.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(shut)
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// Do takes steps one after another. One whose page was just left for the next one is taken again, on that.
func Do(ctx context.Context, steps ...chromedp.Action[chromedp.Void]) error {
	for _, step := range steps {
		err := chromedp.Do(ctx, step)
		for err != nil && strings.Contains(err.Error(), "No node with given id found") && ctx.Err() == nil {
			err = chromedp.Do(ctx, step)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
