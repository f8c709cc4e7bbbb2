package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/emersion/go-imap/v2"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/business/support"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/front/postbox/imaptest"
)

// reading is a house that reads a mailbox.
type reading struct {
	mailbag
	*imaptest.Mailbox
	company string
}

// eachReading runs a test on each engine with a mailbox in memory, and with one of Dovecot.
func eachReading(t *testing.T, fn func(r reading)) {
	t.Helper()
	for _, server := range []string{"memory", "dovecot"} {
		t.Run(server, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, place datadir.Dir) {
				box := imaptest.Memory
				if server == "dovecot" {
					fn(newReading(t, place, imaptest.Dovecot(t)))
					return
				}
				fn(newReading(t, place, box(t, nil)))
			})
		})
	}
}

func newReading(t *testing.T, place datadir.Dir, box *imaptest.Mailbox) reading {
	t.Helper()
	return readingIn(t, apptest.Open(t, place, app.Serving{}), box)
}

func readingIn(t *testing.T, kontor *app.App, box *imaptest.Mailbox) reading {
	t.Helper()
	c, err := kontor.CreateCompany(t.Context(), identity.Company{Code: "acme", Name: "Acme", Country: "SE",
		Currency: "SEK", Environment: identity.Test})
	if err != nil {
		t.Fatal(err)
	}
	return reading{mailbag{t, kontor, ""}, box, c.ID}
}

func (r reading) settings() support.Inbox {
	in := support.NewInbox()
	in.Code, in.Address, in.IsUsed = "SUPPORT", "support@acme.example", true
	in.Host, in.Port, in.Security, in.User, in.Password = "127.0.0.1", r.Port, support.Bare, imaptest.User,
		imaptest.Password
	return in
}

func (r reading) enter(lay func(*support.Inbox)) {
	r.Helper()
	in := r.settings()
	if lay != nil {
		lay(&in)
	}
	r.in("acme", func(tx *db.Tx) error { _, err := support.CreateInbox(tx, in); return err })
}

// read reads the mailbox as its job does, and answers how far.
func (r reading) read() (done support.Reading) {
	r.Helper()
	r.in("acme", func(tx *db.Tx) error {
		in, err := support.FindInbox(tx, "SUPPORT")
		if err == nil {
			_, err = jobs.Add(tx, support.ReadKind, in.Code, in.ID, jobs.Options{Key: in.ID})
		}
		return err
	})
	if _, err := r.kontor.Work().RunDue(r.Context(), r.company); err != nil {
		r.Fatal(err)
	}
	r.in("acme", func(tx *db.Tx) error {
		in, err := support.FindInbox(tx, "SUPPORT")
		if err == nil {
			done, err = support.ReadingOf(tx, in.ID)
		}
		return err
	})
	return done
}

func (r reading) lies(folder string, want ...string) {
	r.Helper()
	if got := r.Says(folder); !slices.Equal(got, want) {
		r.Errorf("in %s lie %q, want %q", folder, got, want)
	}
}

func (r reading) subjects(want ...string) {
	r.Helper()
	var got []string
	for _, x := range r.tickets("acme") {
		got = append(got, x.Subject)
	}
	if !slices.Equal(got, want) {
		r.Errorf("the tickets are %q, want %q", got, want)
	}
}

// letterOf is a mail with a name of its own.
func letterOf(subject, id string, more ...string) string {
	return "From: anna@example.com\nTo: support@acme.example\nSubject: " + subject + "\nMessage-ID: <" + id +
		"@example.com>\n" + strings.Join(more, "") + "\nHello.\n"
}

// What lies unread is taken once, what comes later too, also where somebody has read it; threads and machines are known
// as those of the listener are.
func TestAMailboxIsRead(t *testing.T) {
	eachReading(t, func(r reading) {
		r.Put(letterOf("Old and read", "0"), imap.FlagSeen)
		r.Put(letterOf("The pump", "1"))
		r.enter(func(in *support.Inbox) { in.QueueCode = "SALES" })
		if done := r.read(); done.Taken != 1 || done.Reason != "" || done.AskedAt == 0 {
			r.Fatalf("%+v", done)
		}
		r.subjects("The pump")
		r.lies("INBOX", `Old and read \Seen`, `The pump \Seen`)
		first := r.tickets("acme")[0]
		if first.QueueCode != "SALES" || first.Source != support.Mailbox {
			r.Errorf("%+v", first)
		}
		r.Put(letterOf("Re: The pump", "2", "In-Reply-To: <1@example.com>\n"))
		r.Put(letterOf("Another thing", "3"), imap.FlagSeen) // read by somebody within the minute
		r.Put(letterOf("Away", "4", "Auto-Submitted: auto-replied\n"))
		r.Put("From: MAILER-DAEMON@example.com\nReturn-Path: <>\nSubject: Undeliverable\nReferences: <1@example.com>\n\nNo such user\n")
		r.Put("From: support@acme.example\nSubject: Re: The pump\nIn-Reply-To: <1@example.com>\n\nWritten by hand.\n")
		r.Put(letterOf("The pump", "1"))
		done := r.read()
		r.subjects("The pump", "Another thing")
		r.says("acme", first.Number, "Customer: Hello.", "Customer: Hello.", "(System: Undeliverable",
			"(System: Re: The pump")
		if done.Taken != 7 || done.Left != 0 {
			r.Errorf("%+v", done)
		}
		r.Flag(imap.StoreFlagsDel, imap.FlagSeen) // somebody wants to come back to them
		r.read()
		r.lies("INBOX", "Old and read", "The pump", "Re: The pump", "Another thing", "Away", "Undeliverable",
			"Re: The pump", "The pump")
		r.subjects("The pump", "Another thing")
	})
}

