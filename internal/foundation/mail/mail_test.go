package mail

import (
	"context"
	"log/slog"
	"mime"
	"net"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

func letter() Message {
	return Message{
		From: Address{Name: "Fjäll & Skog", Email: "hej@fjall.example"},
		To:   []Address{{Name: "Åsa Öberg", Email: "asa@example.com"}}, Subject: "Tack för din beställning 1042",
		Text: "Hej Åsa!\n\nKoden är 042137.\n", HTML: "<p>Hej Åsa! Koden är <b>042137</b>.</p>", About: "1042",
		Headers: map[string]string{"List-Unsubscribe": "<https://fjall.example/u?t=1>"},
	}
}

// post is a company's mail: what is enqueued, and what became of it.
type post struct {
	*testing.T
	store  *db.Store
	runner *jobs.Runner
}

func open(t *testing.T, s *db.Store, sender *Sender) post {
	r := jobs.NewRunner(jobs.TransactorOf(s, dbtest.Company), slog.New(slog.DiscardHandler))
	Register(r, sender, Means{Pace: func(_ context.Context, _, store string) error {
		if store != "FULL" {
			return nil
		}
		f := fault.New(fault.TooMany, "RateLimit.Exceeded").Because("the store has sent too many")
		f.RetryAfterSeconds = 900
		return f
	}})
	return post{t, s, r}
}

func (p post) enqueue(m Message) {
	p.Helper()
	dbtest.Write(p, p.store, func(tx *db.Tx) error { return Enqueue(tx, m) })
}

func (p post) run(want jobs.Status, attempts int) (j jobs.Job) {
	p.Helper()
	if _, err := p.runner.RunDue(context.Background(), dbtest.Company); err != nil {
		p.Fatal(err)
	}
	dbtest.Read(p, p.store, func(tx *db.Tx) (err error) { j, err = newest(tx); return err })
	if j.Status != want || j.Attempts != attempts {
		p.Fatalf("the mail is %s after %d attempts (%s), not %s after %d", j.Status, j.Attempts, j.LastError, want,
			attempts)
	}
	return j
}

// newest is the mail that was enqueued last.
func newest(tx *db.Tx) (j jobs.Job, err error) {
	found, err := jobs.List(tx, jobs.Filter{Kind: Kind.Name}, record.Page{Number: 1, Size: 1})
	if err != nil {
		return j, err
	}
	return jobs.Find(tx, found.Items[0].ID)
}

func (p post) retry(id string) {
	p.Helper()
	dbtest.Write(p, p.store, func(tx *db.Tx) error {
		_, err := jobs.Retry(tx, id)
		return err
	})
}

// What a store mails to addresses that nobody has confirmed waits once it is too much, and the job says so; no attempt
// is counted.
func TestTooManyMailsToStrangersWait(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		server := serve(t, false)
		p := open(t, s, server.sender(t, "smtp://HOST"))
		m := letter()
		m.Store = "FULL"
		p.enqueue(m)
		if j := p.run(jobs.Waiting, 0); !strings.Contains(j.LastError, "too many") || len(server.taken) != 0 {
			t.Errorf("%d arrived, %+v", len(server.taken), j)
		}
		m.Store = "OTHER"
		p.enqueue(m)
		p.run(jobs.Done, 1)
	})
}

func TestAMailIsDeliveredAndForgotten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for _, way := range []struct {
			address  string
			implicit bool
			secured  bool
		}{
			{"smtp://shop:p%40ss%3Aword@HOST", false, true},
			{"smtps://shop:p%40ss%3Aword@HOST?from=Versand+%3Csend@relay.example%3E", true, true},
			{"smtp://shop:p%40ss%3Aword@HOST?starttls=off", false, false},
			{"smtp://HOST", false, true},
		} {
			server := serve(t, way.implicit)
			p := open(t, s, server.sender(t, way.address))
			p.enqueue(letter())
			j := p.run(jobs.Done, 1)
			if len(server.taken) != 1 {
				t.Fatalf("%s: %d mails arrived", way.address, len(server.taken))
			}
			m, body := server.taken[0], server.bodies[0]
			subject, _ := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
			from, _ := m.Header.AddressList("From")
			replyTo, relayed := m.Header.Get("Reply-To"), strings.Contains(way.address, "from=")
			switch {
			case subject != "Tack för din beställning 1042", server.to[0] != "asa@example.com",
				!strings.Contains(body, "042137"):
				t.Errorf("%s: %s to %s\n%s", way.address, subject, server.to[0], body)
			case !strings.HasPrefix(m.Header.Get("Message-Id"), "<"+j.ID+"@"),
				m.Header.Get("Auto-Submitted") != "auto-generated", m.Header.Get("Date") == "":
				t.Errorf("%s: %v", way.address, m.Header)
			case m.Header.Get("List-Unsubscribe") != "<https://fjall.example/u?t=1>",
				!strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative"):
				t.Errorf("%s: %v", way.address, m.Header)
			case server.secured[0] != way.secured:
				t.Errorf("%s: secured is %v", way.address, server.secured[0])
			case len(from) != 1 || from[0].Name != "Fjäll & Skog" || from[0].Address != server.from[0]:
				t.Errorf("%s: from %v, in the envelope %s", way.address, from, server.from[0])
			case relayed && (server.from[0] != "send@relay.example" || !strings.Contains(replyTo, "hej@fjall.example")):
				t.Errorf("%s: from %s, answered to %q", way.address, server.from[0], replyTo)
			case !relayed && (server.from[0] != "hej@fjall.example" || replyTo != ""):
				t.Errorf("%s: from %s, answered to %q", way.address, server.from[0], replyTo)
			}
			if strings.Contains(string(j.Payload), "042137") ||
				!strings.Contains(string(j.Payload), "asa@example.com") || j.Subject != "1042" {
				t.Errorf("a delivered mail leaves %s", j.Payload)
			}
		}
	})
}

func TestAServerThatRefusesForNowIsAskedAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		server := serve(t, false)
		p := open(t, s, server.sender(t, "smtp://shop:p%40ss%3Aword@HOST"))
		server.refuses(temporary())
		p.enqueue(letter())
		j := p.run(jobs.Waiting, 1)
		if !strings.Contains(j.LastError, "451") || j.RunAt <= j.CreatedAt ||
			!strings.Contains(string(j.Payload), "042137") {
			t.Errorf("%+v", j)
		}
		p.retry(j.ID)
		p.run(jobs.Done, 1)
		if len(server.taken) != 1 {
			t.Errorf("%d mails arrived", len(server.taken))
		}
	})
}

func TestWhatAServerRefusesForGoodFails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		server := serve(t, false)
		p := open(t, s, server.sender(t, "smtp://shop:p%40ss%3Aword@HOST"))
		server.refuses(forGood())
		p.enqueue(letter())
		if j := p.run(jobs.Failed, 1); !strings.Contains(j.LastError, "550") ||
			!strings.Contains(j.LastError, "asa@example.com") {
			t.Errorf("the last error is %q", j.LastError)
		}
		// One of two recipients: it goes to neither, so that a repetition goes to nobody twice.
		server.refuses(nil, forGood())
		m := letter()
		m.To = append(m.To, Address{Email: "bo@example.com"})
		p.enqueue(m)
		p.run(jobs.Failed, 1)
		if len(server.taken) != 0 {
			t.Errorf("%d mails arrived", len(server.taken))
		}
	})
}

// A mail server on the machine offers encryption with a certificate that nobody signed: without a password it is taken.
func TestAMailServerOfTheMachine(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		server := serve(t, false)
		sender := server.sender(t, "smtp://HOST")
		sender.tls.RootCAs = nil
		p := open(t, s, sender)
		p.enqueue(letter())
		p.run(jobs.Done, 1)
		if len(server.taken) != 1 {
			t.Errorf("%d mails arrived", len(server.taken))
		}
	})
}

// Who sends a mail and finds that his time for it is over says no more: somebody else may have sent it in his place.
func TestAMailIsNotSentAfterItsTime(t *testing.T) {
	for _, address := range []string{"smtp://HOST", "smtps://HOST"} {
		server := serve(t, strings.HasPrefix(address, "smtps"))
		sender := server.sender(t, address)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		server.pause = func() { <-ctx.Done() }
		if err := sender.Send(ctx, letter(), "1"); err == nil || jobs.IsPermanent(err) {
			t.Errorf("%s: %v", address, err)
		}
		if len(server.taken) != 0 {
			t.Errorf("%s: %d mails arrived", address, len(server.taken))
		}
		server.pause = nil
		if err := sender.Send(t.Context(), letter(), "1"); err != nil || len(server.taken) != 1 {
			t.Errorf("%s, in time: %d mails arrived: %v", address, len(server.taken), err)
		}
	}
}

// Our own name, the way to the server and its certificate are mended by who runs us: the mail waits.
func TestTroubleWithTheServerIsNotTheMails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		server := serve(t, false)
		stranger := server.sender(t, "smtp://shop:p%40ss%3Aword@HOST")
		stranger.tls.RootCAs = nil
		gone, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		nowhere, err := Open("smtp://" + gone.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		gone.Close()
		for why, sender := range map[string]*Sender{"535": server.sender(t, "smtp://shop:wrong@HOST"),
			"certificate": stranger, "refused": nowhere} {
			p := open(t, s, sender)
			p.enqueue(letter())
			if j := p.run(jobs.Waiting, 1); !strings.Contains(j.LastError, why) ||
				strings.Contains(j.LastError, "wrong@") {
				t.Errorf("the last error of %s is %q", why, j.LastError)
			}
		}
		if len(server.taken) != 0 {
			t.Errorf("%d mails arrived", len(server.taken))
		}
	})
}

