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

func (v *visit) signPage(name, title string, p signPage) error {
	p.Back = v.back("/account")
	return v.mine(name, title, p)
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
	if v.r.Method == http.MethodGet {
		return v.signPage("signin", "Sign in", p)
	}
	err := v.post("/auth/login", map[string]string{"email": p.Email, "password": v.r.FormValue("password")})
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("signin", "Sign in", p)
	}
	return v.enter(err)
}

// sendCode mails a code to sign in with (POST /ecom/auth/request-code). The answer is the same whether anybody has the
// address.
func sendCode(v *visit) error {
	p := signPage{Email: v.typed("email")}
	err := v.post("/auth/request-code", map[string]string{"email": p.Email, "purpose": "OneTimeLogin"})
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("signin", "Sign in", p)
	}
	return v.done(err, "", "/sign-in/code?"+url.Values{"email": {p.Email}, "back": {v.back("/account")}}.Encode())
}

// signInByCode signs in with the mailed code (POST /ecom/auth/one-time-login). The code of a registration opens the
// account.
func signInByCode(v *visit) error {
	p := signPage{Email: v.typed("email"), Opens: v.r.FormValue("new") != ""}
	if v.r.Method == http.MethodGet {
		return v.signPage("code", "Your code", p)
	}
	code := strings.NewReplacer(" ", "", "-", "").Replace(v.r.FormValue("code"))
	err := v.post("/auth/one-time-login", map[string]string{"email": p.Email, "code": code})
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("code", "Your code", p)
	}
	return v.enter(err)
}

// register asks for an account (POST /ecom/auth/register); a code is mailed that opens it.
func register(v *visit) error {
	p := signPage{Form: v.allTyped("email", "firstName", "lastName", "phone", "companyName", "organizationNumber")}
	if v.r.Method == http.MethodGet {
		return v.signPage("register", "Create an account", p)
	}
	body := maps.Clone(p.Form)
	maps.DeleteFunc(body, func(_, typed string) bool { return typed == "" })
	body["password"] = v.r.FormValue("password")
	err := v.post("/auth/register", body)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("register", "Create an account", p)
	}
	return v.done(err, "", "/sign-in/code?"+url.Values{"email": {p.Form["email"]}, "new": {"1"}}.Encode())
}

// forgotten sets a new password: first the address, to which a code goes (POST /ecom/auth/request-code), then the code
// with the new password (POST /ecom/auth/reset-password), which signs in and ends all other sessions.
func forgotten(v *visit) error {
	p := signPage{Email: v.typed("email"), Sent: v.r.FormValue("sent") != ""}
	if v.r.Method == http.MethodGet {
		return v.signPage("forgotten", "Forgotten password", p)
	}
	path, body := "/auth/request-code", map[string]string{"email": p.Email, "purpose": "PasswordReset"}
	if p.Sent {
		path, body = "/auth/reset-password",
			map[string]string{"email": p.Email, "code": strings.ReplaceAll(v.r.FormValue("code"), " ", ""),
				"newPassword": v.r.FormValue("newPassword")}
	}
	err := v.post(path, body)
	if p.Problem = problemOf(err); isDenial(p.Problem) {
		return v.signPage("forgotten", "Forgotten password", p)
	}
	if p.Sent {
		return v.enter(err)
	}
	return v.done(err, "", "/forgotten?"+url.Values{"email": {p.Email}, "sent": {"1"}}.Encode())
}

// signOut ends the session (POST /ecom/auth/logout) with its cart, and forgets the token.
func signOut(v *visit) error {
	err := v.post("/auth/logout", nil)
	if err == nil {
		v.shop.setCookie(v.w, v.r, sessionCookie, "", 0)
	}
	return v.done(err, "You are signed out.", "/")
}
