package backoffice

import (
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// storeKeys are what the merchant's own servers come in with.
func (o Office) storeKeys() page.Page {
	return page.List[identity.Key]{Path: "/store-keys", Title: "Store keys", Permission: "api-keys:read", Menu: true,
		Where: page.InControl, Search: "Name, channel",
		Lead: "Each names the server of a storefront. What it says of its visitors is believed, and it may ask often. A revoked key stops within a second.",
		Find: func(c *page.Ctx, q page.Query) (record.Found[identity.Key], error) {
			all, err := identity.StoreKeys(c.Tx, c.Visitor.Company)
			return page.Cut(page.Narrow(all, q,
				func(k identity.Key) []string { return []string{k.Name, k.ChannelKey, k.Prefix} }), q), err
		},
		Columns: func(k identity.Key) []page.Column {
			return []page.Column{page.Col("Name", page.T(k.Name)),
				page.Col("Channel", o.channelOf(k.ChannelKey)), page.Minor("Begins with", page.T(k.Prefix)),
				page.Col("Status", o.keyBadge(k)), page.Minor("Made", page.At(k.CreatedAt)),
				page.Col("Last used", page.At(k.LastUsedAt)),
				page.Col("", page.Post("Revoke", page.Path("store-keys", k.ID, "revoke")).
					If(k.RevokedAt == 0))}
		},
		New: []page.Go{{Label: "New store key", Path: "/new/store-keys", Primary: true}}}
}

// storeKeyForm is what it takes to make a store key.
type storeKeyForm struct{ Name, Channel string }

func (o Office) newStoreKey() page.Page {
	return page.Form[storeKeyForm]{Path: "/new/store-keys", Title: "New store key", Permission: "api-keys:write",
		Where: page.Outside, Settles: true, Submit: "Make the key",
		Lead: "For the server of a storefront, which keeps it to itself.",
		Fields: func(c *page.Ctx, f *storeKeyForm) []page.Field {
			return []page.Field{page.Text("name", "Name", &f.Name).Required().Hint("Of the system that uses it."),
				page.Select("channel", "Channel", &f.Channel, o.channels(c)).Required()}
		},
		Save: page.Made(storeKeyForm{}, func(c *page.Ctx, f storeKeyForm) (page.Done, error) {
			k, secret, err := o.makeStoreKey(c, f)
			return page.Done{To: "/store-keys",
				Card: &page.Card{Title: "The key is made",
					Lead: "Copy it now: it is not kept, and cannot be shown again.", Secret: secret,
					Facts: []page.Fact{{Label: "Name", Value: page.T(k.Name)},
						{Label: "Channel", Value: c.Called(o.channelOf(f.Channel))}},
					Links: []page.Link{{Label: "Done", Href: "/store-keys"}}}}, err
		})}
}

// channelOf is a channel by its name, on a page that opens its own transactions.
func (o Office) channelOf(key string) page.Value {
	return page.T(key).Called(func(c *page.Ctx) (called page.Value) {
		err := o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) error {
			own := *c
			own.Tx = tx
			called = channels.called(&own, key)
			return nil
		})
		if err != nil {
			return page.T(key)
		}
		return called
	})
}

// channels are the company's, for a page that opens its own transactions.
func (o Office) channels(c *page.Ctx) (out []page.Option) {
	err := o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) error {
		own := *c
		own.Tx = tx
		out = channels.offered(&own)
		return nil
	})
	if err != nil {
		return nil // the form says that a channel is missing
	}
	return out
}

func (o Office) makeStoreKey(c *page.Ctx, f storeKeyForm) (k identity.Key, secret string, err error) {
	err = o.Store.Read(c.Context(), inCompany(c), func(tx *db.Tx) error {
		_, err := channel.Find(tx, f.Channel)
		return err
	})
	if err != nil {
		return k, "", err
	}
	err = c.Control(true, func(tx *db.Tx) error {
		company, err := identity.FindCompany(tx, c.Visitor.Company)
		if err == nil {
			k, secret, err = identity.CreateStoreKey(tx, company, record.Fold(f.Channel), f.Name)
		}
		return err
	})
	return k, secret, err
}
