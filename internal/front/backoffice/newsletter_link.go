package backoffice

import (
	"cmp"
	"context"
	"net/http"

	"kontor/internal/business/channel"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/notice"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// newsletterLinks are the pages that the links in mails of newsletters open, without a password. Following a link
// changes nothing, so that programs which look into mails neither confirm nor end what they find; the button does.
func (o Office) newsletterLinks() []page.Page {
	return []page.Page{o.letterPage(),
		page.Handler{Path: notice.ConfirmPage, Show: o.showSubscription(o.openConfirming, confirmCard),
			Take: o.answerLetter(o.openConfirming, confirmCard,
				func(tx *db.Tx, l newsletter.Link) error {
					_, err := newsletter.Confirm(tx, l)
					return err
				}, "Thank you: the newsletter of %s comes to %s.")},
		page.Handler{Path: notice.UnsubscribePage, Show: o.showSubscription(o.openLeaving, leaveCard),
			Take: o.answerLetter(o.openLeaving, leaveCard,
				func(tx *db.Tx, l newsletter.Link) error {
					return newsletter.Unsubscribe(tx, l.SubscriberID)
				}, "The newsletter of %s does not come to %s any more.")},
	}
}

// subscription is a subscription that a mailed link has opened.
type subscription struct {
	newsletter.Subscriber
	link  newsletter.Link
	store string // its name
	token string
}

type letterOpener func(w http.ResponseWriter, r *http.Request, token string) (newsletter.Link, error)

func (o Office) openConfirming(w http.ResponseWriter, r *http.Request, token string) (newsletter.Link, error) {
	l, err := newsletter.OpenConfirmation(o.Keys, token, o.Store.Now())
	return l, o.missedLetter(w, r, err)
}

func (o Office) openLeaving(w http.ResponseWriter, r *http.Request, token string) (newsletter.Link, error) {
	l, err := newsletter.OpenLeaving(o.Keys, token)
	return l, o.missedLetter(w, r, err)
}

func (o Office) missedLetter(w http.ResponseWriter, r *http.Request, err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(o.Entrance.MissedLink(r.Context(), o.attempt(w, r)), err)
}

// readSubscription is the subscription of a link that is one. Whoever follows one is counted before it costs anything,
// and once more where it is none. Newsletter.TokenInvalid, RateLimit.Exceeded, Auth.TooManyAttempts.
func (o Office) readSubscription(w http.ResponseWriter, r *http.Request, open letterOpener,
	token string) (s subscription, err error) {
	if err := o.Stranger(r); err != nil {
		return s, err
	}
	s.token = token
	if s.link, err = open(w, r, token); err != nil {
		return s, err
	}
	return s, o.findSubscription(r.Context(), &s)
}

func (o Office) findSubscription(ctx context.Context, s *subscription) error {
	gone := newsletter.ErrToken.Because("the subscription is not there any more: no mail comes from it")
	if err := o.served(ctx, s.link.Company, gone); err != nil {
		return err
	}
	return o.Store.Read(ctx, s.as(), func(tx *db.Tx) (err error) {
		if s.Subscriber, err = newsletter.Find(tx, s.link.SubscriberID); fault.Is(err, newsletter.ErrNotFound) {
			return gone
		} else if err != nil {
			return err
		}
		c, err := channel.Find(tx, s.ChannelCode)
		if fault.Is(err, channel.ErrNotFound) {
			c, err = channel.Channel{Name: s.ChannelCode}, nil
		}
		s.store = c.Name
		return err
	})
}

// as is who answers by the link.
func (s *subscription) as() db.Request {
	return db.Request{Company: s.link.Company, Actor: db.Actor{Kind: "link", ID: s.link.SubscriberID, Name: "the link in a mail"}}
}

func confirmCard(s *subscription) page.Card {
	c := page.Card{Host: s.store, Title: "Newsletter", Lead: "Shall the newsletter of %s come to %s?",
		Args:   []any{s.store, s.Email},
		Action: notice.ConfirmPage, Hidden: [][2]string{{"token", s.token}},
		Buttons: []page.Button{{Label: "Yes, subscribe"}}}
	if s.Status == newsletter.Confirmed {
		c.Lead, c.Action, c.Hidden, c.Buttons = "Thank you: the newsletter of %s comes to %s.", "", nil, nil
	}
	return c
}

func leaveCard(s *subscription) page.Card {
	c := page.Card{Host: s.store, Title: "Newsletter", Lead: "Shall the newsletter of %s come to %s no more?",
		Args: []any{s.store, s.Email}, Action: notice.UnsubscribePage, Hidden: [][2]string{{"token", s.token}},
		Buttons: []page.Button{{Label: "Unsubscribe", Tone: page.Bad}}}
	if s.Status == newsletter.Unsubscribed || s.Status == newsletter.Stopped {
		c.Lead, c.Action, c.Hidden, c.Buttons = "The newsletter of %s does not come to %s any more.", "", nil, nil
	}
	return c
}

func (o Office) showSubscription(open letterOpener, card func(*subscription) page.Card) page.Serve {
	return func(site *page.Site, w http.ResponseWriter, r *http.Request) error {
		s, err := o.readSubscription(w, r, open, r.URL.Query().Get("token"))
		if err != nil {
			return closedLink(site, w, r, err)
		}
		site.Card(w, r, card(&s))
		return nil
	}
}

// answerLetter does what the button of a card says, and says that it is done.
func (o Office) answerLetter(open letterOpener, card func(*subscription) page.Card,
	do func(*db.Tx, newsletter.Link) error, done string) page.Serve {
	return func(site *page.Site, w http.ResponseWriter, r *http.Request) error {
		s, err := o.readSubscription(w, r, open, r.PostForm.Get("token"))
		if err != nil {
			return closedLink(site, w, r, err)
		}
		c := card(&s)
		if c.Action != "" {
			err = o.Store.Write(r.Context(), s.as(), func(tx *db.Tx) error { return do(tx, s.link) })
		}
		if err != nil {
			return closedLink(site, w, r, err)
		}
		site.Card(w, r, page.Card{Host: s.store, Title: "Newsletter", Lead: done, Args: []any{s.store, s.Email}})
		return nil
	}
}
