package page

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Names of what travels with every form besides its fields.
const (
	tokenName   = "_token"
	companyName = "_company"
	wasName     = "_was"
	ofName      = "_of"
	theirsName  = "_theirs"
	moreName    = "_more"
)

// errReplayed ends a transaction whose work was done before.
var errReplayed = errors.New("page: done before")

// hidden is what travels with a form.
type hidden struct{ Name, Value string }

// seal is the token and the company of a form: sent twice, a form is done once, and only in the company it was shown
// in. One that is shown anew, with p as it was sent, is the same form: a refusal leaves nothing behind, and what was
// told only that it is under way already is not done again. Elsewhere it is marked as taken before it may be refused.
func (x *exchange) seal(where Where, p *posted) []hidden {
	token := ""
	if where == InCompany && p != nil {
		token = p.raw(tokenName)
	}
	return []hidden{{tokenName, cmp.Or(token, rand.Text())}, {companyName, x.visitor.Company}}
}

// key is what a form is remembered by: who sent what, where, with which token. The same form with other values is
// another.
func (x *exchange) key(p *posted) string {
	token := p.raw(tokenName)
	if token == "" {
		return ""
	}
	h := sha256.New()
	write := func(s string) { h.Write([]byte(s)); h.Write([]byte{0}) }
	write("page")
	write(x.visitor.Company)
	write(x.visitor.Credential)
	write(x.r.URL.RequestURI())
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		write(name)
		for _, v := range p.values[name] {
			write(v)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sameCompany refuses a form that was shown in another company: the person has switched in another window.
func (x *exchange) sameCompany(p *posted) error {
	if was := p.raw(companyName); was != "" && was != x.visitor.Company {
		return errCompany.Because(
			"this form belongs to another company than the one you work in now, so nothing was done: switch back and send it again")
	}
	return nil
}

// act runs what a form asks for, once however often it is sent.
func (x *exchange) act(where Where, p *posted, fn func(c *Ctx) (Done, error)) (Done, error) {
	if err := x.sameCompany(p); err != nil {
		return Done{}, err
	}
	key := x.key(p)
	if where != InCompany {
		return x.actElsewhere(where, key, fn)
	}
	var done Done
	r := x.request()
	r.Replayable = key != ""
	err := x.site.Store.Write(lasting(x.r.Context()), r, func(tx *db.Tx) (err error) {
		if key != "" {
			if done, err = x.again(tx, key); err != nil {
				return err
			}
		}
		if done, err = fn(x.ctx(tx)); err != nil || key == "" {
			return err
		}
		return record.Answered(tx, key, key, x.stored(done))
	})
	if errors.Is(err, errReplayed) {
		err = nil
	}
	return done, err
}

// actElsewhere is act for what does not happen in the company's data: the form is marked as taken before, and as done
// after.
func (x *exchange) actElsewhere(where Where, key string, fn func(c *Ctx) (Done, error)) (done Done, err error) {
	ctx := lasting(x.r.Context())
	if key != "" {
		err := x.site.Store.Write(ctx, x.request(), func(tx *db.Tx) (err error) {
			if done, err = x.again(tx, key); err != nil {
				return err
			}
			return record.Answered(tx, key, key, record.Answer{Status: http.StatusAccepted})
		})
		if errors.Is(err, errReplayed) {
			return done, nil
		}
		if err != nil {
			return done, err
		}
	}
	if where == Outside {
		done, err = fn(x.ctx(nil))
	} else {
		err = x.site.Store.Control(ctx, x.request(), true, func(tx *db.Tx) error {
			var err error
			done, err = fn(x.ctx(tx))
			return err
		})
	}
	if err != nil || key == "" {
		return done, err
	}
	return done, x.site.Store.Write(ctx, x.request(),
		func(tx *db.Tx) error { return record.Answered(tx, key, key, x.stored(done)) })
}

func (x *exchange) stored(d Done) record.Answer {
	return record.Answer{Status: http.StatusSeeOther, Headers: map[string]string{"Location": d.To, "Say": x.said(d)}}
}

// again takes a form as one that is being done; errReplayed says that it was before, with what became of it.
func (x *exchange) again(tx *db.Tx, key string) (Done, error) {
	a, err := record.Remember(tx, key, key)
	if err != nil || a == nil {
		return Done{}, err
	}
	return x.replay(a), errReplayed
}

func (x *exchange) replay(a *record.Answer) Done {
	if a.Status != http.StatusSeeOther {
		return Done{Say: "This was sent already: look whether it is done before you send it again."}
	}
	return Done{To: a.Headers["Location"], Say: a.Headers["Say"]}
}

func (x *exchange) said(d Done) string {
	if d.Say == "" {
		return ""
	}
	return x.t.say(d.Say, d.Args...)
}

// leave answers a form that did what it should. home is where it leads unless it says so itself.
func (x *exchange) leave(d Done, home string) {
	if d.Card != nil {
		x.card(*d.Card)
		return
	}
	x.flash(x.said(d))
	http.Redirect(x.w, x.r, Local(cmp.Or(d.To, home), x.site.Home), http.StatusSeeOther)
}

// flashCookie carries a sentence to the next page.
const flashCookie = "kontor_said"

func (x *exchange) flash(text string) {
	if text == "" {
		return
	}
	x.site.remember(x.w, x.r, flashCookie, base64.RawURLEncoding.EncodeToString([]byte(text)), 60)
}

// remember gives the browser a cookie of the pages' own for some seconds; below 0 takes it away.
func (s *Site) remember(w http.ResponseWriter, r *http.Request, name, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: s.Secure(r), SameSite: http.SameSiteLaxMode})
}

// flashed is the sentence that was carried here, once. A script that asks beside the page leaves it to the page.
func (x *exchange) flashed() string {
	if x.isScript() {
		return ""
	}
	c, err := x.r.Cookie(flashCookie)
	if err != nil {
		return ""
	}
	x.site.remember(x.w, x.r, flashCookie, "", -1)
	b, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil || len(b) > 1000 || !plainText(strings.ReplaceAll(string(b), "\n", " ")) {
		return ""
	}
	return string(b)
}