// Mails that were taken go to a folder of their own. The folder under the same name made anew doubles nothing.
func TestMailsAreMoved(t *testing.T) {
	eachReading(t, func(r reading) {
		r.enter(func(in *support.Inbox) { in.DoneFolder = "Done" })
		for i := range 3 {
			r.Put(letterOf(fmt.Sprint("Nr ", i), fmt.Sprint(i)))
		}
		r.read()
		r.lies("INBOX")
		r.lies("Done", "Nr 0", "Nr 1", "Nr 2")
		r.subjects("Nr 0", "Nr 1", "Nr 2")
		r.in("acme", func(tx *db.Tx) error {
			_, err := support.ChangeInbox(tx, "SUPPORT", func(in *support.Inbox) error {
				in.Folder, in.DoneFolder = "Done", ""
				return nil
			})
			return err
		})
		r.read()
		r.lies("Done", `Nr 0 \Seen`, `Nr 1 \Seen`, `Nr 2 \Seen`)
		r.subjects("Nr 0", "Nr 1", "Nr 2")
	})
}

// A visit takes so many mails and the next goes on; what is beyond the bounds is left with its reason, flagged, and
// does not stand in the way.
func TestMailsOfAMailboxAreBounded(t *testing.T) {
	eachReading(t, func(r reading) {
		r.Put("From: a@example.com, b@example.com\nSubject: Of two\n\nx\n")
		r.Put(letterOf("Large", "large") + strings.Repeat(strings.Repeat("x", 900)+"\n", 42<<20/901))
		for i := range 53 {
			r.Put(letterOf(fmt.Sprint("Nr ", i), fmt.Sprint(i)))
		}
		r.enter(nil)
		done := r.read()
		if done.Taken != 48 || done.Left != 2 || !strings.Contains(done.LeftReason, "40 MB") {
			r.Errorf("after the first visit %+v", done)
		}
		done = r.read()
		if n := len(r.tickets("acme")); n != 53 || done.Taken != 53 || done.Left != 2 {
			r.Errorf("%d tickets, %+v", n, done)
		}
		if got := r.Says("INBOX"); got[0] != `Of two \Flagged` || got[1] != `Large \Flagged` || got[54] != `Nr 52 \Seen` {
			r.Errorf("%q", got)
		}
		for i := range 9 {
			r.Put(letterOf(fmt.Sprint("More ", i), fmt.Sprint("more", i)))
		}
		if done = r.read(); done.Taken != 60 || done.Left != 4 || !strings.Contains(done.LeftReason, "one sender") {
			r.Errorf("of one who writes on and on: %+v", done)
		}
	})
}

