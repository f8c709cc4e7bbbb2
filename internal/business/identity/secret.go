package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// tokenChars is the length of 32 random bytes in base64url without padding.
const tokenChars = 43

// NewSecret makes a token of 256 random bits behind a prefix, and the SHA-256 of it that is kept.
func NewSecret(prefix string) (secret string, hash []byte) {
	var b [secretBytes]byte
	rand.Read(b[:]) // crypto/rand never fails: it ends the program instead
	secret = prefix + base64.RawURLEncoding.EncodeToString(b[:])
	return secret, HashSecret(secret)
}

// HashSecret is what is kept of a token.
func HashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
