package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/front/bodies"
)

// endless is a form that never ends; it notes how much of it was read.
type endless struct{ read int64 }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	e.read += int64(len(b))
	return len(b), nil
}

// slow is a body that comes only once it is let go.
type slow struct {
	asked chan<- struct{}
	let   <-chan struct{}
	once  sync.Once
}

func (s *slow) Read([]byte) (int, error) {
	s.once.Do(func() { s.asked <- struct{}{}; <-s.let })
	return 0, io.EOF
}

// A form is held in memory whole: of somebody who is not signed in a short one is, whatever page it is sent to, and of
// a company's people together no more than of its programs.
func TestFormsDoNotFillTheMemory(t *testing.T) {
	h, err := OpenServing(t.Context(), datadir.Dir{Data: t.TempDir()}, Serving{PublicURL: "http://kontor.example.com"},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close(context.Background()) })
	send := func(path, kind, cookie string, body io.Reader, length int64) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://kontor.example.com"+path, body)
		r.ContentLength = length
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Cookie", cookie)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	site, err := h.office()
	if err != nil {
		t.Fatal(err)
	}
	sent, variable := 0, regexp.MustCompile(`\{\w+\}`)
	for _, pattern := range append(site.Patterns(), "POST /oauth/authorize", "POST /oauth/token",
		"POST /oauth/register", "POST /oauth/revoke") {
		path, ok := strings.CutPrefix(pattern, "POST ")
		if !ok {
			continue
		}
		for _, kind := range []string{"application/x-www-form-urlencoded", "multipart/form-data; boundary=b"} {
			begin := ""
			if strings.HasPrefix(kind, "multipart/") {
				begin = "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n"
			}
			body := &endless{}
			w := send(variable.ReplaceAllString(path, "x"), kind, "", io.MultiReader(strings.NewReader(begin), body), -1)
			if sent++; body.read > 2*bodies.Light || w.Code >= 500 {
				t.Errorf("%s read %d bytes of a stranger's %s and answered %d", pattern, body.read, kind, w.Code)
			}
		}
	}
	if sent < 200 {
		t.Errorf("only %d forms were sent", sent)
	}
	held(t, h, send, signedIn(t, h, send))
}

// signedIn is the cookie of somebody who is signed in.
func signedIn(t *testing.T, h *App, send func(path, kind, cookie string, body io.Reader,
	length int64) *httptest.ResponseRecorder) string {
	t.Helper()
	company, err := h.CreateCompany(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	hash, err := h.Hasher.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	err = h.Control(t.Context(), func(tx *db.Tx) error {
		_, err := identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", Name: "Anna", PasswordHash: hash,
			CompanyID: company.ID, Role: identity.Viewer})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"email": {"anna@example.com"}, "password": {"correct horse"}}.Encode()
	w := send("/sign-in", "application/x-www-form-urlencoded", "", strings.NewReader(form), int64(len(form)))
	for _, c := range w.Result().Cookies() {
		if c.Name == identity.SessionCookie(false) {
			return c.String()
		}
	}
	t.Fatalf("not signed in: %d %s", w.Code, w.Body)
	return ""
}

// held sends forms that do not come to their end, until no more are taken; short ones are taken all the same.
func held(t *testing.T, h *App, send func(path, kind, cookie string, body io.Reader,
	length int64) *httptest.ResponseRecorder, cookie string) {
	t.Helper()
	const kind, path, long = "application/x-www-form-urlencoded", "/account/profile", 4 << 20
	asked, let := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for range h.serving.room().bodies / 2 / long {
		all.Go(func() { send(path, kind, cookie, &slow{asked: asked, let: let}, long) })
		<-asked
	}
	if w := send(path, kind, cookie, &endless{}, long); w.Code != http.StatusTooManyRequests ||
		w.Header().Get("Retry-After") != "1" {
		t.Errorf("one form more: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	if w := send(path, kind, cookie, strings.NewReader("name=Anna"), 9); w.Code != http.StatusSeeOther {
		t.Errorf("a short form meanwhile: %d %s", w.Code, w.Body)
	}
	close(let)
	all.Wait()
	if w := send(path, kind, cookie, strings.NewReader(strings.Repeat("a", long)), long); w.Code ==
		http.StatusTooManyRequests {
		t.Error("a form after those: refused")
	}
}
