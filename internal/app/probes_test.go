package app

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/mail/mailtest"
	"kontor/internal/foundation/tracing"
)

// What the server was told to use is tried as it starts: what fails is said with its remedy, stops nothing, and is seen
// to come back.
func TestWhatIsUsedOutsideIsProbed(t *testing.T) {
	var log bytes.Buffer
	media, server := bucketOf(t), mailtest.Open(t)
	for name, c := range map[string]struct {
		media, smtp string
		want        map[string]string
	}{
		"good": {media, server.URL, map[string]string{"media store": "", "mail server": ""}},
		"neither": {strings.Replace(media, "files", "nowhere", 1), "smtp://127.0.0.1:1",
			map[string]string{"media store": "--media-url", "mail server": "--smtp-url"}},
	} {
		h := openApp(t, DataDir{Data: t.TempDir(), MediaURL: c.media})
		h.serving.SMTPURL = c.smtp
		h.Log = slog.New(slog.NewTextHandler(&log, nil))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { h.keepProbing(ctx, h.probes()); close(done) }()
		found := map[string]string{}
		for range 200 {
			time.Sleep(50 * time.Millisecond)
			parts, ready := h.health.Ask(ctx)
			if !ready {
				t.Fatalf("%s: %+v", name, parts)
			}
			for _, p := range parts {
				found[p.Name] = p.Said
			}
			if found["media store"] != "is being looked at" && found["mail server"] != "is being looked at" &&
				len(found) >= 4 {
				break
			}
		}
		stop()
		<-done
		for part, want := range c.want {
			if said, ok := found[part]; !ok || (want == "") != (said == "") || !strings.Contains(said, want) ||
				want != "" && !strings.Contains(log.String(), want) {
				t.Errorf("%s: %s says %q", name, part, said)
			}
		}
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	store, err := blob.Open(media, "")
	if err == nil {
		err = store.Each(t.Context(), "probe/", func(i blob.Info) error { t.Errorf("%s is left", i.Key); return nil })
	}
	if err != nil {
		t.Error(err)
	}
	p := &probe{name: "x", remedy: "r"}
	h := &App{Log: slog.New(slog.NewTextHandler(&log, nil))}
	p.report(h, context.DeadlineExceeded)
	p.report(h, nil)
	if p.say() != "" {
		t.Errorf("came back: %q", p.say())
	}
}

// Whoever is asked and says nothing holds nobody up: neither who reads what was found, nor a server that is to stop.
func TestASilentServerIsProbedInTime(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	traces, err := tracing.Open("http://"+silent.Addr().String(), 1, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	sender, err := mail.Open("smtp://" + silent.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func(context.Context) error{"mail": sender.Probe, "traces": traces.Probe} {
		p, began := &probe{name: name, try: try}, time.Now()
		if err := p.tryWithin(t.Context(), 50*time.Millisecond); err == nil || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(began))
		}
	}
}

// A collector that is away is told of in the log and on /readyz, once, and not past them.
func TestACollectorThatRefusesIsTold(t *testing.T) {
	var answer atomic.Int32
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(answer.Load()))
	}))
	defer collector.Close()
	traces, err := tracing.Open(collector.URL, 1, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []int32{http.StatusUnauthorized, http.StatusOK} {
		answer.Store(status)
		if err := traces.Probe(t.Context()); (err == nil) != (status == http.StatusOK) {
			t.Errorf("%d is %v", status, err)
		}
	}
	answer.Store(http.StatusRequestEntityTooLarge)
	traces.Serve(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if err := traces.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "413") {
		t.Errorf("the last traces were lost, which is %v", err)
	}
}
