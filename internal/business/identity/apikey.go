package identity

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Everything is the scope that reaches everything.
const Everything = "*"

// Key is an API key of a company, or a store key, as it may be shown: without its secret.
type Key struct {
	ID        string
	CompanyID string
	Name      string
	// ChannelKey is the store whose server a store key names; "" of an API key.
	ChannelKey string
	// Prefix is how the key begins, enough to recognise it in a vault.
	Prefix string
	// Scopes is empty only on keys from before scopes, which are unlimited.
	Scopes                                      []string `db:",words"`
	CreatedAt, ExpiresAt, RevokedAt, LastUsedAt db.Time
}

// NewKey is what it takes to let another system in.
type NewKey struct {
	Name      string
	Scopes    []string
	ExpiresAt db.Time // 0 = never
}

// CreateKey makes a key of the company and answers it with its secret, which is not kept and cannot be
// shown again. known are the scopes there are. It refuses with ApiKey.Invalid naming every wrong field.
func CreateKey(tx *db.Tx, c Company, n NewKey, known []string) (k Key, secret string, err error) {
	if n, err = checkKey(tx, n, known); err != nil {
		return Key{}, "", err
	}
	k, secret, err = makeKey(tx, c, forAPI, Key{Name: n.Name, Scopes: n.Scopes, ExpiresAt: n.ExpiresAt})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, note(tx, c.ID, "api-keys", k.Name, "create", map[string]any{
		"id": k.ID, "scopes": k.Scopes, "expiresAt": k.ExpiresAt.String()})
}

// makeKey enters a key with a new secret.
func makeKey(tx *db.Tx, c Company, kind keyKind, k Key) (made Key, secret string, err error) {
	secret = mint(c.Environment, kind)
	_, hash, _ := readKey(secret, kind)
	k.ID, k.CompanyID, k.Prefix, k.CreatedAt = newID(), c.ID, secret[:shownChars], tx.Now
	return k, secret, insertKey(tx, k, hash)
}

// RevokeKey ends an API key of the company, named by its id, its name or how it begins. It refuses with
// ApiKey.NotFound, with ApiKey.Ambiguous when several match and with ApiKey.AlreadyRevoked.
func RevokeKey(tx *db.Tx, c Company, which string) (Key, error) {
	keys, err := Keys(tx, c.ID)
	if err != nil {
		return Key{}, err
	}
	return revokeOne(tx, c, keys, which, "api-key")
}

// revokeOne ends that of the keys which is meant; command makes keys of the kind.
func revokeOne(tx *db.Tx, c Company, keys []Key, which, command string) (Key, error) {
	keys = slices.DeleteFunc(keys, func(k Key) bool {
		return k.ID != which && !strings.EqualFold(k.Name, which) && k.Prefix != which
	})
	live := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.RevokedAt != 0 })
	switch {
	case len(keys) == 0:
		return Key{}, ErrKeyNotFound.Because("company %s has no key %q: see its keys with kontor %s list", c.Code,
			which, command)
	case len(live) == 0:
		return Key{}, ErrKeyRevoked.Because("key %q was revoked on %s", which, keys[0].RevokedAt)
	case len(live) > 1:
		return Key{}, ErrKeyAmbiguous.Because("%d keys are named %q: name the one you mean by its id", len(live), which)
	}
	k := live[0]
	k.RevokedAt = tx.Now
	if err := errors.Join(revoke(tx, k.ID), tx.Fire(Turned{})); err != nil {
		return Key{}, err
	}
	return k, note(tx, c.ID, command+"s", k.Name, "revoke", map[string]any{"id": k.ID})
}

// checkKey trims and checks, and reports all faults at once.
func checkKey(tx *db.Tx, n NewKey, known []string) (NewKey, error) {
	var wrong fault.List
	n.Name = checkKeyName(n.Name, &wrong)
	n.Scopes = slices.Compact(slices.Sorted(slices.Values(n.Scopes)))
	wrong.If(len(n.Scopes) == 0, ErrKeyInvalid, "scopes",
		"is empty; name what the key may do, such as \"items:read inventory:write\", or write * for everything")
	for _, s := range n.Scopes {
		wrong.If(s != Everything && !slices.Contains(known, s), ErrKeyInvalid, "scopes",
			"%q is not a scope; there are * %s", s, strings.Join(known, " "))
	}
	wrong.If(n.ExpiresAt != 0 && n.ExpiresAt <= tx.Now, ErrKeyInvalid, "expires",
		"%s is past already; choose a later moment or leave it out", n.ExpiresAt)
	return n, wrong.Err()
}

// checkKeyName trims the name of a key.
func checkKeyName(name string, wrong *fault.List) string {
	name = strings.TrimSpace(name)
	if c := utf8.RuneCountInString(name); c == 0 || c > 200 {
		wrong.Add(ErrKeyInvalid, "name", "has %d characters; give it 1 to 200 that say which system holds the key", c)
	}
	return name
}
