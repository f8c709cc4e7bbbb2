package newsletter

import (
	"encoding/binary"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/seal"
)

// ErrToken is a token that was not given out here, is for something else, was used, or is too old.
var ErrToken = fault.New(fault.Invalid, "Newsletter.TokenInvalid")

// What a mailed token is for: the proof of one is none of another.
const (
	confirming  = "newsletter confirmation"
	leaving     = "newsletter leaving"
	reading     = "newsletter reading"
	confirmTail = 4 + 8
)

// ConfirmDays is how long an address can be confirmed.
const ConfirmDays = 7

// opened takes a token apart that was made for a purpose, with a tail of so many bytes. Newsletter.TokenInvalid.
func opened(keys *seal.Ring, purpose, token string, tail int) (l Link, rest []byte, err error) {
	var ok bool
	if l.Company, l.SubscriberID, rest, ok = keys.Opened(purpose, token, tail); !ok {
		err = ErrToken.At("token", "the token is not one for this: send it as it stands in the mail")
	}
	return l, rest, err
}

// Link is what a mailed token says.
type Link struct {
	Company, SubscriberID string
	round                 int
}

// confirmToken lets the reader of the subscriber's address confirm it, once and for ConfirmDays.
func confirmToken(tx *db.Tx, s *Subscriber) (string, error) {
	until := tx.Now.Time().Add(ConfirmDays * 24 * time.Hour)
	tail := binary.BigEndian.AppendUint32(nil, uint32(s.Round))
	return tx.Token(confirming, s.ID, binary.BigEndian.AppendUint64(tail, uint64(until.Unix())))
}

// OpenConfirmation reads the token of a confirmation, without asking any record. Newsletter.TokenInvalid.
func OpenConfirmation(keys *seal.Ring, token string, now db.Time) (Link, error) {
	l, tail, err := opened(keys, confirming, token, confirmTail)
	if err != nil {
		return l, err
	}
	if l.round = int(binary.BigEndian.Uint32(tail)); now.Time().Unix() > int64(binary.BigEndian.Uint64(tail[4:])) {
		return l, ErrToken.At("token", "the token has expired: subscribe once more")
	}
	return l, nil
}

// LeaveToken lets the reader of a subscriber's mails end the subscription. It does not expire: every mail that ever
// arrived can be answered with it.
func LeaveToken(tx *db.Tx, subscriberID string) (string, error) {
	return tx.Token(leaving, subscriberID, nil)
}

// OpenLeaving reads the token that ends a subscription, without asking any record. Newsletter.TokenInvalid.
func OpenLeaving(keys *seal.Ring, token string) (Link, error) {
	l, _, err := opened(keys, leaving, token, 0)
	return l, err
}

// ReadToken shows a mailing in a browser to whoever has a letter of it. It says nothing of who that is: a letter that
// is passed on shows the next reader no more than it says.
func ReadToken(tx *db.Tx, mailingID string) (string, error) {
	return tx.Token(reading, mailingID, nil)
}

// OpenReading reads the token that shows a mailing, without asking any record. Newsletter.TokenInvalid.
func OpenReading(keys *seal.Ring, token string) (company, mailingID string, err error) {
	l, _, err := opened(keys, reading, token, 0)
	return l.Company, l.SubscriberID, err
}
