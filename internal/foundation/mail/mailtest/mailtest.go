// Package mailtest is a post office for tests: a mail server that keeps what it is given, to be read as its receivers
// read it.
package mailtest

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// Letter is a mail as it arrives.
type Letter struct {
	To []string // in small letters
	// the subject, and how to unsubscribe, in lines of their own ("Subject: ..."); the part that is plain text, and the
	// names of files
	Text string
	Name string // its Message-ID
	Kind string // its media type: multipart/alternative is text and HTML
}

// Office is a mail server.
type Office struct {
	URL string // to be sent to, with an address to send from

	// Before is asked before a letter is taken, and After before the sender is told that it was; nil is asked nothing.
	Before, After func(Letter) error

	mu      sync.Mutex
	letters []Letter
}

// patience is how long a letter may be under way.
const patience = time.Minute

// Open starts a mail server that ends with the test.
func Open(t testing.TB) *Office {
	t.Helper()
	return OpenAt(t, "127.0.0.1:0")
}

// OpenAt starts one at an address, as when it comes back.
func OpenAt(t testing.TB, address string) *Office {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	o := &Office{URL: "smtp://" + l.Addr().String() + "?from=kontor@example.com"}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session,
		error) {
		return &posting{office: o}, nil
	}))
	server.Domain = "localhost"
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return o
}

// Next waits for the letter that arrives first, whoever it is to, and takes it out of the box.
func (o *Office) Next(t testing.TB) Letter {
	t.Helper()
	l, _ := o.wait(t, "anybody", func(Letter) []string { return []string{""} })
	return l
}

// Find waits for a letter to an address that has something in subject or text, takes it out of the box, and answers
// what the expression found.
func (o *Office) Find(t testing.TB, to string, wanted *regexp.Regexp) []string {
	t.Helper()
	to = strings.ToLower(to)
	_, found := o.wait(t, to+" with "+wanted.String(), func(l Letter) []string {
		if !slices.Contains(l.To, to) {
			return nil
		}
		return wanted.FindStringSubmatch(l.Text)
	})
	return found
}

// wait takes the first letter in which something is found.
func (o *Office) wait(t testing.TB, whom string, look func(Letter) []string) (Letter, []string) {
	t.Helper()
	for start := time.Now(); time.Since(start) < patience; time.Sleep(20 * time.Millisecond) {
		if l, found := o.take(look); found != nil {
			return l, found
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	t.Fatalf("no letter to %s arrives; there are %q", whom, o.letters)
	return Letter{}, nil
}

func (o *Office) take(look func(Letter) []string) (Letter, []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, l := range o.letters {
		if found := look(l); found != nil {
			o.letters = slices.Delete(o.letters, i, i+1)
			return l, found
		}
	}
	return Letter{}, nil
}

// posting is one connection to the mail server.
type posting struct {
	office *Office
	to     []string
}

// Mail takes any sender.
func (p *posting) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt notes a receiver.
func (p *posting) Rcpt(to string, _ *smtp.RcptOptions) error {
	p.to = append(p.to, strings.ToLower(to))
	return nil
}

// Data takes the letter.
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
	kind, _, _ := strings.Cut(m.Header.Get("Content-Type"), ";")
	l := Letter{p.to, "Subject: " + subject + "\n" + leaving(m.Header) + "\n" + text,
		strings.Trim(m.Header.Get("Message-ID"), "<>"), kind}
	if p.office.Before != nil {
		if err := p.office.Before(l); err != nil {
			return err
		}
	}
	p.office.mu.Lock()
	p.office.letters = append(p.office.letters, l)
	p.office.mu.Unlock()
	if p.office.After != nil {
		return p.office.After(l)
	}
	return nil
}

// All are the letters that nobody has taken out.
func (o *Office) All() []Letter {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.letters)
}

// leaving is what a mail program is told of unsubscribing (RFC 8058).
func leaving(h mail.Header) (lines string) {
	for _, name := range []string{"List-Unsubscribe", "List-Unsubscribe-Post"} {
		if value := h.Get(name); value != "" {
			lines += name + ": " + value + "\n"
		}
	}
	return lines
}

// Reset forgets the receivers.
func (p *posting) Reset() { p.to = nil }

// Logout ends the connection.
func (p *posting) Logout() error { return nil }

// plainText is the text part of a mail.
func plainText(contentType, encoding string, body io.Reader) (string, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(kind, "multipart/") {
		// the plain text comes first (RFC 2046, section 5.1.4)
		parts := multipart.NewReader(body, params["boundary"])
		part, err := parts.NextRawPart()
		if err != nil {
			return "", err
		}
		text, err := plainText(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
		for err == nil {
			if part, err = parts.NextRawPart(); err == nil && part.FileName() != "" {
				text += "Attached: " + part.FileName() + "\n"
			}
		}
		if err == io.EOF {
			err = nil
		}
		return text, err
	}
	if strings.EqualFold(encoding, "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}
