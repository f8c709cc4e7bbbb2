package rest

import (
	"context"
	"flag"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"kontor/internal/front/rest/resttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("%s differs: run go test ./internal/front/rest -update and read the diff", path)
	}
}

func TestOpenAPIIsValidAndGolden(t *testing.T) {
	s := Surface{Prefix: "/preview", Title: "Test", Groups: new(thingShop).groups()}
	document, err := OpenAPI(s)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	golden(t, "openapi.json", document)
}

func TestAnswersAreWhatTheDocumentPromises(t *testing.T) {
	s := serve(t, func(s *Surface) { s.Limit = Limit{Rate: 50} })
	doc, err := resttest.Parse(s.do("GET /preview/swagger.json").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	s.Handler = doc.Watch(t, s.Handler)
	for _, request := range [][]string{
		{"GET /preview/things"}, {"GET /preview/things?x=1"}, {"GET /preview/things/A"}, {"HEAD /preview/things/A"},
		{"GET /preview/things/A", "If-None-Match: *"},
		{"GET /preview/things/gone"}, {"POST /preview/things", "Idempotency-Key: k",
			`{"name":"x","colour":"Red","maker":{"name":"m"}}`}, {"POST /preview/things", `{`},
		{"PATCH /preview/things/A", `{"name":"n"}`}, {"PATCH /preview/things/A", `{"n":1}`},
		{"DELETE /preview/things/A"}, {"DELETE /preview/things/A", `If-Match: "x"`}, {"PUT /preview/things/A/flag"},
		{"POST /preview/things/A/approve"}, {"GET /preview/none"}, {"PUT /preview/things"}, {"GET /preview/boom"},
		{"GET /preview/things", "X-Api-Key: none"}, {"GET /preview/things", "X-Api-Key: x"}, {"GET /preview/changes"},
		{"POST /preview/things/A/files", "{}"},
	} {
		s.do(request[0], request[1:]...)
	}
	if err := doc.Check(httptest.NewRequest("GET", "/preview/things/A", nil), 200,
		map[string][]string{"Content-Type": {"application/json"}, "Etag": {"x"}}, []byte(`{}`)); err == nil {
		t.Error("an answer without its fields passed")
	}
}

func TestDocsPageRunsOnlyItsOwnScripts(t *testing.T) {
	h := Docs("Test", "/preview/swagger.json", "/docs/")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/docs/", nil))
	policy := w.Header().Get("Content-Security-Policy")
	if w.Code != 200 || strings.Count(policy, "'sha256-") != strings.Count(w.Body.String(), "<script>") ||
		strings.Contains(w.Body.String(), `src="http`) {
		t.Errorf("%s\n%s", policy, w.Body)
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/docs/swagger-ui-bundle.js", nil))
	if w.Code != 200 || w.Body.Len() < 100_000 {
		t.Errorf("the assets are not served: %d, %d bytes", w.Code, w.Body.Len())
	}
}
