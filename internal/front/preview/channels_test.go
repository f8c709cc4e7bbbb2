package preview_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/preview"
)

// eachShop gives a caller of Channels in a company with the channel WEB and the items A/1 and A-2. The answer to a
// status other than the one wanted fails the test.
func eachShop(t *testing.T, story func(t *testing.T,
	do func(status int, request string, headers ...string) (map[string]any, http.Header))) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, layOutShop)
		h := served(t, s, preview.Channels(func(context.Context, string, string, string) error { return nil }),
			preview.Redirects())
		sent := 0
		story(t, func(status int, request string, headers ...string) (map[string]any, http.Header) {
			t.Helper()
			method, rest, _ := strings.Cut(request, " ")
			path, body, _ := strings.Cut(rest, " ")
			r := httptest.NewRequest(method, "/preview"+path, strings.NewReader(body))
			sent++
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Idempotency-Key", strconv.Itoa(sent))
			for _, h := range headers {
				name, value, _ := strings.Cut(h, ": ")
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			var out map[string]any
			if w.Body.Len() > 0 {
				if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
					t.Fatalf("%s: %v: %s", request, err, w.Body)
				}
			}
			if w.Code != status {
				t.Fatalf("%s: %d, want %d: %s", request, w.Code, status, w.Body)
			}
			return out, w.Header()
		})
	})
}

func layOutShop(tx *db.Tx) error {
	if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main",
		IsActive: true}); err != nil {
		return err
	}
	if err := reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", IsActive: true}); err != nil {
		return err
	}
	if err := reference.SaveOrderTypes(tx, reference.OrderType{Code: "WEB", Name: "Web", IsActive: true}); err != nil {
		return err
	}
	if _, err := channel.Create(tx, channel.Channel{Code: "WEB", Name: "Shop", Type: channel.WebShop,
		CurrencyCode: "SEK", WarehouseCode: "MAIN", OrderTypeCode: "WEB"}); err != nil {
		return err
	}
	one, two := catalog.New(), catalog.New()
	one.Number, one.Name, two.Number, two.Name = "A/1", "Claw hammer", "A-2", "Mallet"
	return catalog.CreateMany(tx, []catalog.Item{one, two})
}

func TestChannelTerms(t *testing.T) {
	eachShop(t, func(t *testing.T, do func(int, string, ...string) (map[string]any, http.Header)) {
		c, _ := do(200, "GET /channels/web")
		if c["channelCode"] != "WEB" || c["domain"] != nil || len(c["countries"].([]any)) != 0 ||
			c["links"].(map[string]any)["self"] != "/preview/channels/WEB" {
			t.Errorf("channel: %v", c)
		}
		c,
			_ = do(200,
			`PATCH /channels/WEB {"domain": "Shop.Example.com", "languages": ["sv", "en-GB"], "countries": ["SE"], "isActive": true}`)
		if c["domain"] != "shop.example.com" || c["isActive"] != true || c["name"] != "Shop" {
			t.Errorf("changed: %v", c)
		}
		if c, _ = do(200, `PATCH /channels/WEB {"domain": null}`); c["domain"] != nil {
			t.Errorf("cleared: %v", c)
		}
		bad,
			_ := do(400,
			`PATCH /channels/WEB {"currencyCode": "XYZ", "warehouseCode": "NONE", "countries": ["Sweden"], "languages": ["swedish!"]}`)
		if n := len(bad["errors"].([]any)); n != 4 || bad["code"] != "Channel.UnknownCode" {
			t.Errorf("not everything is named: %v", bad)
		}
		do(400, `PATCH /channels/WEB {"channelCode": "OTHER"}`)
		do(404, `PATCH /channels/NONE {"isActive": true}`)
		if found, _ := do(200, "GET /channels?type=webshop&isActive=true"); found["totalCount"] != 1.0 {
			t.Errorf("found: %v", found)
		}
	})
}

