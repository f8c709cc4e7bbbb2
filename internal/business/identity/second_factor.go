package identity

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"net/url"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/throttle"
)

// OfferTOTP offers a person who proves to be themselves a second factor, and a ticket to confirm it with. It is not
// asked for until then. It refuses with User.Invalid and Auth.TooManyAttempts.
func (e *Entrance) OfferTOTP(ctx context.Context, k Attempt, s Session, proof string) (offer Enrolment, secret string,
	err error) {
	err = e.proven(ctx, k, s, proof, func(tx *db.Tx, u User) (err error) {
		var b [totpBytes]byte
		rand.Read(b[:])
		pending := base32.StdEncoding.EncodeToString(b[:])
		if err := setTOTPPending(tx, u.ID, pending); err != nil {
			return err
		}
		if err := dropTickets(tx, forEnrolment, u.ID); err != nil {
			return err
		}
		offer = enrolmentOf(u, pending)
		_, secret, err = issue(tx, ticket{Purpose: forEnrolment, UserID: u.ID, Name: s.ID})
		return err
	})
	return offer, secret, err
}

func enrolmentOf(u User, secret string) Enrolment {
	q := url.Values{"secret": {secret}, "issuer": {"Kontor"}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	return Enrolment{Secret: secret, URL: "otpauth://totp/" + url.PathEscape("Kontor:"+u.Email) + "?" + q.Encode()}
}

// ConfirmTOTP makes the offered secret the person's second factor once a code shows that they have it, and answers
// recovery codes for the day they lose it. It refuses with Auth.WrongCode and the offer, to be shown again, and with
// Auth.TicketInvalid.
func (e *Entrance) ConfirmTOTP(ctx context.Context, k Attempt, s Session, secret, code string) (recovery []string,
	offer Enrolment, err error) {
	var refusal error
	err = e.write(ctx, k, s.Actor(), func(tx *db.Tx) error {
		recovery, offer, refusal = nil, Enrolment{}, nil
		t, err := present(tx, forEnrolment, secret)
		if err != nil {
			return err
		}
		tries, err := tryTicket(tx, t.ID)
		if err != nil {
			return err
		}
		u, err := userByID(tx, s.UserID)
		if err != nil {
			return err
		}
		if t.Name != s.ID || t.UserID != s.UserID || tries > maxCodeTries {
			refusal = errTicket(forEnrolment)
			_, err := useTicket(tx, t.ID)
			return err
		}
		pending, err := tx.Unseal("app_user", pendingColumn, u.ID, u.totpPending)
		if err != nil {
			return errSealed(err)
		}
		step, ok := matchCode(pending, code, 0, tx.Now)
		if !ok {
			offer = enrolmentOf(u, pending)
			refusal = ErrWrongCode.At("code",
				"is not the code that the authenticator shows now: check its clock and type the present one")
			return nil
		}
		if used, err := useTicket(tx, t.ID); err != nil || !used {
			refusal = errTicket(forEnrolment)
			return err
		}
		var hashes string
		recovery, hashes = newRecovery()
		if err := setTOTP(tx, u.ID, pending, step, hashes); err != nil {
			return err
		}
		return turned(tx, "", "users", u.Email, "enrol-totp", nil)
	})
	if err == nil {
		err = refusal
	}
	return recovery, offer, err
}

// RenewRecovery makes new recovery codes for a person who proves to be themselves; the old ones are void.
func (e *Entrance) RenewRecovery(ctx context.Context, k Attempt, s Session, proof string) (codes []string, err error) {
	err = e.proven(ctx, k, s, proof, func(tx *db.Tx, u User) error {
		if !u.SecondFactor {
			return ErrWrongCode.Because("there is no second factor to recover: set one up first")
		}
		var hashes string
		codes, hashes = newRecovery()
		if err := setRecovery(tx, u.ID, hashes); err != nil {
			return err
		}
		return note(tx, "", "users", u.Email, "renew-recovery", nil)
	})
	return codes, err
}

// DisableTOTP takes the second factor of a person away who proves to be themselves.
func (e *Entrance) DisableTOTP(ctx context.Context, k Attempt, s Session, proof string) error {
	return e.proven(ctx, k, s, proof, func(tx *db.Tx, u User) error {
		if err := setTOTP(tx, u.ID, "", 0, ""); err != nil {
			return err
		}
		return turned(tx, "", "users", s.Email, "disable-totp", nil)
	})
}

// proven runs fn for a person who is signed in and gives their password, or the code that their authenticator shows
// now: being signed in is not enough where a browser that was left open would let a stranger keep the account. No
// password is as short as a code.
func (e *Entrance) proven(ctx context.Context, k Attempt, s Session, proof string,
	fn func(tx *db.Tx, u User) error) error {
	code := strings.Join(strings.Fields(proof), "")
	if len(code) != codeChars {
		u, err := e.prove(ctx, k, s, proof, "proof")
		if err != nil {
			return err
		}
		return e.write(ctx, k, s.Actor(), func(tx *db.Tx) error {
			now, err := stillTheirs(tx, u, "proof")
			if err != nil {
				return err
			}
			return fn(tx, now)
		})
	}
	right, err := e.guard.Try(ctx, &throttle.OfficeProof, proving(k, s), func() (right bool, err error) {
		err = e.write(ctx, k, s.Actor(), func(tx *db.Tx) error {
			right = false
			u, err := userByID(tx, s.UserID)
			if err != nil {
				return err
			}
			present, err := tx.Unseal("app_user", totpColumn, u.ID, u.totpSecret)
			if err != nil {
				return errSealed(err)
			}
			step, matches := matchCode(present, code, u.totpStep, tx.Now)
			if matches {
				matches, err = spendTOTPStep(tx, u.ID, step)
			}
			if err != nil || !matches || !u.IsActive {
				return err
			}
			right = true
			return fn(tx, u)
		})
		return right && err == nil, err
	})
	if err == nil && !right {
		err = ErrUserInvalid.At("proof",
			"is neither your present password nor the code that your authenticator shows now")
	}
	return err
}

// proving is who proves to be themselves: by the session, since others may be signed in as this person, and each has
// its own.
func proving(k Attempt, s Session) throttle.Who { return throttle.Who{Account: s.ID, Peer: k.Address} }

// prove checks the password of a person who is signed in, outside a transaction: stillTheirs looks again inside the one
// that follows.
func (e *Entrance) prove(ctx context.Context, k Attempt, s Session, password, field string) (u User, err error) {
	err = e.read(ctx, db.Into(&u, func(tx *db.Tx) (User, error) { return userByID(tx, s.UserID) }))
	if err != nil {
		return u, err
	}
	right, err := e.guard.Try(ctx, &throttle.OfficeProof, proving(k, s), func() (bool, error) {
		right, err := e.hasher.Verify(ctx, u.PasswordHash, password)
		return right && u.IsActive, err
	})
	if err == nil && !right {
		err = ErrUserInvalid.At(field, "is not your present password")
	}
	return u, err
}

// stillTheirs is a person as they are now, if the password that was found right is still theirs.
func stillTheirs(tx *db.Tx, u User, field string) (User, error) {
	now, err := userByID(tx, u.ID)
	if err == nil && (now.PasswordHash != u.PasswordHash || !now.IsActive) {
		err = ErrUserInvalid.At(field, "is not your present password")
	}
	return now, err
}
