package shop

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
)

type signPage struct {
	Email   string
	Back    string
	Problem *Problem
	Sent    bool // a code was mailed
	Form    map[string]string
	Waits   bool // the store looks at new accounts first
	Opens   bool // the code opens a new account
}

// Wrong is what is wrong with a field.
func (p signPage) Wrong(field string) string { return wrong(p.Problem, field) }

func (v *visit) signPage(name, title string, p signPage) error {
	status := http.StatusOK
	if p.Problem != nil {
		status = http.StatusUnprocessableEntity
	}
	p.Back = v.back("/account")
	return v.show(status, name, v.say(title), p, func(o *view) { o.Private = true })
}

// enter leads on after signing in. The session and its cart stay the same ones; the token is kept anew all the same, so
// that the cookie lives as long as the session now does.
func (v *visit) enter() error {
	v.keepToken()
	v.redirect(v.back("/account"))
	return nil
}

// isDenial reports whether signing in was refused for a reason the visitor should read.
func isDenial(p *Problem) bool {
	return p != nil && (isRefusal(p) || p.Status == http.StatusUnauthorized && p.Code != "Auth.InvalidCredential" &&
		p.Code != "Auth.ExpiredCredential" || p.Status == http.StatusForbidden ||
		p.Status == http.StatusTooManyRequests)
}

// signIn signs in with a password (POST /ecom/auth/login).
func signIn(v *visit) error {
	p := signPage{Email: strings.TrimSpace(v.r.FormValue("email"))}
	if v.r.Method == http.MethodGet {
		return v.signPage("signin", "Sign in", p)
	}
	err := v.api.Do(v.ctx, http.MethodPost, "/auth/login",
		map[string]string{"email": p.Email, "password": v.r.FormValue("password")}, nil)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("signin", "Sign in", p)
	}
	if err != nil {
		return err
	}
	return v.enter()
}

// sendCode mails a code to sign in with (POST /ecom/auth/request-code). The answer is the same whether anybody has the
// address.
func sendCode(v *visit) error {
	p := signPage{Email: strings.TrimSpace(v.r.FormValue("email"))}
	err := v.api.Do(v.ctx, http.MethodPost, "/auth/request-code",
		map[string]string{"email": p.Email, "purpose": "OneTimeLogin"}, nil)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("signin", "Sign in", p)
	}
	return v.done(err, "", "/sign-in/code?"+url.Values{"email": {p.Email}, "back": {v.back("/account")}}.Encode())
}

// signInByCode signs in with the mailed code (POST /ecom/auth/one-time-login). The code of a registration opens the
// account.
func signInByCode(v *visit) error {
	p := signPage{Email: strings.TrimSpace(v.r.FormValue("email")), Opens: v.r.FormValue("new") != ""}
	if v.r.Method == http.MethodGet {
		return v.signPage("code", "Your code", p)
	}
	code := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, v.r.FormValue("code"))
	err := v.api.Do(v.ctx, http.MethodPost, "/auth/one-time-login", map[string]string{"email": p.Email, "code": code},
		nil)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("code", "Your code", p)
	}
	if err != nil {
		return err
	}
	return v.enter()
}

// register asks for an account (POST /ecom/auth/register); a code is mailed that opens it.
func register(v *visit) error {
	p := signPage{Form: map[string]string{}}
	body := map[string]string{"password": v.r.FormValue("password")}
	for _, name := range []string{"email", "firstName", "lastName", "phone", "companyName", "organizationNumber"} {
		p.Form[name] = strings.TrimSpace(v.r.FormValue(name))
		if p.Form[name] != "" {
			body[name] = p.Form[name]
		}
	}
	if v.r.Method == http.MethodGet {
		return v.signPage("register", "Create an account", p)
	}
	err := v.api.Do(v.ctx, http.MethodPost, "/auth/register", body, nil)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("register", "Create an account", p)
	}
	return v.done(err, "", "/sign-in/code?"+url.Values{"email": {p.Form["email"]}, "new": {"1"}}.Encode())
}

// forgotten sets a new password: first the address, to which a code goes (POST /ecom/auth/request-code), then the code
// with the new password (POST /ecom/auth/reset-password), which signs in and ends all other sessions.
func forgotten(v *visit) error {
	p := signPage{Email: strings.TrimSpace(v.r.FormValue("email")), Sent: v.r.FormValue("sent") != ""}
	if v.r.Method == http.MethodGet {
		return v.signPage("forgotten", "Forgotten password", p)
	}
	path, body := "/auth/request-code", map[string]string{"email": p.Email, "purpose": "PasswordReset"}
	if p.Sent {
		path, body = "/auth/reset-password",
			map[string]string{"email": p.Email, "code": strings.ReplaceAll(v.r.FormValue("code"), " ", ""),
				"newPassword": v.r.FormValue("newPassword")}
	}
	err := v.api.Do(v.ctx, http.MethodPost, path, body, nil)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("forgotten", "Forgotten password", p)
	}
	if err != nil {
		return err
	}
	if p.Sent {
		return v.enter()
	}
	v.redirect("/forgotten?" + url.Values{"email": {p.Email}, "sent": {"1"}}.Encode())
	return nil
}

// signOut ends the session (POST /ecom/auth/logout) with its cart, and forgets the token.
func signOut(v *visit) error {
	if err := v.api.Do(v.ctx, http.MethodPost, "/auth/logout", nil, nil); err != nil {
		return err
	}
	v.shop.setCookie(v.w, v.r, sessionCookie, "", 0)
	v.remember("You are signed out.")
	v.redirect("/")
	return nil
}

// toSignIn leads to the sign-in page and back.
func (v *visit) toSignIn() error {
	v.redirect("/sign-in?" + url.Values{"back": {cmp.Or(v.r.URL.RequestURI(), "/account")}}.Encode())
	return nil
}
