package channel_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// Redirects that are made at the same time never close a loop, and of the same path there is one.
func TestRedirectsMadeAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		errs := make([]error, 40)
		var work sync.WaitGroup
		for i := range errs {
			r := channel.Redirect{FromPath: fmt.Sprint("/", i%4), ToPath: fmt.Sprint("/", (i+1)%4), StatusCode: 301,
				IsActive: true}
			work.Go(func() {
				errs[i] = s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					_, err := channel.CreateRedirect(tx, "WEB", r)
					return err
				})
			})
		}
		work.Wait()
		for i, err := range errs {
			if err != nil && !fault.Is(err, channel.ErrRedirectLoop) && !fault.Is(err, channel.ErrFromPathTaken) {
				t.Errorf("%d: %v", i, err)
			}
		}
		made := redirects(t, s)
		if len(made) == 0 {
			t.Error("none was made")
		}
		for from, to := range made {
			if on, ok := made[to]; ok {
				t.Errorf("%s leads to %s, which leads on to %s", from, to, on)
			}
		}
	})
}

// What a merchant redirected by hand follows a page that moves.
func TestMovesMindRedirectsMadeByHand(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		publish(t, s, on("I1", "a"))
		dbtest.Write(t, s, func(tx *db.Tx) error {
			for from, to := range map[string]string{"/sale": "/Products/A?from=sale", "/products/b": "/elsewhere",
				"/out": "https://example.com/products/a"} {
				if _, err := channel.CreateRedirect(tx, "WEB", channel.Redirect{FromPath: from, ToPath: to,
					StatusCode: 302, IsActive: true}); err != nil {
					return err
				}
			}
			return nil
		})
		publish(t, s, on("I1", "b"))
		if got := fmt.Sprint(redirects(t,
			s)); got != "map[/out:https://example.com/products/a /products/a:/products/b /sale:/products/b]" {
			t.Errorf("%s", got)
		}
	})
}
