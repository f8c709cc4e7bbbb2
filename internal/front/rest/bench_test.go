package rest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/record"
)

func foundThings() record.Found[string] {
	f := record.Found[string]{Total: 120}
	for i := range 50 {
		f.Items = append(f.Items, fmt.Sprintf("A-%d", i))
	}
	return f
}

// benchmark asks over a socket, one request after another: what a caller sees.
func benchmark(b *testing.B, h http.Handler, address string) {
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.NewRequest("GET", server.URL+address, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "*")
	b.ReportAllocs()
	for b.Loop() {
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, w.Body)
		w.Body.Close()
	}
}

// BenchmarkServe compares our way of serving with a bare handler of the same bytes.
func BenchmarkServe(b *testing.B) {
	for _, address := range []string{"/preview/things?page=1", "/preview/things/A"} {
		for _, keep := range []int64{0, 1 << 20} {
			s := serve(b, func(s *Surface) { s.Caches, s.Limit = keep > 0, Limit{Rate: 1e9} })
			b.Run(fmt.Sprintf("ours%s kept=%v", address, keep > 0), func(b *testing.B) { benchmark(b, s, address) })
			body := s.do("GET " + address).Body.Bytes()
			if keep > 0 {
				continue
			}
			mux := http.NewServeMux()
			mux.HandleFunc("GET /preview/things/{number}",
				func(w http.ResponseWriter, r *http.Request) { w.Write(body) })
			mux.HandleFunc("GET /preview/things", func(w http.ResponseWriter, r *http.Request) { w.Write(body) })
			b.Run("bare"+address, func(b *testing.B) { benchmark(b, mux, address) })
		}
	}
}

// BenchmarkEncode is a page of 50, by us and by the library.
func BenchmarkEncode(b *testing.B) {
	page := PageOf(foundThings(), Paging{Page: 1, PageSize: 50}, new(thingShop).show)
	s := shapeOf(b, reflect.TypeOf(page))
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		buf := []byte(nil)
		for b.Loop() {
			buf, _ = s.encode(buf[:0], reflect.ValueOf(page))
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(page); err != nil {
				b.Fatal(err)
			}
		}
	})
}
