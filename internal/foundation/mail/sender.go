package mail

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/jobs"
)

// Sender gives mails to a mail server.
type Sender struct {
	host string
	port int
	from Address
	opts []gomail.Option
	tls  *tls.Config
	// isEncrypted: from the first byte (smtps).
	isEncrypted bool
}

// patience is how long a mail server may take for a step.
const patience = 20 * time.Second

// errURL says what the address of a mail server looks like.
var errURL = errors.New(
	"must have the form smtp://user:password@host:587 or smtps://user:password@host, with ?from=address and &starttls=required, optional or off where they are wanted",
)

// Open reads the address of a mail server: smtp:// with STARTTLS, which is required where a password is sent, or
// smtps://. The server's certificate is checked where encryption is required. from is the address that mails are sent
// from, as address or Name <address>; without it each mail's own is used. An empty address is no sender.
func Open(address string) (*Sender, error) {
	if address == "" {
		return nil, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" ||
		strings.Trim(u.Path, "/") != "" || u.Opaque != "" {
		return nil, errURL // not the parser's words: they repeat the password
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errURL
	}
	for name := range query {
		if name != "from" && name != "starttls" {
			return nil, fmt.Errorf("there is no option %q; the address %w", name, errURL)
		}
	}
	s := &Sender{host: u.Hostname(), tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}}
	if s.port, err = portOf(u); err != nil {
		return nil, err
	}
	if s.from, err = sender(query.Get("from")); err != nil {
		return nil, err
	}
	policy, err := policyOf(u, query.Get("starttls"))
	if err != nil {
		return nil, err
	}
	// Encryption that is taken where it is offered keeps listeners out, whoever's the certificate is (RFC 7435): one
	// who stands between could leave the offer out as well. Debian's own mail servers offer it with a certificate of
	// theirs.
	s.tls.InsecureSkipVerify = u.Scheme == "smtp" && (policy == "" || policy == "optional")
	s.opts, s.isEncrypted = s.options(u, policy), u.Scheme == "smtps"
	return s, nil
}

// policyOf reads the option starttls; "" is encryption that is taken where it is offered.
func policyOf(u *url.URL, policy string) (string, error) {
	if !slices.Contains([]string{"", "required", "optional", "off"}, policy) || policy != "" && u.Scheme == "smtps" {
		return "", errURL
	}
	if u.User != nil && policy == "" {
		policy = "required"
	}
	return policy, nil
}

func portOf(u *url.URL) (int, error) {
	usual := "587"
	if u.Scheme == "smtps" {
		usual = "465"
	}
	port, err := strconv.Atoi(cmp.Or(u.Port(), usual))
	if err != nil || port < 1 || port > 65_535 {
		return 0, errURL
	}
	return port, nil
}

// sender reads the option from.
func sender(text string) (Address, error) {
	a := Address{Email: text}
	if name, email, named := strings.Cut(text, "<"); named {
		a = Address{Name: strings.TrimSpace(name), Email: strings.TrimSuffix(strings.TrimSpace(email), ">")}
	}
	if text == "" {
		return Address{}, nil
	}
	if (Message{From: a, To: []Address{a}, Subject: "-", Text: "-"}).Check() != nil {
		return a, fmt.Errorf("from=%s is no mail address such as shop@example.com", text)
	}
	return a, nil
}

func (s *Sender) options(u *url.URL, policy string) []gomail.Option {
	opts := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(patience), gomail.WithoutNoop()}
	switch {
	case u.Scheme == "smtps": // encrypted from the start, by dial: there is nothing to begin
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	case policy == "required":
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case policy == "off":
		opts = append(opts, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		opts = append(opts, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	}
	if u.User == nil {
		return opts
	}
	password, _ := u.User.Password()
	auth := gomail.SMTPAuthAutoDiscover
	if policy == "off" {
		auth = gomail.SMTPAuthPlainNoEnc // who says off means it: a relay on the same machine or network
	}
	return append(opts, gomail.WithSMTPAuth(auth), gomail.WithUsername(u.User.Username()),
		gomail.WithPassword(password))
}

// failing is how the error of a mail begins that the mail server, whichever it was, has not taken.
const failing = "mail server "

// Recovered lets the mails of r leave that wait because the mail server could not be used: now it can.
func Recovered(ctx context.Context, r *jobs.Runner) { r.Hurry(ctx, Kind, failing) }

// Send gives a message to the mail server, under the name id where it has none of its own. What the server refuses for
// good is a permanent error.
func (s *Sender) Send(ctx context.Context, m Message, id string, attached ...Attachment) error {
	if err := m.Check(); err != nil {
		return jobs.Permanent(err)
	}
	from, replyTo := s.envelope(m)
	if from.Email == "" {
		return jobs.Postpone(errors.New("the mail has no sender: start the server with --smtp-url …?from=address"),
			retryUnconfigured)
	}
	msg, err := compose(m, from, replyTo, id)
	if err != nil {
		return jobs.Permanent(err)
	}
	for _, a := range attached {
		if err := msg.AttachReader(a.Name, bytes.NewReader(a.Body),
			gomail.WithFileContentType(gomail.ContentType(a.Media))); err != nil {
			return err
		}
	}
	client, err := s.client(ctx)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, msg)
	// what goes wrong after the server took it, as in saying goodbye, is no failure
	if err == nil || msg.IsDelivered() {
		return nil
	}
	return judged(fmt.Errorf(failing+"%s:%d: %w", s.host, s.port, err))
}

