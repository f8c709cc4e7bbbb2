package backoffice_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"kontor/internal/business/content"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// What other programs wrote of a section and its form cannot tell from nothing stays as it is when somebody saves the
// form: false, empty texts and lists, the seconds of a moment, a kind of field that the storefront alone knows.
func TestASectionsFormKeepsWhatItDoesNotShow(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	store(b)
	const written = `{"sections": [
		{"type": "Text", "title": "", "htmlContent": "<p>Hello</p>", "narrowText": false, "twoColumns": false},
		{"type": "Banner", "title": "Sale", "bannerStartDate": "2026-03-01T10:20:30.4Z", "bannerEndDate": "2099-03-01T10:20:30Z"},
		{"type": "Products", "title": "Goods", "productNumbers": [], "supplierNumbers": [], "maxProducts": 3},
		{"type": "Gallery", "title": "Seen", "galleryImages": [{"imageUrl": "/a.png", "altText": ""}]},
		{"type": "Contact", "title": "We", "contact": {}},
		{"type": "Custom", "title": "Own", "custom": {"name": "map", "properties": {"zoom": ""}}},
		{"type": "Form", "title": "Ask", "form": {"fields": [{"name": "size", "type": "ShoeSize", "label": "", "isRequired": false}]}}]}`
	read := func() (all []content.Section) {
		o.write(func(tx *db.Tx) error {
			p, err := content.FindWorking(tx, "WEB", "")
			all = p.Sections
			return err
		})
		return all
	}
	o.write(func(tx *db.Tx) error {
		var c content.Config
		if err := json.Unmarshal([]byte(written), &c); err != nil {
			return err
		}
		_, err := content.PutHome(tx, "WEB", c)
		return err
	})
	before := read()
	for _, s := range before {
		at := "/pages/WEB/-/sections/" + *s.ID
		b.get(at)
		b.submit(at)
		b.see("Saved.")
	}
	for i, s := range read() {
		if !reflect.DeepEqual(s, before[i]) {
			was, _ := json.Marshal(before[i])
			is, _ := json.Marshal(s)
			t.Errorf("saved untouched,\n%s\nis\n%s", was, is)
		}
	}
	b.get("/pages/WEB/-")
	b.see("Seen from 1 Mar 2026", "Seen until 1 Mar 2099")
	first := "/pages/WEB/-/sections/" + *before[0].ID
	b.get(first)
	b.submit(first, "htmlContent", "<p>Bye</p>", "narrowText", "on")
	if s := read()[0]; s.Title == nil || *s.Title != "" || s.TwoColumns == nil || !*s.NarrowText {
		t.Errorf("what was typed beside it changed the rest: %+v", s.Shown)
	}
}
