package identity

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"

	"kontor/internal/foundation/db"
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

// Reseal seals the second factors with the present key that are not. One whose key is not here stays as it is, and is
// counted: its person comes in by a recovery code.
func Reseal(tx *db.Tx) (lost int, err error) {
	all, err := staleUsers(tx)
	if err != nil {
		return 0, err
	}
	for _, u := range all {
		secret, err1 := tx.Unseal("app_user", totpColumn, u.ID, u.totpSecret)
		pending, err2 := tx.Unseal("app_user", pendingColumn, u.ID, u.totpPending)
		if err1 != nil || err2 != nil {
			lost++
			continue
		}
		u.totpSecret, err1 = tx.Seal("app_user", totpColumn, u.ID, secret)
		u.totpPending, err2 = tx.Seal("app_user", pendingColumn, u.ID, pending)
		if err := errors.Join(err1, err2); err != nil {
			return lost, err
		}
		if err := writeSeals(tx, u); err != nil {
			return lost, err
		}
	}
	return lost, nil
}

// RecoveryLeft is how many recovery codes a person has left.
func RecoveryLeft(tx *db.Tx, userID string) (int, error) {
	u, err := userByID(tx, userID)
	return len(strings.Fields(u.recovery)), err
}

// takeCode checks a code of the authenticator or a recovery code, and uses it up.
func takeCode(tx *db.Tx, u User, code string) (bool, error) {
	code = strings.ToLower(strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r == ' ' || r == '-' }),
		""))
	if len(code) == codeChars {
		secret, err := tx.Unseal("app_user", totpColumn, u.ID, u.totpSecret)
		if err != nil {
			return false, errSealed(err)
		}
		step, ok := matchCode(secret, code, u.totpStep, tx.Now)
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

// errSealed is told to a person whose second factor cannot be read: the recovery codes need no key.
func errSealed(err error) error {
	return ErrWrongCode.At("code",
		"cannot be checked, because the key of the second factors is missing here: enter a recovery code, and tell whoever runs Kontor").
		From(err)
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
