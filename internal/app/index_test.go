package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// goods is how many items the tests of the index work with: more than are indexed, or brought up to date, while a
// request waits.
const goods = 2_400

// stocked puts many items on the shelf, published nowhere.
func stocked(tx *db.Tx, each int64) error {
	var items []catalog.Item
	price := dec.Int(10)
	for k := range goods {
		i := catalog.New()
		i.Number, i.Name, i.BaseUnit, i.SalesPrice = fmt.Sprintf("P-%d", k), fmt.Sprintf("Thing %d", k), "PCS", &price
		items = append(items, i)
	}
	if err := catalog.CreateMany(tx, items); err != nil {
		return err
	}
	moves := make([]stock.Move, goods)
	for k, i := range items {
		moves[k] = stock.Move{ItemID: i.ID, Item: i.Number, Tracking: catalog.None, Warehouse: "MAIN", Location: "A-01",
			Quantity: dec.Int(each)}
	}
	_, err := stock.Receive(tx, stock.Receipt, moves)
	return err
}

// crowdOfReaders are visitors who never stop looking: at lists, categories, filters and suggestions, and for words.
type crowdOfReaders struct {
	*market
	head   []string
	stop   atomic.Bool
	all    sync.WaitGroup
	asked  atomic.Int64
	lagged atomic.Int64 // answers that said that they lag
}

// readers lets visitors read until done is called. Whatever is answered has to be 200; only a node that is gone may not
// answer.
func (m *market) readers() *crowdOfReaders {
	m.Helper()
	c := &crowdOfReaders{market: m, head: []string{"X-Api-Key:", "Idempotency-Key:", "X-Tenant-Id: " + m.tenant,
		"X-Channel: WEB"}}
	token := m.at(0).one(m.at(0).must(200, "GET", "/ecom/session", "", c.head...), "sessionToken")
	c.head = append(c.head, "Authorization: Bearer "+token)
	pages := []string{"products?pageSize=24", "search?q=thing&pageSize=24", "products?pageSize=24&page=3&sort=price",
		"filters", "suggest?q=thi", "categories", "search?q=thing%20"}
	for r := range 4 {
		c.all.Go(func() {
			for i := r; !c.stop.Load(); i++ {
				page := pages[i%len(pages)]
				if i%3 == 0 {
					page = "search?q=thing%20" + strconv.Itoa(i%goods) // never asked before
				}
				a, err := m.at(i).try("GET", "/ecom/catalog/"+page, "", c.head...)
				var wrong errNotPromised
				isBusy := err == nil && a.status == http.StatusServiceUnavailable
				if errors.As(err, &wrong) || err == nil && a.status != 200 && !isBusy {
					m.Errorf("%s: %v %s", page, err, a)
					return
				}
				if err != nil || isBusy {
					time.Sleep(10 * time.Millisecond)
					continue
				}
				c.asked.Add(1)
				if a.header.Get("Kontor-Index-Lag") != "0" {
					c.lagged.Add(1)
				}
			}
		})
	}
	return c
}

func (c *crowdOfReaders) done(what string) {
	c.Helper()
	c.stop.Store(true)
	c.all.Wait()
	c.Logf("%s: %d answers, %d of them behind", what, c.asked.Load(), c.lagged.Load())
	if c.asked.Load() == 0 {
		c.Errorf("%s: nobody was answered", what)
	}
}

// shows waits until every node finds so many things and lags no more. What it is answered meanwhile has to be 200, or
// that it comes again.
func (c *crowdOfReaders) shows(query string, want int) {
	c.Helper()
	for node := range c.nodes {
		for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			a := c.at(node).patiently("GET", "/ecom/catalog/"+query, "", c.head...)
			if a.status != 200 {
				c.Fatalf("node %d: %s: %s", node, query, a)
			}
			if c.crowd.one(a, "totalCount") == strconv.Itoa(want) && a.header.Get("Kontor-Index-Lag") == "0" {
				break
			}
			if time.Since(start) > time.Minute {
				c.Fatalf("node %d: %s finds %s after a minute, not %d; it lags by %q", node, query,
					c.crowd.one(a, "totalCount"), want, a.header.Get("Kontor-Index-Lag"))
			}
		}
	}
}

// Lists and search answer from the last good index, whatever happens to it: thousands are published at once, a node is
// killed after many orders, the index is made anew.
func TestListsAnswerWhileTheIndexIsBehind(t *testing.T) {
	heavy(t)
	eachMarket(t, func(tx *db.Tx) error { return stocked(tx, 50) }, func(m *market) {
		c := m.at(0)
		for k := range 5 {
			c.must(204, "PUT", fmt.Sprintf("/preview/item-channels/P-%d/WEB", k),
				fmt.Sprintf(`{"isPublished": true, "slug": "p-%d"}`, k))
		}
		m.bulkPublish()
		m.manyOrdersAndAKill()

		r := m.readers()
		for range 3 {
			m.kontor("search", "rebuild", "--company=acme")
		}
		r.done("made anew")
		r.shows("products", goods)
	})
}

func (m *market) bulkPublish() {
	m.Helper()
	r := m.readers()
	for from := 5; from < goods; from += 200 {
		var rows []string
		for k := from; k < min(from+200, goods); k++ {
			rows = append(rows,
				fmt.Sprintf(`{"itemNumber": "P-%d", "channelCode": "WEB", "isPublished": true, "slug": "p-%d"}`, k, k))
		}
		a := m.at(0).patiently("POST", "/preview/item-channels/batch", `{"itemChannels": [`+strings.Join(rows, ", ")+`]}`)
		if a.status != 200 {
			m.Fatalf("%d items from %d: %s", len(rows), from, a)
		}
	}
	r.shows("products", goods)
	r.done("thousands are published")
}

// manyOrdersAndAKill sells all that each item has, and kills the nodes at once: how far the index that they left behind
// had come is as it falls, so whether answers lag is told and not demanded (assortment's tests demand it).
func (m *market) manyOrdersAndAKill() {
	m.Helper()
	r := m.readers()
	m.at(0).must(201, "POST", "/preview/customers",
		`{"customerNumber": "C-1", "name": "C", "city": "Lund", "countryCode": "SE"}`)
	const lines = 50
	together(goods/lines, 4, func(i int) {
		var rows []string
		for k := i * lines; k < (i+1)*lines; k++ {
			rows = append(rows, fmt.Sprintf(`{"itemNumber": "P-%d", "quantity": 50}`, k))
		}
		m.at(i).must(201, "POST", "/preview/orders", `{"customerNumber": "C-1", "lines": [`+strings.Join(rows, ", ")+
			`]}`)
	})
	for node := range m.nodes {
		m.replace(node)
	}
	r.shows("products?inStock=true", 0)
	r.shows("products", goods)
	r.done("many orders and a kill")
}
