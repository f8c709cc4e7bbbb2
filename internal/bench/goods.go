package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// How much is on the purchase orders that goods are received of: more than anybody receives in a measurement, each
// client of an order of its own, as one person unpacks one delivery.
const (
	linesPerDelivery = 20
	piecesPerLine    = 1_000_000
)

// measureReceiving compares receiving one piece of a purchase order's line with a bare transaction of the same rows.
func measureReceiving(ctx context.Context, at *fixture, p pace, n need) Row {
	t, c := at.dial()
	defer c.close()
	suppliers(c)
	orders := listOf(p.clients, func(int) string { return delivery(c, at) })
	receipt := receive(c, orders[0], 1)
	ours := t.callers(func(c *caller, n int) func() {
		line := 0
		return func() {
			line = line%linesPerDelivery + 1
			receive(c, orders[n%len(orders)], line)
		}
	})
	row := besideRows(ctx, at, p, receivingRows(), receipt, ours, n)
	row.Work, row.Unit = "receive one line of a purchase order", "receipts/s"
	return row
}

// otherWarehouse is where measured transfers go.
const otherWarehouse = "BENCH"

// measureTransfer is how long it takes to ship a released transfer of many lines.
func measureTransfer(ctx context.Context, at *fixture, times int) Row {
	_, c := at.dial()
	defer c.close()
	halt.On(at.site.kontor.Store().Write(ctx, at.request(), func(tx *db.Tx) error {
		return reference.SaveWarehouses(tx, reference.Warehouse{Code: otherWarehouse, Name: "Measured", IsActive: true})
	}))
	lines := listOf(min(100, at.Items), func(n int) string {
		return fmt.Sprintf(`{"itemNumber":%q,"quantity":"1"}`, at.item(n))
	})
	body := `{"fromWarehouseCode":"MAIN","toWarehouseCode":"` + otherWarehouse + `","lines":[` +
		strings.Join(lines, ",") + "]}"
	var took, spent []float64
	for range times {
		halt.On(ctx.Err())
		a := c.done(http.MethodPost, "/preview/transfers", body, http.StatusCreated)
		c.act(a + "/release")
		start, computed := time.Now(), cpuTime()
		c.act(a + "/ship")
		took = append(took, float64(time.Since(start).Microseconds())/1000)
		spent = append(spent, cpuTime()-computed)
	}
	row := timed(fmt.Sprintf("ship a transfer of %d lines", len(lines)), took, "", nil, below(100))
	row.CPU = median(spent)
	return row
}

// measureCount is how long it takes to post a count of many rows, of which every other differs.
func measureCount(at *fixture) Row {
	_, c := at.dial()
	defer c.close()
	// All that was loaded lies at one location; of a large company as many items are counted as one request may name.
	rows, what := at.Items, []byte(`"locationCodes":["A-01"]`)
	if rows > 20_000 {
		rows = 5_000
		what = append([]byte(`"itemNumbers":`), halt.Must(json.Marshal(listOf(rows, at.item)))...)
	}
	count := c.done(http.MethodPost, "/preview/inventory/counts", `{"warehouseCode":"MAIN",`+string(what)+"}",
		http.StatusCreated)
	for from := 0; from < rows; from += 500 {
		lines := listOf(min(500, rows-from), func(n int) string {
			return fmt.Sprintf(`{"lineNumber":%d,"countedQuantity":"%d"}`, from+n+1, 9_000_000+n%2)
		})
		c.done(http.MethodPatch, count+"/lines", `{"lines":[`+strings.Join(lines, ",")+"]}", http.StatusOK)
	}
	start, computed := time.Now(), cpuTime()
	c.act(count + "/post")
	row := timed(fmt.Sprintf("post a count of %d rows", rows),
		[]float64{float64(time.Since(start).Microseconds()) / 1000}, "", nil, below(2000))
	row.CPU = cpuTime() - computed
	return row
}

// supplier is whom goods are bought of.
const supplier = "BENCH"

func suppliers(c *caller) {
	const path = "/preview/suppliers"
	a := c.send(http.MethodPost, path, newKey(),
		[]byte(`{"supplierNumber":"`+supplier+`","name":"Measured supplier"}`))
	if a.status != http.StatusConflict { // it was not measured before
		a.expect(http.StatusCreated, http.MethodPost, path)
	}
}

// delivery is the path of a purchase order that waits for its goods.
func delivery(c *caller, at *fixture) string {
	first := rand.IntN(at.Items)
	lines := listOf(linesPerDelivery, func(i int) string {
		return fmt.Sprintf(`{"itemNumber":%q,"quantity":"%d","unitPrice":"3"}`, at.item((first+i)%at.Items),
			piecesPerLine)
	})
	order := c.done(http.MethodPost, "/preview/purchase-orders", `{"supplierNumber":"`+supplier+
		`","warehouseCode":"MAIN","lines":[`+strings.Join(lines, ",")+"]}", http.StatusCreated)
	for _, verb := range []string{"/send", "/confirm"} {
		c.done(http.MethodPost, order+verb, "{}", http.StatusOK)
	}
	return order
}

// receive is the path of the receipt of one piece.
func receive(c *caller, order string, line int) string {
	return c.done(http.MethodPost, fmt.Sprintf("%s/lines/%d/receive", order, line), `{"quantity":"1"}`,
		http.StatusCreated)
}

func newKey() string { return fmt.Sprintf("bench-%x-%x", rand.Uint64(), rand.Uint64()) }

var errNowhere = errors.New("bench: an answer does not say where the record is")

// done sends a request that must answer a status, and answers the path of the record that was made.
func (c *caller) done(method, path, body string, status int) (location string) {
	a := c.want(status, method, path, newKey(), body)
	if status == http.StatusCreated && a.location == "" {
		halt.On(errNowhere)
	}
	return a.location
}
