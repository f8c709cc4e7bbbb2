package shop

import (
	"net/http"
	"net/url"
)

type letterPage struct {
	Email, Token string
	Leaves       bool // the page ends a subscription
	form
}

func (v *visit) showLetter(p letterPage) error { return v.mine("newsletter", "Newsletter", p) }

// newsletter is the form, and what it sends (POST /ecom/newsletter/subscribe): a mail goes out with a link that
// confirms. The answer is the same whether anybody has the address.
func newsletter(v *visit) error {
	p := letterPage{Email: v.typed("email")}
	if v.r.Method == http.MethodGet {
		return v.showLetter(p)
	}
	var err error
	if v.r.FormValue("website") == "" { // a field that no person sees: robots are thanked
		err = v.post("/newsletter/subscribe", map[string]string{"email": p.Email, "source": "shop"})
	}
	if p.Problem = problemOf(err); isRefusal(p.Problem, http.StatusTooManyRequests) {
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
	err := v.post("/newsletter/"+act+"?"+url.Values{"token": {p.Token}}.Encode(), nil)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.showLetter(p)
	}
	return v.done(err, said, "/")
}
