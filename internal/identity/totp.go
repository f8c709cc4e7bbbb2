package identity

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"

	"kontor/internal/db"
)

// A code is made of a secret and the number of the half minute (RFC 6238, section 4).
const (
	totpStep      = 30 * time.Second
	totpBytes     = 20 // RFC 4226, section 4: "RECOMMENDs a shared secret length of 160 bits"
	codeChars     = 6
	recoveryCodes = 10
	recoveryBytes = 10 // 80 bits each: as good as the fast hash they are kept by
)

// Enrolment is what a person gives to their authenticator.
type Enrolment struct {
	Secret string // base32, to type in
	URL    string // otpauth://, to be shown as a QR code; it holds the secret and belongs in no log
}

// EnrolTOTP offers a person a second factor. It is not asked for until ConfirmTOTP; until then the same secret is offered
// again, unless renew.
func EnrolTOTP(tx *db.Tx, userID string, renew bool) (Enrolment, error) {
	u, err := userByID(tx, userID)
	if err != nil {
		return Enrolment{}, err
	}
	secret := u.totpPending
	if secret == "" || renew {
		var b [totpBytes]byte
		rand.Read(b[:])
		secret = base32.StdEncoding.EncodeToString(b[:])
		if err := setTOTPPending(tx, userID, secret); err != nil {
			return Enrolment{}, err
		}
	}
	q := url.Values{"secret": {secret}, "issuer": {"Kontor"}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	return Enrolment{Secret: secret, URL: "otpauth://totp/" + url.PathEscape("Kontor:"+u.Email) + "?" + q.Encode()}, nil
}

// ConfirmTOTP makes the offered secret the person's second factor once a code shows that they have it, and answers recovery
// codes for the day they lose it. It refuses with Auth.WrongCode.
func ConfirmTOTP(tx *db.Tx, userID, code string) (recovery []string, err error) {
	u, err := userByID(tx, userID)
	if err != nil {
		return nil, err
	}
	step, ok := matchCode(u.totpPending, code, 0, tx.Now)
	if !ok {
		return nil, ErrWrongCode.At("code", "is not the code that the authenticator shows now: check its clock and type the present one")
	}
	codes, hashes := newRecovery()
	if err := setTOTP(tx, userID, u.totpPending, step, hashes); err != nil {
		return nil, err
	}
	return codes, note(tx, "", "users", u.Email, "enrol-totp", nil)
}

// RenewRecovery makes new recovery codes; the old ones are void.
func RenewRecovery(tx *db.Tx, userID string) ([]string, error) {
	u, err := userByID(tx, userID)
	if err != nil {
		return nil, err
	}
	if u.totpSecret == "" {
		return nil, ErrWrongCode.Because("there is no second factor to recover: enrol one first")
	}
	codes, hashes := newRecovery()
	if err := setRecovery(tx, userID, hashes); err != nil {
		return nil, err
	}
	return codes, note(tx, "", "users", u.Email, "renew-recovery", nil)
}

// RecoveryLeft is how many recovery codes a person has left.
func RecoveryLeft(tx *db.Tx, userID string) (int, error) {
	u, err := userByID(tx, userID)
	return len(strings.Fields(u.recovery)), err
}

// takeCode checks a code of the authenticator or a recovery code, and uses it up.
func takeCode(tx *db.Tx, u User, code string) (bool, error) {
	code = strings.ToLower(strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r == ' ' || r == '-' }), ""))
	if len(code) == codeChars {
		step, ok := matchCode(u.totpSecret, code, u.totpStep, tx.Now)
		if !ok {
			return false, nil
		}
		return spendTOTPStep(tx, u.ID, step)
	}
	hash := hex.EncodeToString(HashSecret(code))
	left := strings.Fields(u.recovery)
	for i, h := range left {
		if h == hash {
			rest := strings.Join(append(left[:i:i], left[i+1:]...), " ")
			used, err := useRecovery(tx, u.ID, u.recovery, rest)
			if err != nil || !used {
				return false, err
			}
			return true, note(tx, "", "users", u.Email, "use-recovery-code", map[string]any{"left": len(left) - 1})
		}
	}
	return false, nil
}

// matchCode finds the half minute that a code belongs to: this one, or one to either side of it, and none up to last.
// RFC 6238, section 5.2: "The verifier MUST NOT accept the second attempt of the OTP after the successful validation".
func matchCode(secret, code string, last int64, now db.Time) (step int64, ok bool) {
	if secret == "" || len(code) != codeChars {
		return 0, false
	}
	present := now.Time().Unix() / int64(totpStep/time.Second)
	for _, s := range []int64{present - 1, present, present + 1} {
		want, err := hotp.GenerateCode(secret, uint64(s))
		if err == nil && s > last && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = s, true
		}
	}
	return step, ok
}

// newRecovery makes recovery codes as they are shown, and their hashes as they are kept.
func newRecovery() (codes []string, hashes string) {
	var kept []string
	for range recoveryCodes {
		var b [recoveryBytes]byte
		rand.Read(b[:])
		bare := strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
		codes = append(codes, bare[:4]+"-"+bare[4:8]+"-"+bare[8:12]+"-"+bare[12:])
		kept = append(kept, hex.EncodeToString(HashSecret(bare)))
	}
	return codes, strings.Join(kept, " ")
}
