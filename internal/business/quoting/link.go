package quoting

import (
	"encoding/binary"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/seal"
)

// ErrLink is a link that was not given out here, or is too old.
var ErrLink = fault.New(fault.NotFound, "Quote.LinkInvalid")

// A link is a token of the quote and of the moment until which it opens: one version of one quote, and nothing else.
const (
	linkPurpose = "quote link"
	linkOpens   = 60 * 24 * time.Hour // beyond the day that the quote is valid until
)

// Link makes the token of the link that opens a quote for its reader: until 60 days after the quote's last day, or
// after today.
func Link(tx *db.Tx, q *Quote) (token string, err error) {
	until := tx.BeginningOf(max(q.ValidUntil, tx.Today())).Time().Add(linkOpens)
	return tx.Token(linkPurpose, q.ID, binary.BigEndian.AppendUint64(nil, uint64(until.Unix())))
}

// OpenLink says which quote of which company a link opens, without asking any record. Quote.LinkInvalid.
func OpenLink(keys *seal.Ring, token string, now db.Time) (company, quoteID string, err error) {
	company, quoteID, until, ok := keys.Opened(linkPurpose, token, 8)
	if !ok {
		return "", "", ErrLink.Because("the link is not whole: open it as it stands in the mail")
	}
	if now.Time().Unix() > int64(binary.BigEndian.Uint64(until)) {
		return "", "", ErrLink.Because("the link has expired: ask for a new one")
	}
	return company, quoteID, nil
}
