package command

import (
	"cmp"
	"context"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
)

type apiKeyFamily struct {
	Create apiKeyCreate `cmd:"" help:"Create a key and print it, once."`
	List   apiKeyList   `cmd:"" help:"List keys, without their secrets."`
	Revoke apiKeyRevoke `cmd:"" help:"End a key at once."`
}

type apiKeyCreate struct {
	Company string `required:"" help:"Code or id of the company."`
	Name    string `required:"" help:"Which system holds the key, such as erp-sync."`
	Scopes  string `required:"" help:"What it may do, separated by spaces, such as \"items:read inventory:write\"; * is everything."`
	Expires string `placeholder:"WHEN" help:"Date or moment at which it ends, such as 2030-01-31; never if left out."`
}

// Run creates the key.
func (c *apiKeyCreate) Run(ctx context.Context, env *Env) error {
	scopes := strings.FieldsFunc(c.Scopes, func(r rune) bool { return r == ' ' || r == ',' })
	return apiKeys().create(ctx, env, c.Company, func(tx *db.Tx, owner identity.Company) (identity.Key, string, error) {
		expires, err := moment(c.Expires, owner.TimeZone)
		if err != nil {
			return identity.Key{}, "", err
		}
		return identity.CreateKey(tx, owner, identity.NewKey{Name: c.Name, Scopes: scopes, ExpiresAt: expires},
			app.Scopes())
	})
}

// moment reads a date (the end of that day in a time zone) or a timestamp.
func moment(s, zone string) (db.Time, error) {
	if s == "" {
		return 0, nil
	}
	if d, err := day.Parse(s); err == nil {
		in, err := time.LoadLocation(zone)
		return db.TimeOf(d.AddDays(1).Begins(in)), err
	}
	var t db.Time
	if err := t.UnmarshalText([]byte(s)); err != nil {
		return 0, identity.ErrKeyInvalid.At("expires",
			"%q is neither a date such as 2030-01-31 nor a moment such as 2030-01-31T12:00:00Z", s)
	}
	return t, nil
}

func apiKeys() credentials {
	return credentials{
		called: "apiKeys", heads: "KEY\tSTATE\tLAST USED\tSCOPES",
		show: func(k identity.Key) map[string]any {
			answer := credentialAnswerOf(k)
			answer["apiKeyId"], answer["scopes"], answer["expiresAt"] = k.ID, k.Scopes, orNull(k.ExpiresAt)
			return answer
		},
		row: func(k identity.Key, state string) []any {
			return []any{k.Prefix + "...", state, orDash(k.LastUsedAt), cmp.Or(strings.Join(k.Scopes, " "), "(unlimited)")}
		},
	}
}

type apiKeyList struct {
	Company string `required:"" help:"Code or id of the company."`
}

// ReadsOnly says that it changes nothing.
func (*apiKeyList) ReadsOnly() {}

// Run lists the keys.
func (c *apiKeyList) Run(ctx context.Context, env *Env) error {
	return apiKeys().list(ctx, env, c.Company, identity.Keys)
}

type apiKeyRevoke struct {
	Company string `required:"" help:"Code or id of the company."`
	Key     string `arg:"" help:"Name, id or beginning of the key."`
}

// Run revokes the key.
func (c *apiKeyRevoke) Run(ctx context.Context, env *Env) error {
	return apiKeys().revoke(ctx, env, c.Company, func(tx *db.Tx, owner identity.Company) (identity.Key, error) {
		return identity.RevokeKey(tx, owner, c.Key)
	})
}