func TestWithoutAServerMailsWait(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		p := open(t, s, nil)
		p.enqueue(letter())
		if j := p.run(jobs.Waiting, 0); !strings.Contains(j.LastError, "--smtp-url") {
			t.Errorf("the last error is %q", j.LastError)
		}
		old := letter()
		old.Expires = db.TimeOf(time.Now().Add(-time.Minute))
		p.enqueue(old)
		if j := p.run(jobs.Cancelled, 1); strings.Contains(string(j.Payload), "042137") ||
			!strings.Contains(j.LastError, "expired") {
			t.Errorf("%s: %s", j.LastError, j.Payload)
		}
		server := serve(t, false)
		nameless := letter()
		nameless.From.Email = ""
		p = open(t, s, server.sender(t, "smtp://HOST"))
		p.enqueue(nameless)
		if j := p.run(jobs.Waiting, 0); !strings.Contains(j.LastError, "from=") {
			t.Errorf("the last error is %q", j.LastError)
		}
	})
}

func TestAMessageCannotSmuggle(t *testing.T) {
	if err := letter().Check(); err != nil {
		t.Fatal(err)
	}
	for field, change := range map[string]func(*Message){
		"subject":       func(m *Message) { m.Subject = "Hi\r\nBcc: x@example.com" },
		"to":            func(m *Message) { m.To = nil },
		"to[0].email":   func(m *Message) { m.To[0].Email = "a@example.com>\r\nRCPT TO:<b@example.com" },
		"to[0].name":    func(m *Message) { m.To[0].Name = "A\nB: c" },
		"from.email":    func(m *Message) { m.From.Email = "Shop <a@example.com>" },
		"from.name":     func(m *Message) { m.From.Name = "Shop\r\nX: y" },
		"replyTo.email": func(m *Message) { m.ReplyTo.Email = "a@b, c@d" },
		"text":          func(m *Message) { m.Text, m.HTML = "", "" },
		"messageId":     func(m *Message) { m.MessageID = "a@b>\r\nX: y" },
		"headers":       func(m *Message) { m.Headers = map[string]string{"Bcc": "x@example.com"} },
		"headers.X-Campaign": func(m *Message) {
			m.Headers = map[string]string{"X-Campaign": "a\r\nBcc: x@example.com"}
		},
	} {
		m := letter()
		change(&m)
		err := m.Check()
		if !fault.Is(err, ErrInvalid) || fault.As(err).Fields[0].Path != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	var all Message
	if n := len(fault.As(all.Check()).Fields); n != 3 {
		t.Errorf("an empty message has %d faults", n)
	}
}

func FuzzAddresses(f *testing.F) {
	for _, s := range []string{"a@example.com", "a b@example.com", "\"a b\"@example.com", "a@b\r\n", "å@exämple.com",
		"a@[127.0.0.1]", "<a@b>", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, email string) {
		if CheckAddress("email", email) != nil {
			return
		}
		if strings.ContainsAny(email, "\r\n\x00\t ") || !strings.Contains(email, "@") || len(email) > limit.Mail {
			t.Fatalf("%q passed", email)
		}
		m := letter()
		m.To = []Address{{Email: email}}
		msg, err := compose(m, m.From, Address{}, "id")
		if err != nil {
			t.Fatalf("%q passed and cannot be written: %v", email, err)
		}
		if to, err := msg.GetRecipients(); err != nil || len(to) != 1 {
			t.Fatalf("%q became %v: %v", email, to, err)
		}
	})
}

func TestAddressesOfServers(t *testing.T) {
	for _, good := range []string{"", "smtp://localhost", "smtp://localhost:25?starttls=off",
		"smtps://u:p@mail.example.com?from=shop@example.com", "smtp://[::1]:2525/?starttls=optional"} {
		if _, err := Open(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"localhost:25", "http://localhost", "smtp://", "smtp://u:se%cret@host",
		"smtp://host/path", "smtp://host?from=nobody", "smtp://host?tls=on", "smtp://host:99999",
		"smtp://host?starttls=maybe", "smtps://host?starttls=off", "smtp://u:secret@ho st"} {
		if _, err := Open(bad); err == nil {
			t.Errorf("%s: was taken", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

// What a mail says expires by the clock of the data: a node whose own is ahead sends codes that are good still.
func TestMailsExpireByTheClockOfTheData(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			o.Clock = func() time.Time { return time.Now().Add(-time.Hour) }
			s := dbtest.Open(t, o)
			server := serve(t, false)
			p := open(t, s, server.sender(t, "smtp://HOST"))
			code := letter()
			code.Expires = s.Now() + db.Time((10 * time.Minute).Microseconds())
			p.enqueue(code)
			p.run(jobs.Done, 1)
			code.Expires = s.Now()
			p.enqueue(code)
			if j := p.run(jobs.Cancelled, 1); !strings.Contains(j.LastError, "expired") {
				t.Errorf("what has expired ends so: %q", j.LastError)
			}
		})
	}
}
