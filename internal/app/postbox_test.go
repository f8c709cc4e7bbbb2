package app_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/business/support"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// mailbag is a served house that takes mails, with two companies.
type mailbag struct {
	*testing.T
	kontor  *app.App
	address string
}

func eachMailbag(t *testing.T, fn func(m mailbag)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		s := app.Serving{Listen: "127.0.0.1:0", MailListen: "127.0.0.1:0", MailDomain: "tickets.example"}
		kontor := apptest.Open(t, place, s)
		for _, code := range []string{"acme", "other"} {
			if _, err := kontor.CreateCompany(t.Context(), identity.Company{Code: code, Name: code, Country: "SE",
				Currency: "SEK", Environment: identity.Test}); err != nil {
				t.Fatal(err)
			}
		}
		srv, err := app.Listen(kontor, s)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- srv.Run(ctx) }()
		t.Cleanup(func() { stop(); <-ended })
		fn(mailbag{t, kontor, srv.MailAddress()})
	})
}

// send hands a mail over as a mail server does; lines are parted by \n.
func (m mailbag) send(from, to, text string) error {
	c, err := smtp.Dial(m.address)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.SendMail(from, []string{to}, strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
}

func (m mailbag) must(from, to, text string) {
	m.Helper()
	if err := m.send(from, to, text); err != nil {
		m.Fatalf("%s: %v", text[:min(len(text), 200)], err)
	}
}

func (m mailbag) refused(code int, from, to, text string) {
	m.Helper()
	err := m.send(from, to, text)
	if s, ok := err.(*smtp.SMTPError); !ok || s.Code != code {
		m.Errorf("refused with %v, not %d", err, code)
	}
}

func (m mailbag) in(company string, fn func(tx *db.Tx) error) {
	m.Helper()
	if err := m.kontor.InCompany(m.Context(), company, fn); err != nil {
		m.Fatal(err)
	}
}

// tickets are a company's, the oldest first.
func (m mailbag) tickets(company string) (all []support.Ticket) {
	m.Helper()
	m.in(company, func(tx *db.Tx) error {
		found, err := support.List(tx, support.Filter{}, record.Page{Number: 1, Size: 200})
		for _, t := range found.Items {
			all = append([]support.Ticket{t}, all...)
		}
		return err
	})
	return all
}

// thread is what was said on a ticket, each "author: text", an internal one in brackets.
func (m mailbag) thread(company, number string) (all []string) {
	m.Helper()
	m.in(company, func(tx *db.Tx) error {
		found, err := support.Messages(tx, number, record.Page{Number: 1, Size: 200})
		for _, x := range found.Items {
			line := string(x.AuthorType) + ": " + x.Body
			if x.IsInternal {
				line = "(" + line + ")"
			}
			for _, a := range x.Attachments {
				line += " +" + a.FileName
			}
			all = append(all, line)
		}
		return err
	})
	return all
}

func (m mailbag) says(company, number string, want ...string) {
	m.Helper()
	got := m.thread(company, number)
	if len(got) != len(want) {
		m.Fatalf("%s says %q", number, got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			m.Errorf("%s says %q, not %q", number, got[i], want[i])
		}
	}
}

const anna = "From: =?utf-8?q?=C3=85sa?= <anna@example.com>\nTo: acme@tickets.example\n"

func TestMailsBecomeTickets(t *testing.T) {
	eachMailbag(t, func(m mailbag) {
		m.must("anna@example.com", "acme@tickets.example",
			anna+"Subject: The pump\nMessage-ID: <1@example.com>\n\nDoes not start.\n")
		// the same
		m.must("anna@example.com", "acme@tickets.example",
			anna+"Subject: The pump\nMessage-ID: <1@example.com>\n\nDoes not start.\n")
		m.must("zoe@example.com", "acme+sales@tickets.example", "From: zoe@example.com\nSubject: Offer\n\nPlease\n")
		all := m.tickets("acme")
		if len(all) != 2 || all[0].Subject != "The pump" || all[0].ContactName != "Åsa" ||
			all[0].ContactEmail != "anna@example.com" || all[0].Source != support.Mailbox ||
			all[0].QueueCode != "SUPPORT" || all[1].QueueCode != "SALES" {
			m.Fatalf("%+v", all)
		}
		number, key := all[0].Number, all[0].ReplyKey
		m.in("acme", func(tx *db.Tx) error {
			_, _, err := support.Say(tx, number, support.Message{Body: "Which one?", AuthorType: support.Agent})
			return err
		})
		// By the reply key, by a mail of the thread, and by the number in the subject.
		m.must("anna@example.com", "acme+re."+key+"@tickets.example", anna+"Subject: Re\n\nThe red one.\n")
		m.must("anna@example.com", "acme@tickets.example", anna+"Subject: Re\nIn-Reply-To: <1@example.com>\n\nHello?\n")
		m.must("anna@example.com", "acme@tickets.example", anna+"Subject: Re: ["+number+"] The pump\n\nStill there?\n")
		m.says("acme", number, "Customer: Does not start.", "Agent: Which one?", "Customer: The red one.",
			"Customer: Hello?", "Customer: Still there?")

		// Whoever is not the contact has a ticket of his own, even with the key; in another company the number says
		// nothing.
		m.must("mallory@example.com", "acme+re."+key+"@tickets.example", "From: mallory@example.com\nSubject: ["+number+
			"] Send it to me\n\nM\n")
		m.must("anna@example.com", "other@tickets.example", anna+"Subject: ["+number+"] The pump\n\nOther\n")
		if all = m.tickets("acme"); len(all) != 3 || all[2].ContactEmail != "mallory@example.com" ||
			len(m.thread("acme", number)) != 5 {
			m.Errorf("%+v", all)
		}
		if theirs := m.tickets("other"); len(theirs) != 1 || theirs[0].ContactEmail != "anna@example.com" {
			m.Errorf("%+v", theirs)
		}

		// What is closed stays closed.
		m.in("acme", func(tx *db.Tx) error { _, err := support.Close(tx, number); return err })
		m.must("anna@example.com", "acme+re."+key+"@tickets.example", anna+"Subject: Again\n\nIt broke again.\n")
		if all = m.tickets("acme"); len(all) != 4 || all[3].Subject != "Again" {
			m.Errorf("%+v", all)
		}
	})
}

func TestMachinesDoNotTalkToEachOther(t *testing.T) {
	eachMailbag(t, func(m mailbag) {
		m.must("anna@example.com", "acme@tickets.example",
			anna+"Subject: The pump\nMessage-ID: <1@example.com>\n\nDoes not start.\n")
		number, key := m.tickets("acme")[0].Number, m.tickets("acme")[0].ReplyKey
		m.in("acme", func(tx *db.Tx) error { _, err := support.Resolve(tx, number, "Solved"); return err })
		for i, head := range []string{"Auto-Submitted: auto-replied\n", "Precedence: bulk\n",
			"List-Id: <l.example.com>\n", "X-Autoreply: yes\n"} {
			text := anna + "Subject: [" + number + "] Away\n" + head + fmt.Sprintf("\nAway %d\n", i)
			m.must("anna@example.com", "acme@tickets.example", text) // it proves nothing
			m.must("anna@example.com", "acme+re."+key+"@tickets.example", text+"!\n")
		}
		m.must("", "acme+re."+key+"@tickets.example",
			"From: MAILER-DAEMON@example.com\nSubject: Undeliverable\n\nNo such user\n")
		m.must("", "acme@tickets.example",
			"From: MAILER-DAEMON@example.com\nSubject: Undeliverable\nContent-Type: multipart/report; boundary=x\n\n"+
				"--x\n\nNot delivered\n--x\nContent-Type: text/rfc822-headers\n\nMessage-ID: <1@example.com>\n\n--x--\n")
		m.must("", "acme@tickets.example", // of a server that speaks UTF-8 (RFC 6533)
			"From: MAILER-DAEMON@example.com\nSubject: Undeliverable\nContent-Type: multipart/report; boundary=x\n\n"+
				"--x\n\nNot delivered either\n--x\nContent-Type: message/global\n\nMessage-ID: <1@example.com>\n\nx\n--x--\n")
		if all := m.tickets("acme"); len(all) != 1 || all[0].Status != support.Resolved {
			m.Errorf("%+v", all)
		}
		got := m.thread("acme", number)
		if len(got) != 8 {
			m.Errorf("%q", got)
		}
		for _, line := range got[1:] {
			if !strings.HasPrefix(line, "(System: ") {
				m.Errorf("%q", line)
			}
		}
	})
}

func TestMailsThatAreTooMuch(t *testing.T) {
	eachMailbag(t, func(m mailbag) {
		m.refused(550, "a@example.com", "nobody@tickets.example", anna+"\nx\n")
		m.refused(550, "a@example.com", "acme+none@tickets.example", anna+"\nx\n")
		m.refused(550, "a@example.com", "acme@elsewhere.example", anna+"\nx\n")
		m.refused(554, "a@example.com", "acme@tickets.example", "From: a@example.com, b@example.com\n\nx\n")
		m.refused(554, "a@example.com", "acme@tickets.example", "Subject: Nobody\n\nx\n")
		part := "--x\nContent-Type: text/plain\n\nx\n"
		many := anna + "Subject: Many\nContent-Type: multipart/mixed; boundary=x\n\n"
		m.refused(554, "a@example.com", "acme@tickets.example", many+strings.Repeat(part, 501)+"--x--\n")
		m.must("a@example.com", "acme@tickets.example", many+strings.Repeat(part, 400)+"--x--\n")
		deep := anna
		for i := range 30 {
			deep += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		m.refused(554, "a@example.com", "acme@tickets.example", deep+"\nx\n")
		line := strings.Repeat("x", 900) + "\n"
		m.refused(552, "a@example.com", "acme@tickets.example", anna+"\n"+strings.Repeat(line, 42<<20/len(line)))
		m.must("a@example.com", "acme@tickets.example", anna+"Subject: Long\n\n"+
			strings.Repeat(line, 39<<20/(len(line)+1)))
		if all := m.tickets("acme"); len(all) != 2 || len(m.thread("acme", all[1].Number)[0]) > 120_000 {
			m.Errorf("%d tickets", len(all))
		}
	})
}

func TestMailsAreHarmless(t *testing.T) {
	eachMailbag(t, func(m mailbag) {
		m.must("anna@example.com", "acme@tickets.example",
			anna+"Subject: =?iso-8859-1?q?Gr=FC=DFe?=\nContent-Type: multipart/mixed; boundary=x\n\n"+
				"--x\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n"+
				"<html><head><title>T</title><style>p{}</style></head><body><p onclick=3D'x'>Hej f=F6r</p><script>alert(1)</script><br>Anna</body></html>\n"+
				"--x\nContent-Type: image/gif\nContent-Disposition: attachment; filename=\"../dot.gif\"\nContent-Transfer-Encoding: base64\n\n"+
				"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7\n"+
				"--x\nContent-Type: application/x-msdownload\nContent-Disposition: attachment; filename=\"run.exe\"\n\nMZ\n--x--\n")
		all := m.tickets("acme")
		if len(all) != 1 || all[0].Subject != "Grüße" {
			m.Fatalf("%+v", all)
		}
		m.says("acme", all[0].Number, "Customer: Hej för", "(System: Attachments that were not kept")
		got := m.thread("acme", all[0].Number)
		if strings.ContainsAny(got[0], "<>") || strings.Contains(got[0], "alert") ||
			!strings.HasSuffix(got[0], "Anna +dot.gif") || !strings.Contains(got[1], "run.exe") {
			m.Errorf("%q", got)
		}
		paths := map[string]int{}
		m.in("acme", func(tx *db.Tx) error { // whoever has the same file has its hash
			said, err := support.Messages(tx, all[0].Number, record.Page{Number: 1, Size: 1})
			file, files := said.Items[0].Attachments[0], m.kontor.Files()
			paths[files.URL(tx.Company, file.File)],
				paths[files.AttachmentURL(tx.Company, file.ID, file.File)] = http.StatusNotFound, http.StatusOK
			return err
		})
		for path, want := range paths {
			w := httptest.NewRecorder()
			if m.kontor.ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != want {
				m.Errorf("%s: %d, want %d", path, w.Code, want)
			}
		}
	})
}

// The same mail from twenty servers at once is one.
func TestTheSameMailAtOnce(t *testing.T) {
	eachMailbag(t, func(m mailbag) {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if err := m.send("anna@example.com", "acme@tickets.example",
					anna+"Subject: Once\nMessage-ID: <once@example.com>\n\nOnce\n"); err != nil {
					m.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(m.tickets("acme")); n != 1 {
			m.Errorf("%d tickets", n)
		}
	})
}

// A sender who writes on and on is told to come later, while others are heard, and one network does not hold all
// connections.
func TestAFloodOfMails(t *testing.T) {
	eachMailbag(t, func(m mailbag) {
		text := func(i int) string {
			return fmt.Sprintf("From: bot@example.com\nSubject: %d\nMessage-ID: <%d@example.com>\n\nBuy.\n", i, i)
		}
		for i := range 60 {
			m.must("bot@example.com", "acme@tickets.example", text(i))
		}
		m.refused(450, "bot@example.com", "acme@tickets.example", text(60))
		m.refused(450, "BOT@example.com", "acme+support@tickets.example", text(61))
		m.must("anna@example.com", "acme@tickets.example", "From: anna@example.com\nSubject: A pump\n\nIt leaks.\n")
		m.must("bot@example.com", "other@tickets.example", text(62))
		dial := func() (taken bool) {
			c, err := net.Dial("tcp", m.address)
			if err != nil {
				m.Fatal(err)
			}
			m.Cleanup(func() { c.Close() })
			line, err := bufio.NewReader(c).ReadString('\n')
			if taken = err == nil && strings.HasPrefix(line, "220"); !taken && !strings.HasPrefix(line, "421") {
				m.Errorf("answered %q (%v)", line, err)
			}
			return taken
		}
		// The connections of the letters above count until the server has seen their end.
		taken := 0
		for end := time.Now().Add(10 * time.Second); taken < 20 && time.Now().Before(end); {
			if dial() {
				taken++
			}
		}
		for range 4 {
			if dial() {
				taken++
			}
		}
		if taken != 20 {
			m.Errorf("%d connections of one network were taken, want 20", taken)
		}
	})
}
