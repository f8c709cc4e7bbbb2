package preview_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"

	"kontor/internal/business/media"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/preview"
)

// gallery is the part of the API that takes files, over a company with the channel WEB and the items A/1 and A-2. Every
// answer is held against the description.
type gallery struct {
	*testing.T
	http.Handler
	files blob.Store
}

func eachGallery(t *testing.T, story func(g *gallery)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, layOutShop)
		db.On(s, media.DropItemAssets)
		store := blob.Folder(t.TempDir())
		files := media.NewLibrary(store, "https://erp.example.com", 1<<26)
		items := preview.Items()
		items.Ops = append(items.Ops, preview.ItemAssets(files)...)
		h := served(t, s, items, preview.Media(files), preview.Sync())
		story(&gallery{T: t, Handler: h, files: store})
	})
}

// do sends "METHOD /path body" and wants a status.
func (g *gallery) do(status int, request string, headers ...string) (map[string]any, http.Header) {
	g.Helper()
	method, rest, _ := strings.Cut(request, " ")
	path, body, _ := strings.Cut(rest, " ")
	r := httptest.NewRequest(method, "/preview"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return g.send(status, r, headers)
}

// upload sends a file; a name of "-" is none.
func (g *gallery) upload(status int, path, name string, data []byte, headers ...string) (map[string]any, http.Header) {
	g.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	h := textproto.MIMEHeader{"Content-Type": {"image/png"}} // whatever it is: nobody believes it
	h.Set("Content-Disposition", `form-data; name="file"; filename="`+name+`"`)
	if name == "-" {
		h.Set("Content-Disposition", `form-data; name="file"`)
	}
	part, err := m.CreatePart(h)
	if err == nil {
		_, err = part.Write(data)
	}
	if err != nil || m.Close() != nil {
		g.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/preview"+path, &b)
	r.Header.Set("Content-Type", m.FormDataContentType())
	return g.send(status, r, headers)
}

func (g *gallery) send(status int, r *http.Request, headers []string) (map[string]any, http.Header) {
	g.Helper()
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	var out map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			g.Fatalf("%s %s: %v: %s", r.Method, r.URL, err, w.Body)
		}
	}
	if w.Code != status {
		g.Fatalf("%s %s: %d, want %d: %s", r.Method, r.URL, w.Code, status, w.Body)
	}
	return out, w.Header()
}

// all are a field of all rows of a list.
func (g *gallery) all(path, field string) string {
	g.Helper()
	b, _ := g.do(200, "GET "+path)
	list := []any{}
	for _, i := range b["items"].([]any) {
		list = append(list, i.(map[string]any)[field])
	}
	return asJSON(g.T, list)
}

