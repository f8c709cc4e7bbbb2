package preview_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/preview"
)

// counter is the catalog's part of the API over a store with a few codes.
type counter struct {
	*testing.T
	handler http.Handler
	store   *db.Store
	keys    int
}

func eachCounter(t *testing.T, story func(c *counter)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", IsActive: true},
				reference.Unit{Code: "BOX", Name: "Box", IsActive: true}); err != nil {
				return err
			}
			return reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true})
		})
		h := served(t, s, preview.Items(), preview.Categories(), preview.Brands())
		story(&counter{T: t, handler: h, store: s})
	})
}

// do sends "METHOD /path body" with headers and checks the status; it answers the decoded body.
func (c *counter) do(status int, request string, headers ...string) map[string]any {
	c.Helper()
	w := c.raw(request, headers...)
	if w.Code != status {
		c.Fatalf("%s: %d, want %d: %s", request, w.Code, status, w.Body)
	}
	var out map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			c.Fatalf("%s: %v: %s", request, err, w.Body)
		}
	}
	return out
}

func (c *counter) raw(request string, headers ...string) *httptest.ResponseRecorder {
	method, rest, _ := strings.Cut(request, " ")
	path, body, _ := strings.Cut(rest, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if method == "POST" {
		c.keys++
		r.Header.Set("Idempotency-Key", fmt.Sprint("key-", c.keys))
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w
}

// same compares one member of an answer, as JSON.
func (c *counter) same(got any, want string) {
	c.Helper()
	b, _ := json.Marshal(got)
	if string(b) != want {
		c.Errorf("got %s, want %s", b, want)
	}
}

func TestItemOverTheAPI(t *testing.T) {
	eachCounter(t, func(c *counter) {
		c.do(201, `POST /preview/categories {"code": "TOOLS", "name": "Tools & more"}`)
		c.do(201, `POST /preview/brands {"code": "ACME", "name": "Acme"}`)
		w := c.raw(`POST /preview/items {"itemNumber": "A/1", "name": "  Hammer ", "salesPrice": 249.5, "taxCode": "std", "categoryCode": "tools",
			"variantOptions": [{"name": "Size", "value": "M"}], "gtin": "", "weightKg": "0.450"}`)
		if w.Code != 201 || w.Header().Get("Location") != "/preview/items/A%2F1" || w.Header().Get("ETag") == "" {
			c.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		i := c.do(200, "GET /preview/items/a%2F1")
		for field, want := range map[string]string{"itemNumber": `"A/1"`, "name": `"Hammer"`, "salesPrice": `"249.50"`,
			"averageCost": `"0.00"`, "taxCode": `"STD"`,
			"categoryCode": `"TOOLS"`, "gtin": "null", "weightKg": `"0.45"`, "lengthCm": "null", "type": `"Stock"`,
			"isActive": "true", "trackingType": `"None"`,
			"replenishmentType": `"Purchase"`, "variantOptions": `[{"name":"Size","value":"M"}]`,
			"crossReferences": "[]", "attributes": "[]",
			"modifiedDate": "null", "links": `{"self":"/preview/items/A%2F1"}`, "decimalPlaces": "0"} {
			if _, there := i[field]; !there {
				c.Errorf("%s is missing", field)
			}
			c.same(i[field], want)
		}
		tag := w.Header().Get("ETag")
		c.do(304, "GET /preview/items/A%2F1", "If-None-Match: "+tag)
		i = c.do(200, `PATCH /preview/items/A%2F1 {"salesPrice": null, "brandCode": "acme", "variantOptions": []}`,
			"If-Match: "+tag)
		c.same([]any{i["salesPrice"], i["brandCode"], i["name"], i["variantOptions"]}, `[null,"ACME","Hammer",[]]`)
		c.do(412, `PATCH /preview/items/A%2F1 {"name": "Late"}`, "If-Match: "+tag)
		c.do(200, "GET /preview/items/A%2F1", "If-None-Match: "+tag)
		c.same(c.do(400, `PATCH /preview/items/A%2F1 {"itemNumber": "B"}`)["code"], `"Request.UnknownField"`)
		c.same(c.do(409, `POST /preview/items {"itemNumber": "a/1", "name": "Again"}`)["code"], `"Item.AlreadyExists"`)
		c.same(
			c.do(400,
				`POST /preview/items {"name": "X", "crossReferences": [{"type": "Customer", "value": "1", "customerNumber": "C9"}]}`)["code"],
			`"Item.UnknownCode"`)
		c.same(c.do(409, "DELETE /preview/brands/ACME")["code"], `"Brand.InUse"`)
		c.do(204, "DELETE /preview/items/A%2F1")
		c.same(c.do(404, "GET /preview/items/A%2F1")["code"], `"Item.NotFound"`)
	})
}

func TestItemListOverTheAPI(t *testing.T) {
	eachCounter(t, func(c *counter) {
		dbtest.Write(c, c.store, func(tx *db.Tx) error {
			_, err := catalog.SaveAttribute(tx, catalog.Attribute{Code: "colour", Name: "Colour",
				DataType: catalog.Text, IsActive: true})
			return err
		})
		for _, n := range []string{"b", "A", "c"} {
			c.do(201, `POST /preview/items {"taxCode": "STD", "name": "Item `+n+`", "itemNumber": "`+n+`"}`)
		}
		c.do(204, `PUT /preview/items/b/attributes/COLOUR {"value": "Red: dark"}`)
		numbers := func(query string) (out []any) {
			c.Helper()
			for _, row := range c.do(200, "GET /preview/items"+query)["items"].([]any) {
				out = append(out, row.(map[string]any)["itemNumber"])
			}
			return out
		}
		c.same(numbers(""), `["A","b","c"]`)
		c.same(numbers("?pageSize=2&page=2"), `["c"]`)
		c.same(numbers("?attribute=colour:red:%20dark&type=stock"), `["b"]`)
		c.same(numbers("?attribute=colour:blue"), `null`)
		at := c.do(200, "GET /preview/items/b")["modifiedDate"].(string)
		c.same(numbers("?modifiedSince="+at), `["b"]`)
		// As .NET, Go, Java and others write the same moment, or one just after it: never later than it was.
		for _, end := range []string{"0Z", "1Z", "999Z", "999999z", "%2B0000", "999+00:00", "9%2B00:00", ""} {
			c.same(numbers("?modifiedSince="+strings.ToLower(strings.TrimSuffix(at, "Z"))+end), `["b"]`)
		}
		c.do(200, "GET /preview/items?modifiedSince="+at[:10])
		c.do(400, "GET /preview/items?attribute=colour")
		c.do(400, "GET /preview/items?type=Thing")
		if _, there := c.do(200, "GET /preview/items")["items"].([]any)[0].(map[string]any)["attributes"]; there {
			c.Error("lists show no attribute values, so they must not look as if there were none")
		}
	})
}

func TestItemBatchOverTheAPI(t *testing.T) {
	eachCounter(t, func(c *counter) {
		b := c.do(200,
			`POST /preview/items/batch {"items": [{"itemNumber": "A", "name": "First", "taxCode": "STD", "salesPrice": "1"}, {"itemNumber": "B", "taxCode": "STD"}, {"itemNumber": "C", "name": "C", "taxCode": "NO"}]}`)
		c.same([]any{b["createdCount"], b["updatedCount"], b["failedCount"]}, "[1,0,2]")
		c.same(b["results"].([]any)[0], `{"error":null,"index":0,"itemNumber":"A","outcome":"created"}`)
		c.same(b["results"].([]any)[2].(map[string]any)["error"].(map[string]any)["code"], `"Item.UnknownCode"`)
		b = c.do(200,
			`POST /preview/items/batch {"mode": "update", "items": [{"itemNumber": "a", "description": "More", "salesPrice": null}, {"itemNumber": "D", "name": "D"}]}`)
		c.same([]any{b["createdCount"], b["updatedCount"], b["failedCount"]}, "[0,1,1]")
		i := c.do(200, "GET /preview/items/A")
		c.same([]any{i["name"], i["description"], i["salesPrice"]}, `["First","More","1.00"]`)
		c.do(400, `POST /preview/items/batch {"items": []}`)
		c.do(400, `POST /preview/items/batch {"items": [{"name": "x"}]}`)
		c.do(400, `POST /preview/items/batch {"mode": "replace", "items": [{"itemNumber": "A"}]}`)
		c.do(400, `POST /preview/items/batch {"items": [`+strings.Repeat(`{"itemNumber": "A"},`, 200)+
			`{"itemNumber": "B"}]}`)
	})
}

func TestItemPartsOverTheAPI(t *testing.T) {
	eachCounter(t, func(c *counter) {
		two := dec.Int(2)
		dbtest.Write(c, c.store, func(tx *db.Tx) error {
			_, err := catalog.SaveAttribute(tx, catalog.Attribute{Code: "width", Name: "Width",
				DataType: catalog.DecimalNumber, Unit: "mm", MinValue: &two, IsMultiValue: true, IsActive: true})
			return err
		})
		c.do(201,
			`POST /preview/items {"itemNumber": "A", "name": "A", "taxCode": "STD", "baseUnitCode": "PCS", "gtin": "96385074"}`)
		c.do(201,
			`POST /preview/items {"itemNumber": "B", "name": "B", "taxCode": "STD", "variantOf": "A", "salesPrice": "5"}`)

		w := c.raw(`PUT /preview/items/A/units/box {"factor": 12}`)
		if w.Code != 204 || w.Header().Get("ETag") == "" || w.Body.Len() != 0 {
			c.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		c.same(c.do(200, "GET /preview/items/A/units")["items"],
			`[{"factor":"1","gtin":"96385074","isBase":true,"unitCode":"PCS"},{"factor":"12","gtin":null,"isBase":false,"unitCode":"BOX"}]`)
		c.do(400, `PUT /preview/items/A/units/BOX {"factor": 0}`)
		c.do(204, "DELETE /preview/items/A/units/BOX")
		c.do(404, "DELETE /preview/items/A/units/BOX")

		c.do(204, `PUT /preview/items/A/attributes/width {"values": [2.50, "3"]}`)
		c.same(c.do(200, "GET /preview/items/A")["attributes"],
			`[{"attributeCode":"width","dataType":"DecimalNumber","name":"Width","unit":"mm","values":["2.5","3"]}]`)
		c.same(c.do(200, "GET /preview/items/A/attributes")["totalCount"], "1")
		for _, body := range []string{`{"value": 1}`, `{"value": {}}`, `{"value": null}`, `{}`,
			`{"value": 2, "values": [3]}`, `{"values": []}`, `{"values": [2, null]}`} {
			c.same(c.do(400, `PUT /preview/items/A/attributes/width `+body)["code"], `"ItemAttribute.InvalidValue"`)
		}
		c.same(c.do(404, `PUT /preview/items/A/attributes/none {"value": 1}`)["code"], `"Attribute.NotFound"`)
		c.do(204, "DELETE /preview/items/A/attributes/WIDTH")
		c.same(c.do(200, "GET /preview/attributes/WIDTH")["allowedValues"], "null")
		c.same(c.do(200, "GET /preview/attributes?search=wid")["totalCount"], "1")

		c.do(204, `PUT /preview/items/A/relations/Accessory/B {"sortOrder": 3}`)
		c.do(204, `PUT /preview/items/A/relations/UpSell/B`)
		c.same(c.do(200, "GET /preview/items/A/relations?pageSize=1")["items"],
			`[{"relationType":"Accessory","sortOrder":3,"targetItemName":"B","targetItemNumber":"B"}]`)
		c.same(c.do(400, `PUT /preview/items/A/relations/Friend/B`)["code"], `"ItemRelation.InvalidType"`)
		b := c.do(200,
			`POST /preview/item-relations/batch {"relations": [{"sourceItemNumber": "A", "targetItemNumber": "B", "relationType": "Accessory"}, {"sourceItemNumber": "A", "targetItemNumber": "X", "relationType": "Related"}]}`)
		c.same([]any{b["createdCount"], b["unchangedCount"], b["failedCount"]}, "[0,1,1]")
		c.do(204, "DELETE /preview/items/A/relations/upsell/b")

		c.same(c.do(200, "GET /preview/items/A/variants")["items"],
			`[{"isActive":true,"itemNumber":"B","name":"B","options":[],"salesPrice":"5.00"}]`)
		c.do(400, "GET /preview/items/A/variants?modifiedSince=2026-01-01")
	})
}

func TestCategoriesAndBrandsOverTheAPI(t *testing.T) {
	eachCounter(t, func(c *counter) {
		c.do(201, `POST /preview/categories {"code": "A", "name": "Tools"}`)
		b := c.do(201,
			`POST /preview/categories {"code": "B", "name": "Hand tools", "parentCode": "a", "sortOrder": 2}`)
		c.same([]any{b["parentCode"], b["slug"], b["isActive"], b["links"]},
			`["A","hand-tools",true,{"self":"/preview/categories/B"}]`)
		c.same(c.do(400, `PATCH /preview/categories/A {"parentCode": "B"}`)["code"], `"Category.Cycle"`)
		c.same(c.do(200, `PATCH /preview/categories/B {"slug": null, "parentCode": null, "name": "Garden"}`)["slug"],
			`"garden"`)
		c.same(c.do(409, `POST /preview/categories {"code": "C", "name": "C", "slug": "garden"}`)["code"],
			`"Category.SlugAlreadyExists"`)
		c.same(c.do(200, "GET /preview/categories?parentCode=A")["totalCount"], "0")
		c.do(204, "DELETE /preview/categories/A")

		c.do(201, `POST /preview/brands {"code": "X", "name": "Xylo", "logoUrl": "https://example.com/x.png"}`)
		x := c.do(200, `PATCH /preview/brands/x {"logoUrl": null, "isActive": false}`)
		c.same([]any{x["code"], x["logoUrl"], x["slug"]}, `["X",null,"xylo"]`)
		c.same(c.do(200, "GET /preview/brands?isActive=false&search=XY")["totalCount"], "1")
		c.same(c.do(400, `POST /preview/brands {"code": "", "sortOrder": "a"}`)["errors"].([]any)[0].(map[string]any)["field"], `"code"`)
		c.do(204, "DELETE /preview/brands/X")
	})
}
