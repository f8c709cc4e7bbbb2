package seal

import (
	"encoding/base64"
	"errors"
	"slices"

	"github.com/google/uuid"
)

// tokenHead are the ids that a token begins with.
const tokenHead = 16 + 16

// Token makes a token that proves itself: the ids of a company and of a record of it, what else its purpose needs, and
// a proof of these that only this installation makes. So a forged one is refused before any record is asked, and no
// secret of anybody's mail lies in the data. ErrNoKey.
func (r *Ring) Token(purpose, company, id string, tail []byte) (string, error) {
	of, wrong := uuid.Parse(company)
	record, err := uuid.Parse(id)
	if err = errors.Join(wrong, err); err != nil {
		return "", err
	}
	m := slices.Concat(of[:], record[:], tail)
	proof, err := r.Prove(purpose, m)
	return base64.RawURLEncoding.EncodeToString(append(m, proof...)), err
}

// Opened takes a token apart that was made for a purpose, with a tail of so many bytes; false for any other.
func (r *Ring) Opened(purpose, token string, tail int) (company, id string, rest []byte, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	n := tokenHead + tail
	if err != nil || len(b) != n+ProofBytes || !r.Proves(purpose, b[:n], b[n:]) {
		return "", "", nil, false
	}
	return uuid.UUID(b[:16]).String(), uuid.UUID(b[16:tokenHead]).String(), b[tokenHead:n], true
}
