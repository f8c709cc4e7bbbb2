package command

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
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
	company, err := env.House.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	expires, err := moment(c.Expires)
	if err != nil {
		return err
	}
	n := identity.NewKey{Name: c.Name, Scopes: strings.FieldsFunc(c.Scopes, func(r rune) bool { return r == ' ' || r == ',' }), ExpiresAt: expires}
	var k identity.Key
	var key string
	err = env.House.Control(ctx, func(tx *db.Tx) error {
		k, key, err = identity.CreateKey(tx, company, n, app.Scopes())
		return err
	})
	if err != nil {
		return err
	}
	answer := keyAnswerOf(k)
	answer["key"] = key
	return env.Print(answer, "%s\n", key)
}

// moment reads a date (the end of that day, UTC) or a timestamp.
func moment(s string) (db.Time, error) {
	if s == "" {
		return 0, nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return db.TimeOf(t.AddDate(0, 0, 1)), nil
	}
	var t db.Time
	if err := t.UnmarshalText([]byte(s)); err != nil {
		return 0, identity.ErrKeyInvalid.At("expires", "%q is neither a date such as 2030-01-31 nor a moment such as 2030-01-31T12:00:00Z", s)
	}
	return t, nil
}

func keyAnswerOf(k identity.Key) map[string]any {
	answer := credentialAnswerOf(k)
	answer["apiKeyId"], answer["scopes"] = k.ID, k.Scopes
	return answer
}

// credentialAnswerOf is what API keys and store keys have in common.
func credentialAnswerOf(k identity.Key) map[string]any {
	orNull := func(t db.Time) any {
		if t == 0 {
			return nil
		}
		return t.String()
	}
	return map[string]any{"companyId": k.CompanyID, "name": k.Name, "prefix": k.Prefix, "createdDate": k.CreatedAt.String(),
		"expiresAt": orNull(k.ExpiresAt), "revokedAt": orNull(k.RevokedAt), "lastUsedAt": orNull(k.LastUsedAt)}
}

type apiKeyList struct {
	Company string `required:"" help:"Code or id of the company."`
}

// Run lists the keys.
func (c *apiKeyList) Run(ctx context.Context, env *Env) error {
	company, err := env.House.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	if err := env.House.Gate().Flush(ctx); err != nil { // so that the last use is not old news
		return err
	}
	var keys []identity.Key
	err = env.House.Look(ctx, func(tx *db.Tx) error {
		keys, err = identity.Keys(tx, company.ID)
		return err
	})
	if err != nil {
		return err
	}
	answers := make([]map[string]any, len(keys))
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tKEY\tSTATE\tLAST USED\tSCOPES\tID")
	for i, k := range keys {
		answers[i] = keyAnswerOf(k)
		scopes := strings.Join(k.Scopes, " ")
		if scopes == "" {
			scopes = "(unlimited)"
		}
		fmt.Fprintf(t, "%s\t%s...\t%s\t%s\t%s\t%s\n", k.Name, k.Prefix, stateOf(k), orDash(k.LastUsedAt), scopes, k.ID)
	}
	t.Flush()
	return env.Print(map[string]any{"apiKeys": answers}, "%s", b.String())
}

func stateOf(k identity.Key) string {
	switch {
	case k.RevokedAt != 0:
		return "revoked"
	case k.ExpiresAt != 0 && k.ExpiresAt <= db.TimeOf(time.Now()):
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

type apiKeyRevoke struct {
	Company string `required:"" help:"Code or id of the company."`
	Key     string `arg:"" help:"Name, id or beginning of the key."`
}

// Run revokes the key.
func (c *apiKeyRevoke) Run(ctx context.Context, env *Env) error {
	company, err := env.House.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	var k identity.Key
	err = env.House.Control(ctx, func(tx *db.Tx) error {
		k, err = identity.RevokeKey(tx, company, c.Key)
		return err
	})
	if err != nil {
		return err
	}
	env.House.Gate().Forget()
	return env.Print(keyAnswerOf(k), "revoked %s (%s...)\n", k.Name, k.Prefix)
}
