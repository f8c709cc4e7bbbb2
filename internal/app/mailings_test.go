package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/mailing"
	"kontor/internal/business/newsletter"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/mail/mailtest"
	"kontor/internal/foundation/record"
)

// press is a house whose store has a newsletter with readers, and whose letters arrive somewhere.
type press struct {
	mailbag
	post    *mailtest.Office
	company string
}

func newPress(t *testing.T, kontor *app.App, post *mailtest.Office, readers int) press {
	t.Helper()
	c, err := kontor.CreateCompany(t.Context(), identity.Company{Code: "acme", Name: "Acme", Country: "SE",
		Currency: "SEK", Environment: identity.Test})
	if err != nil {
		t.Fatal(err)
	}
	p := press{mailbag{t, kontor, ""}, post, c.ID}
	p.in("acme", func(tx *db.Tx) error {
		_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
			c.Store.BaseURL = "https://shop.example"
			return nil
		})
		for i := range readers {
			if err == nil {
				err = p.reader(tx, readerAt(i))
			}
		}
		return err
	})
	return p
}

func readerAt(i int) string { return fmt.Sprintf("reader%02d@example.com", i) }

// reader is somebody who has confirmed; that the confirmation is mailed and answered is told elsewhere.
func (p press) reader(tx *db.Tx, email string) error {
	c, err := channel.Find(tx, "WEB")
	if err == nil {
		err = newsletter.Subscribe(tx, c, newsletter.Wish{Email: email, Name: "Reader", Language: "sv"})
	}
	if err == nil {
		_, err = tx.Exec("-- test\nupdate newsletter_subscriber set status = 'Confirmed' where company = :company and email = :email",
			db.Args{"email": email})
	}
	if err == nil {
		_, err = tx.Exec("-- test\ndelete from job where company = :company and kind = 'mail' and subject like 'Bekr%'", nil)
	}
	return err
}

func (p press) subscriber(email string) (s newsletter.Subscriber) {
	p.Helper()
	p.in("acme", func(tx *db.Tx) error {
		found, err := newsletter.List(tx, newsletter.Filter{Search: email}, record.Page{Number: 1, Size: 2})
		if err == nil && len(found.Items) == 1 {
			s = found.Items[0]
		}
		return err
	})
	return s
}

// end ends a subscription.
func (p press) end(email string, how func(*db.Tx, string) error) {
	p.Helper()
	id := p.subscriber(email).ID
	p.in("acme", func(tx *db.Tx) error { return how(tx, id) })
}

func (p press) write(pace int) (m mailing.Mailing) {
	p.Helper()
	p.in("acme", func(tx *db.Tx) (err error) {
		m = mailing.New()
		m.ChannelCode, m.Subject, m.Language, m.Pace = "WEB", "Summer sale", "sv", pace
		m.HTML = `<p onclick="x()">Everything <a href="/sale">half price</a>.</p><script>alert(1)</script>`
		m, err = mailing.Create(tx, m)
		return err
	})
	return m
}

func (p press) begin(m mailing.Mailing) {
	p.Helper()
	p.in("acme", func(tx *db.Tx) error { _, err := mailing.Begin(tx, m.ID); return err })
}

func (p press) look(m mailing.Mailing) mailing.Mailing {
	p.Helper()
	p.in("acme", func(tx *db.Tx) (err error) { m, err = mailing.Find(tx, m.ID); return err })
	return m
}

// work does what is due until a mailing has ended.
func (p press) work(m mailing.Mailing) mailing.Mailing {
	p.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if _, err := p.kontor.Work().RunDue(p.Context(), p.company); err != nil {
			p.Fatal(err)
		}
		if m = p.look(m); m.Status != mailing.Sending {
			return m
		}
	}
	p.Fatalf("the mailing does not end: %+v", m.Counts)
	return m
}

func (p press) verify() {
	p.Helper()
	p.in("acme", func(tx *db.Tx) error {
		return mailing.Verify(tx, func(wrong string) { p.Error(wrong) })
	})
}

func eachPress(t *testing.T, readers int, fn func(p press)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		post := mailtest.Open(t)
		fn(newPress(t, apptest.Open(t, place, app.Serving{SMTPURL: post.URL}), post, readers))
	})
}

func (p press) refused(want fault.Code, do func(tx *db.Tx) error) {
	p.Helper()
	if err := p.kontor.InCompany(p.Context(), "acme", do); !fault.Is(err, want) {
		p.Errorf("refused with %v, not %v", err, want)
	}
}

