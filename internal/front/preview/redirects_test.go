package preview_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// codeOf are the codes of a refusal: the problem's, and those of its fields.
func codeOf(body map[string]any) string {
	code, _ := body["code"].(string)
	fields, _ := body["errors"].([]any)
	for _, f := range fields {
		code += " " + f.(map[string]any)["field"].(string) + ":" + f.(map[string]any)["code"].(string)
	}
	return strings.ReplaceAll(code, "UrlRedirect.", "")
}

// shopCall sends a request and wants a status.
type shopCall = func(status int, request string, headers ...string) (map[string]any, http.Header)

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRedirectOverTheAPI(t *testing.T) {
	eachShop(t, func(t *testing.T, do shopCall) {
		r, h := do(201, `POST /channels/web/redirects {"fromPath": "Old-Page/", "toPath": "/New?x=1#y"}`)
		id, _ := r["id"].(string)
		self := "/preview/channels/WEB/redirects/" + id
		for field, want := range map[string]any{"channelCode": "WEB", "fromPath": "/old-page", "toPath": "/New?x=1#y",
			"statusCode": 301.0, "isActive": true, "hitCount": 0.0, "lastHitAt": nil, "modifiedDate": nil} {
			if r[field] != want {
				t.Errorf("%s is %v, want %v", field, r[field], want)
			}
		}
		if h.Get("Location") != self || h.Get("Etag") == "" {
			t.Errorf("%v", h)
		}
		path := strings.TrimPrefix(self, "/preview")
		do(304, "GET "+path, "If-None-Match: "+h.Get("Etag"))
		_, changed := do(204, `PATCH `+path+` {"statusCode": 302, "isActive": false}`)
		now, read := do(200, "GET "+path)
		if now["statusCode"] != 302.0 || now["isActive"] != false || now["toPath"] != "/New?x=1#y" ||
			read.Get("Etag") != changed.Get("Etag") || now["modifiedDate"] == nil {
			t.Errorf("%v, tag %s after %s", now, read.Get("Etag"), changed.Get("Etag"))
		}
		do(412, `PATCH `+path+` {"isActive": true}`, "If-Match: "+h.Get("Etag"))
		for body, want := range map[string]string{`[]`: "Request.Invalid",
			`{"fromPath": "/x"}`:                   "Request.UnknownField fromPath:Request.UnknownField",
			`{"isActive": null}`:                   "Request.Invalid isActive:Request.Invalid",
			`{"toPath": null, "statusCode": null}`: "Request.Invalid toPath:Request.Invalid statusCode:Request.Invalid",
			`{"toPath": "new"}`:                    "InvalidToPath toPath:InvalidToPath",
			`{"toPath": "/OLD-page/?again"}`:       "SelfReference toPath:SelfReference",
			`{"statusCode": 307}`:                  "InvalidStatusCode statusCode:InvalidStatusCode"} {
			if b, _ := do(400, "PATCH "+path+" "+body); codeOf(b) != want {
				t.Errorf("%s: %s", body, codeOf(b))
			}
		}
		do(204, "DELETE "+path)
		b, _ := do(404, "GET "+path)
		if codeOf(b) != "NotFound" {
			t.Errorf("%v", b)
		}
		do(404, "GET /channels/none/redirects/"+id)
		do(404, `POST /channels/none/redirects {"fromPath": "/a", "toPath": "/b"}`)
		do(404, "GET /channels/none/redirects")
	})
}

