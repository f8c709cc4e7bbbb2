package storefront

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/seal"
)

// The token of a session proves by itself that it was given out here, for which store, and when: whoever sends one that
// was not is known without a look at the data, and a session in which nothing was kept yet needs no row. It is the time
// of its opening, 32 random bytes, and an HMAC over both with company and channel, in base64url.
const (
	openedBytes = 8 // microseconds since 1970, big-endian
	randomBytes = 32
	tokenBytes  = openedBytes + randomBytes + seal.ProofBytes
)

// tokenPurpose keeps the proof of a token apart from those of anything else.
const tokenPurpose = "store session"

var tokenText = base64.RawURLEncoding.Strict()

// newToken is a token of the store named by GuestOf(tx), opened now.
func newToken(tx *db.Tx, channelKey string) (string, error) {
	b := make([]byte, openedBytes+randomBytes, tokenBytes)
	binary.BigEndian.PutUint64(b, uint64(tx.Now))
	rand.Read(b[openedBytes:])
	proof, err := tx.Prove(tokenPurpose, tokenMessage(tx.Company, channelKey, b))
	return tokenText.EncodeToString(append(b, proof...)), err
}

func tokenMessage(company, channelKey string, b []byte) []byte {
	return append([]byte(company+"\x00"+channelKey+"\x00"), b...)
}

// Genuine reports whether a token was given out by this installation for a store of a company. It says nothing about
// whether its session stands.
func Genuine(keys *seal.Ring, company, channelCode, token string) bool {
	b := read(token)
	if b == nil {
		return false
	}
	n := len(b) - seal.ProofBytes
	return keys.Proves(tokenPurpose, tokenMessage(company, record.Fold(channelCode), b[:n]), b[n:])
}

// read is what a token says; nil of what is none.
func read(token string) []byte {
	if len(token) != tokenText.EncodedLen(tokenBytes) {
		return nil
	}
	b, err := tokenText.DecodeString(token)
	if err != nil || len(b) != tokenBytes {
		return nil
	}
	return b
}

// Guest is a visitor of a store, as the visitor's request names them.
type Guest struct {
	Token   string  // SHA-256 of the session's token in hexadecimal; "" without one
	Opened  db.Time // when the token was given out, as it says
	Channel string  // code
	// Forged says that the token was never given out here.
	Forged bool
	// Address is the IP address of who asks: the visitor's, where a server that is Known tells it ("" where it does
	// not), else that of the stranger who sends the request.
	Address string
	// Known says that the request came from the merchant's own server, with a store key.
	Known bool
}

// Ref is what it is counted under that something becomes of the guest's session.
func (g Guest) Ref() db.Ref { return sessionRef(g.Token) }

// sessionRef is what is known of the session of a token.
func sessionRef(token string) db.Ref { return db.Ref{Resource: sessions, Key: token} }

// GuestOf is who visits, in this transaction; zero where nobody does.
func GuestOf(tx *db.Tx) Guest {
	g, _ := tx.Party.(Guest)
	return g
}

// Holder is g with the token it sends, of which Genuine was asked before.
func Holder(g Guest, token string) Guest {
	g.Token = Hash(token)
	if b := read(token); b != nil {
		g.Opened = db.Time(binary.BigEndian.Uint64(b))
	}
	return g
}

// Hash is what is kept of a token.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// sessionID is the id of a token's session, the same on every node before there is a row: a UUID of version 7 (RFC
// 9562, section 5.7) of the opening, whose random part is the beginning of the token's hash.
func sessionID(g Guest) string {
	var id uuid.UUID
	hash, _ := hex.DecodeString(g.Token)
	copy(id[6:], hash)
	ms := uint64(time.Duration(g.Opened) * time.Microsecond / time.Millisecond)
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}
