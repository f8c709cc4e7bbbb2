package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"kontor/internal/foundation/db/dbtest"
)

// handling is one request of people who receive, move, count and sell goods.
type handling struct {
	path, body, key string
	status          int
	first           answer // what was acknowledged before the server was killed, if anything was
}

// yard is where goods are handled.
type yard struct {
	*client
	site *site
}

func newYard(s *site, c *client) *yard {
	at := filepath.Join(s.dir, "warehouses.csv")
	if err := os.WriteFile(at, []byte("warehouseCode,locationCode,isPickable\nSHOP,S-01,true\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	s.kontor("import", "--company=acme", "warehouses", at)
	c.must(201, "POST", "/preview/items", `{"itemNumber": "A-1", "name": "A", "salesPrice": 10}`)
	c.must(201, "POST", "/preview/items", `{"itemNumber": "KIT", "name": "K", "replenishmentType": "Manufacture"}`)
	at = filepath.Join(s.dir, "boms.csv")
	if err := os.WriteFile(at, []byte("itemNumber,componentItemNumber,quantity\nKIT,A-1,2\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	s.kontor("import", "--company=acme", "boms", at)
	c.must(201, "POST", "/preview/customers",
		`{"customerNumber": "C-1", "name": "C", "city": "Lund", "countryCode": "SE"}`)
	c.must(201, "POST", "/preview/suppliers", `{"supplierNumber": "S-1", "name": "S"}`)
	c.must(201, "POST", "/preview/purchase-orders", `{"orderNumber": "P-1", "supplierNumber": "S-1", "lines": [
		{"itemNumber": "A-1", "quantity": 1000, "unitPrice": 3}]}`)
	c.must(200, "POST", "/preview/purchase-orders/P-1/send", "")
	c.must(201, "POST", "/preview/purchase-orders/P-1/lines/1/receive", `{"quantity": 100, "locationCode": "A-01"}`)
	return &yard{c, s}
}

// round prepares a count, transfers and a work order, and answers what is to be done with them, and beside them.
func (y *yard) round(n int) (todo []*handling, count string, transfers []string) {
	add := func(status int, path, body string) {
		todo = append(todo, &handling{path: path, body: body, status: status,
			key: fmt.Sprintf("round-%d-%d", n, len(todo))})
	}
	a := y.must(201, "POST", "/preview/inventory/counts", `{"warehouseCode": "MAIN", "locationCodes": ["A-02"]}`)
	count = y.one(a, "countNumber")
	y.must(200, "PATCH", "/preview/inventory/counts/"+count+"/lines", fmt.Sprintf(
		`{"lines": [{"itemNumber": "A-1", "locationCode": "A-02", "countedQuantity": %d}]}`, 5+n))
	for i := range 3 {
		t := fmt.Sprintf("T-%d-%d", n, i)
		y.must(201, "POST", "/preview/transfers", fmt.Sprintf(`{"orderNumber": %q, "fromWarehouseCode": "MAIN", "toWarehouseCode": "SHOP",
			"lines": [{"itemNumber": "A-1", "quantity": 2}]}`, t))
		y.must(200, "POST", "/preview/transfers/"+t+"/release", "")
		add(200, "/preview/transfers/"+t+"/ship", `{"lines": [{"lineNumber": 1, "quantity": 2, "locationCode": "A-01"}]}`)
		transfers = append(transfers, t)
	}
	add(200, "/preview/inventory/counts/"+count+"/post", "")
	for i := range 8 {
		add(201, "/preview/purchase-orders/P-1/lines/1/receive",
			fmt.Sprintf(`{"quantity": 5, "locationCode": "A-01", "unitCost": "%d.25"}`, 2+i))
		add(201, "/preview/orders",
			`{"customerNumber": "C-1", "orderTypeCode": "AUTO", "lines": [{"itemNumber": "A-1", "quantity": 1}]}`)
	}
	return todo, count, transfers
}

// killed does what is to be done, and kills the server after so many answers.
func (y *yard) killed(todo []*handling, after int, kill func()) {
	y.Helper()
	made := y.site.command("work-order", "complete", "--company=acme", y.one(y.must(200, "GET",
		"/preview/work-orders?status=Planned&pageSize=1", ""), "items[0].workOrderNumber"), "1")
	if err := made.Start(); err != nil {
		y.Fatal(err)
	}
	var answered, dead atomic.Int64
	together(len(todo), 6, func(i int) {
		if h := todo[i]; dead.Load() == 0 {
			a, err := y.try("POST", h.path, h.body, "Idempotency-Key: "+h.key)
			if err == nil && a.status == h.status {
				h.first = a
				if answered.Add(1) == int64(after) {
					dead.Store(1)
					kill()
				}
			} else if err == nil && a.status != 503 {
				y.Errorf("%s: %s", h.path, a)
			}
		}
	})
	_ = made.Wait() // it is done or not, and either is whole: verify says so
}

// again repeats everything under its keys: what was acknowledged answers the same, and nothing happens twice.
func (y *yard) again(todo []*handling) {
	y.Helper()
	for _, h := range todo {
		a := y.patiently("POST", h.path, h.body, "Idempotency-Key: "+h.key)
		switch replayed := a.header.Get("Idempotent-Replayed") == "true"; {
		case a.status != h.status:
			y.Errorf("%s, repeated: %s", h.path, a)
		case h.first.status != 0 && (!replayed || !bytes.Equal(a.raw, h.first.raw)):
			y.Errorf("%s was acknowledged with %s, and now %s", h.path, h.first, a)
		}
	}
}

// The process is killed among receipts, transfers, counts, orders and work orders. Each happens once, and whole.
func TestKilledAmongGoods(t *testing.T) {
	heavy(t)
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, engine)
			key := s.makeCompany("acme")
			p := s.serve()
			y := newYard(s, newClient(t, p.url, key))
			for n := range 5 {
				s.kontor("work-order", "create", "--company=acme", "KIT", "3")
				todo, count, transfers := y.round(n)
				y.killed(todo, 1+4*n, p.kill)
				p = s.serve()
				y.url = p.url
				y.again(todo)
				line := y.must(200, "GET", "/preview/purchase-orders/P-1", "")
				if got, want := y.one(line, "lines[0].receivedQuantity"), fmt.Sprint(100+40*(n+1)); got != want {
					t.Errorf("round %d: %s received, want %s", n, got, want)
				}
				if got := y.one(y.must(200, "GET", "/preview/inventory/counts/"+count, ""), "status"); got != "Posted" {
					t.Errorf("round %d: the count is %s", n, got)
				}
				for _, number := range transfers {
					y.must(201, "POST", "/preview/transfers/"+number+"/receive", "")
				}
			}
			if err := p.stop(); err != nil {
				t.Errorf("the server ended with %v: %s", err, &p.log)
			}
			s.kontor("verify")
		})
	}
}