// client is what speaks to the mail server until ctx ends.
func (s *Sender) client(ctx context.Context) (*gomail.Client, error) {
	return gomail.NewClient(s.host, append(slices.Clone(s.opts), gomail.WithTLSConfig(s.tls),
		gomail.WithDialContextFunc(s.dial(ctx)))...)
}

// dial connects for as long as whole lasts.
func (s *Sender) dial(whole context.Context) gomail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if until, ok := whole.Deadline(); ok {
			c = bounded{c, until}
		}
		if !s.isEncrypted {
			return c, nil
		}
		secured := tls.Client(c, s.tls)
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, c.Close())
		}
		return secured, nil
	}
}

// bounded is a connection on which nothing is said after a moment. A process that stood still, and goes on when
// somebody else may have sent the mail in its place, must not end its sentence: it looks at the clock before each word,
// which a timer that is about to fire does not.
type bounded struct {
	net.Conn
	until time.Time
}

func (c bounded) SetDeadline(t time.Time) error {
	if t.After(c.until) {
		t = c.until
	}
	return c.Conn.SetDeadline(t)
}

func (c bounded) Write(b []byte) (int, error) {
	if !time.Now().Before(c.until) {
		return 0, os.ErrDeadlineExceeded
	}
	return c.Conn.Write(b)
}

// envelope is whom a mail comes from and whom it is answered to. A server mostly sends for one address of its own: the
// mail's own sender is answered then.
func (s *Sender) envelope(m Message) (from, replyTo Address) {
	from, replyTo = m.From, m.ReplyTo
	if s.from.Email == "" {
		return from, replyTo
	}
	if replyTo.Email == "" && m.From.Email != "" && m.From.Email != s.from.Email {
		replyTo = m.From
	}
	return Address{Name: cmp.Or(m.From.Name, s.from.Name), Email: s.from.Email}, replyTo
}

func compose(m Message, from, replyTo Address, id string) (*gomail.Msg, error) {
	msg := gomail.NewMsg()
	errs := []error{msg.FromFormat(from.Name, from.Email)}
	for _, a := range m.To {
		errs = append(errs, msg.AddToFormat(a.Name, a.Email))
	}
	if replyTo.Email != "" {
		errs = append(errs, msg.ReplyToFormat(replyTo.Name, replyTo.Email))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	msg.Subject(m.Subject)
	msg.SetDate()
	_, domain, _ := strings.Cut(from.Email, "@")
	msg.SetMessageIDWithValue(named(cmp.Or(m.MessageID, id), domain))
	if n := len(m.References); n > 0 {
		ids := each.Of(m.References, func(r string) string { return "<" + named(r, domain) + ">" })
		msg.SetGenHeader(gomail.HeaderInReplyTo, ids[n-1])
		msg.SetGenHeader(gomail.HeaderReferences, strings.Join(ids, " "))
	}
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	for name, value := range m.Headers {
		msg.SetGenHeader(gomail.Header(name), value)
	}
	switch {
	case m.HTML == "":
		msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	case m.Text == "":
		msg.SetBodyString(gomail.TypeTextHTML, m.HTML)
	default:
		msg.SetBodyString(gomail.TypeTextPlain, m.Text)
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return msg, nil
}

// named is the name of a mail with its domain.
func named(id, domain string) string {
	if strings.Contains(id, "@") {
		return id
	}
	return id + "@" + domain
}

// judged marks what a server refuses for good: an answer 5xx to the mail itself. What it says of our name and password
// is mended by who runs the server, and the mail is tried again until then.
func judged(err error) error {
	var refused *gomail.SendError
	if !errors.As(err, &refused) {
		return err
	}
	code := refused.ErrorCode()
	if code < 500 || code >= 600 || code == 530 || code == 535 || code == 538 { // the three: authentication (RFC 4954)
		return err
	}
	return jobs.Permanent(err)
}

// Probe connects to the mail server as Send does, up to where it would give it a mail: greeting, encryption, name and
// password.
func (s *Sender) Probe(ctx context.Context) error {
	client, err := s.client(ctx)
	if err == nil {
		err = client.DialWithContext(ctx)
	}
	if err != nil {
		return fmt.Errorf(failing+"%s:%d: %w", s.host, s.port, err)
	}
	_ = client.Close() // what goes wrong in saying goodbye is no failure
	return nil
}
