package backoffice_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"kontor/internal/business/identity"
)

// reader is somebody who is sent a file, and looks around as the first of it comes.
type reader struct {
	*httptest.ResponseRecorder
	first func()
}

func (r *reader) Write(b []byte) (int, error) {
	if r.first != nil {
		r.first()
		r.first = nil
	}
	return r.ResponseRecorder.Write(b)
}

// However slowly somebody takes a file, he keeps no snapshot of the data open for it, and what cannot be made is told
// instead of being cut off.
func TestAFileIsSentOnceItIsMade(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		home, err := url.Parse(b.base)
		if err != nil {
			t.Fatal(err)
		}
		for path, text := range map[string]string{"/items?export=csv": "A-100", "/customers/C-1/personal-data": "C-1",
			"/items?export=xlsx": "[Content_Types].xml"} {
			r := httptest.NewRequest("GET", b.base+path, nil)
			for _, c := range b.client.Jar.Cookies(home) {
				r.AddCookie(c)
			}
			w := &reader{ResponseRecorder: httptest.NewRecorder()}
			w.first = func() {
				for start := time.Now(); o.kontor.Store().Figures().Pools["read"].InUse > 0; time.Sleep(time.Millisecond) {
					if time.Since(start) > 10*time.Second { // who works beside it reads for a moment
						t.Errorf("%s is sent while its snapshot is open", path)
						return
					}
				}
			}
			o.server.Config.Handler.ServeHTTP(w, r)
			if w.Code != http.StatusOK || w.first != nil || !strings.Contains(w.Body.String(), text) ||
				w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
				t.Errorf("%s answers %d %v: %.200s", path, w.Code, w.Header(), w.Body)
			}
		}
		b.get("/customers/NOBODY/personal-data")
		if b.status != http.StatusNotFound {
			t.Errorf("a file of nobody answers %d", b.status)
		}
	})
}
