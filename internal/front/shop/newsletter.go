package shop

import (
	"net/http"
	"net/url"
	"strings"
)

type letterPage struct {
	Email, Token string
	Leaves       bool // the page ends a subscription
	Problem      *Problem
}

// Wrong is what is wrong with a field.
func (p letterPage) Wrong(field string) string { return wrong(p.Problem, field) }

func (v *visit) showLetter(p letterPage) error {
	status := http.StatusOK
	if p.Problem != nil {
		status = http.StatusUnprocessableEntity
	}
	return v.show(status, "newsletter", v.say("Newsletter"), p, func(o *view) { o.Private = true })
}

// newsletter is the form, and what it sends (POST /ecom/newsletter/subscribe): a mail goes out with a link that
// confirms. The answer is the same whether anybody has the address.
func newsletter(v *visit) error {
	p := letterPage{Email: strings.TrimSpace(v.r.FormValue("email"))}
	if v.r.Method == http.MethodGet {
		return v.showLetter(p)
	}
	var err error
	if v.r.FormValue("website") == "" { // a field that no person sees: robots are thanked
		err = v.api.Do(v.ctx, http.MethodPost, "/newsletter/subscribe",
			map[string]string{"email": p.Email, "source": "shop"}, nil)
	}
	if p.Problem = problemOf(err); p.Problem != nil &&
		(isRefusal(p.Problem) || p.Problem.Status == http.StatusTooManyRequests) {
		return v.showLetter(p)
	}
	return v.done(err, "Please look into your mail: the link in it confirms the subscription.", "/")
}

// confirmLetter and leaveLetter are where the links in mails lead. Programs follow links before people do, so each asks
// once more (POST /ecom/newsletter/confirm, /newsletter/unsubscribe).
func confirmLetter(v *visit) error {
	return v.letter("confirm", "Thank you: you get our newsletter from now on.")
}
func leaveLetter(v *visit) error {
	return v.letter("unsubscribe", "You get no newsletter from us any more.")
}

func (v *visit) letter(act, said string) error {
	p := letterPage{Token: v.r.FormValue("token"), Leaves: act == "unsubscribe"}
	if v.r.Method == http.MethodGet {
		return v.showLetter(p)
	}
	err := v.api.Do(v.ctx, http.MethodPost, "/newsletter/"+act+"?"+url.Values{"token": {p.Token}}.Encode(), nil, nil)
	if p.Problem = problemOf(err); p.Problem != nil && (isDenial(p.Problem)) {
		return v.showLetter(p)
	}
	if err != nil {
		return err
	}
	v.remember(said)
	v.redirect("/")
	return nil
}
