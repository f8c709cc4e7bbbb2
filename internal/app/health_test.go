package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/health"
)

// limitOfReady is what whoever asks /readyz may rely on.
const limitOfReady = 2 * time.Second

// readiness asks /readyz as a load balancer does, when the last look is old enough to be made anew.
func readiness(t *testing.T, handler http.Handler) (status int, body string) {
	t.Helper()
	time.Sleep(health.Every + 10*time.Millisecond)
	r := httptest.NewRequest("GET", "/readyz", nil)
	w := httptest.NewRecorder()
	start := time.Now()
	handler.ServeHTTP(w, r)
	if took := time.Since(start); took > limitOfReady {
		t.Errorf("/readyz took %s", took)
	}
	return w.Code, w.Body.String()
}

// unready expects a refusal that says word.
func unready(t *testing.T, handler http.Handler, word string) {
	t.Helper()
	settles(t, handler, func(status int, body string) bool {
		return status == http.StatusServiceUnavailable && strings.Contains(body, word)
	})
}

func ready(t *testing.T, handler http.Handler) {
	t.Helper()
	settles(t, handler, func(status int, _ string) bool { return status == http.StatusOK })
}

// settles asks until the answer is as wanted: on a busy machine a look may end after who asked has been answered with
// what was found before, and counts the next time.
func settles(t *testing.T, handler http.Handler, isSo func(status int, body string) bool) {
	t.Helper()
	for last := time.Now().Add(10 * health.Every); ; {
		status, body := readiness(t, handler)
		if isSo(status, body) {
			return
		}
		if time.Now().After(last) {
			t.Errorf("still %d: %s", status, body)
			return
		}
	}
}

func serverOf(t *testing.T, place datadir.Dir) (*App, *Server) {
	t.Helper()
	h, err := OpenServing(t.Context(), place, Serving{KeepBytes: 1 << 20}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close(context.Background()) })
	return h, &Server{kontor: h, metrics: newMetrics(h)}
}

// full makes the folder's disk full, until the function that it answers is called: a small file system of its own where
// one can be mounted, else the device that is always full in the place of what is to be written.
func full(t *testing.T, dir string) (fill, clear func()) {
	filler := filepath.Join(dir, "filler")
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=24m", "kontor-test", dir).Run(); err == nil {
		t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
		return func() {
			f, err := os.Create(filler)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for block := make([]byte, 4<<10); err == nil; {
				_, err = f.Write(block)
			}
		}, func() { os.Remove(filler) }
	}
	return func() {
		if err := os.Symlink("/dev/full", filepath.Join(dir, beatFile)); err != nil {
			t.Skip("no disk can be made full here: " + err.Error())
		}
	}, func() { os.Remove(filepath.Join(dir, beatFile)) }
}

func TestAFullDiskIsNotReady(t *testing.T) {
	dir := t.TempDir()
	fill, clear := full(t, dir)
	_, srv := serverOf(t, datadir.Dir{Data: dir, SecretKeyFile: filepath.Join(t.TempDir(), "key")})
	handler := srv.handler()
	ready(t, handler)
	fill()
	unready(t, handler, "the disk of the data folder is full")
	r := httptest.NewRequest("GET", "/readyz", nil)
	r.Header.Set("Accept", "application/json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	var said struct {
		Status string        `json:"status"`
		Parts  []health.Part `json:"parts"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said.Status != "not ready" ||
		said.Parts[0].State != health.Failing {
		t.Errorf("%v: %s", err, w.Body)
	}
	clear()
	ready(t, handler)
}

func TestADatabaseThatKeepsNothingIsNotReady(t *testing.T) {
	t.Parallel()
	first := dbtest.NewServer(t)
	second := first.Standby(t)
	_, srv := serverOf(t, datadir.Dir{Data: t.TempDir(), DatabaseURL: first.URL(second)})
	handler := srv.handler()
	ready(t, handler)

	// Its synchronous standby is gone: commits are waited for.
	admin := dbtest.Beside(t, first.URL())
	set := func(names string) {
		for _, text := range []string{"alter system set synchronous_standby_names = '" + names + "'",
			"select pg_reload_conf()"} {
			if _, err := admin.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(300 * time.Millisecond)
	}
	set("nobody")
	unready(t, handler, "data: FAILING") // a change is not confirmed in time, or not even that was answered in time
	set("")
	ready(t, handler)

	first.Freeze()
	unready(t, handler, "data: FAILING")
	first.Thaw()
	ready(t, handler)

	first.Stop(t)
	unready(t, handler, "standby and takes no changes")
	second.Promote(t)
	ready(t, handler)
}

// A company's file that is gone is not ready, and names the company; the lock or the control data that is gone stops
// the server, with a word.
func TestFilesThatAreGone(t *testing.T) {
	t.Parallel()
	h, srv := serverOf(t, datadir.Dir{Data: t.TempDir()})
	company, err := h.CreateCompany(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	handler := srv.handler()
	ready(t, handler)
	file := h.DataDir.CellPath(company.ID)
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(health.Every)
	unready(t, handler, "data file of acme is gone")
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	time.Sleep(health.Every)
	ready(t, handler)

	said := make(chan error, 1)
	go func() { said <- h.watchFiles(t.Context()) }()
	time.Sleep(presentEvery / 2)
	if err := os.Remove(filepath.Join(h.DataDir.Data, "lock")); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-said:
		if !strings.Contains(err.Error(), "the file lock was removed or replaced") {
			t.Error(err)
		}
	case <-time.After(5 * presentEvery):
		t.Error("the lock is gone, and the server runs on")
	}
}

// A path reaches the surfaces as it was sent: what leads nowhere is a problem like any other, no page that sends
// elsewhere, and a key of dots is a key.
func TestNoPathIsCleaned(t *testing.T) {
	_, srv := serverOf(t, datadir.Dir{Data: t.TempDir(), SecretKeyFile: filepath.Join(t.TempDir(), "key")})
	for path, want := range map[string]int{"/preview//items": 404, "/preview/./items": 404, "/ecom//store": 404,
		"//preview/items": 404, "/preview/x/../items": 404, "/preview/items/..": 401, "/healthz": 200, "/healthz/": 404,
		"//healthz": 404, "/media/../healthz": 404} {
		r := httptest.NewRequest("GET", "http://kontor.example"+path, nil)
		w := httptest.NewRecorder()
		srv.handler().ServeHTTP(w, r)
		if w.Code != want || want == 404 && !strings.Contains(w.Body.String(), `"Route.NotFound"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
