package payment

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how old, or how far ahead of our clock, a signed callback may be.
const Tolerance = 5 * time.Minute

// longestCallback is how many bytes of a callback are read at all.
const longestCallback = 1 << 20

// Sign is the signature of a message: "t=<unix seconds>,v1=<hex of HMAC-SHA256 over t, a point and the body>". It is
// the scheme of Stripe, which the Test and Hosted providers speak too.
func Sign(secret string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(digest(secret, t, body))
}

func digest(secret, t string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t))
	mac.Write([]byte("."))
	mac.Write(body)
	return mac.Sum(nil)
}

// Verify proves a signature and its age. A header may carry several v1, while a secret is being replaced; one that fits
// is enough.
// The signature is proved before the age is told, so that a stranger learns nothing of the clock.
func Verify(secret, header string, body []byte, now time.Time) error {
	if secret == "" {
		return ErrMisconfigured.Because("The payment method has no secret to prove callbacks with.")
	}
	if len(body) > longestCallback {
		return ErrCallback.Because("A callback has at most %d bytes.", longestCallback)
	}
	var t string
	var given [][]byte
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			if t != "" && t != value {
				return ErrForged.Because("The signature names two moments.")
			}
			t = value
		case "v1":
			if mac, err := hex.DecodeString(value); err == nil && len(given) < 8 {
				given = append(given, mac)
			}
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || len(given) == 0 {
		return ErrForged.Because("The callback carries no signature of the form t=…,v1=….")
	}
	want, fits := digest(secret, t, body), false
	for _, mac := range given {
		fits = hmac.Equal(mac, want) || fits
	}
	if !fits {
		return ErrForged.Because("The callback's signature does not fit its body and the payment method's secret.")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > Tolerance || age < -Tolerance {
		return ErrStale.Because(
			"The callback was signed more than %d minutes from now. Send it again with a new signature.",
			int(Tolerance.Minutes()))
	}
	return nil
}
