package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// ProofBytes is how long a proof is: the fingerprint of its key, and an HMAC-SHA-256.
const ProofBytes = idBytes + sha256.Size

// Prove makes a proof that a message was made here, for a purpose. ErrNoKey.
func (r *Ring) Prove(purpose string, message []byte) ([]byte, error) {
	if r == nil {
		return nil, ErrNoKey
	}
	k, ok := r.find(r.Current())
	if !ok {
		return nil, ErrNoKey
	}
	id, err := hex.DecodeString(k.ID)
	return append(id, k.sum(purpose, message)...), err
}

// Proves reports whether a proof is one of this message, made with a key that is here.
func (r *Ring) Proves(purpose string, message, proof []byte) bool {
	if r == nil || len(proof) != ProofBytes {
		return false
	}
	id := hex.EncodeToString(proof[:idBytes])
	k, ok := r.find(id)
	if !ok && !r.askedLately() {
		k, ok = r.again(id)
	}
	return ok && hmac.Equal(proof[idBytes:], k.sum(purpose, message))
}

func (k Key) sum(purpose string, message []byte) []byte {
	h := hmac.New(sha256.New, k.mac)
	h.Write([]byte(purpose + "\x00"))
	h.Write(message)
	return h.Sum(nil)
}

// askEvery is how often at most the keys are read again because a proof names one that is not here: strangers may name
// any.
const askEvery = time.Second

// askedLately reports whether the keys were read again just now for a proof, and notes that they are.
func (r *Ring) askedLately() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.asked) < askEvery {
		return true
	}
	r.asked = time.Now()
	return false
}
