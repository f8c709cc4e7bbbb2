package mail

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/jobs"
)

// What waited for a mail server leaves when the next process has one, and does not wait for its time.
func TestMailThatWaitedForAServerLeaves(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		p := open(t, s, nil)
		p.enqueue(letter())
		if j := p.run(jobs.Waiting, 0); j.RunAt < db.TimeOf(time.Now().Add(time.Minute)) {
			t.Fatalf("it is tried again at once: %v", j.RunAt)
		}
		server := serve(t, false)
		next := open(t, s, server.sender(t, "smtp://HOST"))
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { next.runner.Run(ctx); close(ended) }()
		defer func() { stop(); <-ended }()
		for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			done := false
			dbtest.Read(t, s, func(tx *db.Tx) error {
				counts, err := jobs.Counts(tx)
				for _, c := range counts {
					done = done || c.Status == jobs.Done
				}
				return err
			})
			if done {
				break
			}
			if time.Since(start) > 30*time.Second {
				t.Fatal("the mail was not sent")
			}
		}
		if len(server.taken) != 1 {
			t.Errorf("%d mails arrived", len(server.taken))
		}
	})
}

// Where there is no mail server, the server that runs writes a mail once: it waits from the first and says why, and
// nobody takes it only to put it off.
func TestWithoutAServerAMailIsNotTaken(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		p := open(t, s, nil)
		p.runner.Follow(s)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { p.runner.Run(ctx); close(ended) }()
		defer func() { stop(); <-ended }()
		for start := time.Now(); ; time.Sleep(time.Millisecond) { // the runner has begun at some time
			var j jobs.Job
			dbtest.Write(t, s, func(tx *db.Tx) (err error) {
				if err = Enqueue(tx, letter()); err == nil {
					j, err = newest(tx)
				}
				return err
			})
			if j.LastError == errNoServer.Error() && j.RunAt > db.TimeOf(start.Add(time.Minute)) {
				return
			}
			if time.Since(start) > 30*time.Second {
				t.Fatalf("a new mail is to be taken: %+v", j)
			}
		}
	})
}

// A paper is made when the mail is sent, and attached.
func TestAPaperIsAttached(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		server := serve(t, false)
		r := jobs.NewRunner(jobs.TransactorOf(s, dbtest.Company), slog.New(slog.DiscardHandler))
		print := func(_ context.Context, company, paper string) ([]Attachment, error) {
			if company != dbtest.Company {
				t.Errorf("of %s", company)
			}
			return []Attachment{
				{Name: "invoice-" + paper + ".pdf", Media: "application/pdf", Body: []byte("%PDF-1.7")}}, nil
		}
		Register(r, server.sender(t, "smtp://HOST"), Means{Print: print})
		p := post{t, s, r}
		m := letter()
		m.Paper = "1000001"
		p.enqueue(m)
		p.run(jobs.Done, 1)
		if body := server.bodies[0]; !strings.Contains(body, `filename="invoice-1000001.pdf"`) ||
			!strings.Contains(body, "JVBERi0xLjc") {
			t.Errorf("not attached:\n%s", body)
		}
	})
}
