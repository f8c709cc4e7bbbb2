package backoffice

import (
	"context"
	"net/http"

	"kontor/internal/business/channel"
	"kontor/internal/business/mailing"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/notice"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/letters"
	"kontor/internal/front/page"
)

// letterPolicy is what a letter may load that a browser shows: its own styles and pictures, and nothing that runs.
const letterPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; " +
	"form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

// mailingPreview shows people of the office a letter as its readers will see it.
func mailingPreview() page.Page {
	return page.Document{Path: "/mailings/{id}/letter", Permission: readsNewsletter,
		Make: func(c *page.Ctx) (page.Paper, error) {
			m, err := loadMailing(c)
			if err != nil {
				return page.Paper{}, err
			}
			body, err := drawnLetter(c.Tx, m)
			return page.Paper{Name: "letter.html", Media: "text/html; charset=utf-8", Body: body, Inline: true,
				Policy: letterPolicy}, err
		}}
}

// drawnLetter is a mailing as a browser shows it.
func drawnLetter(tx *db.Tx, m mailing.Mailing) ([]byte, error) {
	c, err := channel.Find(tx, m.ChannelCode)
	if fault.Is(err, channel.ErrNotFound) {
		c, err = channel.Channel{Name: m.ChannelCode}, nil
	}
	return []byte(letters.MailingPage(m.Language, channel.Letterhead(tx, c), notice.MailingOf(c, m))), err
}

// letterPage shows a letter that was sent to whoever follows the link in it, without a password.
func (o Office) letterPage() page.Page {
	return page.Handler{Path: notice.LetterPage, Show: func(s *page.Site, w http.ResponseWriter,
		r *http.Request) error {
		err := o.Stranger(r)
		if err != nil {
			return closedLink(s, w, r, err)
		}
		company, id, err := newsletter.OpenReading(o.Keys, r.URL.Query().Get("token"))
		if err = o.missedLetter(w, r, err); err == nil {
			err = o.served(r.Context(), company, errLetterGone)
		}
		var shown []byte
		if err == nil {
			shown, err = o.sentLetter(r.Context(), company, id)
		}
		if err != nil {
			return closedLink(s, w, r, err)
		}
		h := w.Header()
		h.Set("Content-Security-Policy", letterPolicy)
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		_, err = w.Write(shown)
		return err
	}}
}

var errLetterGone = newsletter.ErrToken.Because("the letter is not there any more")

// sentLetter is a mailing that has begun, as a browser shows it.
func (o Office) sentLetter(ctx context.Context, company, id string) (shown []byte, err error) {
	as := db.Request{Company: company, Actor: db.Actor{Kind: "link", ID: id, Name: "link"}}
	err = o.Store.Read(ctx, as, func(tx *db.Tx) error {
		m, err := mailing.Find(tx, id)
		if fault.Is(err, mailing.ErrNotFound) || err == nil && m.Status == mailing.Draft {
			return errLetterGone
		}
		if err != nil {
			return err
		}
		shown, err = drawnLetter(tx, m)
		return err
	})
	return shown, err
}
