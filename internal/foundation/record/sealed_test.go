package record_test

import (
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/record"
)

// helper is a record with a secret.
type helper struct {
	record.Root
	ChannelCode, Name, Address string
	Secret                     string `log:"-"`
	IsUsed                     bool
}

var helpers = record.TableOf(record.Define("helpers", "assistant_model", "Helper"), record.Layout[helper]{
	Fixed: "channel_code", Changing: "name, address, is_used", Key: "channel_key",
	KeyOf: func(h *helper) string { return h.ChannelCode },
	Sealed: &record.Sealed[helper]{Column: "api_key", Named: "secret",
		Of:   func(h *helper) string { return h.Secret },
		Open: func(h *helper, text string, lost bool) { h.Secret, h.IsUsed = text, h.IsUsed && !lost }},
})

func TestWhatIsSealedIsReadAndToldToNobody(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return helpers.Create(tx, &helper{Root: record.New(tx), ChannelCode: "WEB", Name: "First", Secret: "hush",
				IsUsed: true})
		})
		change := func(edit func(*helper)) {
			dbtest.Write(t, s, func(tx *db.Tx) error {
				_, _, err := helpers.Change(tx, "web", func(h *helper) error { edit(h); return nil }, nil)
				return err
			})
		}
		is := func(name, secret string, used bool) {
			t.Helper()
			dbtest.Read(t, s, func(tx *db.Tx) error {
				h, err := helpers.Find(tx, "web")
				if h.Name != name || h.Secret != secret || h.IsUsed != used {
					t.Errorf("%+v, want %s with %q", h, name, secret)
				}
				return err
			})
		}
		is("First", "hush", true)
		change(func(h *helper) { h.Name = "Second" })
		is("Second", "hush", true)
		change(func(h *helper) { h.Secret = "still" })
		is("Second", "still", true)
		dbtest.Read(t, s, func(tx *db.Tx) error {
			told, err := db.Column[string](tx, `-- test
				select detail from activity where company = :company order by at`, nil)
			if len(told) != 3 || !strings.Contains(told[2], "changed") ||
				strings.Contains(strings.Join(told, ""), "still") {
				t.Errorf("the log tells %q", told)
			}
			return err
		})
		dbtest.Write(t, s, func(tx *db.Tx) error {
			var kept string
			_, err := tx.One("-- test\nselect api_key from assistant_model where company = :company", nil, &kept)
			if err != nil || kept == "" || strings.Contains(kept, "still") {
				t.Errorf("%q is kept: %v", kept, err)
			}
			return tx.Run("-- test\nupdate assistant_model set api_key = :key where company = :company",
				db.Args{"key": kept[:len(kept)-4] + "AAAA"})
		})
		is("Second", "", false)
	})
}
