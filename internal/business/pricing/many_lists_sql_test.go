package pricing

import (
	"fmt"
	"testing"

	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// The prices of some items in many lists cost as much as those lists say of these items, and not as they say of all.
func TestManyListsAreLookedUpByTheItems(t *testing.T) {
	const lists, asked, items = manyLists, 24, 1500
	name := func(kind string, n int) string { return fmt.Sprintf("%s-%04d", kind, n) }
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			s := dbtest.Open(t, o)
			dbtest.Write(t, s, func(tx *db.Tx) error {
				columns := "id, version, created_at, changed_at, list_id, item_id, item_number, item_key, min_quantity, " +
					"valid_from, strategy, unit_price"
				return tx.Insert("price_list_line", columns, lists*items, func(i int) []any {
					list, item := i/items, i%items
					return []any{name("line", i), 1, 1, i + 1, name("list", list), name("item", item), name("KEY", item),
						name("key", item), 0, "", price.Fixed, 1}
				})
			})
			if o.URL != "" { // the planner has looked since the table is so large
				if _, err := dbtest.Beside(t, o.URL).ExecContext(t.Context(), "analyze price_list_line"); err != nil {
					t.Fatal(err)
				}
			}
			dbtest.Read(t, s, func(tx *db.Tx) error {
				all, ids, keys := map[string]bool{}, []string{}, []string{}
				for n := range lists {
					all[name("list", n)] = true
				}
				for n := range asked {
					ids, keys = append(ids, name("item", n)), append(keys, name("key", n))
				}
				found, err := readOffers(tx, &priceLists{}, all, ids, keys)
				if err != nil || len(found) != asked || len(found[ids[0]]) != lists {
					t.Fatalf("%d items, %d offers of the first, %v", len(found), len(found[ids[0]]), err)
				}
				if tx.OneWriter() {
					return nil // who looks at a list and an item together
				}
				return tx.Each(`-- test
				select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relname = 'price_list_line' and :company <> ''`,
					nil, func(r db.Row) error {
						var looked int
						err := r.Scan(&looked)
						if looked > 2*asked*lists {
							t.Errorf("%d rows were looked at for %d", looked, asked*lists)
						}
						return err
					})
			})
		})
	}
}
