package channel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"net/url"
	"strings"
)

// OrderKey is what the links in an order's mails carry: whoever has it may see how the order stands, without an
// account. It follows from the order's id, which nobody can guess, and tells nothing of it.
func OrderKey(orderID string) string {
	mac := hmac.New(sha256.New, []byte(orderID))
	mac.Write([]byte("follow the order"))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:16]))
}

// OrderURL is where an order is followed in the channel's shop, "" where nothing says where that is.
func (c Channel) OrderURL(orderID, number string) string {
	if c.URL() == "" {
		return ""
	}
	return c.URL() + "/orders/" + url.PathEscape(number) + "?key=" + OrderKey(orderID)
}
