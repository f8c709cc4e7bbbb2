package preview_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/preview"
)

// eachFollower gives a caller that reads Sync, Channels and Reference of a company with a warehouse and two units.
func eachFollower(t *testing.T, story func(t *testing.T, s *db.Store, get func(path string) (int, map[string]any))) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", City: "Lund",
				IsActive: true}); err != nil {
				return err
			}
			if err := reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A-01", Name: "A1",
				IsPickable: true, IsActive: true}); err != nil {
				return err
			}
			return reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Piece", CommonCode: "H87",
				IsActive: true}, reference.Unit{Code: "KG", Name: "Kilogram"})
		})
		h := served(t, s, preview.Sync(),
			preview.Channels(func(context.Context, string, string, string) error { return nil }), preview.Reference())
		story(t, s, func(path string) (int, map[string]any) {
			t.Helper()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/preview"+path, nil))
			var body map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatalf("%s: %v: %s", path, err, w.Body)
			}
			return w.Code, body
		})
	})
}

func items(body map[string]any) []any { list, _ := body["items"].([]any); return list }

func TestReferenceLists(t *testing.T) {
	eachFollower(t, func(t *testing.T, s *db.Store, get func(string) (int, map[string]any)) {
		code, body := get("/reference/units?isActive=true&search=pie")
		if list := items(body); code != 200 || len(list) != 1 || list[0].(map[string]any)["commonCode"] != "H87" ||
			list[0].(map[string]any)["modifiedDate"] != nil {
			t.Errorf("units: %d %v", code, body)
		}
		code, body = get("/reference/warehouses")
		if list := items(body); code != 200 || len(list) != 1 ||
			list[0].(map[string]any)["address"].(map[string]any)["city"] != "Lund" {
			t.Errorf("warehouses: %d %v", code, body)
		}
		code, body = get("/reference/warehouses/main/locations?search=a-01")
		if list := items(body); code != 200 || len(list) != 1 || list[0].(map[string]any)["locationCode"] != "A-01" ||
			list[0].(map[string]any)["code"] != "A-01" {
			t.Errorf("locations: %d %v", code, body)
		}
		if code, body = get("/reference/warehouses/none/locations"); code != 404 ||
			body["code"] != "Warehouse.NotFound" {
			t.Errorf("locations of no warehouse: %d %v", code, body)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", City: "Malmö",
				IsActive: true})
		})
		if _, body = get("/reference/warehouses"); items(body)[0].(map[string]any)["address"].(map[string]any)["city"] != "Malmö" {
			t.Errorf("a changed warehouse reads as before: %v", body)
		}
	})
}

func TestChangesFollowWrites(t *testing.T) {
	eachFollower(t, func(t *testing.T, s *db.Store, get func(string) (int, map[string]any)) {
		code, body := get("/changes?limit=3")
		if list := items(body); code != 200 || len(list) != 3 || list[0].(map[string]any)["resource"] != "warehouses" ||
			list[0].(map[string]any)["change"] != "created" {
			t.Fatalf("%d %v", code, body)
		}
		cursor := body["nextCursor"].(string)
		if _, body = get("/changes?after=" + cursor); len(items(body)) != 1 {
			t.Errorf("after the third: %v", body)
		}
		cursor = body["nextCursor"].(string)
		if _, body = get("/changes?resource=Units"); len(items(body)) != 2 {
			t.Errorf("units alone: %v", body)
		}
		// A call that waits is answered by the write that comes before or while it looks.
		answered := make(chan map[string]any)
		go func() {
			_, body := get("/changes?wait=30&after=" + cursor)
			answered <- body
		}()
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveUnits(tx, reference.Unit{Code: "M", Name: "Metre"})
		})
		if list := items(<-answered); len(list) != 1 || list[0].(map[string]any)["businessKey"] != "M" {
			t.Errorf("the waiting call heard %v", list)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate company_state set generation = 'restored' where company = :company", nil)
			return err
		})
		if code, body = get("/changes?after=" + cursor); code != 410 || body["code"] != "Sync.CursorExpired" {
			t.Errorf("a cursor from before a restore: %d %v", code, body)
		}
	})
}

func TestSyncParametersAreChecked(t *testing.T) {
	eachFollower(t, func(t *testing.T, s *db.Store, get func(string) (int, map[string]any)) {
		for path, want := range map[string]string{
			"/changes?limit=0": "Request.Invalid", "/changes?limit=1001": "Request.Invalid",
			"/changes?wait=31": "Request.Invalid", "/changes?wait=-1": "Request.Invalid",
			"/changes?after=nonsense": "Request.Invalid", "/changes?resource=none": "Query.UnknownValue",
			"/changes?page=1": "Query.UnknownParameter", "/deletions?resource=none": "Query.UnknownValue",
			"/deletions?deletedSince=now":                   "Request.Invalid",
			"/deletions?modifiedSince=2020-01-01T00:00:00Z": "Query.UnknownParameter",
		} {
			if code, body := get(path); code != 400 || body["code"] != want {
				t.Errorf("%s: %d %v, want %s", path, code, body, want)
			}
		}
		if code, body := get("/deletions?resource=ITEMS&deletedSince=2020-01-01T00:00:00"); code != 200 ||
			len(items(body)) != 0 {
			t.Errorf("deletions: %d %v", code, body)
		}
	})
}
