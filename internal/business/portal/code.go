package portal

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"math/big"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// Purpose is what a code is for.
type Purpose string

// The purposes.
const (
	PasswordReset Purpose = "PasswordReset"
	OneTimeLogin  Purpose = "OneTimeLogin"
)

// Values are all purposes.
func (Purpose) Values() []Purpose { return []Purpose{PasswordReset, OneTimeLogin} }

const (
	codeMinutes = 10
	maxTries    = 5 // wrong ones, before a code is worth nothing
)

// CodeKind is the job of mailing a code. It is added whether anybody has the address or not, so that asking takes the
// same time; what it finds decides about the letter.
var CodeKind = jobs.Kind{Name: "shop-code", Remains: func(payload any) any {
	c := payload.(codeJob)
	c.Digits = ""
	return c
}}

// codeJob is what a code's letter is made of.
type codeJob struct {
	Email     string  `json:"email"`
	Digits    string  `json:"digits,omitempty"`
	Purpose   Purpose `json:"purpose"`
	IsSignUp  bool    `json:"isSignUp,omitempty"`
	Channel   string  `json:"channel"`
	Language  string  `json:"language"`
	WrittenAt db.Time `json:"writtenAt"`
}

// RequestCode makes a code and mails it to whoever has the address. It does and answers the same whether anybody has.
// Mail.Invalid.
func RequestCode(tx *db.Tx, email string, purpose Purpose) error {
	v := storefront.Of(tx)
	return issue(tx, codeJob{Email: email, Purpose: purpose, Channel: v.Channel.Code, Language: v.Language})
}

func issue(tx *db.Tx, c codeJob) error {
	if err := mail.CheckAddress("email", c.Email); err != nil {
		return err
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return err
	}
	c.Digits, c.WrittenAt = fmt.Sprintf("%06d", n), tx.Now
	if err := writeCode(tx, c.Email, c.Purpose, hashCode(c.Email, c.Purpose, c.Digits),
		tx.Now.Add(codeMinutes*time.Minute)); err != nil {
		return err
	}
	_, err = jobs.Add(tx, CodeKind, c.Email, c, jobs.Options{})
	return err
}

func hashCode(email string, purpose Purpose, digits string) string {
	sum := sha256.Sum256([]byte(addressKey(email) + "\x00" + string(purpose) + "\x00" + digits))
	return hex.EncodeToString(sum[:])
}

// Try reports whether a code is right, without using it up, and how many wrong ones may follow. A wrong one is counted,
// which must be committed whatever becomes of the attempt: on the code that this session asked for, and on those that
// others asked for, apart from what their own sessions try. So nobody uses up somebody else's code.
func Try(tx *db.Tx, email string, purpose Purpose, digits string) (right bool, left int, err error) {
	codes, err := lockCodes(tx, email, purpose)
	if err != nil {
		return false, 0, err
	}
	given := []byte(hashCode(email, purpose, digits))
	for _, c := range codes {
		if c.tries >= maxTries {
			continue
		}
		left = max(left, maxTries-c.tries)
		if subtle.ConstantTimeCompare([]byte(c.hash), given) == 1 {
			right = true
		}
	}
	if right || len(codes) == 0 {
		return right, left, nil
	}
	return false, max(0, left-1), countWrong(tx, email, purpose)
}

// Present is Try for who wants in: where the code is right and the address was registered, its account is made now. It
// must be committed whatever becomes of the attempt.
func Present(tx *db.Tx, email string, purpose Purpose, digits string) (right bool, err error) {
	if right, _, err = Try(tx, email, purpose, digits); err != nil || !right {
		return false, err
	}
	return true, open(tx, email)
}

// WrongCode is the one refusal of everything that may be wrong with a code.
func WrongCode() error {
	return ErrWrongCode.Because(
		"the code is not right, or no longer: after %d minutes, %d wrong attempts or its use ask for another with POST /ecom/auth/request-code",
		codeMinutes, maxTries)
}

// use takes a right code out of the world. Auth.WrongCode, also where somebody was faster.
func use(tx *db.Tx, email string, purpose Purpose, digits string) error {
	taken, err := takeCode(tx, email, purpose, hashCode(email, purpose, digits))
	if err == nil && !taken {
		err = WrongCode()
	}
	return err
}

// PostCode writes the letter of a code. It handles CodeKind.
func PostCode(tx *db.Tx, j jobs.Job) error {
	var c codeJob
	if err := j.Read(&c); err != nil {
		return err
	}
	if c.WrittenAt.Add(codeMinutes*time.Minute) <= tx.Now {
		return nil
	}
	store, err := channel.Find(tx, c.Channel)
	if fault.Is(err, channel.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := Find(tx, c.Email)
	if err != nil {
		return err
	}
	r, registered, err := findRegistration(tx, c.Email)
	if err != nil {
		return err
	}
	if registered = registered && r.ContactID == ""; registered && p.Contact.ID == "" {
		taken, err := isTaken(tx, c.Email)
		if err != nil || taken {
			return err // who was shut out does not come in by another account
		}
	}
	sender, to := channel.Letterhead(tx, store), mail.Address{Name: p.Contact.Name, Email: c.Email}
	if to.Confirmed, err = isConfirmed(tx, p.Contact.ID); err != nil {
		return err
	}
	code := letters.Code{Purpose: letters.SignIn, Digits: c.Digits, Minutes: codeMinutes, Now: c.WrittenAt}
	switch known := p.Contact.ID != ""; {
	case known && c.IsSignUp:
		return mail.Enqueue(tx, letters.AlreadyRegistered(c.Language, sender, to, store.URL()))
	case known:
		if c.Purpose == PasswordReset {
			code.Purpose = letters.PasswordReset
		}
	case registered && c.Purpose == OneTimeLogin:
		code.Purpose = letters.VerifyAddress
	default:
		return nil // nobody has this address
	}
	return mail.Enqueue(tx, letters.VerificationCode(c.Language, sender, to, code))
}

// addressKey is what is kept of an e-mail that somebody typed.
func addressKey(email string) string {
	sum := sha256.Sum256([]byte(record.Fold(email)))
	return hex.EncodeToString(sum[:16])
}
