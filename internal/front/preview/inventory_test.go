package preview_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/preview"
)

// eachWarehouse is the API's items and inventory over a store with one warehouse and a few items; every answer is held
// against the description, and bytes are kept, so that a stale answer would show.
func eachWarehouse(t *testing.T, story func(c *counter)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true}); err != nil {
				return err
			}
			if err := reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard",
				IsActive: true}); err != nil {
				return err
			}
			if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main warehouse",
				IsActive: true}); err != nil {
				return err
			}
			return reference.SaveLocations(tx,
				reference.Location{Warehouse: "MAIN", Code: "A-01", Name: "A-01", IsPickable: true, IsActive: true},
				reference.Location{Warehouse: "MAIN", Code: "A-02", Name: "A-02", IsPickable: true, IsActive: true})
		})
		h := served(t, s, preview.Items(), preview.Inventory())
		c := &counter{T: t, handler: h, store: s}
		c.do(201,
			`POST /preview/items {"itemNumber": "A/1", "name": "Hammer", "taxCode": "STD", "baseUnitCode": "PCS"}`)
		c.do(201, `POST /preview/items {"itemNumber": "S", "name": "Saw", "taxCode": "STD", "trackingType": "Serial"}`)
		story(c)
	})
}

const adjust = "POST /preview/inventory/adjustments "

func TestStockOverTheAPI(t *testing.T) {
	eachWarehouse(t, func(c *counter) {
		c.same(fields(c.do(200, "GET /preview/items/A%2F1/availability"), "itemNumber", "totalQuantityOnHand",
			"warehouses"), `["A/1","0",[]]`)
		c.same(c.do(200, "GET /preview/inventory/availability")["totalCount"], "0")

		w := c.raw(adjust +
			`{"warehouseCode": "main", "locationCode": "a-01", "itemNumber": "a/1", "quantity": "7", "notes": "Found"}`)
		if w.Code != 201 {
			c.Fatalf("%d %s", w.Code, w.Body)
		}
		self := w.Header().Get("Location")
		e := c.do(200, "GET "+self)
		c.same(fields(e, "transactionType", "warehouseCode", "locationCode", "targetLocationCode", "itemNumber",
			"quantity", "balanceAfter", "unitCost", "averageCostAfter", "batchNumber", "serialNumber", "referenceType",
			"notes", "modifiedDate"),
			`["Adjustment","MAIN","A-01",null,"A/1","7","7","0.00","0.00",null,null,null,"Found",null]`)
		c.same(e["links"], `{"self":"`+self+`"}`)
		c.do(304, "GET "+self, "If-None-Match: "+c.raw("GET "+self).Header().Get("ETag"))
		c.do(404, "GET /preview/inventory/transactions/0192f0c1-0000-7000-8000-000000000000")

		r := c.do(201,
			`POST /preview/inventory/relocations {"warehouseCode": "MAIN", "itemNumber": "A/1", "fromLocationCode": "A-01", "toLocationCode": "A-02", "quantity": 3}`)
		c.same(fields(r, "transactionType", "locationCode", "targetLocationCode", "quantity", "balanceAfter"),
			`["Transfer","A-01","A-02","3","4"]`)
		c.do(201,
			adjust+
				`{"warehouseCode": "MAIN", "locationCode": "A-02", "itemNumber": "A/1", "quantity": "-1", "transactionType": "Scrap"}`)
		c.reserve("A/1", "5")

		list := c.do(200, "GET /preview/inventory/availability?itemNumbers=S,%20a/1&warehouseCode=main")
		c.same(list["totalCount"], "1")
		a := c.do(200, "GET /preview/items/a%2F1/availability")
		c.same(list["items"].([]any)[0], jsonOf(a))
		c.same(fields(a, "totalQuantityOnHand", "totalAllocatedQuantity", "totalAvailableQuantity"), `["6","5","1"]`)
		c.same(a["warehouses"],
			`[{"allocatedQuantity":"5","availableQuantity":"1","quantityOnHand":"6","replenishmentType":"Purchase","requiresBatch":false,"requiresSerial":false,"trackingType":"None","warehouseCode":"MAIN","warehouseName":"Main warehouse"}]`)

		rows := c.do(200, "GET /preview/inventory/stock?itemNumber=a/1")
		c.same(rows["totalCount"], "2")
		c.same(fields(rows["items"].([]any)[1], "locationCode", "quantityOnHand", "allocatedQuantity", "averageCost",
			"serialNumber", "expiryDate"), `["A-02","2","1","0.00",null,null]`)

		ledger := c.do(200, "GET /preview/inventory/transactions?pageSize=1")
		c.same([]any{ledger["totalCount"], ledger["items"].([]any)[0].(map[string]any)["transactionType"]},
			`[3,"Scrap"]`)
		c.same(
			c.do(200,
				"GET /preview/inventory/transactions?transactionType=transfer&locationCode=a-02&warehouseCode=MAIN")["totalCount"], "1")
		c.same(c.do(200, "GET /preview/inventory/transactions?dateTo=2020-01-01")["totalCount"], "0")
	})
}

