package laws

import (
	"slices"
	"strings"
	"testing"
)

// Everything that is wrong with a request is said at once: what its form has rules for, and the codes and records it
// names that do not exist. Nothing is said of a field that follows from what is said of another.
func TestEverythingWrongIsSaidAtOnce(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		before := w.changes()
		for _, c := range []struct{ method, path, body, wrong string }{
			{"POST", "/preview/items", `{"itemNumber": "N", "name": 5, "type": "Thing", "baseUnitCode": "NONE",
				"taxCode": "NONE", "categoryCode": "NONE", "brandCode": "NONE", "primarySupplierNumber": "NONE", "unheard": 1,
				"weightKg": "x", "countryOfOriginCode": "XX"}`, `name Request.Invalid, type Request.Invalid,
				unheard Request.UnknownField, weightKg Request.Invalid, baseUnitCode Item.UnknownCode, taxCode Item.UnknownCode,
				categoryCode Item.UnknownCode, brandCode Item.UnknownCode, primarySupplierNumber Item.UnknownCode,
				countryOfOriginCode Item.UnknownCode`},
			{"PATCH", "/preview/items/I%202", `{"name": null, "brandCode": "NONE", "taxCode": "NONE", "decimalPlaces": "x"}`,
				`name Request.Invalid, decimalPlaces Request.Invalid, brandCode Item.UnknownCode, taxCode Item.UnknownCode`},
			{"POST", "/preview/customers", `{"countryCode": "XX", "defaultCurrencyCode": "XXX", "creditLimit": "-1",
				"paymentTermCode": "NONE", "isActive": "yes"}`, `name Request.Invalid, creditLimit Request.Invalid,
				isActive Request.Invalid, countryCode Customer.UnknownCode, defaultCurrencyCode Customer.UnknownCode,
				paymentTermCode Customer.UnknownCode`},
			{"PATCH", w.path("/preview/customers/{customerNumber}"), `{"phone": 5, "customerGroupCode": "NONE"}`,
				`phone Request.Invalid, customerGroupCode Customer.UnknownCode`},
			{"POST", "/preview/orders", `{"customerNumber": "NONE", "currencyCode": "XXX", "warehouseCode": "NONE",
				"orderDate": "soon", "lines": [{"itemNumber": "NONE", "quantity": "x"},
				{"itemNumber": "I/1", "quantity": "-1", "taxCode": "NONE", "warehouseCode": "NONE"}, {"quantity": 1}]}`,
				`orderDate Request.Invalid, lines[0].quantity Request.Invalid, customerNumber Customer.NotFound,
				currencyCode SalesOrder.UnknownCode, warehouseCode SalesOrder.UnknownCode,
				lines[0].itemNumber Item.NotFound, lines[1].quantity Request.Invalid,
				lines[1].taxCode SalesOrder.UnknownCode, lines[1].warehouseCode SalesOrder.UnknownCode,
				lines[2].itemNumber SalesOrderLine.Invalid`},
			{"POST", "/preview/purchase-orders", `{"supplierNumber": "NONE", "currencyCode": "XXX", "warehouseCode": "NONE",
				"lines": [{"itemNumber": "NONE", "quantity": "1"}, {"itemNumber": "I/1", "quantity": true}]}`,
				`lines[1].quantity Request.Invalid, supplierNumber Supplier.NotFound, currencyCode PurchaseOrder.UnknownCode,
				warehouseCode PurchaseOrder.UnknownCode, lines[0].itemNumber Item.NotFound`},
			{"POST", "/preview/quotes", `{"customerNumber": "NONE", "currencyCode": "XXX", "validUntil": "soon",
				"lines": [{"itemNumber": "NONE", "quantity": "1"}, {"itemNumber": "I/1", "quantity": null}]}`,
				`lines[1].quantity Request.Invalid, validUntil Request.Invalid, customerNumber Customer.NotFound,
				currencyCode Quote.UnknownCode, lines[0].itemNumber Item.NotFound`},
			{"POST", "/preview/quotes", `{"lines": [{"itemNumber": "NONE", "quantity": "1"}]}`,
				`customerNumber Quote.Invalid, lines[0].itemNumber Item.NotFound`},
			{"POST", "/preview/suppliers", `{"name": 5, "currencyCode": "XXX", "countryCode": "XX"}`,
				`name Request.Invalid, currencyCode Supplier.UnknownCode, countryCode Supplier.UnknownCode`},
		} {
			a := w.send(full, c.method, c.path, c.body, w.newKey())
			var got []string
			errors, _ := a.body["errors"].([]any)
			for _, e := range errors {
				e := e.(map[string]any)
				got = append(got, e["field"].(string)+" "+e["code"].(string))
			}
			want := strings.Split(strings.Join(strings.Fields(c.wrong), " "), ", ")
			slices.Sort(got)
			slices.Sort(want)
			if a.Code != 400 || !slices.Equal(got, want) {
				w.Errorf("%s %s\nanswered %d %s\nwants    400 %s\n%s", c.method, c.path, a.Code, strings.Join(got, ", "),
					strings.Join(want, ", "), a.Body)
			}
		}
		if after := w.changes(); after != before {
			w.Errorf("what was refused left %d changes", after-before)
		}
	})
}