func pixels(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestMediaLibrary(t *testing.T) {
	eachGallery(t, func(g *gallery) {
		data := pixels(g.T, 30, 20)
		a, h := g.upload(201, "/channels/web/media?folder=hero&altText=A+hammer", "hammer.txt", data)
		id, _ := a["id"].(string)
		path := "/channels/WEB/media/" + id
		if h.Get("Location") != "/preview"+path || h.Get("Etag") == "" {
			g.Errorf("%v", h)
		}
		for field, want := range map[string]any{"channelCode": "WEB", "fileName": "hammer.txt",
			"contentType": "image/png", "fileSize": float64(len(data)), "folder": "Hero", "title": "hammer.txt",
			"altText": "A hammer", "caption": nil, "width": 30.0, "height": 20.0, "modifiedDate": nil} {
			if got, ok := a[field]; !ok || got != want {
				g.Errorf("%s is %v, want %v", field, got, want)
			}
		}
		url, _ := a["url"].(string)
		company, hash, ok := media.Named(strings.TrimPrefix(url, "https://erp.example.com"))
		if !ok || company != dbtest.Company || !strings.HasSuffix(url, ".png") {
			g.Errorf("url %s", url)
		}
		if kept, err := blob.ReadAll(g.Context(), g.files, company+"/"+hash[:2]+"/"+hash+".png"); err != nil ||
			!bytes.Equal(kept, data) {
			g.Errorf("the file is not kept as it was: %v", err)
		}
		g.do(304, "GET "+path, "If-None-Match: "+h.Get("Etag"))
		b, changed := g.do(200, `PATCH `+path+
			` {"title": null, "altText": "", "caption": "Fig. 1", "folder": "Banner"}`, "If-Match: "+h.Get("Etag"))
		if b["title"] != nil || b["altText"] != nil || b["caption"] != "Fig. 1" || b["folder"] != "Banner" ||
			b["url"] != url || b["modifiedDate"] == nil {
			g.Errorf("%v", b)
		}
		if _, now := g.do(200, "GET "+path); now.Get("Etag") != changed.Get("Etag") ||
			now.Get("Etag") == h.Get("Etag") {
			g.Errorf("tags %s %s", now.Get("Etag"), changed.Get("Etag"))
		}
		g.do(412, `PATCH `+path+` {"title": "Late"}`, "If-Match: "+h.Get("Etag"))
		g.do(400, `PATCH `+path+` {"folder": null}`)
		g.do(400, `PATCH `+path+` {"folder": "Attic"}`)
		if b, _ := g.do(400, `PATCH `+path+` {"fileName": "x"}`); b["code"] != "Request.UnknownField" {
			g.Errorf("%v", b)
		}
		g.do(204, "DELETE "+path)
		for _, request := range []string{"GET " + path, "DELETE " + path, "PATCH " + path + " {}"} {
			if b, _ := g.do(404, request); b["code"] != "ChannelMediaAsset.NotFound" {
				g.Errorf("%s: %v", request, b)
			}
		}
		if got := g.all("/deletions?resource=media", "businessKey"); got != `["WEB/`+id+`"]` {
			g.Errorf("deletions: %s", got)
		}
		for _, request := range []string{"GET /channels/none/media", "GET /channels/none/media/" + id} {
			if b, _ := g.do(404, request); b["code"] != "Channel.NotFound" {
				g.Errorf("%s: %v", request, b)
			}
		}
		g.upload(404, "/channels/none/media", "a.png", data)
	})
}

func TestMediaUploadsThatAreRefused(t *testing.T) {
	eachGallery(t, func(g *gallery) {
		data := pixels(g.T, 3, 2)
		for what, c := range map[string]struct {
			query, name string
			data        []byte
			codes       string
		}{
			"empty":      {"", "a.png", nil, "ChannelMediaAsset.EmptyFile file:ChannelMediaAsset.EmptyFile"},
			"too large":  {"", "a.png", make([]byte, media.MaxFile+1), "ChannelMediaAsset.FileTooLarge"},
			"far larger": {"", "a.png", make([]byte, media.MaxFile+1<<20), "ChannelMediaAsset.FileTooLarge"},
			"a pdf": {"", "a.png", []byte("%PDF-1.7"),
				"ChannelMediaAsset.UnsupportedType file:ChannelMediaAsset.UnsupportedType"},
			"a lie": {"", "a.png", []byte("<html>"),
				"ChannelMediaAsset.UnsupportedType file:ChannelMediaAsset.UnsupportedType"},
			"no name": {"", "-", data, "Request.Invalid file:Request.Invalid"},
			"folder":  {"?folder=Attic", "a.png", data, "Query.UnknownValue folder:Query.UnknownValue"},
			"long texts": {"?title=" + strings.Repeat("x", 201) + "&altText=" + strings.Repeat("x", 4001) +
				"&caption=" + strings.Repeat("x", 4001), "a.png", data,
				"Request.Invalid title:Request.Invalid altText:Request.Invalid caption:Request.Invalid"},
			"parameter": {"?titel=x", "a.png", data, "Query.UnknownParameter titel:Query.UnknownParameter"},
		} {
			if b, _ := g.upload(400, "/channels/WEB/media"+c.query, c.name, c.data); codeOf(b) != c.codes {
				g.Errorf("%s: %s", what, codeOf(b))
			}
		}
		if b, _ := g.do(400, "POST /channels/WEB/media {}"); b["code"] != "ChannelMediaAsset.UnsupportedType" {
			g.Errorf("no multipart: %v", b)
		}
		if got := g.all("/channels/WEB/media", "id"); got != "[]" {
			g.Errorf("kept: %s", got)
		}
	})
}

// Without an Idempotency-Key two uploads are two assets; under one key they are one.
func TestMediaUploadsCanBeRepeated(t *testing.T) {
	eachGallery(t, func(g *gallery) {
		const again = "Content-Type: multipart/form-data; boundary=x"
		body := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.svg\"\r\n\r\n<svg/>\r\n--x--\r\n"
		made := map[any]int{}
		for _, key := range []string{"", "", "Idempotency-Key: one", "Idempotency-Key: one", "Idempotency-Key: two"} {
			headers := []string{again}
			if key != "" {
				headers = append(headers, key)
			}
			a, _ := g.do(201, "POST /channels/WEB/media "+body, headers...)
			made[a["id"]]++
		}
		if len(made) != 4 {
			g.Errorf("made %v", made)
		}
		for old, other := range map[string]string{"<svg/>": "no svg", "a.svg": "b.svg"} {
			if b, _ := g.do(409, "POST /channels/WEB/media "+strings.Replace(body, old, other, 1), again,
				"Idempotency-Key: one"); b["code"] != "Idempotency.KeyReused" {
				g.Errorf("a key used for %s: %v", other, b)
			}
		}
		if b, _ := g.do(400, "POST /channels/WEB/media "+strings.Replace(body, "<svg/>", "no svg", 1), again,
			"Idempotency-Key: new"); b["code"] != "ChannelMediaAsset.UnsupportedType" {
			g.Errorf("a file that is none: %v", b)
		}
	})
}

func TestMediaList(t *testing.T) {
	eachGallery(t, func(g *gallery) {
		marks := []string{}
		for i, query := range []string{"?folder=Hero&title=Summer+Sale", "?altText=winter", "?folder=Hero"} {
			a, _ := g.upload(201, "/channels/WEB/media"+query, fmt.Sprintf("File%d.png", i), pixels(g.T, 3, 2+i))
			marks = append(marks, a["createdDate"].(string))
		}
		for query, want := range map[string]string{"": `["File2.png","File1.png","File0.png"]`,
			"?folder=hero":       `["File2.png","File0.png"]`,
			"?search=SALE%20sum": `["File0.png"]`, "?search=wint": `["File1.png"]`, "?search=file2": `["File2.png"]`,
			"?pageSize=1&page=2":         `["File1.png"]`,
			"?modifiedSince=" + marks[1]: `["File2.png","File1.png"]`, "?folder=Sections": `[]`} {
			if got := g.all("/channels/WEB/media"+query, "fileName"); got != want {
				g.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		if b, _ := g.do(400, "GET /channels/WEB/media?folder=Attic"); b["code"] != "Query.UnknownValue" {
			g.Errorf("%v", b)
		}
	})
}

func TestItemAssets(t *testing.T) {
	eachGallery(t, func(g *gallery) {
		const at = "/items/A%2F1/assets"
		_, item := g.do(200, "GET /items/A%2F1")
		one, h := g.upload(201, at+"?title=Front&sortOrder=2", "one.png", pixels(g.T, 30, 20))
		id := func(a map[string]any) string { s, _ := a["assetId"].(string); return s }
		if h.Get("Location") != "/preview"+at+"/"+id(one) || one["kind"] != "Image" || one["isPrimary"] != true ||
			one["width"] != 30.0 || one["title"] != "Front" || one["altText"] != nil {
			g.Errorf("%v %v", h, one)
		}
		if _, now := g.do(200, "GET /items/A%2F1"); now.Get("Etag") == item.Get("Etag") {
			g.Error("the item did not change with its asset")
		}
		two, _ := g.upload(201, at+"?sortOrder=1", "two.svg",
			[]byte(`<svg viewBox="0 0 4 3" onload="x()"><script/></svg>`))
		sheet, _ := g.upload(201, at, "sheet.pdf", []byte("%PDF-1.7 and so on"))
		if two["isPrimary"] != false || two["contentType"] != "image/svg+xml" || two["width"] != 4.0 ||
			sheet["kind"] != "Document" || sheet["width"] != nil || sheet["isPrimary"] != false {
			g.Errorf("%v %v", two, sheet)
		}
		drawing, _ := g.upload(201, at+"?kind=Document&sortOrder=3", "plan.png", pixels(g.T, 3, 2))
		for query, want := range map[string]string{"": `["sheet.pdf","two.svg","one.png","plan.png"]`,
			"?kind=image": `["two.svg","one.png"]`, "?kind=Document": `["sheet.pdf","plan.png"]`} {
			if got := g.all(at+query, "fileName"); got != want {
				g.Errorf("%s: %s", query, got)
			}
		}
		b, _ := g.do(200, `PATCH `+at+`/`+id(two)+` {"isPrimary": true, "altText": "Side", "sortOrder": 5}`)
		if b["isPrimary"] != true || b["altText"] != "Side" || b["sortOrder"] != 5.0 {
			g.Errorf("%v", b)
		}
		if got := g.all(at, "isPrimary"); got != `[false,false,false,true]` {
			g.Errorf("primary: %s", got)
		}
		if b, _ := g.do(200, `PATCH `+at+`/`+id(two)+` {"isPrimary": false}`); b["isPrimary"] != true {
			g.Error("no image is primary any more")
		}
		for _, a := range []map[string]any{sheet, drawing} {
			if b, _ := g.do(400, `PATCH `+at+`/`+id(a)+` {"isPrimary": true}`); codeOf(
				b) != "ItemAsset.KindMismatch isPrimary:ItemAsset.KindMismatch" {
				g.Errorf("%v", b)
			}
		}
		if b, _ := g.upload(400, at+"?kind=Image", "x.pdf",
			[]byte("%PDF-1.7")); codeOf(b) != "ItemAsset.KindMismatch kind:ItemAsset.KindMismatch" {
			g.Errorf("%v", b)
		}
		if b, _ := g.do(400, `PATCH `+at+`/`+id(two)+` {"kind": "Document"}`); b["code"] != "Request.UnknownField" {
			g.Errorf("%v", b)
		}
		g.do(204, "DELETE "+at+"/"+id(two))
		if got := g.all(at, "isPrimary"); got != `[false,true,false]` {
			g.Errorf("the next did not become primary: %s", got)
		}
		if b, _ := g.do(404, "DELETE "+at+"/"+id(two)); b["code"] != "ItemAsset.NotFound" {
			g.Errorf("%v", b)
		}
		if b, _ := g.do(404, "PATCH /items/A-2/assets/"+id(one)+" {}"); b["code"] != "ItemAsset.NotFound" {
			g.Errorf("another item's asset: %v", b)
		}
		g.upload(404, "/items/none/assets", "a.png", pixels(g.T, 3, 2))
		g.do(404, "GET /items/none/assets")
		g.do(204, "DELETE /items/A%2F1")
		g.do(404, "GET "+at)
	})
}
