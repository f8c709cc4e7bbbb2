package preview_test

import (
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/preview"
)

// eachOrderDesk is the orders' part of the API over a store with a customer and ten pieces of one item.
func eachOrderDesk(t *testing.T, story func(c *counter)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		db.On(s, sales.CoverBackorders)
		dbtest.Write(t, s, orderDesk)
		h := served(t, s, preview.Orders())
		story(&counter{T: t, handler: h, store: s})
	})
}

func orderDesk(tx *db.Tx) error {
	for _, err := range []error{
		reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
			IsActive: true}),
		reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true}),
		reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A", Name: "A", IsPickable: true,
			IsActive: true}),
		reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true}),
		reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
			Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Must("25")}}}),
		reference.SaveOrderTypes(tx, reference.OrderType{Code: "STD", Name: "Standard", AutoInvoice: reference.Never,
			IsActive: true}),
		reference.SaveDefaults(tx, reference.Defaults{Warehouse: "MAIN", OrderType: "STD", TaxCode: "STD"}),
		party.CreateMany(tx, []party.Customer{{Number: "C1", Name: "Nordic Tools", IsActive: true, CountryCode: "SE",
			City: "Malmö"}}),
	} {
		if err != nil {
			return err
		}
	}
	price := dec.Must("12.5")
	i := catalog.New()
	i.Number, i.Name, i.BaseUnit, i.SalesPrice = "A/1", "Hammer", "PCS", &price
	i, err := catalog.Create(tx, i)
	if err != nil {
		return err
	}
	_, err = stock.Receive(tx, stock.Receipt,
		[]stock.Move{{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN", Quantity: dec.Must("10")}})
	return err
}

func TestOrderOverTheAPI(t *testing.T) {
	eachOrderDesk(t, func(c *counter) {
		w := c.raw(`POST /preview/orders {"orderNumber": "O 1", "customerNumber": "c1", "orderDate": "2026-05-01", "customerReference": " PO 7 ",
			"deliveryAddress": {"name": "Gate 3", "countryCode": "se"}, "externalOrderNumber": "W1",
			"lines": [{"itemNumber": "a/1", "quantity": 12}, {"description": "Engraving", "quantity": "1", "unitPrice": "9.995", "discountPercent": "10"}]}`)
		if w.Code != 201 || w.Header().Get("Location") != "/preview/orders/O%201" || w.Header().Get("ETag") == "" {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		o := c.do(200, "GET /preview/orders/o%201")
		for field, want := range map[string]string{"orderNumber": `"O 1"`, "status": `"Placed"`,
			"deliveryStatus": `"NotDelivered"`, "deliveredPercentage": `"0"`,
			"customerNumber": `"C1"`, "customerName": `"Nordic Tools"`, "customerReference": `"PO 7"`,
			"orderDate": `"2026-05-01"`, "requestedDeliveryDate": "null",
			"plannedDeliveryDate": "null", "currencyCode": `"SEK"`, "totalAmount": `"159.00"`, "totalVat": `"39.75"`,
			"totalAmountIncludingTax": `"198.75"`,
			"lineCount":               "2", "channelCode": "null", "channelName": "null", "externalOrderNumber": `"W1"`,
			"externalOrderScope": "null", "modifiedDate": "null",
			"invoicedStatus": `"NotInvoiced"`, "orderTypeName": `"Standard"`, "warehouseCode": `"MAIN"`,
			"paymentTermCode": "null", "shipmentNumbers": "[]",
			"invoiceNumbers": "[]", "notes": "null", "links": `{"self":"/preview/orders/O%201"}`} {
			if _, there := o[field]; !there {
				c.Errorf("%s is missing", field)
			}
			c.same(o[field], want)
		}
		lines := o["lines"].([]any)
		for field, want := range map[string]string{"lineNumber": "1", "itemNumber": `"A/1"`, "description": `"Hammer"`,
			"quantity": `"12"`, "unit": `"PCS"`,
			"unitPrice": `"12.50"`, "isManualPrice": "false", "discountPercent": `"0"`, "taxPercent": `"25"`,
			"lineTotal": `"150.00"`, "allocatedQuantity": `"10"`,
			"deliveryStatus": `"NotDelivered"`, "plannedDeliveryDate": "null", "warehouseCode": `"MAIN"`,
			"configurationNumber": "null", "externalLineId": "null"} {
			c.same(lines[0].(map[string]any)[field], want)
		}
		second := lines[1].(map[string]any)
		c.same([]any{second["itemNumber"], second["unitPrice"], second["lineTotal"], second["isManualPrice"]},
			`[null,"9.995","9.00",true]`)
		c.do(304, "GET /preview/orders/O%201", "If-None-Match: "+w.Header().Get("ETag"))
		c.do(412, "POST /preview/orders/O%201/release", `If-Match: W/"`+o["id"].(string)+`-9"`)
		c.same(c.do(200, "POST /preview/orders/O%201/release")["status"], `"Released"`)
		c.same(c.do(409, "POST /preview/orders/O%201/release")["code"], `"SalesOrder.InvalidStatus"`)
		c.same(c.do(200, "POST /preview/orders/O%201/cancel")["status"], `"Cancelled"`)
		c.same(c.do(404, "GET /preview/orders/nope")["code"], `"SalesOrder.NotFound"`)
	})
}

func TestOrderChangesOverTheAPI(t *testing.T) {
	eachOrderDesk(t, func(c *counter) {
		c.do(201,
			`POST /preview/orders {"orderNumber": "O1", "customerNumber": "C1", "lines": [{"itemNumber": "A/1", "quantity": "4"}]}`)
		o := c.do(200,
			`PATCH /preview/orders/O1 {"notes": "mind the dog", "deliveryAddress": {"street1": "Storgatan 1"}, "requestedDeliveryDate": "2030-01-02"}`)
		c.same([]any{o["notes"], o["plannedDeliveryDate"], o["deliveryAddress"].(map[string]any)["street1"],
			o["deliveryAddress"].(map[string]any)["city"]},
			`["mind the dog","2030-01-02","Storgatan 1","Malmö"]`)
		o = c.do(200, `PATCH /preview/orders/O1 {"notes": null, "deliveryAddress": null}`)
		c.same([]any{o["notes"], o["deliveryAddress"].(map[string]any)["street1"]}, `[null,null]`)
		bad := c.do(400, `PATCH /preview/orders/O1 {"customerNumber": "C1"}`)
		c.same(bad["code"], `"Request.UnknownField"`)
		c.same(c.do(400, `PATCH /preview/orders/O1 {"paymentTermCode": "NOPE"}`)["code"], `"SalesOrder.UnknownCode"`)

		w := c.raw(`POST /preview/orders/O1/lines {"itemNumber": "A/1", "quantity": "3", "unitPrice": 10}`)
		if w.Code != 201 || w.Header().Get("Location") != "/preview/orders/O1" {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		l := c.do(200, `PATCH /preview/orders/O1/lines/2 {"quantity": 8, "nonsense": 1}`)
		c.same([]any{l["lineNumber"], l["quantity"], l["allocatedQuantity"], l["lineTotal"]}, `[2,"8","6","80.00"]`)
		l = c.do(200, `PATCH /preview/orders/O1/lines/2 {"unitPrice": null}`)
		c.same([]any{l["isManualPrice"], l["unitPrice"]}, `[false,"12.50"]`)
		c.same(c.do(400, `PATCH /preview/orders/O1/lines/2 {"quantity": "-1"}`)["errors"].([]any)[0].(map[string]any)["field"], `"quantity"`)
		c.same(c.do(404, `PATCH /preview/orders/O1/lines/9 {"quantity": 1}`)["code"], `"SalesOrderLine.NotFound"`)
		c.do(204, "DELETE /preview/orders/O1/lines/1")
		c.same(c.do(409, "DELETE /preview/orders/O1/lines/2")["code"], `"SalesOrder.LastLine"`)
		c.same(c.do(200, "POST /preview/orders/O1/close")["status"], `"Closed"`)
		c.same(c.do(409, `POST /preview/orders/O1/lines {"itemNumber": "A/1", "quantity": "3"}`)["code"],
			`"SalesOrder.InvalidStatus"`)
	})
}

func TestOrderListOverTheAPI(t *testing.T) {
	eachOrderDesk(t, func(c *counter) {
		for _, row := range [][2]string{{"b", "2026-01-01"}, {"A", "2026-01-01"}, {"c", "2026-02-01"}} {
			c.do(201, `POST /preview/orders {"orderNumber": "`+row[0]+`", "orderDate": "`+row[1]+
				`", "customerNumber": "C1", "lines": [{"itemNumber": "A/1", "quantity": "1"}]}`)
		}
		c.do(200, "POST /preview/orders/c/cancel")
		for query, want := range map[string]string{"": `["c","A","b"]`, "?status=placed": `["A","b"]`,
			"?orderDateFrom=2026-01-02":        `["c"]`,
			"?orderDateTo=2026-01-01&search=B": `["b"]`, "?customerNumber=c1&page=2&pageSize=2": `["b"]`,
			"?channelCode=WEB": "null"} {
			var got []any
			for _, row := range c.do(200, "GET /preview/orders"+query)["items"].([]any) {
				got = append(got, row.(map[string]any)["orderNumber"])
			}
			c.same(got, want)
		}
		c.same(c.do(400, "GET /preview/orders?status=Draft")["code"], `"Query.UnknownValue"`)
	})
}

// What no business orders is refused with the field that it stands in, and products that pass 64 bits are as any
// others.
func TestAnOrderHasAnEnd(t *testing.T) {
	eachOrderDesk(t, func(c *counter) {
		for _, row := range []struct{ lines, field, code string }{
			{`{"itemNumber": "A/1", "quantity": "922337203685", "unitPrice": "100"}`, "lines[0].quantity",
				"Quantity.TooLarge"},
			{`{"description": "Advice", "quantity": "737869762899", "unitPrice": "1"}`, "lines[0].quantity",
				"Quantity.TooLarge"},
			{`{"description": "Advice", "quantity": "1", "unitPrice": "922337203685"}`, "lines[0].unitPrice",
				"Amount.TooLarge"},
			{`{"description": "Advice", "quantity": "100000000", "unitPrice": "10000000000"}`, "lines[0].quantity",
				"Amount.TooLarge"},
			{`{"description": "Advice", "quantity": "8000000000.01", "unitPrice": "1"}`, "lines[0].quantity",
				"Quantity.TooLarge"},
			// with its tax
			{`{"description": "Advice", "quantity": "1", "unitPrice": "8000000000.01"}`, "lines[0].quantity",
				"Amount.TooLarge"},
			{strings.Repeat(`{"description": "Advice", "quantity": "1", "unitPrice": "8000000000"},`, 10) +
				`{"description": "Advice", "quantity": "1", "unitPrice": "1"}`, "lines", "Amount.TooLarge"},
		} {
			refused := c.do(400, `POST /preview/orders {"orderNumber": "O1", "customerNumber": "C1", "lines": [`+
				row.lines+`]}`)
			fault := refused["errors"].([]any)[0].(map[string]any)
			c.same([]any{refused["code"], fault["field"]}, `["`+row.code+`","`+row.field+`"]`)
		}
		c.do(201,
			`POST /preview/orders {"orderNumber": "O1", "customerNumber": "C1", "lines": [{"description": "Advice", "quantity": "1", "unitPrice": "8000000000"}]}`)
		refused := c.do(400, `PATCH /preview/orders/O1/lines/1 {"quantity": "1.000001"}`)
		c.same(refused["code"], `"Amount.TooLarge"`)
		refused = c.do(400,
			`POST /preview/orders/O1/lines {"description": "Advice", "quantity": "2", "unitPrice": "5000000000"}`)
		c.same(refused["errors"].([]any)[0].(map[string]any)["field"], `"quantity"`)
	})
}
