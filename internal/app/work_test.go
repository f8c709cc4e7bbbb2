package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kontor/internal/business/content"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
)

// A house does what its companies leave to be done, also after its data was exchanged, and a clone does nothing of it
// again.
func TestAHouseDoesItsJobs(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	h := openApp(t, datadir.Dir{Data: t.TempDir()})
	defer h.Close(ctx)
	acme, err := h.CreateCompany(ctx, acme())
	if err != nil {
		t.Fatal(err)
	}
	kind, did := jobs.Kind{Name: "test"}, make(chan string, 10)
	h.work.InTx(kind, func(tx *db.Tx, j jobs.Job) error {
		tx.Done(func() { did <- j.Subject })
		return nil
	})
	ended := make(chan struct{})
	go func() { h.work.Run(ctx); close(ended) }()
	defer func() { stop(); <-ended }()
	for _, subject := range []string{"before", "after"} {
		err := h.InCompany(ctx, "acme", func(tx *db.Tx) error {
			_, err := jobs.Add(tx, kind, subject, nil, jobs.Options{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-did:
			if got != subject {
				t.Errorf("%s was done, not %s", got, subject)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("the job %s was not done", subject)
		}
		if err := h.Exchange(ctx, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	err = h.InCompany(ctx, "acme", func(tx *db.Tx) error {
		_, err := jobs.Add(tx, jobs.Kind{Name: "nobody's"}, "waits", nil, jobs.Options{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	left := func(c identity.Company) (kinds []string) {
		err := h.store.Read(ctx, db.Request{Company: c.ID}, func(tx *db.Tx) (err error) {
			kinds, err = jobs.Kinds(tx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return kinds
	}
	err = h.InCompany(ctx, "acme", func(tx *db.Tx) error {
		_, err := jobs.Add(tx, content.DraftKind, "a draft", nil, jobs.Options{RunAt: tx.Now + 3_600_000_000})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	copied, err := h.CloneCompany(ctx, acme, "copy", "Copy AB")
	if err != nil {
		t.Fatal(err)
	}
	if kinds := left(acme); !slices.Contains(kinds, "test") || !slices.Contains(kinds, "nobody's") {
		t.Errorf("the company has jobs of %v", kinds)
	}
	// A draft goes live in either, and the host name that leads to the copy is its own.
	if kinds := left(copied); !slices.Equal(kinds, []string{content.DraftKind.Name, domainsKind.Name}) {
		t.Errorf("the clone has jobs of %v", kinds)
	}
}

// What a sample company's past would have told people outside is told nobody; what stays in its books is done.
func TestWhatACompanyIsFilledWithIsMailedToNobody(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			place := datadir.Dir{Data: t.TempDir()}
			if engine == "postgres" {
				place.DatabaseURL = dbtest.DatabaseURL(t)
			}
			h := openApp(t, place)
			defer h.Close(context.WithoutCancel(t.Context()))
			c, err := h.CreateFilled(t.Context(), acme(), func(c identity.Company) error {
				return h.store.Write(t.Context(), db.Request{Company: c.ID, Actor: Operator()}, leaveToDo)
			})
			if err != nil {
				t.Fatal(err)
			}
			err = h.store.Read(t.Context(), db.Request{Company: c.ID}, func(tx *db.Tx) error {
				kinds, err := jobs.Kinds(tx)
				if !slices.Equal(kinds, []string{content.DraftKind.Name}) {
					t.Errorf("the company has jobs of %v", kinds)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// leaveToDo leaves a mail to be sent, and a draft to go live in an hour.
func leaveToDo(tx *db.Tx) error {
	if _, err := jobs.Add(tx, content.DraftKind, "a draft", nil, jobs.Options{RunAt: tx.Now + 3_600_000_000}); err != nil {
		return err
	}
	return mail.Enqueue(tx, mail.Message{To: []mail.Address{{Email: "a@example.com"}}, Subject: "Hello", Text: "Hello"})
}

func TestMailsWithoutAServerAreVisible(t *testing.T) {
	ctx := context.Background()
	h := openApp(t, datadir.Dir{Data: t.TempDir()})
	defer h.Close(ctx)
	c, err := h.CreateCompany(ctx, acme())
	if err != nil {
		t.Fatal(err)
	}
	err = h.InCompany(ctx, "acme", func(tx *db.Tx) error {
		return mail.Enqueue(tx, mail.Message{To: []mail.Address{{Email: "a@example.com"}}, Subject: "Hello",
			Text: "Hello"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := h.work.RunDue(ctx, c.ID); n == 0 || err != nil {
		t.Fatalf("%d attempts: %v", n, err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(figures{h})
	found, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range found {
		for _, m := range f.Metric {
			key := f.GetName()
			for _, l := range m.Label {
				key += " " + l.GetValue()
			}
			values[key] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	if values["kontor_jobs waiting"] == 0 || values["kontor_jobs failed"] != 0 ||
		values["kontor_job_attempts_total mail retried"] != 1 {
		t.Errorf("%v", values)
	}
}

func TestAMailServerThatCannotBeIsRefused(t *testing.T) {
	if err := (Serving{SMTPURL: "mail.example.com:25"}).Check(); !fault.Is(err, ErrConfig) {
		t.Errorf("%v", err)
	}
}
