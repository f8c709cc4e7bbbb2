package app_test

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/portal"
)

// visitor are the headers of a storefront's request.
func (s *scene) visitor() []string {
	h := []string{"X-Api-Key:", "Idempotency-Key:"}
	if s.tenant != "" {
		h = append(h, "X-Tenant-Id: "+s.tenant)
	}
	if s.store != "" {
		h = append(h, "X-Channel: "+s.store)
	}
	if s.session != "" {
		h = append(h, "Authorization: Bearer "+s.session)
	}
	return h
}

// sayVisit opens a session in a store, whose token is $SESSION; "visit use NAME" goes back to one that was kept in a variable,
// "visit none" sends no token.
func sayVisit(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	switch {
	case neg || len(args) > 2 || len(args) == 2 && args[0] != "use":
		ts.Fatalf("usage: visit [CHANNEL] | visit use NAME | visit none")
	case len(args) == 2:
		s.session = ts.Getenv(args[1])
		return
	case len(args) == 1 && args[0] == "none":
		s.session = ""
		return
	}
	s.store = "WEB"
	if len(args) == 1 {
		s.store = args[0]
	}
	if s.tenant == "" {
		s.tenant = s.companyID(ts, "acme")
		ts.Setenv("TENANT", s.tenant)
	}
	s.session = ""
	ask(ts, "GET", false, []string{"/ecom/session", "200"})
	s.session = s.one(s.last, "sessionToken")
	ts.Setenv("SESSION", s.session)
}

func (s *scene) companyID(ts *testscript.TestScript, code string) string {
	cmd := exec.Command("kontor", "company", "list", "--json")
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	out, err := cmd.Output()
	ts.Check(err)
	var answer any
	ts.Check(json.Unmarshal(out, &answer))
	a := answerOf(answer)
	ids := a.at("companies[code=" + code + "].companyId")
	if len(ids) != 1 {
		ts.Fatalf("company list says %s", out)
	}
	return ids[0]
}

func answerOf(body any) answer { return answer{body: body} }

// postOffice is a mail server that keeps what it is given.
type postOffice struct {
	url string

	mu    sync.Mutex
	mails []letter
}

type letter struct {
	to   []string
	text string
}

// mailServer is the address of the scene's mail server.
func (s *scene) mailServer(ts *testscript.TestScript) string {
	if s.office != nil {
		return s.office.url
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	s.office = &postOffice{url: "smtp://" + l.Addr().String() + "?from=kontor@example.com"}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &posting{office: s.office}, nil }))
	server.Domain = "localhost"
	go server.Serve(l)
	ts.Defer(func() { server.Close() })
	return s.office.url
}

// posting is one connection to the mail server.
type posting struct {
	office *postOffice
	to     []string
}

func (p *posting) Mail(string, *smtp.MailOptions) error { return nil }
func (p *posting) Reset()                               { p.to = nil }
func (p *posting) Logout() error                        { return nil }

func (p *posting) Rcpt(to string, _ *smtp.RcptOptions) error {
	p.to = append(p.to, strings.ToLower(to))
	return nil
}

func (p *posting) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err
	}
	text, err := plainText(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	if err != nil {
		return err
	}
	p.office.mu.Lock()
	defer p.office.mu.Unlock()
	p.office.mails = append(p.office.mails, letter{p.to, "Subject: " + subject + "\n\n" + text})
	return nil
}

// plainText is the text part of a mail.
func plainText(contentType, encoding string, body io.Reader) (string, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(kind, "multipart/") {
		part, err := multipart.NewReader(body, params["boundary"]).NextRawPart() // the plain text comes first (RFC 2046, section 5.1.4)
		if err != nil {
			return "", err
		}
		return plainText(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
	}
	if strings.EqualFold(encoding, "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}

// sayMailbox waits for a mail to an address that has something in subject or text, takes it out of the box, and keeps the first
// group of the expression: mailbox ADDRESS NAME REGEXP
func sayMailbox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: mailbox ADDRESS NAME REGEXP")
	}
	s := sceneOf(ts)
	wanted := regexp.MustCompile(args[2])
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if found := s.office.take(strings.ToLower(args[0]), wanted); found != nil {
			ts.Setenv(args[1], found[len(found)-1])
			return
		}
	}
	ts.Fatalf("no mail to %s has %s; there are %q", args[0], args[2], s.office.mails)
}

func (o *postOffice) take(to string, wanted *regexp.Regexp) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, m := range o.mails {
		if slices.Contains(m.to, to) {
			if found := wanted.FindStringSubmatch(m.text); found != nil {
				o.mails = slices.Delete(o.mails, i, i+1)
				return found
			}
		}
	}
	return nil
}

// saySlip reads the code on the return slip of an order: slip ORDERID
func saySlip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: slip ORDERID")
	}
	ts.Setenv("slip", portal.ReturnCode(args[0]))
}
