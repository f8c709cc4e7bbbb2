package command

import (
	"cmp"
	"context"
	"slices"

	"kontor/internal/app"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

type storeKeyFamily struct {
	Create storeKeyCreate `cmd:"" help:"Create a key and print it, once."`
	List   storeKeyList   `cmd:"" help:"List keys, without their secrets."`
	Revoke storeKeyRevoke `cmd:"" help:"End a key at once."`
}

type storeKeyCreate struct {
	Company string `required:"" help:"Code or id of the company."`
	Channel string `required:"" help:"Code of the channel whose store the server serves."`
	Name    string `required:"" help:"Which server holds the key, such as shop-server."`
}

// Run creates the key.
func (c *storeKeyCreate) Run(ctx context.Context, env *Env) error {
	keys, err := storeKeys(ctx, env, c.Company)
	if err != nil {
		return err
	}
	err = env.App.InCompany(ctx, c.Company, func(tx *db.Tx) error {
		_, err := channel.Find(tx, c.Channel)
		return err
	})
	if err != nil {
		return err
	}
	return keys.create(ctx, env, c.Company, func(tx *db.Tx, owner identity.Company) (identity.Key, string,
		error) {
		return identity.CreateStoreKey(tx, owner, record.Fold(c.Channel), c.Name)
	})
}

// storeKeys are shown with the codes of their channels as they are written there.
func storeKeys(ctx context.Context, env *Env, company string) (credentials, error) {
	var codes map[string]string
	owner, err := env.App.Company(ctx, company)
	if err != nil {
		return credentials{}, err
	}
	err = env.App.Store().Read(ctx, db.Request{Company: owner.ID, Actor: app.Operator()}, func(tx *db.Tx) error {
		codes = map[string]string{}
		all, err := channel.All(tx)
		for _, c := range all {
			codes[record.Fold(c.Code)] = c.Code
		}
		return err
	})
	code := func(k identity.Key) string { return cmp.Or(codes[k.ChannelKey], k.ChannelKey) }
	return credentials{
		called: "storeKeys", heads: "CHANNEL\tKEY\tSTATE\tLAST USED",
		show: func(k identity.Key) map[string]any {
			answer := credentialAnswerOf(k)
			answer["storeKeyId"], answer["channelCode"] = k.ID, code(k)
			return answer
		},
		row: func(k identity.Key, state string) []any {
			return []any{code(k), k.Prefix + "...", state, orDash(k.LastUsedAt)}
		},
	}, err
}

type storeKeyList struct {
	Company string `required:"" help:"Code or id of the company."`
	Channel string `help:"Code of the channel; all if left out."`
}

// ReadsOnly says that it changes nothing.
func (*storeKeyList) ReadsOnly() {}

// Run lists the keys.
func (c *storeKeyList) Run(ctx context.Context, env *Env) error {
	keys, err := storeKeys(ctx, env, c.Company)
	if err != nil {
		return err
	}
	return keys.list(ctx, env, c.Company, func(tx *db.Tx, companyID string) ([]identity.Key, error) {
		all, err := identity.StoreKeys(tx, companyID)
		return slices.DeleteFunc(all,
			func(k identity.Key) bool { return c.Channel != "" && k.ChannelKey != record.Fold(c.Channel) }), err
	})
}

type storeKeyRevoke struct {
	Company string `required:"" help:"Code or id of the company."`
	Channel string `help:"Code of the channel, where stores have keys of the same name."`
	Name    string `help:"Name of the key."`
	Key     string `arg:"" optional:"" help:"Name, id or beginning of the key."`
}

// Run revokes the key.
func (c *storeKeyRevoke) Run(ctx context.Context, env *Env) error {
	if (c.Key == "") == (c.Name == "") {
		return identity.ErrKeyInvalid.Because("say which key: its id, its name or how it begins, or --name")
	}
	keys, err := storeKeys(ctx, env, c.Company)
	if err != nil {
		return err
	}
	return keys.revoke(ctx, env, c.Company, func(tx *db.Tx, owner identity.Company) (identity.Key, error) {
		return identity.RevokeStoreKey(tx, owner, record.Fold(c.Channel), c.Key+c.Name)
	})
}
