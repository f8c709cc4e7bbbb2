package quoting

import (
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/seal"
)

// ErrLink is a link that was not given out here, or is too old.
var ErrLink = fault.New(fault.NotFound, "Quote.LinkInvalid")

// A link is a token that proves itself: the company, the quote, until when it opens, and a proof of these that only
// this installation makes. It opens one version of one quote, and nothing else.
const (
	linkPurpose = "quote link"
	linkMessage = 16 + 16 + 8
	linkOpens   = 60 * 24 * time.Hour // beyond the day that the quote is valid until
)

// Link makes the token of the link that opens a quote for its reader: until 60 days after the quote's last day, or
// after today.
func Link(tx *db.Tx, q *Quote) (token string, err error) {
	company, err := uuid.Parse(tx.Company)
	if err != nil {
		return "", err
	}
	id, err := uuid.Parse(q.ID)
	if err != nil {
		return "", err
	}
	until := tx.BeginningOf(max(q.ValidUntil, tx.Today())).Time().Add(linkOpens)
	m := append(append(make([]byte, 0, linkMessage+seal.ProofBytes), company[:]...), id[:]...)
	m = binary.BigEndian.AppendUint64(m, uint64(until.Unix()))
	proof, err := tx.Prove(linkPurpose, m)
	return base64.RawURLEncoding.EncodeToString(append(m, proof...)), err
}

// OpenLink says which quote of which company a link opens, without asking any record. Quote.LinkInvalid.
func OpenLink(keys *seal.Ring, token string, now db.Time) (company, quoteID string, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) != linkMessage+seal.ProofBytes || !keys.Proves(linkPurpose, b[:linkMessage],
		b[linkMessage:]) {
		return "", "", ErrLink.Because("the link is not whole: open it as it stands in the mail")
	}
	if now.Time().Unix() > int64(binary.BigEndian.Uint64(b[32:linkMessage])) {
		return "", "", ErrLink.Because("the link has expired: ask for a new one")
	}
	return uuid.UUID(b[:16]).String(), uuid.UUID(b[16:32]).String(), nil
}