// A mailbox that cannot be read says why, is asked later and later, and goes on where it was.
func TestAMailboxThatFails(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		r := newReading(t, place, imaptest.Memory(t, nil))
		r.enter(func(in *support.Inbox) { in.Password = "wrong" })
		r.Put(letterOf("The pump", "1"))
		if done := r.read(); done.Fails != 1 || done.FailingAt == 0 || !strings.Contains(done.Reason, "does not accept") {
			r.Fatalf("%+v", done)
		}
		r.in("acme", func(tx *db.Tx) error {
			var waits []int
			for range 8 {
				in, err := support.FindInbox(tx, "SUPPORT")
				if err != nil {
					return err
				}
				again, err := support.EndReading(tx, in.ID, 0, support.ErrInboxFails.Because("broken"))
				if err != nil {
					return err
				}
				waits = append(waits, int(again.Minutes()))
			}
			if !slices.Equal(waits, []int{2, 4, 8, 16, 32, 60, 60, 60}) {
				r.Errorf("it is asked again after %v minutes", waits)
			}
			return nil
		})
		r.in("acme", func(tx *db.Tx) error {
			_, err := support.ChangeInbox(tx, "SUPPORT", func(in *support.Inbox) error {
				in.Password = imaptest.Password
				return nil
			})
			return err
		})
		r.Before(func(command string) error {
			if command == "STORE" {
				return &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeNoPerm, Text: "no"}
			}
			return nil
		})
		if done := r.read(); done.Taken != 1 || !strings.Contains(done.Reason, "cannot be marked") {
			r.Errorf("%+v", done)
		}
		r.Before(nil)
		if done := r.read(); done.Fails != 0 || done.Reason != "" || done.FailingAt != 0 {
			r.Errorf("%+v", done)
		}
		r.subjects("The pump")
		r.lies("INBOX", `The pump \Seen`)
		r.in("acme", func(tx *db.Tx) error { return support.DeleteInbox(tx, "SUPPORT") })
		if _, err := r.kontor.Work().RunDue(r.Context(), r.company); err != nil {
			r.Error(err)
		}
	})
}

// TestMailboxKilled is the process that TestAMailIsTakenOnceWhoeverIsKilled kills as it reads a mailbox.
func TestMailboxKilled(t *testing.T) {
	data := os.Getenv("KONTOR_MAILBOX_DATA")
	if data == "" {
		t.Skip("run by TestAMailIsTakenOnceWhoeverIsKilled")
	}
	h := apptest.Open(t, datadir.Dir{Data: data, DatabaseURL: os.Getenv("KONTOR_MAILBOX_URL")}, app.Serving{})
	_, err := h.Work().RunDue(t.Context(), os.Getenv("KONTOR_MAILBOX_COMPANY"))
	t.Fatalf("the process lives: %v", err)
}

// Whoever reads a mailbox is killed with SIGKILL, before the commit that takes a mail or between it and the mark in the
// mailbox: each mail is one ticket, also one without a Message-ID, and is marked in the end.
func TestAMailIsTakenOnceWhoeverIsKilled(t *testing.T) {
	for _, folder := range []string{"", "Done"} {
		apptest.Each(t, func(t *testing.T, place datadir.Dir) {
			r := readingIn(t, openOnly(t, place), imaptest.Memory(t, nil))
			defer func() { r.kontor.Close(context.Background()) }()
			r.enter(func(in *support.Inbox) { in.DoneFolder = folder })
			r.Put(letterOf("Nr 0", "0"))
			r.Put("From: anna@example.com\nSubject: Nr 1\n\nWithout a name.\n")
			r.Put(letterOf("Nr 2", "2"))
			for _, at := range []string{"FETCH", "MARK", "MARK", "FETCH", "MARK"} {
				r.kontor = r.killed(place, at, folder)
			}
			r.asFromTheStart()
			r.read()
			r.subjects("Nr 0", "Nr 1", "Nr 2")
			if folder != "" {
				r.lies("INBOX")
				r.lies(folder, "Nr 0", "Nr 1", "Nr 2")
			} else {
				r.lies("INBOX", `Nr 0 \Seen`, `Nr 1 \Seen`, `Nr 2 \Seen`)
			}
		})
	}
}

// openOnly opens a house that the test closes itself.
func openOnly(t *testing.T, place datadir.Dir) *app.App {
	t.Helper()
	h, err := app.Open(t.Context(), place, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// killed has another process read the mailbox, and kills it as it comes to a command. It answers the house opened
// again.
func (r reading) killed(place datadir.Dir, at, folder string) *app.App {
	r.Helper()
	if at == "MARK" {
		at = map[bool]string{true: "STORE", false: "MOVE"}[folder == ""]
	}
	r.asFromTheStart()
	if err := r.kontor.Close(r.Context()); err != nil {
		r.Fatal(err)
	}
	cmd := app.Doomed("TestMailboxKilled", "KONTOR_MAILBOX_DATA="+place.Data, "KONTOR_MAILBOX_URL="+place.DatabaseURL,
		"KONTOR_MAILBOX_COMPANY="+r.company)
	r.Before(func(command string) error {
		if command == at {
			cmd.Process.Kill()
			return errors.New("gone")
		}
		return nil
	})
	defer r.Before(nil)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		r.Fatalf("the process ended with %v: %s", err, out)
	}
	return openOnly(r.T, place)
}

// asFromTheStart makes the mailbox's job due, whoever had begun it.
func (r reading) asFromTheStart() {
	r.Helper()
	r.in("acme", func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\nupdate job set status = 'Waiting', attempts = 0, run_at = :now where company = :company and kind = 'mailbox'",
			nil)
		return err
	})
}
