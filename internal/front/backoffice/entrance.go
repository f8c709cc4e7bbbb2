package backoffice

import (
	"net/http"
	"net/url"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// entrance is the ways in and out.
func (o Office) entrance() []page.Page {
	return []page.Page{
		page.Handler{Path: "/sign-in", Show: o.showSignIn, Take: o.signIn},
		page.Handler{Path: "/sign-in/code", Take: o.secondFactor},
		page.Handler{Path: "/forgot", Show: o.showForgot, Take: o.forgot},
		page.Handler{Path: "/reset", Show: o.showReset, Take: o.reset},
		page.Handler{Path: "/invitation", Show: o.showInvitation, Take: o.accept},
		page.Handler{Path: "/sign-out", Take: o.signOut},
		page.Handler{Path: "/switch", SignedIn: true, Take: o.switchCompany},
		page.Handler{Path: "/language", Take: chooseLanguage},
	}
}

// attempt is where somebody stands who wants in.
func (o Office) attempt(w http.ResponseWriter, r *http.Request) identity.Attempt {
	k := identity.Attempt{Address: o.Address(r), Agent: r.UserAgent(), RequestID: w.Header().Get("X-Request-Id")}
	if c, err := r.Cookie(identity.DeviceCookie(o.Secure(r))); err == nil {
		k.Device = c.Value
	}
	return k
}

// deviceAge is how long a browser is remembered to have been let in.
const deviceAge = 180 * 24 * time.Hour

// carry gives an admitted person's browser what it needs.
func (o Office) carry(w http.ResponseWriter, r *http.Request, a identity.Admitted) {
	http.SetCookie(w, &http.Cookie{Name: identity.SessionCookie(o.Secure(r)), Value: a.Token, Path: "/", HttpOnly: true,
		Secure: o.Secure(r), SameSite: http.SameSiteLaxMode})
	if a.Device != "" {
		http.SetCookie(w, &http.Cookie{Name: identity.DeviceCookie(o.Secure(r)), Value: a.Device, Path: "/",
			MaxAge: int(deviceAge.Seconds()), HttpOnly: true, Secure: o.Secure(r), SameSite: http.SameSiteLaxMode})
	}
}

type credentials struct{ email, password, next, ticket, code string }

func (c *credentials) signIn() page.Card {
	return page.Card{Title: "Sign in", Action: "/sign-in", Hidden: [][2]string{{"next", c.next}},
		Fields: []page.Field{
			page.Email("email", "E-mail", &c.email).Required().Auto("username"),
			page.Password("password", "Password", &c.password).Required().Auto("current-password"),
		},
		Buttons: []page.Button{{Label: "Sign in"}},
		Links:   []page.Link{{Label: "Forgot the password?", Href: "/forgot"}}}
}

func (o Office) showSignIn(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	c := credentials{next: page.Local(r.URL.Query().Get("next"), "/")}
	_, err := o.enter(r)
	if err == nil {
		http.Redirect(w, r, c.next, http.StatusSeeOther)
		return nil
	}
	card := c.signIn()
	if fault.Is(err, errNoCompany) {
		card.Problem = err
	}
	s.Card(w, r, card)
	return nil
}

func (o Office) signIn(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	c := credentials{next: page.Local(r.PostForm.Get("next"), "/")}
	return s.Answer(w, r, c.signIn(), func() (*page.Card, string, error) {
		a, err := o.Entrance.SignIn(r.Context(), o.attempt(w, r), c.email, c.password)
		if err == nil && a.Ticket != "" {
			c.ticket = a.Ticket
			second := c.second()
			return &second, "", nil
		}
		return nil, c.next, o.admit(w, r, a, err)
	})
}

// admit lets somebody in unless that was refused.
func (o Office) admit(w http.ResponseWriter, r *http.Request, a identity.Admitted, err error) error {
	if err == nil {
		o.carry(w, r, a)
	}
	return err
}

func (c *credentials) second() page.Card {
	return page.Card{Title: "One more step",
		Lead: "Enter the code that your authenticator shows, or one of your recovery codes.", Action: "/sign-in/code",
		Hidden:  [][2]string{{"next", c.next}, {"ticket", c.ticket}},
		Fields:  []page.Field{page.Text("code", "Code", &c.code).Required().Auto("one-time-code").Max(40)},
		Buttons: []page.Button{{Label: "Sign in"}},
		Links:   []page.Link{{Label: "Start again", Href: "/sign-in?" + url.Values{"next": {c.next}}.Encode()}}}
}

func (o Office) secondFactor(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	c := credentials{next: page.Local(r.PostForm.Get("next"), "/"), ticket: r.PostForm.Get("ticket")}
	return s.Answer(w, r, c.second(), func() (*page.Card, string, error) {
		a, err := o.Entrance.SecondFactor(r.Context(), o.attempt(w, r), c.ticket, c.code)
		return nil, c.next, o.admit(w, r, a, err)
	})
}

func forgotCard(email *string) page.Card {
	return page.Card{Title: "Forgot the password?", Lead: "We send you a link with which you choose a new one.",
		Action: "/forgot", Fields: []page.Field{page.Email("email", "E-mail", email).Required().Auto("username")},
		Buttons: []page.Button{{Label: "Send the link"}},
		Links:   []page.Link{{Label: "Back to sign-in", Href: "/sign-in"}}}
}

func (o Office) showForgot(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	s.Card(w, r, forgotCard(new(string)))
	return nil
}

func (o Office) forgot(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	var email string
	return s.Answer(w, r, forgotCard(&email), func() (*page.Card, string, error) {
		err := o.Entrance.AskReset(r.Context(), o.attempt(w, r), email)
		return &page.Card{Title: "Look into your mail",
			Lead: "If somebody signs in with %s, a link is on its way there.", Args: []any{email},
			Links: []page.Link{{Label: "Back to sign-in", Href: "/sign-in"}}}, "", err
	})
}

func resetCard(token string, email string, password *string) page.Card {
	return page.Card{Title: "Choose a new password", Lead: "For %s. You are signed out everywhere else.",
		Args: []any{email}, Action: "/reset", Hidden: [][2]string{{"token", token}},
		Buttons: []page.Button{{Label: "Save"}},
		Fields: []page.Field{page.Password("password", "New password", password).Required().Auto("new-password").
			Hint("At least 10 characters.")}}
}

func (o Office) showReset(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get("token")
	email, err := o.Entrance.OpenReset(r.Context(), o.attempt(w, r), token)
	if err != nil {
		return staleLink(s, w, r, err)
	}
	s.Card(w, r, resetCard(token, email, new(string)))
	return nil
}

func staleLink(s *page.Site, w http.ResponseWriter, r *http.Request, err error) error {
	if fault.As(err).Kind == fault.Internal {
		return err
	}
	s.Card(w, r, page.Card{Title: "This link is not valid any more", Problem: err,
		Links: []page.Link{{Label: "Ask for a new one", Href: "/forgot"}, {Label: "Sign in", Href: "/sign-in"}}})
	return nil
}

func (o Office) reset(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	token := r.PostForm.Get("token")
	email, err := o.Entrance.OpenReset(r.Context(), o.attempt(w, r), token)
	if err != nil {
		return staleLink(s, w, r, err)
	}
	var password string
	return s.Answer(w, r, resetCard(token, email, &password), func() (*page.Card, string, error) {
		c := credentials{email: email, next: "/"}
		done := c.signIn()
		done.Lead = "The new password is saved. Sign in with it."
		return &done, "", o.Entrance.Reset(r.Context(), o.attempt(w, r), token, password)
	})
}

func (o Office) signOut(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	if at, err := o.session(r); err == nil {
		err := o.control(r.Context(), at, true,
			func(tx *db.Tx) error { return identity.EndSession(tx, at.UserID, at.ID) })
		if err != nil {
			return err
		}
	}
	http.SetCookie(w, &http.Cookie{Name: identity.SessionCookie(o.Secure(r)), Path: "/", MaxAge: -1, HttpOnly: true,
		Secure: o.Secure(r), SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
	return nil
}

func (o Office) switchCompany(_ *page.Site, w http.ResponseWriter, r *http.Request) error {
	at, err := o.session(r)
	if err != nil {
		return err
	}
	err = o.control(r.Context(), at, true,
		func(tx *db.Tx) error { return identity.ChooseCompany(tx, at, r.PostForm.Get("company")) })
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

func chooseLanguage(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	s.ChooseLanguage(w, r, r.PostForm.Get("language"))
	http.Redirect(w, r, page.Local(r.PostForm.Get("next"), "/"), http.StatusSeeOther)
	return nil
}