func TestAdjustmentRefusalsOverTheAPI(t *testing.T) {
	eachWarehouse(t, func(c *counter) {
		const place = `"warehouseCode": "MAIN", "locationCode": "A-01", `
		for body, want := range map[string]string{
			`{` + place +
				`"itemNumber": "A/1", "quantity": "0"}`: `[400,"Inventory.InvalidQuantity"]`,
			`{` + place +
				`"itemNumber": "A/1", "quantity": "1", "transactionType": "Receipt"}`: `[400,"Inventory.InvalidTransactionType"]`,
			`{` + place +
				`"itemNumber": "A/1", "quantity": "1", "transactionType": "adjustment"}`: `[400,"Request.Invalid"]`,
			`{` + place +
				`"itemNumber": "A/2", "quantity": "1"}`: `[400,"Item.NotFound"]`,
			`{` + place +
				`"itemNumber": "A/1", "quantity": "-1"}`: `[409,"Inventory.NoStockAtLocation"]`,
			`{` + place +
				`"itemNumber": "S", "quantity": "1"}`: `[400,"Inventory.SerialRequired"]`,
			`{"warehouseCode": "X", "locationCode": "A-01", "itemNumber": "A/1", "quantity": "1"}`: `[400,"Warehouse.NotFound"]`,
			`{"warehouseCode": "MAIN", "locationCode": "X", "itemNumber": "A/1", "quantity": "1"}`: `[400,"WarehouseLocation.NotFound"]`,
			`{"warehouseCode": "MAIN", "itemNumber": "A/1", "quantity": "1"}`:                      `[400,"Request.Invalid"]`,
			`{` + place +
				`"itemNumber": "A/1", "quantity": "1,5"}`: `[400,"Request.Invalid"]`,
			`{` + place +
				`"itemNumber": "A/1", "quantity": "1", "serialNumber": "S1", "colour": 1}`: `[400,"Request.UnknownField"]`,
		} {
			w := c.raw(adjust + body)
			p := c.do(w.Code, adjust+body)
			if got := jsonOf([]any{w.Code, p["code"]}); got != want {
				c.Errorf("%s: %s, want %s", body, got, want)
			}
		}
		c.do(201, adjust+`{`+place+`"itemNumber": "S", "quantity": "1", "serialNumber": "S1"}`)
		p := c.do(409,
			adjust+
				`{"warehouseCode": "MAIN", "locationCode": "A-02", "itemNumber": "S", "quantity": "1", "serialNumber": "s1"}`)
		c.same(p["code"], `"Inventory.SerialInStock"`)
		c.do(201, adjust+`{`+place+`"itemNumber": "A/1", "quantity": "2"}`)
		p = c.do(409, adjust+`{`+place+`"itemNumber": "A/1", "quantity": "-3"}`)
		c.same(fields(p, "code", "shortages"),
			`["Inventory.InsufficientStock",[{"itemNumber":"A/1","there":"2","wanted":"3"}]]`)

		c.same(c.do(400, "GET /preview/inventory/availability?itemNumbers="+strings.Repeat("x,", 201))["code"],
			`"Inventory.TooManyItems"`)
		c.do(400, "GET /preview/inventory/availability?itemNumbers=,")
		c.do(400, "GET /preview/inventory/transactions?transactionType=Gift")
		c.do(404, "GET /preview/items/NONE/availability")
	})
}

// reserve allocates what an order would.
func (c *counter) reserve(itemNumber, quantity string) {
	c.Helper()
	dbtest.Write(c, c.store, func(tx *db.Tx) error {
		i, err := catalog.Find(tx, itemNumber)
		if err != nil {
			return err
		}
		return stock.Allocate(tx, []stock.Claim{{ItemID: i.ID, Item: i.Number, Warehouse: "MAIN",
			Wanted: dec.Must(quantity)}}, stock.AllOrNothing)
	})
}

// jsonOf is a value as JSON, as same compares it.
func jsonOf(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
