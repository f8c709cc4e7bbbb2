package shop

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
)

type signPage struct {
	Email string
	Back  string
	Sent  bool // a code was mailed
	Form  map[string]string
	Opens bool // the code opens a new account
	form
}

// signPage is a page of signing in: its form is sent to path, and what became of that said to then. A denial is shown
// on the page.
func (v *visit) signPage(name, title string, p signPage, path string, sent any, then func(err error) error) error {
	p.Back = v.back("/account")
	if v.r.Method == http.MethodPost {
		err := v.post(path, sent)
		if p.Problem = problemOf(err); !isDenial(p.Problem) {
			return then(err)
		}
	}
	return v.mine(name, title, p)
}

// leading is what leads on to an address after a form was taken.
func (v *visit) leading(to string, query url.Values) func(err error) error {
	return func(err error) error { return v.done(err, "", to+"?"+query.Encode()) }
}

// enter leads on after signing in. The session and its cart stay the same ones; the token is kept anew all the same, so
// that the cookie lives as long as the session now does.
func (v *visit) enter(err error) error {
	if err == nil {
		v.keepToken()
	}
	return v.done(err, "", v.back("/account"))
}

// isDenial reports whether signing in was refused for a reason the visitor should read.
func isDenial(p *Problem) bool {
	if p != nil && p.Status == http.StatusUnauthorized {
		return p.Code != "Auth.InvalidCredential" && p.Code != "Auth.ExpiredCredential"
	}
	return isRefusal(p, http.StatusForbidden, http.StatusTooManyRequests)
}

// signIn signs in with a password (POST /ecom/auth/login).
func signIn(v *visit) error {
	p := signPage{Email: v.typed("email")}
	return v.signPage("signin", "Sign in", p, "/auth/login",
		map[string]string{"email": p.Email, "password": v.r.FormValue("password")}, v.enter)
}

// sendCode mails a code to sign in with (POST /ecom/auth/request-code). The answer is the same whether anybody has the
// address.
func sendCode(v *visit) error {
	p := signPage{Email: v.typed("email")}
	return v.signPage("signin", "Sign in", p, "/auth/request-code",
		map[string]string{"email": p.Email, "purpose": "OneTimeLogin"},
		v.leading("/sign-in/code", url.Values{"email": {p.Email}, "back": {v.back("/account")}}))
}

// signInByCode signs in with the mailed code (POST /ecom/auth/one-time-login). The code of a registration opens the
// account.
func signInByCode(v *visit) error {
	p := signPage{Email: v.typed("email"), Opens: v.r.FormValue("new") != ""}
	code := strings.NewReplacer(" ", "", "-", "").Replace(v.r.FormValue("code"))
	return v.signPage("code", "Your code", p, "/auth/one-time-login",
		map[string]string{"email": p.Email, "code": code}, v.enter)
}

// register asks for an account (POST /ecom/auth/register); a code is mailed that opens it.
func register(v *visit) error {
	p := signPage{Form: v.allTyped("email", "firstName", "lastName", "phone", "companyName", "organizationNumber")}
	body := maps.Clone(p.Form)
	maps.DeleteFunc(body, func(_, typed string) bool { return typed == "" })
	body["password"] = v.r.FormValue("password")
	return v.signPage("register", "Create an account", p, "/auth/register", body,
		v.leading("/sign-in/code", url.Values{"email": {p.Form["email"]}, "new": {"1"}}))
}

// forgotten sets a new password: first the address, to which a code goes (POST /ecom/auth/request-code), then the code
// with the new password (POST /ecom/auth/reset-password), which signs in and ends all other sessions.
func forgotten(v *visit) error {
	p := signPage{Email: v.typed("email"), Sent: v.r.FormValue("sent") != ""}
	if !p.Sent {
		return v.signPage("forgotten", "Forgotten password", p, "/auth/request-code",
			map[string]string{"email": p.Email, "purpose": "PasswordReset"},
			v.leading("/forgotten", url.Values{"email": {p.Email}, "sent": {"1"}}))
	}
	return v.signPage("forgotten", "Forgotten password", p, "/auth/reset-password",
		map[string]string{"email": p.Email, "code": strings.ReplaceAll(v.r.FormValue("code"), " ", ""),
			"newPassword": v.r.FormValue("newPassword")}, v.enter)
}

// signOut ends the session (POST /ecom/auth/logout) with its cart, and forgets the token.
func signOut(v *visit) error {
	err := v.post("/auth/logout", nil)
	if err == nil {
		v.shop.setCookie(v.w, v.r, sessionCookie, "", 0)
	}
	return v.done(err, "You are signed out.", "/")
}
