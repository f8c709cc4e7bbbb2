package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"strings"
	"time"

	"kontor/internal/db"
	"kontor/internal/fault"
)

// limit is how many attempts a key may make in a window of time.
type limit struct {
	many   int64
	window time.Duration
}

// The limits at the door. None counts by the name alone: else a stranger who fails under somebody's name would lock them out.
// A name is counted together with the address that tries it, a browser known to its person by itself, and an address for all
// names it tries. What is left to a stranger with many addresses is held by the length of passwords and by the second factor.
var (
	pairLimit    = limit{10, 15 * time.Minute}
	addressLimit = limit{100, 15 * time.Minute}
	deviceLimit  = limit{20, 15 * time.Minute}
	// Who gets as far as the second factor knows the password, so this one may go by the person.
	codeLimit   = limit{20, time.Hour}
	resetLimit  = limit{5, time.Hour}
	letterLimit = limit{30, time.Hour} // of resets asked for by one address
	// openResets is how many letters of a new password lie open at most; all of them work.
	openResets = int64(5)
)

const longestWindow = 24 * time.Hour

// spend counts one attempt, and refuses with Auth.TooManyAttempts when there were too many. It counts before the attempt is
// made, so that many at once find no gap.
func spend(tx *db.Tx, key string, l limit) error {
	n, since, err := countAttempt(tx, key, later(tx.Now, -l.window))
	if err != nil || n <= l.many {
		return err
	}
	wait := max(1, int((later(since, l.window)-tx.Now)/db.Time(time.Second/time.Microsecond))+1)
	f := ErrTooManyAttempts.Because("too many attempts failed: wait %d minutes and try again", (wait+59)/60)
	f.RetryAfterSeconds = wait
	return f
}

// pairKey is the key of a name tried from an address. The name is hashed: what strangers type may be a password.
func pairKey(what, email, address string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.TrimSpace(email)) + "\x00" + Network(address)))
	return what + ":" + hex.EncodeToString(sum[:16])
}

func addressKey(what, address string) string { return what + ":" + Network(address) }

func deviceKey(device string) string { return "device:" + hex.EncodeToString(HashSecret(device)[:16]) }

// Network is who an address belongs to: of IPv6 the first 64 bits, the rest of which a subscriber chooses freely. It is empty where
// the text is no address.
func Network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	a = a.Unmap().WithZone("")
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

// isLimit reports whether a refusal came from a count.
func isLimit(err error) bool { return fault.Is(err, ErrTooManyAttempts) }
