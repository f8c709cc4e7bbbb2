// Package postbox takes the mails of customers: an SMTP listener that a mail server of the company's hands them to. It
// relays nothing, and writes to nobody by itself: what it cannot take is refused while the sender's server still has
// it.
//
// It also reads mailboxes by IMAP, where a company has its mails at a provider (Reader).
//
// An address is company@domain, company+queue@domain or, as our own mails name it for answers, company+re.key@domain.
package postbox

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/netutil"

	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

// Host is what a postbox stands in.
type Host interface {
	// Company finds a company by its code.
	Company(ctx context.Context, code string) (identity.Company, error)
	Read(ctx context.Context, as db.Request, fn func(*db.Tx) error) error
	Write(ctx context.Context, as db.Request, fn func(*db.Tx) error) error
	Files() *media.Library
	// CountMail counts a mail to a company before it is read. It refuses with RateLimit.Exceeded where its sender, or
	// all of them together, have sent too many.
	CountMail(ctx context.Context, company, sender string) error
}

// Bounds of a listener.
const (
	maxSessions   = 32 // at once
	maxOfPeer     = 20 // of them from one network: as many as a mail server opens to another at once
	maxReading    = 4  // mails at once, each with one attachment in memory
	maxRecipients = 20
	patience      = 2 * time.Minute
	drainTime     = 10 * time.Second
)

// Postbox is an SMTP server for the mails of one domain.
type Postbox struct {
	kontor Host
	domain string
	log    *slog.Logger
	turns  chan struct{}
	server *smtp.Server
}

// New is a postbox for the addresses of a domain.
func New(h Host, domain string, log *slog.Logger) *Postbox {
	p := &Postbox{kontor: h, domain: strings.ToLower(domain), log: log, turns: make(chan struct{}, maxReading)}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{box: p}, nil }))
	s.Domain, s.MaxMessageBytes, s.MaxRecipients = p.domain, support.MaxMail, maxRecipients
	s.ReadTimeout, s.WriteTimeout = patience, patience
	s.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	p.server = s
	return p
}

// Serve takes mails from l until ctx ends; what is being read then is read to its end.
func (p *Postbox) Serve(ctx context.Context, l net.Listener) error {
	done := make(chan error, 1)
	go func() {
		done <- p.server.Serve(&fair{Listener: netutil.LimitListener(l, maxSessions), open: map[string]int{}})
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	return p.server.Shutdown(late)
}

// session is a conversation with a mail server.
type session struct {
	box     *Postbox
	sender  string // "" of a bounce
	company identity.Company
	to      support.Box
}

// Reset forgets the mail of before.
func (s *session) Reset() { *s = session{box: s.box} }

// Logout ends the conversation.
func (s *session) Logout() error { return nil }

// Mail begins a mail. An empty return path is a bounce's (RFC 5321, 4.5.5).
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.sender = from
	return nil
}

func refused(code int, enhanced smtp.EnhancedCode, text string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: text}
}

// Rcpt finds whose mail it is. A mail goes to one company: the sender's server sends another for the next (RFC 5321,
// 4.5.3.1.10).
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	unknown := refused(550, smtp.EnhancedCode{5, 1, 1}, "no such mailbox here")
	at := strings.LastIndex(to, "@")
	if at < 0 || !strings.EqualFold(to[at+1:], s.box.domain) {
		return unknown
	}
	code, tag, _ := strings.Cut(to[:at], "+")
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c, err := s.box.kontor.Company(ctx, code)
	if fault.Is(err, identity.ErrCompanyNotFound) || err == nil && c.Status != identity.Active {
		return unknown
	}
	if err != nil {
		return s.box.later(err)
	}
	if s.company.ID != "" && s.company.ID != c.ID {
		return refused(452, smtp.EnhancedCode{4, 5, 3}, "too many recipients: send another mail to this one")
	}
	var box support.Box
	err = s.box.kontor.Read(ctx, clerk(c.ID), db.Into(&box,
		func(tx *db.Tx) (support.Box, error) { return support.BoxOf(tx, tag) }))
	if fault.Is(err, support.ErrQueueNotFound) {
		return unknown
	}
	if err != nil {
		return s.box.later(err)
	}
	if s.company.ID == "" {
		if err := s.box.kontor.CountMail(ctx, c.ID, s.sender); fault.Is(err, throttle.ErrRate) {
			return refused(450, smtp.EnhancedCode{4, 7, 1}, "too many mails; try again later")
		} else if err != nil {
			return s.box.later(err)
		}
	}
	if s.company.ID == "" || box.ReplyKey != "" && s.to.ReplyKey == "" { // an answer is one, whoever else it went to
		s.company, s.to = c, box
	}
	return nil
}

// Data takes the mail. It is answered after the commit that keeps it, so a mail that was not answered comes again, and
// is known then.
func (s *session) Data(r io.Reader) error {
	if s.company.ID == "" {
		return refused(503, smtp.EnhancedCode{5, 5, 1}, "say RCPT first")
	}
	s.box.turns <- struct{}{}
	defer func() { <-s.box.turns }()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	wire := &wire{from: r}
	letter, err := support.ReadLetter(wire, s.sender == "", func(name string, data []byte) (media.File, error) {
		return s.box.kontor.Files().TakeMailed(ctx, s.company.ID, name, data)
	})
	switch {
	case wire.failed != nil: // beyond the server's bound, or gone
		return wire.failed
	case fault.Is(err, support.ErrMail):
		return refused(554, smtp.EnhancedCode{5, 6, 0}, fault.As(err).Error())
	case err != nil:
		return s.box.later(err)
	}
	var fate support.Fate
	var t support.Ticket
	err = s.box.kontor.Write(ctx, clerk(s.company.ID), func(tx *db.Tx) (err error) {
		fate, t, err = support.Receive(tx, s.to, letter)
		return err
	})
	if err != nil {
		return s.box.later(err)
	}
	s.box.log.Info("mail taken", "company", s.company.Code, "fate", string(fate), "ticket", t.Number)
	return nil
}

// wire is a mail as it comes in, with what went wrong with that, which is not the mail's fault.
type wire struct {
	from   io.Reader
	failed error
}

// Read reads on.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.failed = err
	}
	return n, err
}

// later lets the sender's server try again.
func (p *Postbox) later(err error) error {
	p.log.Error("a mail could not be taken", "error", err)
	return refused(451, smtp.EnhancedCode{4, 3, 0}, "not now; try again later")
}

func clerk(company string) db.Request {
	return db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "postbox", Name: "mail"}}
}
