package preview_test

import (
	"fmt"
	"strings"
	"testing"

	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/preview"
)

// eachPriceDesk is the API's items and price lists over a store with two items and a customer; every answer is held
// against the description.
func eachPriceDesk(t *testing.T, story func(c *counter)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true},
				reference.Unit{Code: "BOX", Name: "Box", IsActive: true}); err != nil {
				return err
			}
			if err := reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard",
				IsActive: true}); err != nil {
				return err
			}
			if err := reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2,
				IsBase: true, IsActive: true},
				reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2, IsActive: true}); err != nil {
				return err
			}
			if err := reference.SaveRates(tx, "EUR",
				reference.RatePoint{Date: "2026-01-01",
					Rate: dec.Rate{Amount: dec.Int(10), Units: dec.One}}); err != nil {
				return err
			}
			return party.CreateMany(tx, []party.Customer{{Number: "C1", Name: "One", IsActive: true}})
		})
		h := served(t, s, preview.Items(), preview.PriceLists())
		c := &counter{T: t, handler: h, store: s}
		c.do(201,
			`POST /preview/items {"itemNumber": "A/1", "name": "Hammer", "salesPrice": "249.5", "taxCode": "STD", "baseUnitCode": "PCS"}`)
		c.do(201, `POST /preview/items {"itemNumber": "B", "name": "Nail", "taxCode": "STD", "decimalPlaces": 2}`)
		story(c)
	})
}

// fields are some members of an answer, as JSON in their order.
func fields(of any, names ...string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = of.(map[string]any)[n]
	}
	return out
}

func TestPriceListOverTheAPI(t *testing.T) {
	eachPriceDesk(t, func(c *counter) {
		l := c.do(201,
			`POST /preview/price-lists {"code": "Base", "name": "Base prices", "currencyCode": "sek", "type": "Standard", "isDefault": true}`)
		c.same(fields(l, "code", "currencyCode", "type", "isActive", "isPriceIncludingTax", "priority",
			"basePriceListCode", "validFrom", "customerNumbers", "isDefault", "modifiedDate", "links"),
			`["Base","SEK","Standard",true,false,0,null,null,[],true,null,{"self":"/preview/price-lists/Base"}]`)
		w := c.raw("GET /preview/price-lists/BASE")
		tag := w.Header().Get("ETag")
		c.do(304, "GET /preview/price-lists/BASE", "If-None-Match: "+tag)
		l = c.do(200, `PATCH /preview/price-lists/base {"priority": 7, "validTo": "2030-12-31"}`, "If-Match: "+tag)
		c.same(fields(l, "priority", "validTo", "name"), `[7,"2030-12-31","Base prices"]`)
		c.do(412, `PATCH /preview/price-lists/base {"priority": 8}`, "If-Match: "+tag)
		c.same(c.do(200, "GET /preview/price-lists/base", "If-None-Match: "+tag)["priority"], "7")

		c.same(
			c.do(409,
				`POST /preview/price-lists {"code": "BASE", "name": "Again", "currencyCode": "SEK", "type": "Standard"}`)["code"],
			`"PriceList.AlreadyExists"`)
		p := c.do(400,
			`POST /preview/price-lists {"code": "X", "name": "X", "currencyCode": "XXX", "type": "Contract", "customerNumbers": ["C9"]}`)
		c.same([]any{p["code"], fields(p["errors"].([]any)[1], "field", "code")},
			`["PriceList.UnknownCode",["customerNumbers[0]","PriceList.UnknownCode"]]`)
		c.do(400, `POST /preview/price-lists {"code": "X", "name": "X", "currencyCode": "SEK", "type": "ListPrice"}`)
		c.same(c.do(400, `PATCH /preview/price-lists/base {"code": "B2"}`)["code"], `"Request.UnknownField"`)

		c.do(201,
			`POST /preview/price-lists {"code": "DEAL", "name": "Deal", "currencyCode": "EUR", "type": "Contract", "customerNumbers": ["c1"], "isActive": false}`)
		list := c.do(200, "GET /preview/price-lists?type=contract&isActive=false&search=dea")
		c.same([]any{list["totalCount"], fields(list["items"].([]any)[0], "code", "customerNumbers")},
			`[1,["DEAL",["C1"]]]`)
		c.do(404, "GET /preview/price-lists/NONE")
		c.do(404, "GET /preview/price-lists/NONE/lines")
	})
}

