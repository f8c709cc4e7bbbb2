package app

import (
	"cmp"
	"context"

	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// readerOf is who a notification is for, as long as they work in the company.
func (h *App) readerOf(ctx context.Context, j jobs.Job) (m identity.Member, err error) {
	var id string
	if err := j.Read(&id); err != nil {
		return m, err
	}
	as := db.Request{Company: j.Company, Actor: db.Actor{Kind: "system", ID: "notifications", Name: "notifications"}}
	return m, h.inside(func(s *db.Store) error {
		var n discussion.Notification
		err := s.Read(ctx, as, func(tx *db.Tx) (err error) {
			n, _, err = discussion.Find(tx, id)
			return err
		})
		if err != nil || n.ID == "" {
			return err
		}
		err = s.Control(ctx, as, false, db.Into(&m,
			func(tx *db.Tx) (identity.Member, error) { return identity.FindMember(tx, j.Company, n.PersonID) }))
		if fault.Is(err, identity.ErrUserNotFound) {
			return nil
		}
		return err
	})
}

// mailNotification mails a notification to its reader, unless they want no such mails, or have read it meanwhile.
func (h *App) mailNotification(tx *db.Tx, j jobs.Job, to identity.Member) error {
	var id string
	if err := j.Read(&id); err != nil {
		return err
	}
	n, found, err := discussion.Find(tx, id)
	if err != nil || !found || n.ReadAt > 0 || !to.IsMember || !to.IsActive || to.IsQuiet ||
		n.Permission != "" && !to.Role.Permits(n.Permission) {
		return err
	}
	why := map[discussion.Reason]letters.Notified{discussion.Mentioned: letters.Mentioned,
		discussion.Commented: letters.Commented, discussion.Charged: letters.Charged,
		discussion.Answered: letters.Answered, discussion.Accepted: letters.Accepted,
		discussion.Declined: letters.Declined, discussion.Overdue: letters.Overdue,
		discussion.Undelivered: letters.Undelivered}
	m := letters.OfficeNotification(cmp.Or(to.Language, reference.LanguageOf(tx.Info.Country)),
		channel.Letterhead(tx, channel.Channel{Name: tx.Info.Name}),
		mail.Address{Name: to.Name, Email: to.Email, Confirmed: true},
		letters.Notification{Why: why[n.Reason], By: n.By, Title: n.Title, Excerpt: n.Excerpt, Link: h.base() + n.Path})
	m.Readers = "users:write" // what colleagues say to each other about a record is for those who may see it
	return mail.Enqueue(tx, m)
}
