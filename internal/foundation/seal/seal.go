// Package seal keeps secrets that must be readable again (of second factors, of payment providers) under a key that
// lies outside the data: AES-256-GCM, with the place of the value as associated data, so that a sealed value that is
// moved to another company, record or column does not open. A sealed text names its key, so keys can be replaced one by
// one.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// prefix begins every sealed text. Nothing that is sealed begins so itself.
const prefix = "sealed:1:"

const (
	keyBytes = 32
	idBytes  = 6
)

// ErrNoKey is answered where there is no key, or not the one that a text was sealed with.
var ErrNoKey = errors.New("the key is not here")

// Place is where a sealed value lies.
type Place struct {
	Company            string // "" = what belongs to no company
	Table, Column, Row string
}

func (p Place) data() []byte {
	return []byte(strings.Join([]string{p.Company, p.Table, p.Column, p.Row}, "\x00"))
}

// Key is one key, known by its fingerprint.
type Key struct {
	ID   string
	aead cipher.AEAD
	mac  []byte // of proofs, derived from the key
}

// NewKey is a fresh key as it stands in a file.
func NewKey() string {
	var b [keyBytes]byte
	rand.Read(b[:])
	return base64.StdEncoding.EncodeToString(b[:])
}

// Parse reads keys that stand one after another, in lines or behind commas; a line that begins with # is a note. The
// first seals, all of them open.
func Parse(text string) ([]Key, error) {
	var keys []Key
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.FieldsFunc(line,
			func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
			b, err := base64.StdEncoding.DecodeString(word)
			if err != nil || len(b) != keyBytes {
				return nil, fmt.Errorf("key %d is not 32 bytes in base64", len(keys)+1)
			}
			block, err := aes.NewCipher(b)
			if err != nil {
				return nil, err
			}
			aead, err := cipher.NewGCM(block)
			if err != nil {
				return nil, err
			}
			mac, err := hkdf.Key(sha256.New, b, nil, "kontor proof", keyBytes)
			if err != nil {
				return nil, err
			}
			sum := sha256.Sum256(append([]byte("kontor key "), b...))
			keys = append(keys, Key{ID: hex.EncodeToString(sum[:idBytes]), aead: aead, mac: mac})
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no key in it")
	}
	return keys, nil
}

// Ring are the keys in use. Without keys it neither seals nor opens.
type Ring struct {
	mu     sync.RWMutex
	keys   []Key
	reload func() ([]Key, error)
	asked  time.Time // see askedLately
}

// Use puts keys into the ring. reload, where there is one, is asked again when a text names a key that is not among
// them: another process may have replaced the key.
func (r *Ring) Use(keys []Key, reload func() ([]Key, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys, r.reload = keys, reload
}

// Current is the fingerprint of the key that seals, "" without one.
func (r *Ring) Current() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.keys) == 0 {
		return ""
	}
	return r.keys[0].ID
}

// Has reports whether a key is here.
func (r *Ring) Has(id string) bool {
	_, ok := r.find(id)
	return ok
}

func (r *Ring) find(id string) (Key, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, k := range r.keys {
		if k.ID == id {
			return k, true
		}
	}
	return Key{}, false
}

// Seal makes a text unreadable without the key. The empty text stays empty.
func (r *Ring) Seal(p Place, plain string) (string, error) {
	if plain == "" {
		return "", nil
	}
	if r == nil {
		return "", ErrNoKey
	}
	k, ok := r.find(r.Current())
	if !ok {
		return "", ErrNoKey
	}
	nonce := make([]byte, k.aead.NonceSize(), k.aead.NonceSize()+len(plain)+k.aead.Overhead())
	rand.Read(nonce)
	return prefix + k.ID + ":" + base64.RawStdEncoding.EncodeToString(k.aead.Seal(nonce, nonce, []byte(plain),
		p.data())), nil
}

// Open is the text that was sealed at a place. A text that was never sealed is answered as it is: data is sealed as it
// is opened by a Kontor that seals. It refuses with ErrNoKey, and with another error what was changed or moved.
func (r *Ring) Open(p Place, text string) (string, error) {
	id := KeyOf(text)
	if id == "" {
		return text, nil
	}
	if r == nil {
		return "", ErrNoKey
	}
	k, ok := r.find(id)
	if !ok {
		k, ok = r.again(id)
	}
	if !ok {
		return "", fmt.Errorf("%w: it was sealed with key %s", ErrNoKey, id)
	}
	b, err := base64.RawStdEncoding.DecodeString(text[len(prefix)+len(id)+1:])
	if err != nil || len(b) < k.aead.NonceSize() {
		return "", errors.New("the sealed text is damaged")
	}
	plain, err := k.aead.Open(nil, b[:k.aead.NonceSize()], b[k.aead.NonceSize():], p.data())
	if err != nil {
		return "", errors.New("the sealed text is damaged, or was sealed at another place")
	}
	return string(plain), nil
}

// again reads the keys once more.
func (r *Ring) again(id string) (Key, bool) {
	r.mu.RLock()
	reload := r.reload
	r.mu.RUnlock()
	if reload == nil {
		return Key{}, false
	}
	keys, err := reload()
	if err != nil {
		return Key{}, false
	}
	r.Use(keys, reload)
	return r.find(id)
}

// KeyOf is the fingerprint of the key that a text was sealed with, "" where it is not sealed.
func KeyOf(text string) string {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return ""
	}
	id, _, ok := strings.Cut(rest, ":")
	if !ok {
		return ""
	}
	return id
}