func TestItemChannels(t *testing.T) {
	eachShop(t, func(t *testing.T, do func(int, string, ...string) (map[string]any, http.Header)) {
		_, h := do(204, `PUT /item-channels/a%2F1/web {"title": "Hammer", "publishFrom": "2026-01-01T00:00:00+01:00"}`)
		p, got := do(200, "GET /item-channels/A%2F1/WEB")
		if p["slug"] != "claw-hammer" || p["isPublished"] != true || p["isPurchasable"] != true ||
			p["publishFrom"] != "2025-12-31T23:00:00.000000Z" ||
			p["links"].(map[string]any)["self"] != "/preview/item-channels/A%2F1/WEB" || got.Get("ETag") == "" ||
			got.Get("ETag") != h.Get("ETag") {
			t.Errorf("publication: %v, ETag %q, after PUT %q", p, got.Get("ETag"), h.Get("ETag"))
		}
		do(412, `PUT /item-channels/A%2F1/WEB {"title": "Other"}`, `If-Match: W/"stale-1"`)
		do(204, `PUT /item-channels/A%2F1/WEB {"slug": "hammer"}`, "If-Match: "+got.Get("ETag"))
		if p, _ = do(200, "GET /item-channels/A%2F1/WEB"); p["title"] != nil || p["slug"] != "hammer" {
			t.Errorf("replaced: %v", p)
		}
		if bad,
			_ := do(409,
			`PUT /item-channels/A-2/WEB {"slug": "hammer"}`); bad["code"] != "ItemChannel.SlugAlreadyExists" {
			t.Errorf("a taken slug: %v", bad)
		}
		do(400, `PUT /item-channels/A-2/WEB {"slug": "No Slug"}`)
		if bad, _ := do(404, `PUT /item-channels/NONE/WEB {}`); bad["code"] != "Item.NotFound" {
			t.Errorf("no item: %v", bad)
		}
		if bad, _ := do(404, `PUT /item-channels/A-2/NONE {}`); bad["code"] != "Channel.NotFound" {
			t.Errorf("no channel: %v", bad)
		}
		do(204, "DELETE /item-channels/A%2F1/WEB")
		if bad, _ := do(404, "GET /item-channels/A%2F1/WEB"); bad["code"] != "ItemChannel.NotFound" {
			t.Errorf("withdrawn: %v", bad)
		}
	})
}

func TestItemChannelBatch(t *testing.T) {
	eachShop(t, func(t *testing.T, do func(int, string, ...string) (map[string]any, http.Header)) {
		do(204, `PUT /item-channels/A-2/WEB {}`)
		out,
			_ := do(200,
			`POST /item-channels/batch {"itemChannels": [{"itemNumber":"A/1","channelCode":"WEB"},{"itemNumber":"A-2","channelCode":"WEB","isFeatured":true},{"itemNumber":"NONE","channelCode":"WEB"}]}`)
		results := out["results"].([]any)
		if out["createdCount"] != 1.0 || out["updatedCount"] != 1.0 || out["failedCount"] != 1.0 || len(results) != 3 {
			t.Fatalf("%v", out)
		}
		failed := results[2].(map[string]any)
		if failed["outcome"] != "failed" || failed["error"].(map[string]any)["code"] != "ItemChannel.UnknownItem" ||
			results[0].(map[string]any)["error"] != nil {
			t.Errorf("%v", results)
		}
		do(400, `POST /item-channels/batch {"itemChannels": []}`)
		row := `{"itemNumber":"A-2","channelCode":"WEB"}`
		do(400, `POST /item-channels/batch {"itemChannels": [`+strings.Repeat(row+",", 200)+row+`]}`)
		if found,
			_ := do(200,
			"GET /item-channels?channelCode=web&isPublished=true&pageSize=1"); found["totalCount"] != 2.0 ||
			found["totalPages"] != 2.0 {
			t.Errorf("list: %v", found)
		}
	})
}
