package oauth

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// codeLife is how long a code waits to be exchanged.
// RFC 6749, section 4.1.2: "A maximum authorization code lifetime of 10 minutes is RECOMMENDED"; a program needs a
// second.
const codeLife = 60 * time.Second

// ask shows who asks for what, and lets the person choose the company. It proves to the form that follows that it was
// shown in this session: what is sent without having been shown is refused (RFC 9700, section 4.7.1, on CSRF).
func (s *Server) ask(w http.ResponseWriter, r *http.Request, a authorization, session identity.Session, problem error) {
	var ticket string
	var places []identity.Membership
	err := s.Control(r.Context(), s.requestOf(r, session), true, func(tx *db.Tx) (err error) {
		if places, err = identity.Memberships(tx, session.UserID); err == nil {
			ticket, err = identity.ConsentTicket(tx, session, a.fingerprint())
		}
		return err
	})
	if err != nil {
		s.stop(w, r, err)
		return
	}
	if len(places) == 0 {
		s.stop(w, r,
			identity.ErrDenied.Because("you have no role in any company: ask an administrator of yours for one"))
		return
	}
	company := session.CompanyID
	options := each.Of(places,
		func(m identity.Membership) page.Option { return page.Option{Value: m.CompanyID, Label: m.CompanyName} })
	card := page.Card{
		Title: "Let a program in?",
		Lead:  "%s wants to work with a company's data for you, no further than your own role reaches.",
		Args:  []any{a.client.Name}, Problem: problem, Facts: []page.Fact{
			{Label: "Program", Value: page.T(a.client.Name)},
			{Label: "Its answer goes to", Value: whereTo(a.redirect)},
			{Label: "Signed in as", Value: page.T(session.Email)},
			{Label: "It may", Value: page.Word(a.reach())},
		},
		Action: "/oauth/authorize", Hidden: [][2]string{{"request", a.query}, {"ticket", ticket}},
		Fields: []page.Field{page.Select("company", "Company", &company, options).Required()},
		Buttons: []page.Button{{Label: "Allow", Name: "decision", Value: "allow", Tone: page.Primary},
			{Label: "Do not allow", Name: "decision", Value: "deny"}},
		LeadsAway: true,
	}
	if act := true; a.asks(ScopeRead) && a.asks(ScopeWrite) {
		card.Fields = append(card.Fields, page.Check("act", "Also act for you: make and change records", &act))
	}
	s.Pages.Card(w, r, card)
}

// excuse tells a person that a program asked for what cannot be, and lets them go back to it with the error.
func (s *Server) excuse(w http.ResponseWriter, r *http.Request, a authorization, session identity.Session,
	wrong refusal) {
	var ticket string
	err := s.Control(r.Context(), s.requestOf(r, session), true, db.Into(&ticket,
		func(tx *db.Tx) (string, error) { return identity.ConsentTicket(tx, session, a.fingerprint()) }))
	if err != nil {
		s.stop(w, r, err)
		return
	}
	s.Pages.Card(w, r, page.Card{
		Status: http.StatusBadRequest, Title: "This connection cannot be made",
		Lead: "%s asked for something that cannot be given. Nothing was sent to it. Its maker needs to know this:",
		Args: []any{a.client.Name}, Facts: []page.Fact{
			{Label: "Program", Value: page.T(a.client.Name)},
			{Label: "Error", Value: page.T(wrong.Code + ": " + wrong.Description)},
			{Label: "Its answer goes to", Value: whereTo(a.redirect)},
		},
		Action: "/oauth/authorize", Hidden: [][2]string{{"request", a.query}, {"ticket", ticket}},
		Buttons:   []page.Button{{Label: "Go back to the program", Tone: page.Primary}},
		LeadsAway: true,
	})
}

func (a authorization) asks(scope string) bool { return slices.Contains(a.scopes, scope) }

