package ecom

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"

	"kontor/internal/business/newsletter"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

// Newsletter is how visitors ask for a store's newsletter, and end it.
func Newsletter(e Access) rest.Group {
	return rest.Group{Tag: "Newsletter", Scope: rest.ScopeSession,
		Doc: "Subscribing to a store's newsletter, with a confirmation by mail.", Ops: []rest.Op{
			rest.Before(rest.Do("subscribeNewsletter", "/newsletter/subscribe",
				"Mails the link that confirms the subscription; the answer is the same whether the address is known or not.",
				subscribeNewsletter),
				mayWrite[subscribeNewsletterIn](e)).
				Answers(202).Raises(newsletter.ErrNotOffered, mail.ErrInvalid).
				Example(`{"email": "anna@example.com", "name": "Anna", "source": "footer"}`),
			rest.Before(rest.Do("confirmNewsletter", "/newsletter/confirm",
				"Begins the subscription with the token of the confirmation mail, once.", confirmNewsletter),
				e.openConfirmation).
				Open().NamedByQuery().Raises(newsletter.ErrToken, throttle.ErrAttempts).
				Example(`{"token": "AY9vLnoQcAA"}`),
			rest.Receive("unsubscribeNewsletter", "/newsletter/unsubscribe",
				"Ends the subscription with the token that stands in every mail. Takes the form post of mail programs (RFC 8058), and {\"token\": ...}.",
				e.unsubscribeNewsletter).
				Form(map[string]string{"token": "As it stands in the mail, where the query has none.",
					"List-Unsubscribe": "One-Click, as mail programs post it (RFC 8058)."}).
				Open().NamedByQuery().Raises(newsletter.ErrToken, throttle.ErrAttempts),
		}}
}

type subscribeNewsletterIn struct {
	Body struct {
		Email  string    `json:"email" req:"true" text:"email"`
		Name   rest.Text `json:"name" text:"name" doc:"Whom the mails greet."`
		Source rest.Text `json:"source" max:"50" doc:"Where in the store it was asked for, such as footer."`
	}
}

func subscribeNewsletter(tx *db.Tx, in subscribeNewsletterIn) (rest.NoContent, error) {
	v := storefront.Of(tx)
	return rest.NoContent{}, newsletter.Subscribe(tx, v.Channel,
		newsletter.Wish{Email: in.Body.Email, Name: string(in.Body.Name), Language: v.Language,
			Source: string(in.Body.Source)})
}

// opened refuses a token that is none, or is of another company than here, and counts it against who sent it. Nobody
// whose token is one is counted.
func (e Access) opened(ctx context.Context, g storefront.Guest, here, of string, err error) error {
	if err == nil && of != here {
		err = newsletter.ErrToken.At("token",
			"the token is another company's: send it with the X-Tenant-Id and X-Channel of its store")
	}
	if err == nil {
		return nil
	}
	return cmp.Or(e.Guard.Miss(ctx, &throttle.ShopLink, throttle.Who{Peer: g.Address}), err)
}

type confirmNewsletterIn struct {
	Token string `query:"token" doc:"As it stands in the mail, where the body does not name it."`
	Body  *struct {
		Token string `json:"token" req:"true" max:"500" doc:"As it stands in the mail."`
	}

	link newsletter.Link
}

func (e Access) openConfirmation(a *rest.Ahead, in *confirmNewsletterIn) (err error) {
	token := in.Token
	if in.Body != nil {
		token = in.Body.Token
	}
	in.link, err = newsletter.OpenConfirmation(e.Keys, token, a.Now())
	return e.opened(a.Context, guest(a.Party()), a.Company(), in.link.Company, err)
}

// NewsletterSubscription is a subscription that was confirmed.
type NewsletterSubscription struct {
	Email       string    `json:"email"`
	Name        rest.Text `json:"name"`
	ConfirmedAt db.Time   `json:"confirmedAt"`
}

func confirmNewsletter(tx *db.Tx, in confirmNewsletterIn) (NewsletterSubscription, error) {
	s, err := newsletter.Confirm(tx, in.link)
	if err == nil && record.Fold(s.ChannelCode) != record.Fold(storefront.GuestOf(tx).Channel) {
		err = newsletter.ErrToken.At("token", "the token is another store's: send it with the X-Channel of its store")
	}
	return NewsletterSubscription{s.Email, rest.Text(s.Name), s.ConfirmedAt}, err
}

type unsubscribeNewsletterIn struct {
	Token string `query:"token" doc:"As it stands in the mail; with it no header is needed."`
}

// longestForm bounds what a mail program posts.
const longestForm = 4 << 10

// tokenOf is the token in a body: JSON, or either kind of form.
func tokenOf(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	r.Body = http.MaxBytesReader(nil, r.Body, longestForm)
	if strings.HasSuffix(kind, "json") {
		var b struct{ Token string }
		text, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(text, &b) != nil {
			return ""
		}
		return b.Token
	}
	return r.PostFormValue("token")
}

func (e Access) unsubscribeNewsletter(ctx context.Context, st *rest.Streaming, in unsubscribeNewsletterIn) (
	rest.NoContent, error) {
	l, err := newsletter.OpenLeaving(e.Keys, cmp.Or(in.Token, tokenOf(st.HTTP())))
	if err := e.opened(ctx, guest(st.Party()), st.Company(), l.Company, err); err != nil {
		return rest.NoContent{}, err
	}
	return rest.NoContent{}, st.Write(func(tx *db.Tx) error { return newsletter.Unsubscribe(tx, l.SubscriberID) })
}
