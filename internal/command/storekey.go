package command

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

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
	company, err := env.House.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	err = env.House.InCompany(ctx, company.ID, func(tx *db.Tx) error {
		_, err := channel.Find(tx, c.Channel)
		return err
	})
	if err != nil {
		return err
	}
	var k identity.Key
	var key string
	err = env.House.Control(ctx, func(tx *db.Tx) error {
		k, key, err = identity.CreateStoreKey(tx, company, record.Fold(c.Channel), c.Name)
		return err
	})
	if err != nil {
		return err
	}
	answer := storeKeyAnswerOf(k)
	answer["key"] = key
	return env.Print(answer, "%s\n", key)
}

func storeKeyAnswerOf(k identity.Key) map[string]any {
	answer := credentialAnswerOf(k)
	delete(answer, "expiresAt")
	answer["storeKeyId"], answer["channelCode"] = k.ID, k.ChannelKey
	return answer
}

type storeKeyList struct {
	Company string `required:"" help:"Code or id of the company."`
	Channel string `help:"Code of the channel; all if left out."`
}

// Run lists the keys.
func (c *storeKeyList) Run(ctx context.Context, env *Env) error {
	company, err := env.House.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	if err := env.House.Gate().Flush(ctx); err != nil { // so that the last use is not old news
		return err
	}
	var keys []identity.Key
	err = env.House.Look(ctx, func(tx *db.Tx) error {
		keys, err = identity.StoreKeys(tx, company.ID)
		return err
	})
	if err != nil {
		return err
	}
	answers := []map[string]any{}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tCHANNEL\tKEY\tSTATE\tLAST USED\tID")
	for _, k := range keys {
		if c.Channel != "" && k.ChannelKey != record.Fold(c.Channel) {
			continue
		}
		answers = append(answers, storeKeyAnswerOf(k))
		fmt.Fprintf(t, "%s\t%s\t%s...\t%s\t%s\t%s\n", k.Name, k.ChannelKey, k.Prefix, stateOf(k), orDash(k.LastUsedAt), k.ID)
	}
	t.Flush()
	return env.Print(map[string]any{"storeKeys": answers}, "%s", b.String())
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
	company, err := env.House.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	var k identity.Key
	err = env.House.Control(ctx, func(tx *db.Tx) error {
		k, err = identity.RevokeStoreKey(tx, company, record.Fold(c.Channel), c.Key+c.Name)
		return err
	})
	if err != nil {
		return err
	}
	env.House.Gate().Forget()
	return env.Print(storeKeyAnswerOf(k), "revoked %s (%s...)\n", k.Name, k.Prefix)
}
