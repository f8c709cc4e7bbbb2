package preview_test

import (
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/preview"
)

// What is shown beside a record (the name of a payment term, of an item, of an attribute) is changed without it. Then
// who has the old answer is given the new one, and may still change the record by the validator that came with the
// old.
func TestANameShownBesideARecordMovesItsValidator(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, orderDesk)
		dbtest.Write(t, s, func(tx *db.Tx) error { return nameAll(tx, "Old") })
		c := &counter{T: t, handler: served(t, s, preview.Items(), preview.PriceLists(), preview.Customers(),
			preview.Suppliers(), preview.Inventory()), store: s}
		c.do(200, `PATCH /preview/customers/C1 {"paymentTermCode": "NET", "customerGroupCode": "G"}`)
		c.do(201, `POST /preview/suppliers {"supplierNumber": "S1", "name": "Supplier", "paymentTermCode": "NET"}`)
		c.do(201, `POST /preview/price-lists {"code": "BASE", "name": "Base", "currencyCode": "SEK", "type": "Standard"}`)
		c.do(204, `PUT /preview/price-lists/BASE/lines/A%2F1 {"unitPrice": 1}`)
		c.do(200, `PATCH /preview/item-warehouses/A%2F1/MAIN {"minQuantity": 1}`)
		c.do(204, `PUT /preview/items/A%2F1/attributes/SIZE {"value": "L"}`)
		books := func() { dbtest.Write(t, s, func(tx *db.Tx) error { return nameAll(tx, "New") }) }
		item := func() { c.do(200, `PATCH /preview/items/A%2F1 {"name": "New hammer"}`) }
		for _, shown := range []struct {
			path, write string
			rename      func()
		}{
			{"/preview/price-lists/BASE/lines/A%2F1", `{"unitPrice": 2}`, item},
			{"/preview/item-warehouses/A%2F1/MAIN", `{"minQuantity": 2}`, books},
			{"/preview/customers/C1", `{"phone": "1"}`, books},
			{"/preview/suppliers/S1", `{"phone": "1"}`, books},
			{"/preview/items/A%2F1", `{"description": "D"}`, books},
		} {
			dbtest.Write(t, s, func(tx *db.Tx) error { return nameAll(tx, "Old") })
			old := c.raw("GET " + shown.path).Header().Get("ETag")
			c.do(304, "GET "+shown.path, "If-None-Match: "+old)
			shown.rename()
			if w := c.raw("GET "+shown.path, "If-None-Match: "+old); w.Code != 200 || w.Header().Get("ETag") == old ||
				!strings.Contains(w.Body.String(), "New") {
				t.Errorf("GET %s: %d %v %s", shown.path, w.Code, w.Header(), w.Body)
			}
			method := "PATCH "
			if strings.Contains(shown.path, "/lines/") {
				method = "PUT "
			}
			w := c.raw(method+shown.path+" "+shown.write, "If-Match: "+old)
			if w.Code/100 != 2 {
				t.Errorf("%s%s: %d %s", method, shown.path, w.Code, w.Body)
			}
			c.do(304, "GET "+shown.path, "If-None-Match: "+w.Header().Get("ETag")) // also that of a 204
		}
	})
}

// nameAll gives what customers, suppliers and items are shown with a name.
func nameAll(tx *db.Tx, name string) error {
	for _, err := range []error{
		reference.SavePaymentTerms(tx, reference.PaymentTerm{Code: "NET", Name: name, IsActive: true}),
		reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "G", Name: name, IsActive: true}),
		reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: name, IsActive: true}),
	} {
		if err != nil {
			return err
		}
	}
	_, err := catalog.SaveAttribute(tx,
		catalog.Attribute{Code: "SIZE", Name: name, DataType: catalog.Text, IsActive: true})
	return err
}
