package command

import (
	"context"
	"slices"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// credentials is a kind of key: API keys or store keys.
type credentials struct {
	called string // in the answer's JSON
	heads  string // of the table, between NAME and ID
	show   func(k identity.Key) map[string]any
	row    func(k identity.Key, state string) []any // below the heads
}

// create makes a key and prints it, once.
func (c credentials) create(ctx context.Context, env *Env, company string,
	make func(tx *db.Tx, owner identity.Company) (identity.Key, string, error)) error {
	owner, err := env.App.Company(ctx, company)
	if err != nil {
		return err
	}
	var k identity.Key
	var secret string
	err = env.App.Control(ctx, func(tx *db.Tx) error {
		k, secret, err = make(tx, owner)
		return err
	})
	if err != nil {
		return err
	}
	answer := c.show(k)
	answer["key"] = secret
	return env.Print(answer, "%s\n", secret)
}

// list prints keys without their secrets.
func (c credentials) list(ctx context.Context, env *Env, company string,
	find func(tx *db.Tx, companyID string) ([]identity.Key, error)) error {
	owner, err := env.App.Company(ctx, company)
	if err != nil {
		return err
	}
	if err := env.App.Gate().Flush(ctx); err != nil { // so that the last use is not old news
		return err
	}
	var keys []identity.Key
	err = env.App.Look(ctx, db.Into(&keys, func(tx *db.Tx) ([]identity.Key, error) { return find(tx, owner.ID) }))
	if err != nil {
		return err
	}
	rows := tableOf("NAME\t"+c.heads+"\tID", keys, func(k identity.Key) []any {
		return slices.Concat([]any{k.Name}, c.row(k, stateOf(k, env.App.Store().Now())), []any{k.ID})
	})
	return env.Print(map[string]any{c.called: each.Of(keys, c.show)}, "%s", rows)
}

// revoke ends a key at once.
func (c credentials) revoke(ctx context.Context, env *Env, company string,
	end func(tx *db.Tx, owner identity.Company) (identity.Key, error)) error {
	owner, err := env.App.Company(ctx, company)
	if err != nil {
		return err
	}
	var k identity.Key
	err = env.App.Control(ctx, db.Into(&k, func(tx *db.Tx) (identity.Key, error) { return end(tx, owner) }))
	if err != nil {
		return err
	}
	env.App.Gate().Forget()
	return env.Print(c.show(k), "revoked %s (%s...)\n", k.Name, k.Prefix)
}

// credentialAnswerOf is what API keys and store keys have in common.
func credentialAnswerOf(k identity.Key) map[string]any {
	return map[string]any{"companyId": k.CompanyID, "name": k.Name, "prefix": k.Prefix,
		"createdDate": k.CreatedAt.String(), "revokedAt": orNull(k.RevokedAt), "lastUsedAt": orNull(k.LastUsedAt)}
}

func orNull(t db.Time) any {
	if t == 0 {
		return nil
	}
	return t.String()
}

func stateOf(k identity.Key, now db.Time) string {
	switch {
	case k.RevokedAt != 0:
		return "revoked"
	case k.ExpiresAt != 0 && k.ExpiresAt <= now:
		return "expired"
	}
	return "active"
}

func orDash(t db.Time) string {
	if t == 0 {
		return "-"
	}
	return t.Time().Format("2006-01-02 15:04")
}
