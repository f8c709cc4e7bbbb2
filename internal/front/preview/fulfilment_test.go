package preview_test

import (
	"testing"

	"kontor/internal/business/invoicing"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/preview"
)

// eachDock is the part of the API where goods leave and come back, every answer held against its description.
func eachDock(t *testing.T, story func(c *counter)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		db.On(s, invoicing.OnHandedOver)
		test.Arrive(t, s, "A", "20")
		h := served(t, s, preview.Orders(), preview.Shipments(), preview.Invoices(), preview.Returns())
		story(&counter{T: t, handler: h, store: s})
	})
}

func TestShipmentOverTheAPI(t *testing.T) {
	eachDock(t, func(c *counter) {
		c.do(201,
			`POST /preview/orders {"orderNumber": "O1", "customerNumber": "C1", "orderTypeCode": "WEB", "lines": [{"itemNumber": "A", "quantity": 5}]}`)
		c.same(c.do(400, `POST /preview/shipments {"orderNumbers": ["O1"]}`)["code"], `"SalesOrder.InvalidStatus"`)
		c.do(200, "POST /preview/orders/O1/release")
		c.do(400, `POST /preview/shipments {"orderNumbers": []}`)
		w := c.raw(`POST /preview/shipments {"orderNumbers": ["o1"], "notes": "ring first"}`)
		if w.Code != 201 || w.Header().Get("Location") != "/preview/shipments/SH-100001" ||
			w.Header().Get("ETag") == "" {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		sh := c.do(200, "GET /preview/shipments/sh-100001")
		for field, want := range map[string]string{"shipmentNumber": `"SH-100001"`, "status": `"Released"`,
			"plannedShipDate": "null", "shippedDate": "null",
			"shippingMethodCode": `"POST"`, "shippingMethodName": `"Post"`, "trackingNumber": "null",
			"trackingUrl": "null", "totalWeightKg": `"2.5"`,
			"orderNumbers": `["O1"]`, "packages": "[]", "warehouseCode": `"MAIN"`, "modifiedDate": "null",
			"goodsLabel": "null", "notes": `"ring first"`,
			"lines": `[{"itemName":"Item A","itemNumber":"A","orderLineNumber":1,"orderNumber":"O1","pickedQuantity":"0","quantity":"5","unit":"PCS"}]`} {
			c.same(sh[field], want)
		}
		c.do(304, "GET /preview/shipments/SH-100001", "If-None-Match: "+w.Header().Get("ETag"))
		sh = c.do(200,
			`PATCH /preview/shipments/SH-100001 {"goodsLabel": "Fragile", "plannedShipDate": "2030-01-02", "notes": null}`)
		c.same([]any{sh["goodsLabel"], sh["plannedShipDate"], sh["notes"]}, `["Fragile","2030-01-02",null]`)
		c.same(c.do(400, `PATCH /preview/shipments/SH-100001 {"status": "Delivered"}`)["code"],
			`"Request.UnknownField"`)
		c.same(
			c.do(200,
				`POST /preview/shipments/SH-100001/pick {"lines": [{"orderLineNumber": 1, "pickedQuantity": "2"}]}`)["status"], `"Picking"`)
		bad := c.do(400,
			`POST /preview/shipments/SH-100001/pick {"lines": [{"orderLineNumber": 1, "pickedQuantity": "4"}]}`)
		c.same(bad["errors"].([]any)[0].(map[string]any)["field"], `"lines[0].pickedQuantity"`)
		c.same(c.do(200, "POST /preview/shipments/SH-100001/pick")["status"], `"Picked"`)

		w = c.raw(`POST /preview/shipments/SH-100001/packages {"weightKg": 3, "notes": "box"}`)
		if w.Code != 201 || w.Header().Get("Location") != "/preview/shipments/SH-100001/packages/1" {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		c.same(c.do(200, `PATCH /preview/shipments/SH-100001/packages/1 {"weightKg": "3.5"}`),
			`{"heightCm":null,"lengthCm":null,"notes":"box","packageNumber":1,"trackingNumber":null,"weightKg":"3.5","widthCm":null}`)
		c.do(404, "DELETE /preview/shipments/SH-100001/packages/2")
		c.do(400, `PATCH /preview/shipments/SH-100001/packages/1 {"weightKg": "0"}`)
		c.same(c.do(200, `POST /preview/shipments/SH-100001/pack {"packages": [{"weightKg": "1"}]}`)["totalWeightKg"],
			`"4.5"`)
		c.do(204, "DELETE /preview/shipments/SH-100001/packages/2")
		c.same(c.do(200, `POST /preview/shipments/SH-100001/book {"trackingNumber": "T1"}`)["trackingUrl"],
			`"https://post.test/T1"`)
		sh = c.do(200, `POST /preview/shipments/SH-100001/hand-over {"shippedDate": "2026-03-02T14:30:00Z"}`)
		c.same([]any{sh["status"], sh["shippedDate"]}, `["InTransit","2026-03-02T14:30:00.000000Z"]`)
		c.same(c.do(400, `POST /preview/shipments/SH-100001/deliver {"deliveredDate": "2026-03-01T00:00:00Z"}`)["code"],
			`"Shipment.Invalid"`)
		c.same(c.do(200, "POST /preview/shipments/SH-100001/deliver")["status"], `"Delivered"`)
		c.same(c.do(409, "POST /preview/shipments/SH-100001/cancel")["code"], `"Shipment.InvalidStatus"`)
		c.same(
			c.do(200,
				"GET /preview/shipments?orderNumber=O1&status=delivered&search=t1&warehouseCode=main")["totalCount"],
			"1")
		c.same(c.do(200, "GET /preview/orders/O1/shipments")["totalCount"], "1")
		c.same(c.do(404, "GET /preview/orders/O9/shipments")["code"], `"SalesOrder.NotFound"`)
		c.same(c.do(400, "GET /preview/shipments?status=gone")["code"], `"Query.UnknownValue"`)

		list := c.do(200, "GET /preview/invoices?orderNumber=O1&status=booked")
		invoice := list["items"].([]any)[0].(map[string]any)
		c.same([]any{list["totalCount"], invoice["lines"], invoice["type"]}, `[1,[],"Invoice"]`)
		invoice = c.do(200, "GET /preview/invoices/"+invoice["invoiceNumber"].(string))
		for field, want := range map[string]string{"status": `"Booked"`, "paymentStatus": `"Unpaid"`,
			"customerNumber": `"C1"`, "customerName": `"Nordic Tools"`,
			"invoiceDate": `"2026-03-02"`, "dueDate": `"2026-04-01"`, "currencyCode": `"SEK"`, "totalAmount": `"62.50"`,
			"totalVat": `"15.63"`, "paidAmount": `"0.00"`,
			"balance": `"78.13"`, "externalDocumentNumber": `"1000001"`, "comments": "null", "orderNumbers": `["O1"]`,
			"lines": `[{"description":"Item A","itemNumber":"A","lineNumber":1,"lineTotal":"62.50","quantity":"5","taxAmount":"15.63","taxPercent":"25","unit":"PCS","unitPrice":"12.50"}]`} {
			c.same(invoice[field], want)
		}
		for filter, want := range map[string]string{"status=Paid": "0", "status=PartiallyPaid": "0", "status=open": "0",
			"paymentStatus=unpaid": "1", "status=Paid&paymentStatus=Unpaid": "0",
			"invoiceDateFrom=2026-03-02&invoiceDateTo=2026-03-02": "1", "search=1000001": "1", "customerNumber=c2": "0",
			"type=CreditNote": "0"} {
			c.same(c.do(200, "GET /preview/invoices?"+filter)["totalCount"], want)
		}
		c.same(c.do(400, "GET /preview/invoices?paymentStatus=Overdue")["code"], `"Query.UnknownValue"`)
	})
}

func TestReturnOverTheAPI(t *testing.T) {
	eachDock(t, func(c *counter) {
		c.do(201,
			`POST /preview/orders {"orderNumber": "O1", "customerNumber": "C1", "orderTypeCode": "AUTO", "lines": [{"itemNumber": "A", "quantity": 5}]}`)
		c.same(c.do(400, `POST /preview/returns {"orderNumber": "O1", "reason": "Defective"}`)["code"],
			`"SalesReturn.NoDeliveredLines"`)
		c.do(200, "POST /preview/shipments/SH-100001/pick")
		c.do(200, "POST /preview/shipments/SH-100001/hand-over")
		c.same(
			c.do(400,
				`POST /preview/returns {"orderNumber": "O1", "reason": "Defective", "lines": [{"orderLineNumber": 1, "quantity": 6}]}`)["code"],
			`"SalesReturn.QuantityExceedsDelivered"`)
		c.same(c.do(400, `POST /preview/returns {"orderNumber": "O9", "reason": "Defective"}`)["code"],
			`"SalesOrder.NotFound"`)
		c.same(
			c.do(400,
				`POST /preview/returns {"orderNumber": "O1", "reason": "Defective", "lines": [{"orderLineNumber": 3, "quantity": 1}]}`)["code"],
			`"SalesOrderLine.NotFound"`)
		c.do(400, `POST /preview/returns {"orderNumber": "O1", "reason": "Boredom"}`)
		w := c.raw(`POST /preview/returns {"orderNumber": "O1", "reason": "Defective", "rmaNumber": "K1", "returnDate": "2026-05-06",
			"lines": [{"orderLineNumber": 1, "quantity": "2", "condition": "Scratched"}]}`)
		if w.Code != 201 || w.Header().Get("Location") != "/preview/returns/RMA-10001" || w.Header().Get("ETag") == "" {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		r := c.do(200, "GET /preview/returns/rma-10001")
		for field, want := range map[string]string{"returnNumber": `"RMA-10001"`, "rmaNumber": `"K1"`,
			"orderNumber": `"O1"`, "customerNumber": `"C1"`, "status": `"Draft"`,
			"reason": `"Defective"`, "returnDate": `"2026-05-06"`, "receivedDate": "null", "warehouseCode": `"MAIN"`,
			"currencyCode": `"SEK"`, "externalNotes": "null",
			"totalAmount": `"25.00"`, "totalVat": `"6.25"`, "modifiedDate": "null",
			"links": `{"self":"/preview/returns/RMA-10001"}`,
			"lines": `[{"condition":"Scratched","itemName":"Item A","itemNumber":"A","lineNumber":1,"lineTotal":"25.00","notes":null,"orderLineNumber":1,"quantity":"2","unitPrice":"12.50"}]`} {
			c.same(r[field], want)
		}
		c.same(c.do(200, `PATCH /preview/returns/RMA-10001 {"reason": "Warranty", "rmaNumber": null}`)["reason"],
			`"Warranty"`)
		c.same(c.do(409, "POST /preview/returns/RMA-10001/receive")["code"], `"SalesReturn.InvalidStatus"`)
		c.same(c.do(200, "POST /preview/returns/RMA-10001/approve")["status"], `"Approved"`)
		c.same(
			c.do(400,
				`POST /preview/returns/RMA-10001/receive {"lines": [{"lineNumber": 1, "quantity": 3, "locationCode": "X"}]}`)["code"],
			`"SalesReturn.QuantityExceedsRegistered"`)
		r = c.do(200,
			`POST /preview/returns/RMA-10001/receive {"lines": [{"lineNumber": 1, "quantity": 2, "locationCode": "A-02"}]}`)
		c.same(r["status"], `"Received"`)
		c.same(c.do(409, `PATCH /preview/returns/RMA-10001 {"reason": "Other"}`)["code"], `"SalesReturn.InvalidStatus"`)
		c.same(c.do(409, "POST /preview/returns/RMA-10001/cancel")["code"], `"SalesReturn.InvalidStatus"`)
		c.do(201, `POST /preview/returns {"orderNumber": "O1", "reason": "Other"}`)
		c.same(c.do(200, "POST /preview/returns/RMA-10002/cancel")["status"], `"Cancelled"`)
		c.same(
			c.do(200,
				"GET /preview/returns?status=received&orderNumber=o1&customerNumber=c1&search=10001")["totalCount"],
			"1")
		line := c.do(200, "GET /preview/orders/O1")["lines"].([]any)[0].(map[string]any)
		c.same([]any{line["deliveredQuantity"], line["returnedQuantity"], line["invoicedQuantity"]}, `["5","2","5"]`)
	})
}