func TestRedirectRefusals(t *testing.T) {
	eachShop(t, func(t *testing.T, do shopCall) {
		do(200, `PATCH /channels/WEB {"domain": "shop.example.com"}`)
		do(201,
			`POST /channels/WEB/redirects {"fromPath": "/taken", "toPath": "https://example.com/a%20b", "statusCode": null}`)
		long := strings.Repeat("x", 2000)
		for body, want := range map[string]string{
			`{"toPath": "/a"}`:                                             "Request.Invalid fromPath:Request.Invalid",
			`{"fromPath": "/Taken/", "toPath": "/a"}`:                      "",
			`{"fromPath": "/` + long + `", "toPath": "/a"}`:                "FromPathTooLong fromPath:FromPathTooLong",
			`{"fromPath": "/a", "toPath": "/` + long + `"}`:                "ToPathTooLong toPath:ToPathTooLong",
			`{"fromPath": "/a?b", "toPath": "b"}`:                          "InvalidPath fromPath:InvalidPath toPath:InvalidToPath",
			`{"fromPath": "https://x.se/a", "toPath": "/b"}`:               "InvalidPath fromPath:InvalidPath",
			`{"fromPath": "//x.se/a", "toPath": "//x.se/b"}`:               "InvalidPath fromPath:InvalidPath toPath:InvalidToPath",
			`{"fromPath": "/a b", "toPath": "/a b"}`:                       "InvalidPath fromPath:InvalidPath toPath:InvalidToPath",
			`{"fromPath": "/a/../b", "toPath": "/\\evil.se"}`:              "InvalidPath fromPath:InvalidPath toPath:InvalidToPath",
			`{"fromPath": "/a", "toPath": "ftp://x.se"}`:                   "InvalidToPath toPath:InvalidToPath",
			`{"fromPath": "/a", "toPath": "javascript:x()"}`:               "InvalidToPath toPath:InvalidToPath",
			`{"fromPath": "/a", "toPath": "http:///path"}`:                 "InvalidToPath toPath:InvalidToPath",
			`{"fromPath": "/a", "toPath": "https://u:p@x.se"}`:             "InvalidToPath toPath:InvalidToPath",
			`{"fromPath": "a", "toPath": "/A/"}`:                           "SelfReference toPath:SelfReference",
			`{"fromPath": "/a", "toPath": "https://Shop.example.com/a?b"}`: "SelfReference toPath:SelfReference",
			`{"fromPath": "/a", "toPath": "/b", "statusCode": 303}`:        "InvalidStatusCode statusCode:InvalidStatusCode",
			`{"fromPath": "/a", "toPath": "/b", "statusCode": "301"}`:      "Request.Invalid statusCode:Request.Invalid",
		} {
			status := 400
			if want == "" {
				status, want = 409, "FromPathAlreadyExists"
			}
			if b, _ := do(status, "POST /channels/WEB/redirects "+body); codeOf(b) != want {
				t.Errorf("%.80s: %s, want %s", body, codeOf(b), want)
			}
		}
	})
}

func TestRedirectsNeverChain(t *testing.T) {
	eachShop(t, func(t *testing.T, do shopCall) {
		make := func(status int, from, to string) (id, code string) {
			b, _ := do(status, `POST /channels/WEB/redirects {"fromPath": "`+from+`", "toPath": "`+to+`"}`)
			id, _ = b["id"].(string)
			return id, codeOf(b)
		}
		do(200, `PATCH /channels/WEB {"domain": "shop.example.com"}`)
		one, _ := make(201, "/b", "/c")
		for _, c := range [][3]string{{"/a", "/B?x", "toPath"}, {"/c", "/d", "fromPath"}, {"/c", "/b", "toPath"},
			{"/a", "http://shop.example.com/b/", "toPath"}} {
			if _, code := make(400, c[0], c[1]); code != "Loop "+c[2]+":Loop" {
				t.Errorf("%v: %s", c, code)
			}
		}
		make(201, "/a", "/c")
		make(201, "/x", "https://elsewhere.example.com/b")
		off, _ := make(201, "/d", "/e")
		do(204, "PATCH /channels/WEB/redirects/"+off+` {"isActive": false}`)
		do(204, "PATCH /channels/WEB/redirects/"+one+` {"toPath": "/d"}`)
		b, _ := do(400, "PATCH /channels/WEB/redirects/"+off+` {"isActive": true}`)
		if codeOf(b) != "Loop fromPath:Loop" {
			t.Errorf("%v", b)
		}
		b, _ = do(400, "PATCH /channels/WEB/redirects/"+one+` {"toPath": "/a"}`)
		if codeOf(b) != "Loop toPath:Loop" {
			t.Errorf("%v", b)
		}
	})
}

func TestRedirectList(t *testing.T) {
	eachShop(t, func(t *testing.T, do shopCall) {
		for _, r := range []string{`"/b", "toPath": "/Sale/Summer"`, `"/a", "toPath": "/x"`,
			`"/summer", "toPath": "https://Example.com/Z"`} {
			do(201, `POST /channels/WEB/redirects {"fromPath": `+r+`}`)
		}
		paths := func(query string) string {
			t.Helper()
			b, _ := do(200, "GET /channels/web/redirects"+query)
			out := []string{}
			for _, i := range b["items"].([]any) {
				out = append(out, i.(map[string]any)["fromPath"].(string))
			}
			return asJSON(t, out)
		}
		for query, want := range map[string]string{"": `["/a","/b","/summer"]`, "?search=SUMMER": `["/b","/summer"]`,
			"?search=sale%20mm":   `["/b"]`,
			"?search=example.com": `["/summer"]`, "?search=none": `[]`, "?isActive=false": `[]`,
			"?isActive=true&pageSize=1&page=3": `["/summer"]`} {
			if got := paths(query); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		do(400, "GET /channels/WEB/redirects?modifiedSince=2026-01-01T00:00:00Z")
	})
}
