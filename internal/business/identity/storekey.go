package identity

import (
	"cmp"
	"context"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// CreateStoreKey makes a key that names a merchant's server to the commerce API, for one store of the company, and
// answers it with its secret, which is not kept and cannot be shown again. That there is a channel with this folded
// code is for the caller to know. It refuses with ApiKey.Invalid.
func CreateStoreKey(tx *db.Tx, c Company, channelKey, name string) (k Key, secret string, err error) {
	var wrong fault.List
	name = checkKeyName(name, &wrong)
	if err := wrong.Err(); err != nil {
		return Key{}, "", err
	}
	k, secret, err = makeKey(tx, c, forStore, Key{Name: name, ChannelKey: channelKey})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, note(tx, c.ID, "store-keys", k.Name, "create",
		map[string]any{"id": k.ID, "channel": k.ChannelKey})
}

// RevokeStoreKey ends a store key of the company, named by its id, its name or how it begins, of one channel or with ""
// of any. It refuses with ApiKey.NotFound, with ApiKey.Ambiguous when several match and with ApiKey.AlreadyRevoked.
func RevokeStoreKey(tx *db.Tx, c Company, channelKey, which string) (Key, error) {
	keys, err := StoreKeys(tx, c.ID)
	if err != nil {
		return Key{}, err
	}
	if channelKey != "" {
		keys = slices.DeleteFunc(keys, func(k Key) bool { return k.ChannelKey != channelKey })
	}
	return revokeOne(tx, c, keys, which, "store-key")
}

// Store says whose server holds a store key. See vouched for count, which is asked too about what has not the form of
// a key. Auth.InvalidCredential.
func (g *Gate) Store(ctx context.Context, key string, count func() error) (Caller, error) {
	env, hash, ok := readKey(key, forStore)
	if !ok {
		return Caller{}, cmp.Or(count(), errStoreKey())
	}
	c, err := vouched(g, hash, count, func() (Caller, error) { return g.admit(ctx, env, hash) })
	if fault.Is(err, ErrInvalidCredential) {
		err = errStoreKey()
	}
	return c, err
}

func errStoreKey() error {
	return ErrInvalidCredential.Because(
		"the X-Store-Key is not known here: check that it is whole, not revoked, and of this company and store")
}