func TestPriceListLinesOverTheAPI(t *testing.T) {
	eachPriceDesk(t, func(c *counter) {
		c.do(201,
			`POST /preview/price-lists {"code": "BASE", "name": "Base prices", "currencyCode": "SEK", "type": "Standard", "isDefault": true}`)
		const line = "/preview/price-lists/BASE/lines/A%2F1"
		w := c.raw("PUT " + line + ` {"unitPrice": 199}`)
		if w.Code != 204 || w.Header().Get("ETag") == "" || w.Body.Len() > 0 {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		l := c.do(200, "GET "+line)
		c.same(fields(l, "itemNumber", "itemName", "minQuantity", "maxQuantity", "validFrom", "validTo", "strategy",
			"unitPrice", "percentage", "fixedAmount", "calculatedAt", "modifiedDate", "links"),
			`["A/1","Hammer","0",null,null,null,"Fixed","199.00",null,null,null,null,{"self":"`+line+`"}]`)
		c.do(304, "GET "+line, "If-None-Match: "+w.Header().Get("ETag"))
		c.do(204, "PUT "+line+` {"unitPrice": "189.995", "maxQuantity": 9}`, "If-Match: "+w.Header().Get("ETag"))
		c.do(412, "PUT "+line+` {"unitPrice": "1"}`, "If-Match: "+w.Header().Get("ETag"))
		c.same(fields(c.do(200, "GET "+line), "unitPrice", "maxQuantity"), `["189.995","9"]`)

		c.do(204,
			"PUT "+line+
				` {"unitPrice": "179", "minQuantity": "10.0", "validFrom": "2026-07-01", "validTo": "2026-07-31"}`)
		self := line + "?minQuantity=10&validFrom=2026-07-01"
		list := c.do(200, "GET /preview/price-lists/BASE/lines?itemNumber=a/1")
		c.same([]any{list["totalCount"], fields(list["items"].([]any)[1], "links")}, `[2,[{"self":"`+
			strings.ReplaceAll(self, "&", `\u0026`)+`"}]]`)
		c.same(c.do(200, "GET "+self)["unitPrice"], `"179.00"`)
		c.same(c.do(200, "GET /preview/price-lists/BASE/lines?validOn=2026-06-30")["totalCount"], "1")

		for body, code := range map[string]string{
			`{}`:                           "Request.Invalid",
			`{"unitPrice": -1}`:            "Request.Invalid",
			`{"unitPrice": "1,5"}`:         "Request.Invalid",
			`{"unitPrice": 1, "price": 2}`: "Request.UnknownField",
			`{"unitPrice": 1, "minQuantity": 5, "maxQuantity": 4}`:                 "PriceListLine.QuantityRange.Invalid",
			`{"unitPrice": 1, "validFrom": "2026-02-01", "validTo": "2026-01-31"}`: "PriceListLine.ValidityRange.Invalid",
		} {
			c.same(c.do(400, "PUT "+line+" "+body)["code"], fmt.Sprintf("%q", code))
		}
		c.same(c.do(404, `PUT /preview/price-lists/BASE/lines/NONE {"unitPrice": 1}`)["code"], `"Item.NotFound"`)
		c.same(c.do(404, `PUT /preview/price-lists/NONE/lines/B {"unitPrice": 1}`)["code"], `"PriceList.NotFound"`)
		dbtest.Write(c, c.store, func(tx *db.Tx) error {
			l := pricing.Line{Item: "B"}
			percent := dec.Int(10)
			l.Strategy, l.Percentage = price.BasePriceDiscount, &percent
			_, err := pricing.SaveLines(tx, "BASE", []pricing.Line{l})
			return err
		})
		c.same(c.do(409, `PUT /preview/price-lists/BASE/lines/B {"unitPrice": 1}`)["code"],
			`"PriceListLine.NotFixedPrice"`)
		c.same(fields(c.do(200, "GET /preview/price-lists/BASE/lines/B"), "strategy", "unitPrice", "percentage"),
			`["BasePriceDiscount",null,"10"]`)

		c.do(204, "DELETE "+line)
		c.same(c.do(409, "DELETE "+line)["code"], `"PriceListLine.Ambiguous"`)
		c.do(204, "DELETE "+self)
		c.same(c.do(404, "DELETE "+self)["code"], `"PriceListLine.NotFound"`)
		c.same(c.do(409, "DELETE /preview/price-lists/BASE/lines/B")["code"], `"PriceListLine.NotFixedPrice"`)
	})
}

func TestPriceListBatchOverTheAPI(t *testing.T) {
	eachPriceDesk(t, func(c *counter) {
		c.do(201,
			`POST /preview/price-lists {"code": "BASE", "name": "Base prices", "currencyCode": "SEK", "type": "Standard"}`)
		const batch = "POST /preview/price-lists/base/lines/batch "
		b := c.do(200, batch+`{"lines": [{"itemNumber": "a/1", "unitPrice": 9}, {"itemNumber": "NONE", "unitPrice": 9},
			{"itemNumber": "B", "unitPrice": "2", "minQuantity": "5", "maxQuantity": 1}, {"itemNumber": "B", "unitPrice": "2.5"}]}`)
		c.same(fields(b, "createdCount", "updatedCount", "failedCount"), "[2,0,2]")
		rows := b["results"].([]any)
		c.same(rows[0], `{"error":null,"index":0,"itemNumber":"a/1","outcome":"created"}`)
		c.same([]any{fields(rows[1], "outcome"), rows[1].(map[string]any)["error"].(map[string]any)["code"],
			rows[2].(map[string]any)["error"].(map[string]any)["code"]},
			`[["failed"],"PriceListLine.UnknownItem","PriceListLine.QuantityRange.Invalid"]`)
		c.same(fields(c.do(200, batch+`{"mode": "update", "lines": [{"itemNumber": "B", "unitPrice": 3}]}`),
			"updatedCount"), "[1]")

		c.do(400, batch+`{"lines": []}`)
		c.do(400, batch+`{"lines": [{"itemNumber": "B"}]}`)
		c.do(400, batch+`{"lines": [{"unitPrice": "1"}]}`)
		c.do(400, batch+`{"lines": [{"itemNumber": "B", "unitPrice": -1}]}`)
		c.do(400, batch+`{"mode": "replace", "lines": [{"itemNumber": "B", "unitPrice": 1}]}`)
		row := `{"itemNumber": "B", "unitPrice": "1"}`
		c.do(400, batch+`{"lines": [`+strings.Repeat(row+",", 500)+row+`]}`)
		c.do(404, `POST /preview/price-lists/NONE/lines/batch {"lines": [`+row+`]}`)
	})
}

func TestItemPriceOverTheAPI(t *testing.T) {
	eachPriceDesk(t, func(c *counter) {
		c.do(204, `PUT /preview/items/A%2F1/units/BOX {"factor": 6}`)
		names := []string{"itemNumber", "customerNumber", "quantity", "unitCode", "currencyCode", "unitPrice",
			"priceSource", "priceListCode", "minQuantity"}
		c.same(fields(c.do(200, "GET /preview/items/a%2F1/price"), names...),
			`["A/1",null,"1","PCS","SEK","249.50","ListPrice",null,null]`)
		c.same(fields(c.do(200, "GET /preview/items/B/price?quantity=1.5"), names...),
			`["B",null,"1.5",null,"SEK",null,"None",null,null]`)

		c.do(201,
			`POST /preview/price-lists {"code": "DEAL", "name": "Deal", "currencyCode": "SEK", "type": "Contract", "customerNumbers": ["C1"], "validFrom": "2026-01-01"}`)
		c.do(204, `PUT /preview/price-lists/DEAL/lines/A%2F1 {"unitPrice": 200}`)
		c.do(204, `PUT /preview/price-lists/DEAL/lines/A%2F1 {"unitPrice": 180, "minQuantity": 12}`)
		p := c.do(200,
			"GET /preview/items/a%2F1/price?customerNumber=c1&quantity=2&unitCode=box&currencyCode=eur&date=2026-06-15")
		c.same(fields(p, names...), `["A/1","C1","2","BOX","EUR","108.00","Contract","DEAL","12"]`)
		c.same(fields(p, "priceListName", "discountPercent", "isPriceIncludingTax", "validFrom", "validTo", "breaks"),
			`["Deal","0",false,"2026-01-01",null,[{"minQuantity":"0","unitPrice":"120.00"},{"minQuantity":"12","unitPrice":"108.00"}]]`)
		c.do(204, `PUT /preview/price-lists/DEAL/lines/A%2F1 {"unitPrice": 180, "minQuantity": 12, "maxQuantity": 24}`)
		c.same(fields(c.do(200, "GET /preview/items/a%2F1/price?customerNumber=c1&date=2026-06-15"), "breaks"),
			`[[{"minQuantity":"0","unitPrice":"200.00"},{"minQuantity":"12","unitPrice":"180.00"},{"minQuantity":"25","unitPrice":"200.00"}]]`)
		c.same(fields(c.do(200, "GET /preview/items/a%2F1/price?customerNumber=c1&date=2025-12-31"), "priceSource"),
			`["ListPrice"]`)

		for query, code := range map[string]string{"customerNumber=C9": "Customer.NotFound",
			"unitCode=KG": "ItemUnit.UnknownUnit", "currencyCode=XXX": "Price.UnknownCurrency",
			"channelCode=NONE": "Channel.NotFound", "quantity=1.5": "Quantity.TooManyDecimals",
			"date=2026-02-30": "Request.Invalid", "quantity=0": "Request.Invalid"} {
			c.same(c.do(400, "GET /preview/items/a%2F1/price?"+query)["code"], fmt.Sprintf("%q", code))
		}
		c.same(c.do(404, "GET /preview/items/NONE/price")["code"], `"Item.NotFound"`)

		b := c.do(200,
			`POST /preview/items/prices {"customerNumber": "C1", "items": [{"itemNumber": "a/1", "quantity": 12}, {"itemNumber": "B", "currencyCode": "EUR"}, {"itemNumber": "A/1"}]}`,
			"Idempotency-Key: ")
		rows := b["items"].([]any)
		c.same([]any{fields(rows[0], "unitPrice", "priceSource"),
			fields(rows[1], "currencyCode", "unitPrice", "customerNumber"), fields(rows[2], "unitPrice", "quantity")},
			`[["180.00","Contract"],["EUR",null,"C1"],["200.00","1"]]`)
		w := c.do(400,
			`POST /preview/items/prices {"items": [{"itemNumber": "NONE"}, {"itemNumber": "A/1", "quantity": "0.5", "customerNumber": "C9"}]}`)
		var wrong []string
		for _, e := range w["errors"].([]any) {
			wrong = append(wrong, fmt.Sprint(fields(e, "field")...))
		}
		if got := strings.Join(wrong, " "); got != "items[0].itemNumber items[1].customerNumber items[1].quantity" {
			c.Errorf("wrong are %s", got)
		}
	})
}
