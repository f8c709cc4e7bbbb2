package storefront

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Recall is the visit of a session as it stands, for what happens to its cart while nobody is there: a payment arrives.
// Nil where the session has ended or its store is closed; one that has merely expired is still answered.
func Recall(tx *db.Tx, sessionID string) (*Visit, error) {
	v, err := visitOf(tx, sessionID)
	if err != nil || v == nil || v.Session.EndedAt != 0 {
		return nil, err
	}
	v.Channel, err = channel.Find(tx, v.Session.ChannelKey)
	if fault.Is(err, channel.ErrNotFound) || err == nil && !v.Channel.IsActive {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v.chooseTerms(tx)
	return v, nil
}
