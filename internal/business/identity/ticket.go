package identity

import (
	"time"

	"kontor/internal/foundation/db"
)

// purpose is the one thing a ticket is good for.
type purpose string

const (
	forInvitation   purpose = "invitation"
	forReset        purpose = "reset"
	forSecondFactor purpose = "second-factor"
	forConsent      purpose = "consent"
	forEnrolment    purpose = "enrolment" // of a second factor
)

// lifeOf is how long a ticket is good.
func lifeOf(p purpose) time.Duration {
	switch p {
	case forInvitation:
		return 7 * 24 * time.Hour
	case forReset:
		return time.Hour
	case forSecondFactor:
		return 5 * time.Minute
	}
	return 10 * time.Minute
}

// ticket is a secret handed out for one purpose, good once and for a while.
type ticket struct {
	ID                               string
	Purpose                          purpose
	UserID, CompanyID                string
	Email, Name                      string
	Role                             Role
	Detail                           string
	Attempts                         int64
	CreatedAt, ExpiresAt             db.Time
	companyName, companyCode, status string
	known                            bool // somebody has the address already
}

// issue makes a ticket and answers its secret.
func issue(tx *db.Tx, t ticket) (ticket, string, error) {
	secret, hash := NewSecret("")
	t.ID, t.CreatedAt, t.ExpiresAt = newID(), tx.Now, tx.Now.Add(lifeOf(t.Purpose))
	return t, secret, insertTicket(tx, t, hash)
}

// present finds the ticket of a secret. It refuses with Auth.TicketInvalid, whatever is wrong with it.
func present(tx *db.Tx, p purpose, secret string) (ticket, error) {
	t, found, err := ticketOf(tx, HashSecret(secret))
	if err == nil && (!found || t.Purpose != p || !t.ExpiresAt.IsLiving(tx.Now, lifeOf(p))) {
		err = errTicket(p)
	}
	return t, err
}

func errTicket(p purpose) error {
	switch p {
	case forInvitation:
		return ErrTicketInvalid.Because(
			"this invitation was used, taken back or is older than 7 days: ask for another one")
	case forReset:
		return ErrTicketInvalid.Because("this link was used already or is older than an hour: ask for another one")
	case forEnrolment:
		return ErrTicketInvalid.Because(
			"this took too long or was tried too often: begin to set up the second factor again")
	case forSecondFactor:
		return ErrTicketInvalid.Because("this took too long or was tried too often: sign in again from the beginning")
	}
	return ErrTicketInvalid.Because(
		"this page was sent already or is older than 10 minutes: open it again from the program you came from")
}

// ConsentTicket proves that a consent was asked for in this very session: what is asked for stands in it, and it is
// good once.
func ConsentTicket(tx *db.Tx, s Session, asked string) (string, error) {
	_, secret, err := issue(tx, ticket{Purpose: forConsent, UserID: s.UserID, Name: s.ID, Detail: asked})
	return secret, err
}

// TakeConsent uses up the ticket of a consent. It refuses with Auth.TicketInvalid one that was not given to this
// session, or for something else than is now approved.
func TakeConsent(tx *db.Tx, s Session, secret, asked string) error {
	t, err := present(tx, forConsent, secret)
	if err != nil {
		return err
	}
	if t.Name != s.ID || t.UserID != s.UserID || t.Detail != asked {
		return errTicket(forConsent)
	}
	used, err := useTicket(tx, t.ID)
	if err == nil && !used {
		err = errTicket(forConsent)
	}
	return err
}
