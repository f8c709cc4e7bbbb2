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

// Who turns the pages of a list goes on where the page before ended, and its rows are not counted again while nothing
// changes, with one writer also where he was not told what is committed: all that he sees is.
func TestPagesAreTurnedWithoutCountingAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			columns := "item_id, warehouse, item, on_hand, allocated, average_cost, seq, created_at, changed_at"
			return tx.Insert("stock_level", columns, 30, func(i int) []any {
				return []any{fmt.Sprintf("%05d", i), "MAIN", "A", 0, 0, 0, 1, 1, 1}
			})
		})
		dbtest.Corrupt(t, s, `insert into change (company, stamp, id, resource, business_key, kind)
			values (:company, 5, 'x', 'levels', 'X', 'changed')`)
		list := func(number int) (f Found[string]) {
			dbtest.Read(t, s, func(tx *db.Tx) (err error) {
				p := Page{Number: number, Size: 10}
				if !tx.OneWriter() {
					p.Horizon = 5
				}
				q := Query{Name: "test", Select: "l.item_id", From: "stock_level l", Key: []string{"l.item_id"},
					Resources: []string{"levels"}}
				f, err = ListOf(tx, q, p, func(r db.Row, id *string) error { return r.Scan(id) })
				return err
			})
			return f
		}
		list(1)
		dbtest.Corrupt(t, s, "delete from stock_level where company = :company and item_id < '00005'") // no change tells of it
		if f := list(2); f.Total != 30 || f.Items[0] != "00010" {
			t.Errorf("page 2 is counted and skipped to: %d, %q", f.Total, f.Items)
		}
	})
}

// What a customer's documents are counted by and narrowed to is read from an index alone, and what he owes from one
// that has nothing else: a customer may have a hundred thousand.
func TestACustomersDocumentsAreCountedByTheirIndex(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	dbtest.Read(t, s, func(tx *db.Tx) error {
		for text, index := range map[string]string{
			`select count(*) from sales_order where company = :company and customer_key = :key
				and status in ('Placed', 'Released')`: "COVERING INDEX sales_order_customer",
			`select count(*) from invoice where company = :company and customer_key = :key and status = 'Booked'
				and type <> 'CreditNote' and payment_status <> 'Paid'`: "COVERING INDEX invoice_customer",
			`select count(*) from shipment where company = :company and customer_id = :key
				and status not in ('Delivered', 'Cancelled')`: "COVERING INDEX shipment_customer",
			`select sum(total) from invoice where company = :company and customer_id = :key and status <> 'Cancelled'
				and paid <> total + vat`: "INDEX invoice_open",
		} {
			plan := ""
			err := tx.Each("-- test\nexplain query plan "+text, db.Args{"key": "BIG"}, func(r db.Row) error {
				var id, parent, unused int
				var step string
				err := r.Scan(&id, &parent, &unused, &step)
				plan += step + "\n"
				return err
			})
			if err != nil || !strings.Contains(plan, index) {
				t.Errorf("not by %s, %v: %s%s", index, err, text, plan)
			}
		}
		return nil
	})
}

// Who takes an empty list's total from memory has read the list's tables all the same: an answer that is kept depends
// on them, whoever counted.
func TestATotalFromMemoryIsReadFromItsTables(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for reader := range 2 {
			dbtest.Read(t, s, func(tx *db.Tx) error {
				q := Query{Name: "test", Select: "l.item_id", From: "stock_level l", Key: []string{"l.item_id"},
					Resources: []string{"stock-levels"}}
				found, err := ListOf(tx, q, Page{Number: 1, Size: 50, Horizon: 1},
					func(r db.Row, id *string) error { return r.Scan(id) })
				if read, ok := tx.Read(); err != nil || found.Total != 0 || !ok ||
					!db.TablesNamed("stock_level").Within(read) {
					t.Errorf("reader %d: %d rows, %v; read from %v", reader, found.Total, err, read)
				}
				return nil
			})
		}
	})
}
