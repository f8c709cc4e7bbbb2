package portal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"kontor/internal/db"
	"kontor/internal/record"
	"kontor/internal/storefront"
)

// limit is how many attempts a key may make in a window of time.
type limit struct {
	many   int64
	window time.Duration
}

// The limits at the door. Passwords are counted by address together with the visitor's network, so that a stranger elsewhere
// who fails under somebody's name does not lock them out, and by the network for all names it tries. Where a storefront does
// not tell its visitors' addresses, a name counts by itself; its owner still comes in by a code.
var (
	pairLimit    = limit{10, 15 * time.Minute}
	networkLimit = limit{100, 15 * time.Minute}
	proofLimit   = limit{10, 15 * time.Minute} // of the present password, by who is signed in
	soonLimit    = limit{1, time.Minute}       // codes for an address
	codesLimit   = limit{5, time.Hour}
	senderLimit  = limit{30, time.Hour}        // codes asked for by one network
	trailLimit   = limit{20, 15 * time.Minute} // orders that somebody without an account asks for
)

const longestWindow = time.Hour

// spend counts one attempt and refuses with Auth.TooManyAttempts when there were too many.
func spend(tx *db.Tx, key string, l limit) error {
	n, since, err := countAttempt(tx, key, later(tx.Now, -l.window))
	if err != nil || n <= l.many {
		return err
	}
	wait := max(1, int((later(since, l.window)-tx.Now)/db.Time(time.Second/time.Microsecond))+1)
	f := ErrTooMany.Because("this was tried too often: wait %d seconds and try again", wait)
	f.RetryAfterSeconds = wait
	return f
}

// SpendTrail counts who asks for an order by its number and an e-mail address: by the visitor's network, else by the session. It must be
// committed whatever becomes of the attempt; a right one is forgiven. Auth.TooManyAttempts.
func SpendTrail(tx *db.Tx, fits bool) error {
	key := "trail:" + cmp.Or(network(tx), storefront.Of(tx).Session.ID)
	if err := spend(tx, key, trailLimit); err != nil || !fits {
		return err
	}
	return forgiveOne(tx, key)
}

func later(t db.Time, d time.Duration) db.Time { return t + db.Time(d/time.Microsecond) }

// addressKey is what is kept of an e-mail that somebody typed.
func addressKey(email string) string {
	sum := sha256.Sum256([]byte(record.Fold(email)))
	return hex.EncodeToString(sum[:16])
}

// network is where who asks is. It is empty where a storefront does not tell.
func network(tx *db.Tx) string { return storefront.AskerOf(tx).Network }

func pairKey(tx *db.Tx, email string) string {
	return "password:" + addressKey(email) + ":" + network(tx)
}