// reach is what is asked for without a choice. Where both reading and acting are, acting may be taken out.
func (a authorization) reach() string {
	if a.asks(ScopeRead) {
		return "Read everything that you may read"
	}
	return "Read everything that you may read, and act for you: make and change records"
}

// whereTo names the host that is answered, which is harder to make up than a name. A private scheme is answered by
// whatever program on the person's own machine has it, so a host in it would say nothing.
func whereTo(redirect string) page.Value {
	u, err := url.Parse(redirect)
	if err != nil {
		return page.T(redirect)
	}
	switch u.Scheme {
	case "https":
		return page.T(u.Host)
	case "http":
		return page.Each(page.T(u.Hostname()), page.Word("(this computer)"))
	}
	return page.Each(page.T(u.Scheme+":"), page.Word("(this computer)"))
}

// fingerprint stands for everything that was asked.
func (a authorization) fingerprint() string {
	sum := sha256.Sum256([]byte(a.query))
	return hex.EncodeToString(sum[:])
}

// decide takes the person's answer. Where something is wrong with what is asked the only answer is to go back with it.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, a authorization, session identity.Session,
	wrong *refusal) {
	allowed := wrong == nil && r.PostForm.Get("decision") == "allow"
	var code string
	err := s.Control(r.Context(), s.requestOf(r, session), true, func(tx *db.Tx) error {
		if err := identity.TakeConsent(tx, session, r.PostForm.Get("ticket"), a.fingerprint()); err != nil || !allowed {
			return err
		}
		company, err := chosen(tx, session, r.PostForm.Get("company"))
		if err != nil {
			return err
		}
		code, err = approve(tx, a, session, company, s.resource(r), a.granted(r.PostForm.Get("act") != ""))
		return err
	})
	var f *fault.Fault
	switch {
	case err == nil && allowed:
		s.sendBack(w, r, a, url.Values{"code": {code}})
	case err == nil && wrong != nil:
		s.sendBack(w, r, a, url.Values{"error": {wrong.Code}, "error_description": {wrong.Description}})
	case err == nil:
		// RFC 6749, section 4.1.2.1: "access_denied: The resource owner or authorization server denied the request."
		s.sendBack(w, r, a, url.Values{"error": {"access_denied"},
			"error_description": {"the person did not allow it"}})
	case errors.As(err, &f) && f.Kind == fault.Invalid:
		s.ask(w, r, a, session, err)
	default:
		s.stop(w, r, err)
	}
}

// granted are the scopes of those asked for that the person allows.
func (a authorization) granted(act bool) []string {
	if act || !a.asks(ScopeRead) {
		return a.scopes
	}
	return []string{ScopeRead}
}

// chosen is the company of the form, if the person has a role in it.
func chosen(tx *db.Tx, session identity.Session, company string) (m identity.Membership, err error) {
	places, err := identity.Memberships(tx, session.UserID)
	if err != nil {
		return m, err
	}
	at := slices.IndexFunc(places, func(m identity.Membership) bool { return m.CompanyID == company })
	if at < 0 {
		return m, errAuthorize.At("company", "is none that you have a role in: choose one of the list")
	}
	return places[at], nil
}

// approve makes the connection, and the code that the program exchanges for its tokens.
func approve(tx *db.Tx, a authorization, session identity.Session, company identity.Membership, resource string,
	scopes []string) (code string, err error) {
	c := identity.Connection{ID: newID(), ClientID: a.client.ID, ClientName: a.client.Name, UserID: session.UserID,
		CompanyID: company.CompanyID, Scopes: scopes}
	// It may have made room for others since the page was shown.
	if _, found, err := findClient(tx, a.client.ID); err != nil || !found {
		return "", cmp.Or(err, error(errUnregistered))
	}
	if err := insertGrant(tx, c, resource); err != nil {
		return "", err
	}
	code, hash := identity.NewSecret("")
	if err := insertCode(tx, c.ID, hash, a.redirect, a.challenge, tx.Now.Add(codeLife)); err != nil {
		return "", err
	}
	return code, identity.RecordConnection(tx, c, "connect")
}