var (
	seen = regexp.MustCompile(`https?://\S*(/newsletter/letter\?token=\S+)`)
	left = regexp.MustCompile(`(?s)List-Unsubscribe: <http\S+/ecom/newsletter/unsubscribe\?token=\S+>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click`)
)

// A mailing rests for no longer than its pace says, also where a clock that was ahead said until when.
func TestAMailingRestsByTheRightClock(t *testing.T) {
	eachPress(t, 3, func(p press) {
		m := p.write(60)
		p.begin(m)
		p.in("acme", func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate mailing set next_at = :at where company = :company",
				db.Args{"at": tx.Now + db.Time((24 * time.Hour).Microseconds())})
			return err
		})
		p.in("acme", func(tx *db.Tx) error {
			again, err := mailing.Step(tx, m.ID)
			if again > time.Minute {
				p.Errorf("the next letter leaves in %s", again)
			}
			return err
		})
	})
}

// A mailing leaves once for each who wants it: it is tried, begun, stopped and resumed; who unsubscribes meanwhile is
// skipped, also where the letter lies in the outbox already; what runs in it is gone, and it can be seen in a browser.
func TestAMailingIsSent(t *testing.T) {
	eachPress(t, 5, func(p press) {
		m := p.write(60)
		p.refused(mailing.ErrNotFound, func(tx *db.Tx) error {
			_, err := mailing.Begin(tx, record.NewID())
			return err
		})
		p.refused(mailing.ErrInvalid, func(tx *db.Tx) error { _, err := mailing.Create(tx, mailing.New()); return err })
		p.refused(mailing.ErrInvalidStatus, func(tx *db.Tx) error { _, err := mailing.Stop(tx, m.ID); return err })
		p.in("acme", func(tx *db.Tx) error {
			return mailing.Try(tx, m.ID, mail.Address{Name: "Anna", Email: "anna@acme.test"})
		})
		p.begin(m)
		p.refused(mailing.ErrInvalidStatus, func(tx *db.Tx) error { return mailing.Delete(tx, m.ID) })
		p.in("acme", func(tx *db.Tx) error { return p.reader(tx, "late@example.com") })
		p.end(readerAt(1), newsletter.Unsubscribe)
		p.end(readerAt(2), newsletter.Erase)
		p.in("acme", func(tx *db.Tx) error {
			_, err := mailing.Step(tx, m.ID)
			return err
		})
		if n := p.look(m).Counts; n != (mailing.Counts{Waiting: 4, Sent: 1}) {
			p.Errorf("a letter a second: %+v", n)
		}
		p.in("acme", func(tx *db.Tx) error { _, err := mailing.Stop(tx, m.ID); return err })
		p.end(readerAt(0), newsletter.Unsubscribe)
		if m = p.work(m); m.Status != mailing.Stopped || m.Counts.Waiting != 4 {
			p.Errorf("a mailing that was stopped: %s, %+v", m.Status, m.Counts)
		}
		p.in("acme", func(tx *db.Tx) error { _, err := mailing.Resume(tx, m.ID); return err })
		m = p.work(m)
		p.settle()
		if m = p.look(m); m.Status != mailing.Sent || m.Counts != (mailing.Counts{Sent: 2, Skipped: 3}) {
			p.Errorf("%s, %+v", m.Status, m.Counts)
		}
		p.verify()
		p.arrived(map[string]int{readerAt(3): 1, readerAt(4): 1, "anna@acme.test": 1})
		for _, l := range p.post.All() {
			if !strings.Contains(l.Text, "Everything half price (https://shop.example/sale)") ||
				strings.Contains(l.Text, "alert") || strings.Contains(l.Text, "onclick") ||
				l.Kind != "multipart/alternative" {
				p.Errorf("a letter of %s says %q", l.Kind, l.Text)
			}
			trial := l.To[0] == "anna@acme.test"
			if trial == left.MatchString(l.Text) || trial == seen.MatchString(l.Text) {
				p.Errorf("a letter to %s: %q", l.To, l.Text)
			}
		}
	})
}

// settle lets the outbox be emptied.
func (p press) settle() {
	p.Helper()
	if _, err := p.kontor.Work().RunDue(p.Context(), p.company); err != nil {
		p.Fatal(err)
	}
}

// arrived holds the letters against how many should have come to whom.
func (p press) arrived(want map[string]int) {
	p.Helper()
	got := map[string]int{}
	for _, l := range p.post.All() {
		got[l.To[0]]++
	}
	for to, n := range want {
		if got[to] != n {
			p.Errorf("%d letters to %s, not %d", got[to], to, n)
		}
		delete(got, to)
	}
	if len(got) > 0 {
		p.Errorf("letters nobody should get: %v", got)
	}
}

