package letters

import (
	"fmt"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/texts"
)

// Purpose is what a code is for.
type Purpose string

// The purposes of a code.
const (
	SignIn        Purpose = "SignIn"
	PasswordReset Purpose = "PasswordReset"
	VerifyAddress Purpose = "VerifyAddress"
)

// Code is a code that proves that somebody reads the mails of an address.
type Code struct {
	Purpose Purpose
	Digits  string
	Minutes int     // that it is valid
	Now     db.Time // when it was made
}

// VerificationCode brings a code. It is not sent any more once the code is worthless.
func VerificationCode(lang string, s Store, to mail.Address, c Code) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	subject, intro := w.SignInSubject, w.SignInIntro
	switch c.Purpose {
	case PasswordReset:
		subject, intro = w.ResetSubject, w.ResetIntro
	case VerifyAddress:
		subject, intro = w.VerifySubject, w.VerifyIntro
	}
	l.Subject, l.Code = subject, c.Digits
	l.Paragraphs = []string{fmt.Sprintf(intro, s.Name)}
	l.Notes = []string{texts.Fill(l.Lang, w.CodeMinutes, c.Minutes), w.NotYou}
	return until(l.message(to), c.Now, c.Minutes)
}

// until lets a mail expire with what it brings.
func until(m mail.Message, now db.Time, minutes int) mail.Message {
	m.Expires = now + db.Time((time.Duration(minutes) * time.Minute).Microseconds())
	return m
}

// Welcome says that an account is ready; link leads to it.
func Welcome(lang string, s Store, to mail.Address, url string) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = fmt.Sprintf(w.WelcomeSubject, s.Name)
	l.Paragraphs = []string{w.WelcomeIntro}
	l.Button = link{w.ToAccount, url}
	return l.message(to)
}

// AlreadyRegistered is what who registers with an address that has an account gets instead of a code: the form tells
// nobody which addresses are known.
func AlreadyRegistered(lang string, s Store, to mail.Address, url string) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = w.KnownSubject
	l.Paragraphs = []string{fmt.Sprintf(w.KnownIntro, s.Name), w.KnownHow}
	l.Button = link{w.SignIn, url}
	l.Notes = []string{w.NotYou}
	return l.message(to)
}

// Invitation lets somebody in.
type Invitation struct {
	By   string // name of who invites; may be empty
	Link string
	Days int // that it is valid; 0 = for good, and more than once
}

// ContactInvitation invites a contact of a customer into the portal.
func ContactInvitation(lang string, s Store, to mail.Address, i Invitation) mail.Message {
	w := wordsOf(Language(lang))
	return invited(lang, s, to, i, w.PortalBy, w.PortalInvited)
}

// UserInvitation invites somebody into the back office.
func UserInvitation(lang string, s Store, to mail.Address, i Invitation) mail.Message {
	w := wordsOf(Language(lang))
	return invited(lang, s, to, i, w.OfficeBy, w.OfficeInvited)
}

func invited(lang string, s Store, to mail.Address, i Invitation, by, invited string) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = fmt.Sprintf(w.InvitedSubject, s.Name)
	l.Paragraphs = []string{fmt.Sprintf(invited, s.Name)}
	if i.By != "" && to.Confirmed {
		l.Paragraphs = []string{fmt.Sprintf(by, oneLine(i.By), s.Name)}
	}
	l.Button = link{w.Accept, i.Link}
	if i.Days > 0 {
		l.Notes = []string{texts.Fill(l.Lang, w.LinkDays, i.Days)}
	}
	return l.message(to)
}

// UserPasswordReset brings the link with which a user of the back office chooses a new password.
func UserPasswordReset(lang string, s Store, to mail.Address, url string, minutes int, now db.Time) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = w.PasswordSubject
	l.Paragraphs = []string{fmt.Sprintf(w.PasswordIntro, s.Name)}
	l.Button = link{w.ChoosePassword, url}
	l.Notes = []string{texts.Fill(l.Lang, w.LinkMinutes, minutes), w.NotYou}
	return until(l.message(to), now, minutes)
}
