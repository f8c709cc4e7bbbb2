package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/business/catalog"
	"kontor/internal/exchange"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/table"
)

var errBroken = errors.New("broken off")

// An import that is broken off tells of the rows that stand in the books, and of no others.
func TestABrokenOffImportCountsWhatItDid(t *testing.T) {
	onEach(t, func(t *testing.T, h *app.App) {
		s := open(t, h, "s")
		s.take("brands", "x.csv", "code,name,slug\nOLD,Old,old\n", exchange.Options{})
		many := "code,name\n"
		for n := range 700 {
			many += fmt.Sprintf("B-%03d,Brand\n", n)
		}
		// The second attempt at the first row, alone since the last one is refused, fails: with the row between them,
		// which the first attempt had made, nothing came of it.
		halved := "code,name,slug\nOLD,Old,new\nNEW,New,\nBAD,,\n"
		attempts := 0
		db.On(h.Store(), func(*db.Tx, catalog.SlugChanged) error {
			if attempts++; attempts == 2 {
				return errBroken
			}
			return nil
		})
		for _, c := range []struct {
			text, counted string
			err           error
		}{
			{many, "300 rows: 300 created, 0 updated, 0 unchanged, 0 refused", context.Canceled},
			{halved, "0 rows: 0 created, 0 updated, 0 unchanged, 0 refused", errBroken},
		} {
			ctx, cancel := context.WithCancel(context.Background())
			r, err := table.Read(strings.NewReader(c.text), "x.csv", table.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			desk := s.desk()
			desk.Tick = func(int64, int64, string) { cancel() }
			report, err := exchange.Import(ctx, desk, "brands", r, exchange.Options{})
			if !errors.Is(err, c.err) || counted(report) != c.counted {
				t.Errorf("%v, %s; want %s", err, counted(report), c.counted)
			}
			cancel()
			r.Close()
		}
	})
}
