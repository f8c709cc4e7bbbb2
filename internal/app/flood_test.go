package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
)

// limited is a besieged house with the usual rates, and the store key of its merchant's server.
func limited(t *testing.T, place datadir.Dir) (*besieged, string) {
	b := besiege(t, place)
	b.close()
	var err error
	b.kontor, err = app.OpenServing(t.Context(), place, app.Serving{CommerceRate: 20, KeepBytes: 1 << 20},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var key string
	err = b.kontor.Control(t.Context(), func(tx *db.Tx) (err error) {
		_, key, err = identity.CreateStoreKey(tx, b.company, "web", "server")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, "X-Store-Key: " + key
}

// sessions are how many rows sessions have.
func (b *besieged) sessions() (n int) {
	b.Helper()
	err := b.kontor.InCompany(context.Background(), "acme", func(tx *db.Tx) error {
		_, err := tx.One("-- app_test.sessions\nselect count(*) from session where company = :company", nil, &n)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// Opening sessions writes nothing, however many are opened; what each of them keeps is its own.
func TestOpeningSessionsWritesNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		b := besiege(t, place)
		b.visit("192.0.2.1")
		start := time.Now()
		for range 600 {
			b.visit("192.0.2.1")
		}
		t.Logf("opening a session takes %s", time.Since(start)/600)
		if n := b.sessions(); n != 0 {
			t.Errorf("600 sessions that keep nothing have %d rows", n)
		}
		one, other := b.visit("192.0.2.1"), b.visit("192.0.2.1")
		for range 2 {
			if w := b.ask("192.0.2.1", "PATCH", "/ecom/session", `{"isPriceIncludingTax": true}`,
				append(one, "Content-Type: application/merge-patch+json")...); w.Code != 200 {
				t.Fatalf("choosing: %d %s", w.Code, w.Body)
			}
		}
		for _, h := range [][]string{one, other} {
			if w := b.ask("192.0.2.1", "GET", "/ecom/session", "", h...); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		if n := b.sessions(); n != 1 {
			t.Errorf("one session that keeps something has %d rows", n)
		}
	})
}

// Nobody spends what is others': while one guest floods the store with tokens that were never given out, or with
// sessions of his own, and strangers flood it from everywhere, not one of the real visitors is refused.
func TestFloodsDoNotStarveVisitors(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		b, key := limited(t, place)
		store := []string{"X-Tenant-Id: " + b.company.ID, "X-Channel: WEB"}
		peer, guest := "198.51.100.7", "X-Visitor-IP: 203.0.113.66"
		known := slices.Clip(append(store, key))
		bogus := slices.Clip(append(known, "Authorization: Bearer nonsense"))
		var own [][]string
		for range 40 {
			own = append(own, append(b.visit(thief), key, guest))
		}
		for name, flood := range map[string]func(i int) int{
			"tokens never given out": func(int) int {
				return b.ask(peer, "GET", "/ecom/cart", "", append(bogus, guest)...).Code
			},
			"tokens never given out, without a key": func(int) int {
				return b.ask(thief, "GET", "/ecom/cart", "", append(store, bogus[3])...).Code
			},
			"tokens never given out, of nobody's": func(int) int {
				return b.ask(peer, "GET", "/ecom/cart", "", append(bogus, "X-Visitor-IP: ")...).Code
			},
			"a guest's many sessions": func(i int) int {
				return b.ask(peer, "GET", "/ecom/cart/summary", "", own[i%len(own)]...).Code
			},
			"openings": func(int) int {
				return b.ask(peer, "GET", "/ecom/session", "", append(known, guest)...).Code
			},
			"strangers, each from a place of their own": func(i int) int {
				return b.ask(fmt.Sprintf("10.%d.%d.1", i/250, i%250), "GET", "/ecom/session", "", store...).Code
			},
		} {
			var stopped atomic.Int64
			together(4_000, 8, func(i int) {
				if flood(i) == 429 {
					stopped.Add(1)
				}
			})
			refused := 0
			for i := range 25 {
				h := append(known, fmt.Sprintf("X-Visitor-IP: 192.0.2.%d", i))
				if w := b.ask(peer, "GET", "/ecom/session", "", h...); w.Code == 429 {
					refused++
				}
			}
			if refused > 0 || stopped.Load() == 0 {
				t.Errorf("%s: %d of 25 visitors are refused, and %d of the flood", name, refused, stopped.Load())
			}
		}
	})
}
