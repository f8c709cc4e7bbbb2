package cart

import (
	"crypto/sha256"

	"github.com/google/uuid"

	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// A cart has an id before it has a row: whoever only looks at his empty cart writes nothing. That of a session's first
// cart follows from the session's own. Once the session has a row, a cart without one gets it when it is shown.

// KnownID is the id of the cart, also of one that is only there once something lies in it.
func (c *Cart) KnownID(tx *db.Tx) string {
	if c.ID == "" {
		return idFor(tx, c.SessionID)
	}
	return c.ID
}

// idFor is the id of the next cart that a session will have.
func idFor(tx *db.Tx, sessionID string) string {
	if isKept(tx, sessionID) {
		return record.NewID()
	}
	return firstID(sessionID)
}

// firstID is the id of a session's first cart: a UUID of version 7 (RFC 9562, section 5.7) of the session's opening, so
// that carts of one time lie side by side, whose random part follows from the session's id.
func firstID(sessionID string) string {
	session := uuid.MustParse(sessionID)
	id := uuid.NewHash(sha256.New(), session, []byte("cart"), 7)
	copy(id[:6], session[:6])
	return id.String()
}

// isKept reports whether a session has a row, and with it may have had carts before.
func isKept(tx *db.Tx, sessionID string) bool {
	v, ok := tx.Admitted.(*storefront.Visit) // a job has none
	return !ok || v.Session.ID != sessionID || v.Session.IsKept
}
