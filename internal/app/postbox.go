package app

import (
	"context"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/postbox"
)

// mailroom is the house as its postbox sees it.
type mailroom struct{ *App }

// Read reads a company's data.
func (m mailroom) Read(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
	return m.inside(func(s *db.Store) error { return s.Read(ctx, as, fn) })
}

// Write writes a company's data.
func (m mailroom) Write(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
	return m.inside(func(s *db.Store) error { return s.Write(ctx, as, fn) })
}

// CountMail counts a mail to a company.
func (m mailroom) CountMail(ctx context.Context, company, sender string) error {
	_, err := m.guard.Spend(ctx, &throttle.Letter, throttle.Who{Account: sender, Company: company})
	return err
}

// takeMails takes mails until ctx ends, where a listener was asked for.
func (s *Server) takeMails(ctx context.Context) {
	if s.mails == nil {
		return
	}
	h := s.kontor
	if err := postbox.New(mailroom{h}, h.serving.MailDomain, h.Log).Serve(ctx, s.mails); err != nil {
		h.Log.Error("mails are not taken any more", "error", err)
	}
}
