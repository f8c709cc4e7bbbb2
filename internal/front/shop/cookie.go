package shop

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"net/http"
	"time"
)

// The session's token stays on this server: whoever has it is the visitor. The browser keeps it sealed, in a cookie
// that scripts cannot read and other sites cannot send along with a form. The key outlives the process, so that a
// restart loses nobody's cart, and several processes of a shop share it.
const (
	sessionCookie = "kontor_shop"
	noteCookie    = "kontor_shop_note"
	stay          = 7 * 24 * time.Hour // as long as a session lasts
)

// KeySize is the length of the key that seals cookies.
const KeySize = 32

func newSealer(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, errors.New("the key of the cookies has 32 bytes")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// seal encrypts a cookie's value under its name, so that no cookie can stand for another.
func (s *Shop) seal(name, value string) string {
	return base64.RawURLEncoding.EncodeToString(s.sealer.Seal(nil, nil, []byte(value), []byte(name)))
}

func (s *Shop) unseal(name, sealed string) (string, error) {
	b, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return "", err
	}
	plain, err := s.sealer.Open(nil, nil, b, []byte(name))
	return string(plain), err
}

func (s *Shop) setCookie(w http.ResponseWriter, r *http.Request, name, value string, age time.Duration) {
	c := &http.Cookie{Name: name, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil ||
		s.secure, MaxAge: int(age.Seconds())}
	if c.MaxAge <= 0 {
		c.MaxAge = -1
	} else {
		c.Value = s.seal(name, value)
	}
	http.SetCookie(w, c)
}

func (s *Shop) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	value, _ := s.unseal(name, c.Value) // what was not sealed here says nothing
	return value
}
