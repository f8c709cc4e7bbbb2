package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"kontor/internal/foundation/fault"
)

// The cost of a password: argon2id with OWASP's smallest recommended memory, about 20 ms of one core.
const (
	hashMemory  = 19 * 1024 // KiB
	hashTime    = 2
	hashThreads = 1
	hashLength  = 32
	saltLength  = 16

	// minPassword is NIST SP 800-63B's idea with the house's number: length, no composition rules.
	minPassword = 10
	maxPassword = 200
)

// Hasher hashes and checks passwords, a few at a time: each takes 19 MiB and a core, so a crowd at the door must queue
// instead of taking the machine. The queue is short; who finds it full is told to come again. People and the visitors
// of stores have one each, so that nobody waits behind a crowd at the other door.
type Hasher struct {
	slots  chan struct{}
	queue  chan struct{} // those that work or wait
	hashed atomic.Int64
}

const (
	// hashQueue is how many wait for their turn at most; each waits for about 20 ms of a core for everybody before.
	hashQueue   = 24
	hashAtOnce  = 2
	hashWaiting = 5 * time.Second
)

// NewHasher is a Hasher for one door of a process.
func NewHasher() *Hasher {
	return &Hasher{slots: make(chan struct{}, hashAtOnce), queue: make(chan struct{}, hashAtOnce+hashQueue)}
}

// Hashed is how many passwords were hashed or checked so far.
func (h *Hasher) Hashed() int64 { return h.hashed.Load() }

// errBusy is answered where too many wait already, or waited too long.
func errBusy() error {
	return fault.ErrUnavailable.Because("too many people sign in at this moment: try again in a few seconds").After(2)
}

// CheckPassword refuses a password that is too short or too long to be one.
func CheckPassword(password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		return ErrUserInvalid.At("password", "has %d characters; a password needs at least %d, so choose a longer one",
			n, minPassword)
	case n > maxPassword:
		return ErrUserInvalid.At("password", "has %d characters; at most %d are read, so choose a shorter one", n,
			maxPassword)
	}
	return nil
}

// Hash is the password as it is stored. It refuses what CheckPassword refuses, and waits for its turn.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	if err := CheckPassword(password); err != nil {
		return "", err
	}
	salt := make([]byte, saltLength)
	rand.Read(salt)
	sum, err := h.sum(ctx, password, salt)
	if err != nil {
		return "", err
	}
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
		enc.EncodeToString(salt), enc.EncodeToString(sum)), nil
}

// Verify reports whether password is the one that was stored. An empty stored hash is nobody's and costs
// the same, so that the time taken does not tell whether the address exists.
func (h *Hasher) Verify(ctx context.Context, stored, password string) (bool, error) {
	salt, want, known := readHash(stored)
	if !known {
		salt, want = make([]byte, saltLength), make([]byte, hashLength)
	}
	sum, err := h.sum(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(sum, want) == 1 && known, nil
}

func (h *Hasher) sum(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return nil, errBusy()
	}
	patience := time.NewTimer(hashWaiting)
	defer patience.Stop()
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-patience.C:
		return nil, errBusy()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	h.hashed.Add(1)
	return argon2.IDKey([]byte(password), salt, hashTime, hashMemory, hashThreads, hashLength), nil
}

// readHash takes a stored hash apart; it knows the one cost in use.
func readHash(stored string) (salt, sum []byte, ok bool) {
	rest, ok := strings.CutPrefix(stored, fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, hashMemory,
		hashTime, hashThreads))
	if !ok {
		return nil, nil, false
	}
	a, b, _ := strings.Cut(rest, "$")
	salt, err1 := base64.RawStdEncoding.DecodeString(a)
	sum, err2 := base64.RawStdEncoding.DecodeString(b)
	return salt, sum, err1 == nil && err2 == nil && len(sum) == hashLength
}