// Workers that send one mailing at once let each letter leave once.
func TestWorkersDoNotSendTwice(t *testing.T) {
	eachPress(t, 40, func(p press) {
		m := p.write(60)
		p.begin(m)
		var workers sync.WaitGroup
		for range 6 {
			workers.Go(func() {
				for range 40 {
					err := p.kontor.InCompany(p.Context(), "acme", func(tx *db.Tx) error {
						_, err := tx.Exec("-- test\nupdate mailing set next_at = null where company = :company", nil)
						if err == nil {
							_, err = mailing.Step(tx, m.ID)
						}
						return err
					})
					if err != nil {
						p.Error(err)
						return
					}
				}
			})
		}
		workers.Wait()
		p.settle()
		if m = p.look(m); m.Status != mailing.Sent || m.Counts != (mailing.Counts{Sent: 40}) {
			p.Errorf("%s, %+v", m.Status, m.Counts)
		}
		want := map[string]int{}
		for i := range 40 {
			want[readerAt(i)] = 1
		}
		p.arrived(want)
		p.verify()
	})
}

// TestMailingKilled is the process that TestAMailingGoesOnWhoeverIsKilled kills as it sends.
func TestMailingKilled(t *testing.T) {
	data := os.Getenv("KONTOR_MAILING_DATA")
	if data == "" {
		t.Skip("run by TestAMailingGoesOnWhoeverIsKilled")
	}
	h := apptest.Open(t, datadir.Dir{Data: data, DatabaseURL: os.Getenv("KONTOR_MAILING_URL")},
		app.Serving{SMTPURL: os.Getenv("KONTOR_MAILING_SMTP")})
	for range 600 {
		if _, err := h.Work().RunDue(t.Context(), os.Getenv("KONTOR_MAILING_COMPANY")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the process lives")
}

// Who sends is killed with SIGKILL again and again, before the mail server has a letter and before it says that it has:
// all get the letter, and only those twice whose letter the server had taken when the process died.
func TestAMailingGoesOnWhoeverIsKilled(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		post := mailtest.Open(t)
		p := newPress(t, openOnly(t, place), post, 30)
		m := p.write(600)
		p.begin(m)
		twice := map[string]int{}
		for round := range 4 {
			p.kontor = p.killedSending(place, round, twice)
		}
		p.anew()
		if err := p.kontor.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.kontor = apptest.Open(t, place, app.Serving{SMTPURL: post.URL})
		m = p.work(m)
		p.settle()
		if m = p.look(m); m.Counts != (mailing.Counts{Sent: 30}) {
			t.Errorf("%s, %+v", m.Status, m.Counts)
		}
		want := map[string]int{}
		for i := range 30 {
			want[readerAt(i)] = 1 + twice[readerAt(i)]
		}
		p.arrived(want)
		p.verify()
	})
}

// anew makes due what a process had begun that is gone.
func (p press) anew() {
	p.Helper()
	p.in("acme", func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\nupdate job set status = 'Waiting', attempts = 0, run_at = :now where company = :company and status in ('Waiting', 'Running')",
			nil)
		return err
	})
}

// killedSending has another process send, and kills it at one of its letters. It answers the house opened again.
func (p press) killedSending(place datadir.Dir, round int, twice map[string]int) *app.App {
	p.Helper()
	p.anew()
	if err := p.kontor.Close(context.Background()); err != nil {
		p.Fatal(err)
	}
	cmd := app.Doomed("TestMailingKilled", "KONTOR_MAILING_DATA="+place.Data, "KONTOR_MAILING_URL="+place.DatabaseURL,
		"KONTOR_MAILING_COMPANY="+p.company, "KONTOR_MAILING_SMTP="+p.post.URL)
	var letters atomic.Int64
	kill := func(l mailtest.Letter, taken bool) error {
		if letters.Add(1) == int64(3+2*round) {
			cmd.Process.Kill()
			if taken {
				twice[l.To[0]]++
			}
			time.Sleep(500 * time.Millisecond) // it hears no answer
			return errors.New("gone")
		}
		return nil
	}
	if round%2 == 0 {
		p.post.Before = func(l mailtest.Letter) error { return kill(l, false) }
	} else {
		p.post.After = func(l mailtest.Letter) error { return kill(l, true) }
	}
	out, err := cmd.CombinedOutput()
	p.post.Before, p.post.After = nil, nil
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		p.Fatalf("the process ended with %v: %s", err, out)
	}
	return openOnly(p.T, place)
}
