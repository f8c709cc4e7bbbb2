package app

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/mail/mailtest"
	"kontor/internal/foundation/record"
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
		h := openApp(t, datadir.Dir{Data: t.TempDir(), MediaURL: c.media})
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
}

// Mails that the mail server has not taken while it was away leave when it is found to be back, however long they were
// to wait; what waits for something else waits on.
func TestMailsLeaveWhenTheServerIsBack(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			away, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := away.Addr().String()
			away.Close()
			place, ctx := datadir.Dir{Data: t.TempDir()}, t.Context()
			if engine == "postgres" {
				place.DatabaseURL = dbtest.DatabaseURL(t)
			}
			h, err := OpenServing(ctx, place, Serving{SMTPURL: "smtp://" + address + "?from=kontor@example.com"},
				slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close(context.Background())
			company, err := h.CreateCompany(ctx, acme())
			if err != nil {
				t.Fatal(err)
			}
			other := jobs.Kind{Name: "other"}
			h.work.InTx(other, func(*db.Tx, jobs.Job) error { return errors.New("not yet") })
			in := func(fn func(tx *db.Tx) error) {
				t.Helper()
				if err := h.InCompany(ctx, company.ID, fn); err != nil {
					t.Fatal(err)
				}
			}
			in(func(tx *db.Tx) error {
				_, err := jobs.Add(tx, other, "x", nil, jobs.Options{})
				return errors.Join(err, mail.Enqueue(tx, mail.Message{To: []mail.Address{{Email: "ida@example.com"}},
					Subject: "Hello", Text: "Hello"}))
			})
			probes := h.probes()
			p := probes[len(probes)-1]
			look := func(usable bool, kind string, want jobs.Status, soon bool) {
				t.Helper()
				if _, err := h.work.RunDue(ctx, company.ID); err != nil {
					t.Fatal(err)
				}
				if err := p.Look(ctx, h.Log); (err == nil) != usable {
					t.Fatalf("the probe finds %v", err)
				}
				in(func(tx *db.Tx) error {
					found, err := jobs.List(tx, jobs.Filter{Kind: kind}, record.Page{Number: 1, Size: 2})
					if len(found.Items) != 1 || found.Items[0].Status != want ||
						want == jobs.Waiting && (found.Items[0].RunAt <= tx.Now) != soon {
						t.Errorf("there are %+v", found.Items)
					}
					return err
				})
			}
			look(false, "mail", jobs.Waiting, false)
			server := mailtest.OpenAt(t, address)
			look(true, "mail", jobs.Waiting, true)
			look(true, "other", jobs.Waiting, false)
			look(true, "mail", jobs.Done, false)
			if all := server.All(); len(all) != 1 {
				t.Errorf("%d mails have come", len(all))
			}
		})
	}
}

// A company whose rows cannot be read, for whatever reason, is told of in the log and on /readyz, and so is that it can
// be read again.
func TestCompaniesThatCannotBeReadAreTold(t *testing.T) {
	url := dbtest.DatabaseURL(t)
	var log bytes.Buffer
	h, err := Open(t.Context(), datadir.Dir{Data: t.TempDir(), DatabaseURL: url},
		slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(context.Background())
	if _, err := h.CreateCompany(t.Context(), acme()); err != nil {
		t.Fatal(err)
	}
	d, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p := h.probes()[0]
	for _, c := range []struct{ do, says, logs string }{
		{"select 1", "", "can be used"},
		{"revoke select on company_state from kontor_app", "the log says of which", "permission denied"},
		{"grant select on company_state to kontor_app", "", "can be used"},
		{"update company_state set company = 'another'", "row-level security", "company acme"},
		{"update company_state set company = (select id from company)", "", "can be used"},
	} {
		log.Reset()
		if _, err := d.Exec(c.do); err != nil {
			t.Fatal(c.do, err)
		}
		_ = p.Look(t.Context(), h.Log)
		if said := p.Say(); (said == "") != (c.says == "") || !strings.Contains(said, c.says) ||
			!strings.Contains(log.String(), c.logs) {
			t.Errorf("%s: it says %q, and the log %s", c.do, said, &log)
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
