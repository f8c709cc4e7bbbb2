package laws

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/production"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest/resttest"
)

// world is a whole house with two companies. The first has one record of every kind; the second has none of them.
type world struct {
	*testing.T
	open   *app.App
	first  identity.Company
	kontor http.Handler // every answer is held against the OpenAPI document
	keys   map[string]string
	// names are the records' keys by path parameter, and by group and parameter where a parameter's name is shared.
	names map[string]string
	sent  int
}

// The keys of the world: the first company's, the second's, and two that reach next to nothing.
const (
	full     = "full"
	stranger = "stranger"
	narrow   = "narrow"
	narrower = "narrower"
)

func eachWorld(t *testing.T, fn func(w *world)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, place datadir.Dir) { fn(newWorld(t, place)) })
}

func newWorld(t *testing.T, place datadir.Dir) *world {
	t.Helper()
	kontor := apptest.Open(t, place, app.Serving{KeepBytes: 1 << 20})
	w := &world{T: t, open: kontor, keys: map[string]string{}, names: map[string]string{}}
	first, second := w.company(kontor, "acme"), w.company(kontor, "other")
	w.first = first
	w.keys[full], w.keys[stranger] = w.key(kontor, first, "*"), w.key(kontor, second, "*")
	w.keys[narrow], w.keys[narrower] = w.key(kontor, first, "brands:read"), w.key(kontor, first, "sync:read")
	text, err := app.Describe("preview", "3.1")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := resttest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	w.kontor = doc.Watch(t, kontor)
	if err := kontor.InCompany(t.Context(), first.ID, codesOfTheirOwn); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) company(kontor *app.App, code string) identity.Company {
	w.Helper()
	c, err := kontor.CreateCompany(w.Context(), identity.Company{Code: code, Name: code, Country: "SE", Currency: "SEK",
		Environment: identity.Test})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

func (w *world) key(kontor *app.App, c identity.Company, scopes ...string) (secret string) {
	w.Helper()
	err := kontor.Control(w.Context(), func(tx *db.Tx) (err error) {
		_, secret, err = identity.CreateKey(tx, c, identity.NewKey{Name: "key " + scopes[0], Scopes: scopes},
			app.Scopes())
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return secret
}

// codesOfTheirOwn are records that the API cannot create, under codes that the starter set of the second company lacks.
func codesOfTheirOwn(tx *db.Tx) error {
	if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "OWN", Name: "Own", IsActive: true}); err != nil {
		return err
	}
	if err := reference.SaveLocations(tx, reference.Location{Warehouse: "OWN", Code: "L1", Name: "L1", IsPickable: true,
		IsActive: true}); err != nil {
		return err
	}
	if _, err := catalog.SaveAttribute(tx, catalog.Attribute{Code: "own-colour", Name: "Colour", DataType: "Text",
		IsActive: true}); err != nil {
		return err
	}
	if _, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "OWNSUPPLIER", Name: "Own",
		IsActive: true}); err != nil {
		return err
	}
	_, err := channel.Create(tx, channel.Channel{Code: "OWNSHOP", Name: "Own", Type: channel.WebShop,
		CurrencyCode: "SEK", WarehouseCode: "OWN", OrderTypeCode: "STANDARD", IsActive: true})
	return err
}

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	body map[string]any
}

func (a answer) code() string { s, _ := a.body["code"].(string); return s }

