package cart_test

import (
	"strings"
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What was written past the room, or left behind by it, is named.
func TestVerifyFindsWhatNoCartHas(t *testing.T) {
	for statement, want := range map[string]string{
		"delete from session where company = :company":                                     "no visitor has it",
		"delete from cart where company = :company":                                        "line",
		"update cart_line set quantity = 100000001000000 where company = :company":         "more lies there",
		"update cart_line set seen_currency = '', seen_price = 1 where company = :company": "has no currency",
		"update cart_code set cart_id = 'none' where company = :company":                   "though codes lie in it: 1",
	} {
		each(t, func(s *shop) {
			v := s.visit()
			v.adds("SAW", "5")
			v.adds("CABLE", "0.75")
			id := v.sees().ID
			said := func() (all string) {
				dbtest.Read(t, s.store, func(tx *db.Tx) error {
					return cart.Verify(tx, func(what string) { all += what + "\n" })
				})
				return all
			}
			dbtest.Write(t, s.store, func(tx *db.Tx) error {
				return tx.Insert("cart_code", "cart_id, code_key, applied_at", 1,
					func(int) []any { return []any{id, "x", tx.Now} })
			})
			if all := said(); all != "" {
				t.Fatalf("a sound cart: %s", all)
			}
			dbtest.Corrupt(t, s.store, statement)
			if all := said(); !strings.Contains(all, want) {
				t.Errorf("%s: verify says %q, which does not name %q", statement, all, want)
			}
		})
	}
}
