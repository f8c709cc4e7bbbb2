package record

import (
	"fmt"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// Where much has changed, a page of a delta is read in the list's order, and nothing is sorted for it.
func TestADeltaOfManyRowsIsWalked(t *testing.T) {
	const rows = narrow + 200
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			columns := "item_id, warehouse, item, on_hand, allocated, average_cost, seq, created_at, changed_at"
			return tx.Insert("stock_level", columns, rows, func(i int) []any {
				return []any{fmt.Sprintf("%05d", i), "MAIN", "A", 0, 0, 0, 1, 1, 2*rows - i}
			})
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			p := Page{Number: 3, Size: 50, Since: 1, Horizon: 3 * rows}
			q := Query{Name: "test", Select: "l.item_id", From: "stock_level l", Key: []string{"l.item_id", "l.warehouse"},
				Stamp: "l.changed_at"}
			found, err := ListOf(tx, q, p, func(r db.Row, id *string) error { return r.Scan(id) })
			if err != nil || found.Total != rows || len(found.Items) != 50 || found.Items[0] != "00100" {
				t.Errorf("%d of %d rows, %v: %q", len(found.Items), found.Total, err, found.Items)
			}
			q.sort(p)
			q.Where(q.Stamp+stampedSince, db.Args{"since": p.Since})
			q.Where(q.Stamp+stampedUntil, db.Args{"horizon": p.Horizon})
			text, args := q.walked().page(p, rows, nil)
			if !tx.OneWriter() {
				return nil // whose planner looks at the rows
			}
			return tx.Each(strings.Replace(text, "\n", "\nexplain query plan ", 1), args, func(r db.Row) error {
				var id, parent, unused int
				var step string
				err := r.Scan(&id, &parent, &unused, &step)
				if strings.Contains(step, "TEMP B-TREE") || strings.Contains(step, "changed_at") {
					t.Errorf("the page is gathered: %s", step)
				}
				return err
			})
		})
	})
}

// What few records among many are is found by an index of theirs, whatever order the list is in: no order is walked to
// its end for them. On PostgreSQL the planner looks at the rows.
func TestAListIsNotWalkedForTheFewThatAreAskedFor(t *testing.T) {
	inactive := func(q *Query) { q.Active(new(false)) }
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Read(t, s, func(tx *db.Tx) error {
			for _, few := range []struct {
				table, index string
				key          []string
				narrow       func(*Query)
			}{
				{"customer", "customer_inactive", []string{"number_key"}, inactive},
				{"customer", "customer_inactive", []string{"lower(name)", "number_key"}, inactive},
				{"item", "item_inactive", []string{"coalesce(sales_price, -1)", "number_key"}, inactive},
				{"item", "item_no_stock", []string{"number_key"}, func(q *Query) {
					q.Given("type = :type", "Service")
					q.Where("type <> 'Stock'", nil)
				}},
				{"stock_entry", "stock_entry_of_kind", []string{"at desc", "id desc"},
					func(q *Query) { q.Given("kind = :kind", "Scrap") }},
			} {
				q := Query{Name: "test", Select: "version", From: few.table, Key: few.key}
				few.narrow(&q)
				q.sort(Page{})
				text, args := q.page(Page{Number: 1, Size: 50}, 0, nil)
				if !tx.OneWriter() {
					if err := tx.Each(text, args, func(db.Row) error { return nil }); err != nil {
						return err
					}
					continue
				}
				plan := ""
				if err := tx.Each(strings.Replace(text, "\n", "\nexplain query plan ", 1), args, func(r db.Row) error {
					var id, parent, unused int
					var step string
					err := r.Scan(&id, &parent, &unused, &step)
					plan += step + "\n"
					return err
				}); err != nil {
					return err
				}
				if !strings.Contains(plan, few.index) {
					t.Errorf("%s\ngoes\n%s", text, plan)
				}
			}
			return nil
		})
	})
}

// A list is walked without being counted and without skipping what was read: every row once, in its order, whatever the
// pages hold.
func TestAListIsWalkedFromKeyToKey(t *testing.T) {
	const rows = 45
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			columns := "item_id, warehouse, item, on_hand, allocated, average_cost, seq, created_at, changed_at"
			return tx.Insert("stock_level", columns, rows, func(i int) []any {
				return []any{fmt.Sprintf("%05d", i), "MAIN", "A", i / 10, 0, 0, 1, 1, 1}
			})
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			for size, pages := range map[int]int{20: 3, 15: 4, 200: 1} {
				var read []string
				asked := 0
				err := Walk(Page{Size: size}, func(p Page) (Found[string], error) {
					q := Query{Name: "test", Select: "l.item_id", From: "stock_level l",
						Key: []string{"l.on_hand desc", "l.item_id"}}
					asked++
					found, err := ListOf(tx, q, p, func(r db.Row, id *string) error { return r.Scan(id) })
					if found.Total != 0 {
						t.Errorf("page %d of %d was counted", p.Number, size)
					}
					return found, err
				}, func(some []string) error {
					read = append(read, some...)
					return nil
				})
				if err != nil || len(read) != rows || read[0] != "00040" || read[5] != "00030" || read[44] != "00009" ||
					asked != pages {
					t.Errorf("pages of %d: %d rows in %d, %v: %q", size, len(read), asked, err, read)
				}
			}
			return nil
		})
	})
}
