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
)

// How much is on the purchase orders that goods are received of: more than anybody receives in a measurement, each
// client of an order of its own, as one person unpacks one delivery.
const (
	linesPerDelivery = 20
	piecesPerLine    = 1_000_000
)

// measureReceiving compares receiving one piece of a purchase order's line with a bare transaction of the same rows.
func measureReceiving(ctx context.Context, at *fixture, p pace, n need) (Row, error) {
	t, c, err := at.dial()
	if err != nil {
		return Row{}, err
	}
	defer c.close()
	if err := suppliers(c); err != nil {
		return Row{}, err
	}
	orders := make([]string, p.clients)
	for i := range orders {
		if orders[i], err = delivery(c, at); err != nil {
			return Row{}, err
		}
	}
	receipt, err := receive(c, orders[0], 1)
	if err != nil {
		return Row{}, err
	}
	ours := t.callers(func(c *caller, n int) func() error {
		line := 0
		return func() error {
			line = line%linesPerDelivery + 1
			_, err := receive(c, orders[n%len(orders)], line)
			return err
		}
	})
	row, err := besideRows(ctx, at, p, receivingRows(), receipt, ours, n)
	row.Work, row.Unit = "receive one line of a purchase order", "receipts/s"
	return row, err
}

// otherWarehouse is where measured transfers go.
const otherWarehouse = "BENCH"

// measureTransfer is how long it takes to ship a released transfer of many lines.
func measureTransfer(ctx context.Context, at *fixture, times int) (Row, error) {
	_, c, err := at.dial()
	if err != nil {
		return Row{}, err
	}
	defer c.close()
	err = at.site.kontor.Store().Write(ctx, at.request(), func(tx *db.Tx) error {
		return reference.SaveWarehouses(tx, reference.Warehouse{Code: otherWarehouse, Name: "Measured", IsActive: true})
	})
	if err != nil {
		return Row{}, err
	}
	var lines []string
	for n := range min(100, at.Items) {
		lines = append(lines, fmt.Sprintf(`{"itemNumber":%q,"quantity":"1"}`, at.item(n)))
	}
	body := `{"fromWarehouseCode":"MAIN","toWarehouseCode":"` + otherWarehouse + `","lines":[` +
		strings.Join(lines, ",") + "]}"
	var took, spent []float64
	for range times {
		if err := ctx.Err(); err != nil {
			return Row{}, err
		}
		a, err := c.done(http.MethodPost, "/preview/transfers", body, http.StatusCreated)
		if err == nil {
			err = c.act(a + "/release")
		}
		start, computed := time.Now(), cpuTime()
		if err == nil {
			err = c.act(a + "/ship")
		}
		if err != nil {
			return Row{}, err
		}
		took = append(took, float64(time.Since(start).Microseconds())/1000)
		spent = append(spent, cpuTime()-computed)
	}
	row := timed(fmt.Sprintf("ship a transfer of %d lines", len(lines)), took, "", nil, below(100))
	row.CPU = median(spent)
	return row, nil
}

// measureCount is how long it takes to post a count of many rows, of which every other differs.
func measureCount(_ context.Context, at *fixture) (Row, error) {
	_, c, err := at.dial()
	if err != nil {
		return Row{}, err
	}
	defer c.close()
	// All that was loaded lies at one location; of a large company as many items are counted as one request may name.
	rows, what := at.Items, []byte(`"locationCodes":["A-01"]`)
	if rows > 20_000 {
		rows = 5_000
		items := make([]string, rows)
		for n := range items {
			items[n] = at.item(n)
		}
		if what, err = json.Marshal(items); err != nil {
			return Row{}, err
		}
		what = append([]byte(`"itemNumbers":`), what...)
	}
	count, err := c.done(http.MethodPost, "/preview/inventory/counts", `{"warehouseCode":"MAIN",`+string(what)+"}",
		http.StatusCreated)
	for from := 0; from < rows && err == nil; from += 500 {
		var lines []string
		for n := from; n < min(from+500, rows); n++ {
			lines = append(lines, fmt.Sprintf(`{"lineNumber":%d,"countedQuantity":"%d"}`, n+1, 9_000_000+n%2))
		}
		_, err = c.done(http.MethodPatch, count+"/lines", `{"lines":[`+strings.Join(lines, ",")+"]}", http.StatusOK)
	}
	start, computed := time.Now(), cpuTime()
	if err == nil {
		err = c.act(count + "/post")
	}
	if err != nil {
		return Row{}, err
	}
	row := timed(fmt.Sprintf("post a count of %d rows", rows),
		[]float64{float64(time.Since(start).Microseconds()) / 1000}, "", nil, below(2000))
	row.CPU = cpuTime() - computed
	return row, nil
}

// supplier is whom goods are bought of.
const supplier = "BENCH"

func suppliers(c *caller) error {
	const path = "/preview/suppliers"
	a, err := c.send(http.MethodPost, path, newKey(),
		[]byte(`{"supplierNumber":"`+supplier+`","name":"Measured supplier"}`))
	if a.status == http.StatusConflict { // it was measured before
		return err
	}
	return a.expect(err, http.StatusCreated, http.MethodPost, path)
}

// delivery is the path of a purchase order that waits for its goods.
func delivery(c *caller, at *fixture) (string, error) {
	var lines []string
	first := rand.IntN(at.Items)
	for i := range linesPerDelivery {
		lines = append(lines, fmt.Sprintf(`{"itemNumber":%q,"quantity":"%d","unitPrice":"3"}`,
			at.item((first+i)%at.Items), piecesPerLine))
	}
	order, err := c.done(http.MethodPost, "/preview/purchase-orders", `{"supplierNumber":"`+supplier+
		`","warehouseCode":"MAIN","lines":[`+strings.Join(lines, ",")+"]}", http.StatusCreated)
	for _, verb := range []string{"/send", "/confirm"} {
		if err == nil {
			_, err = c.done(http.MethodPost, order+verb, "{}", http.StatusOK)
		}
	}
	return order, err
}

// receive is the path of the receipt of one piece.
func receive(c *caller, order string, line int) (string, error) {
	return c.done(http.MethodPost, fmt.Sprintf("%s/lines/%d/receive", order, line), `{"quantity":"1"}`,
		http.StatusCreated)
}

func newKey() string { return fmt.Sprintf("bench-%x-%x", rand.Uint64(), rand.Uint64()) }

var errNowhere = errors.New("bench: an answer does not say where the record is")

// done sends a request that must answer a status, and answers the path of the record that was made.
func (c *caller) done(method, path, body string, status int) (location string, err error) {
	a, err := c.want(status, method, path, newKey(), body)
	if err == nil && status == http.StatusCreated && a.location == "" {
		err = errNowhere
	}
	return a.location, err
}