// send sends a request as the owner of a key; headers are "Name: value".
func (w *world) send(key, method, path, body string, headers ...string) answer {
	w.Helper()
	r := httptest.NewRequestWithContext(w.Context(), method, path, strings.NewReader(body))
	if key != "" {
		r.Header.Set("X-Api-Key", w.keys[key])
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.kontor.ServeHTTP(rec, r)
	a := answer{ResponseRecorder: rec}
	if rec.Body.Len() > 0 && strings.Contains(rec.Header().Get("Content-Type"), "json") {
		if err := json.Unmarshal(rec.Body.Bytes(), &a.body); err != nil {
			w.Errorf("%s %s: %v: %s", method, path, err, rec.Body)
		}
	}
	return a
}

// newKey is an Idempotency-Key that was not used yet.
func (w *world) newKey() string {
	w.sent++
	return fmt.Sprintf("Idempotency-Key: law-%d", w.sent)
}

// changes are how many rows the first company's change feed has.
func (w *world) changes() (n int) {
	w.Helper()
	after := ""
	for {
		a := w.send(full, "GET", "/preview/changes?limit=1000&after="+after, "")
		items, _ := a.body["items"].([]any)
		if a.Code != 200 {
			w.Fatalf("changes: %d %s", a.Code, a.Body)
		}
		if len(items) == 0 {
			return n
		}
		n += len(items)
		after, _ = a.body["nextCursor"].(string)
	}
}

// activities are how many rows the first company's activity log has.
func (w *world) activities() (n int64) {
	w.Helper()
	err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) error {
		_, err := tx.One(
			"-- laws.activities\nselect count(*) from activity where company = :company and actor_kind = 'apiKey' and request_id <> ''",
			nil, &n)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return n
}

// must sends a write of the story, which has to succeed and to show in the change feed. It is sent twice under one
// Idempotency-Key: the second answer is the first one over again, and nothing happens twice.
func (w *world) must(method, path, body string, headers ...string) answer {
	w.Helper()
	key, before, noted := w.newKey(), w.changes(), w.activities()
	headers = append(headers, key)
	a := w.send(full, method, path, body, headers...)
	if a.Code < 200 || a.Code > 299 {
		w.Fatalf("%s %s: %d %s", method, path, a.Code, a.Body)
	}
	after := w.changes()
	if after <= before {
		w.Errorf("%s %s left no change", method, path)
	}
	if w.activities() <= noted {
		w.Errorf("%s %s left nothing in the activity log that says who did it", method, path)
	}
	if a.Code == 201 && a.Header().Get("Location") == "" {
		w.Errorf("%s %s: no Location", method, path)
	}
	again := w.send(full, method, path, body, headers...)
	if again.Code != a.Code || again.Body.String() != a.Body.String() || again.Header().Get("Location") != a.Header().
		Get("Location") || again.Header().Get("Etag") != a.Header().Get("Etag") ||
		again.Header().Get("Idempotent-Replayed") != "true" {
		w.Errorf("%s %s again under the same key: %d %s", method, path, again.Code, again.Body)
	}
	if n := w.changes(); n != after {
		w.Errorf("%s %s again under the same key changed %d records", method, path, n-after)
	}
	if strings.HasPrefix(body, "{") {
		if other := w.send(full, method, path, strings.Replace(body, "{", `{"unheard":1,`, 1),
			key); other.Code != 409 || other.code() != "Idempotency.KeyReused" {
			w.Errorf("%s %s with another body under the same key: %d %s", method, path, other.Code, other.Body)
		}
	}
	return a
}

// upload is a small drawing as the body of an upload.
const (
	upload = "--law\r\nContent-Disposition: form-data; name=\"file\"; filename=\"dot.svg\"\r\n\r\n" +
		"<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1'><circle r='1'/></svg>\r\n--law--\r\n"
	uploadType = "Content-Type: multipart/form-data; boundary=law"
)

// text is a field of an answer as it stands in a path.
func (a answer) text(field string) string {
	switch v := a.body[field].(type) {
	case string:
		return v
	case float64:
		return fmt.Sprint(int(v))
	}
	return ""
}

// story makes one record of every kind.
func (w *world) story() {
	w.Helper()
	n := w.names
	n["customerNumber"], n["itemNumber"], n["targetItemNumber"] = "C/1 å", "I/1", "I 2"
	n["unitCode"], n["attributeCode"], n["relationType"], n["channelCode"], n["warehouseCode"] = "KG", "own-colour",
		"Related", "OWNSHOP", "OWN"
	n["Categories.code"], n["Brands.code"], n["PriceLists.code"], n["Items.code"] = "OWNCAT", "OWNBRAND", "OWNLIST",
		"own-colour"

	w.must("POST", "/preview/customers", `{"customerNumber": "C/1 å", "name": "One", "countryCode": "SE"}`)
	n["contactId"] = w.must("POST", w.path("/preview/customers/{customerNumber}/contacts"), `{"name": "Anna"}`).
		text("contactId")
	n["addressId"] = w.must("POST", w.path("/preview/customers/{customerNumber}/delivery-addresses"),
		`{"name": "Gate", "countryCode": "SE"}`).text("addressId")
	w.must("POST", "/preview/items",
		`{"itemNumber": "I/1", "name": "Item one", "baseUnitCode": "PCS", "taxCode": "STD", "salesPrice": "10"}`)
	w.must("POST", "/preview/items",
		`{"itemNumber": "I 2", "name": "Item two", "baseUnitCode": "PCS", "taxCode": "STD"}`)
	w.must("PUT", w.path("/preview/items/{itemNumber}/units/{unitCode}"), `{"factor": "2"}`)
	w.must("PUT", w.path("/preview/items/{itemNumber}/attributes/{attributeCode}"), `{"value": "Red"}`)
	w.must("PUT", w.path("/preview/items/{itemNumber}/relations/{relationType}/{targetItemNumber}"), `{"sortOrder": 1}`)
	n["supplierNumber"] = "S/1"
	w.must("POST", "/preview/suppliers", `{"supplierNumber": "S/1", "name": "Supplier"}`)
	n["Suppliers.contactId"] = w.must("POST", w.path("/preview/suppliers/{supplierNumber}/contacts"), `{"name": "Bo"}`).
		text("contactId")
	w.must("PATCH", w.path("/preview/suppliers/{supplierNumber}/items"),
		`{"items": [{"itemNumber": "I/1", "unitPrice": "6", "isPrimary": true}]}`)
	w.must("PATCH", w.path("/preview/item-warehouses/{itemNumber}/{warehouseCode}"), `{"safetyStock": "3"}`)
	w.must("PUT", w.path("/preview/item-channels/{itemNumber}/{channelCode}"), `{"title": "One"}`)
	w.must("PUT", w.path("/preview/items/{itemNumber}/configuration"),
		`{"features": [{"code": "w", "name": "Width", "type": "Number"}]}`)
	n["configurationNumber"] = w.must("POST", "/preview/configurations",
		`{"itemNumber": "I/1", "configurationNumber": "K/1", "values": [{"featureCode": "w", "number": "2"}]}`).
		text("configurationNumber")
	n["Items.assetId"] = w.must("POST", w.path("/preview/items/{itemNumber}/assets"), upload, uploadType).
		text("assetId")
	n["Media.assetId"] = w.must("POST", w.path("/preview/channels/{channelCode}/media"), upload, uploadType).text("id")
	n["slug"] = w.must("POST", w.path("/preview/channels/{channelCode}/content-pages"),
		`{"slug": "own-page", "title": "Own"}`).text("slug")
	n["id"] = w.must("POST", w.path("/preview/channels/{channelCode}/redirects"),
		`{"fromPath": "/old", "toPath": "/new"}`).text("id")
	w.must("POST", "/preview/categories", `{"code": "TOOLS", "name": "Tools"}`)
	w.must("POST", "/preview/categories", `{"code": "OWNCAT", "name": "Category"}`)
	w.must("POST", "/preview/brands", `{"code": "OWNBRAND", "name": "Brand"}`)
	w.must("POST", "/preview/price-lists",
		`{"code": "OWNLIST", "name": "List", "currencyCode": "SEK", "type": "Standard"}`)
	w.must("PUT", w.path("/preview/price-lists/OWNLIST/lines/{itemNumber}"), `{"unitPrice": "9"}`)
	n["transactionId"] = w.must("POST", "/preview/inventory/adjustments",
		`{"warehouseCode": "OWN", "locationCode": "L1", "itemNumber": "I/1", "quantity": "100"}`).text("transactionId")
	w.purchase()
	n["countNumber"] = w.must("POST", "/preview/inventory/counts", `{"warehouseCode": "OWN"}`).text("countNumber")
	w.transfer()
	w.sale()
	w.work()
}

// work makes a work order, which no API can.
func (w *world) work() {
	w.Helper()
	err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) error {
		o, err := production.Create(tx, production.New{Item: "I/1", Quantity: dec.One, Warehouse: "OWN"})
		w.names["workOrderNumber"] = o.Number
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
}

// purchase buys some of an item, receives a part, and leaves a draft.
func (w *world) purchase() {
	w.Helper()
	n := w.names
	buy := func() string {
		return w.must("POST", "/preview/purchase-orders", `{"supplierNumber": "OWNSUPPLIER", "warehouseCode": "OWN",
			"lines": [{"itemNumber": "I/1", "quantity": "5", "unitPrice": "4"}]}`).text("orderNumber")
	}
	sent := buy()
	w.must("POST", "/preview/purchase-orders/"+sent+"/send", "")
	w.must("POST", "/preview/purchase-orders/"+sent+"/confirm", `{"promisedDeliveryDate": "2090-01-01"}`)
	n["receiptNumber"] = w.must("POST", "/preview/purchase-orders/"+sent+"/lines/1/receive", `{"quantity": "2"}`).
		text("receiptNumber")
	n["PurchaseOrders.orderNumber"], n["PurchaseOrders.lineNumber"] = buy(), "1"
}

// transfer leaves one draft.
func (w *world) transfer() {
	w.Helper()
	w.names["Transfers.orderNumber"] = w.must("POST", "/preview/transfers", `{"fromWarehouseCode": "OWN", "toWarehouseCode": "MAIN",
		"lines": [{"itemNumber": "I/1", "quantity": "1"}]}`).text("orderNumber")
}

// sale takes one order to its return, and leaves a second one with a shipment that is being packed.
func (w *world) sale() {
	w.Helper()
	n := w.names
	order := func(kind string) string {
		a := w.must("POST", "/preview/orders", `{"customerNumber": "C/1 å", "orderTypeCode": "`+kind+`", "warehouseCode": "OWN", "shippingMethodCode": "PARCEL",
			"lines": [{"itemNumber": "I/1", "quantity": "3"}]}`)
		return a.text("orderNumber")
	}
	sold := order("AUTO")
	shipments := w.send(full, "GET", "/preview/orders/"+sold+"/shipments", "")
	items, _ := shipments.body["items"].([]any)
	if len(items) != 1 {
		w.Fatalf("an order that ships by itself has the shipments %s", shipments.Body)
	}
	shipment, _ := items[0].(map[string]any)["shipmentNumber"].(string)
	w.must("POST", "/preview/shipments/"+shipment+"/pick", "")
	w.must("POST", "/preview/shipments/"+shipment+"/hand-over", "")
	invoices := w.send(full, "GET", "/preview/invoices?orderNumber="+sold, "")
	if items, _ = invoices.body["items"].([]any); len(items) != 1 {
		w.Fatalf("an order that is invoiced by itself has the invoices %s", invoices.Body)
	}
	n["invoiceNumber"], _ = items[0].(map[string]any)["invoiceNumber"].(string)
	n["returnNumber"] = w.must("POST", "/preview/returns", `{"orderNumber": "`+sold+`", "reason": "Defective",
		"lines": [{"orderLineNumber": 1, "quantity": "1"}]}`).text("returnNumber")
	n["quoteNumber"] = w.must("POST", "/preview/quotes",
		`{"customerNumber": "C/1 å", "lines": [{"itemNumber": "I/1", "quantity": "2"}]}`).text("quoteNumber")
	n["ticketNumber"] = w.must("POST", "/preview/tickets", `{"subject": "Broken", "orderNumber": "`+sold+
		`", "contactEmail": "c@example.com"}`).text("ticketNumber")
	w.must("POST", w.path("/preview/tickets/{ticketNumber}/messages"),
		`{"body": "We look into it", "authorName": "Eva"}`)
	n["orderNumber"], n["lineNumber"] = order("STANDARD"), "1"
	w.must("POST", w.path("/preview/orders/{orderNumber}/release"), "")
	n["shipmentNumber"] = w.must("POST", "/preview/shipments", `{"orderNumbers": ["`+n["orderNumber"]+`"]}`).
		text("shipmentNumber")
	w.must("POST", w.path("/preview/shipments/{shipmentNumber}/pick"), "")
	n["packageNumber"] = w.must("POST", w.path("/preview/shipments/{shipmentNumber}/packages"), `{"weightKg": "2"}`).
		text("packageNumber")
}

// path fills the parameters of a path with the world's records.
func (w *world) path(template string) string {
	return fill(template, func(name string) string { return w.names[name] })
}

func fill(template string, value func(name string) string) string {
	return parameter.ReplaceAllStringFunc(template,
		func(p string) string { return url.PathEscape(value(strings.Trim(p, "{}"))) })
}
