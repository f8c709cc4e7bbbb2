package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// errNoInvitation is the refusal of an invitation that is open no more.
var errNoInvitation = fault.New(fault.NotFound, "Invitation.NotFound")

// keys are the pages of what other systems come in with: API keys, and connections.
func (o Office) keys() []page.Page {
	return []page.Page{
		page.List[identity.Key]{Path: "/api-keys", Title: "API keys", Permission: "api-keys:read", Menu: true,
			Where: page.InControl, Search: "Name", Find: func(c *page.Ctx, q page.Query) (record.Found[identity.Key],
				error) {
				all, err := identity.Keys(c.Tx, c.Visitor.Company)
				all = page.Narrow(all, q, func(k identity.Key) []string { return []string{k.Name, k.Prefix} })
				return page.Cut(page.Ordered(all, q, map[string]func(a, b identity.Key) int{
					"name": func(a, b identity.Key) int {
						return cmp.Compare(record.Fold(a.Name), record.Fold(b.Name))
					},
					"made": func(a, b identity.Key) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) },
					"used": func(a, b identity.Key) int { return cmp.Compare(a.LastUsedAt, b.LastUsedAt) },
				}), q), err
			},
			Href: func(k identity.Key) string { return page.Path("api-keys", k.ID) },
			Columns: func(k identity.Key) []page.Column {
				return []page.Column{page.Col("Name", page.T(k.Name)).By("name"),
					page.Minor("Begins with", page.T(k.Prefix)), page.Col("Status", o.keyBadge(k)),
					page.Minor("Scopes", page.T(scopes(k.Scopes, 4))),
					page.Minor("Made", page.At(k.CreatedAt)).By("made"),
					page.Col("Last used", page.At(k.LastUsedAt)).By("used"),
					page.Minor("Expires", page.At(k.ExpiresAt))}
			},
			New: []page.Go{{Label: "New API key", Path: "/new/api-keys", Primary: true}}},
		page.Record[identity.Key]{Path: "/api-keys/{id}", Permission: "api-keys:read", Where: page.InControl,
			Load: loadKey, Show: func(_ *page.Ctx, k identity.Key) (page.Sheet, error) {
				return page.Sheet{Title: k.Name, Subtitle: k.Prefix + "…", Badges: []page.Value{o.keyBadge(k)},
					Parts: []page.Part{page.Facts{Title: "API key", Facts: []page.Fact{
						{Label: "Made", Value: page.At(k.CreatedAt)},
						{Label: "Last used", Value: page.At(k.LastUsedAt)},
						{Label: "Expires", Value: page.At(k.ExpiresAt)},
						{Label: "Revoked", Value: page.At(k.RevokedAt)}}},
						page.Note{Title: "Scopes", Text: strings.ReplaceAll(scopes(k.Scopes, 1000), ", ", "\n")}}}, nil
			},
			Actions: []page.Action[identity.Key]{{Name: "revoke", Label: "Revoke",
				Tone: page.Bad, When: func(k identity.Key) bool { return k.RevokedAt == 0 },
				Confirm: "The system that uses the key is shut out within a second. A revoked key cannot be brought back.",
				Do: func(c *page.Ctx, k identity.Key) (page.Done, error) {
					company, err := identity.FindCompany(c.Tx, c.Visitor.Company)
					if err == nil {
						_, err = identity.RevokeKey(c.Tx, company, k.ID)
					}
					return page.Did("The key is revoked."), err
				}}}},
		o.newKey(), o.storeKeys(), o.newStoreKey(), connections(),
		page.Deed{Path: "/store-keys/{id}/revoke", Permission: "api-keys:write", Where: page.InControl,
			Do: func(c *page.Ctx) (page.Done, error) {
				company, err := identity.FindCompany(c.Tx, c.Visitor.Company)
				if err == nil {
					_, err = identity.RevokeStoreKey(c.Tx, company, "", c.Path("id"))
				}
				return page.Went("/store-keys", "The key is revoked."), err
			}},
		page.Deed{Path: "/connections/{id}/revoke", Permission: "connections:write", Where: page.InControl,
			Do: func(c *page.Ctx) (page.Done, error) {
				return page.Went("/connections", "The connection is ended."),
					identity.RevokeConnection(c.Tx, c.Visitor.Company, "", c.Path("id"))
			}},
	}
}

func loadKey(c *page.Ctx) (identity.Key, error) {
	all, err := identity.Keys(c.Tx, c.Visitor.Company)
	if err != nil {
		return identity.Key{}, err
	}
	for _, k := range all {
		if k.ID == c.Path("id") {
			return k, nil
		}
	}
	return identity.Key{}, identity.ErrKeyNotFound.Because("the company has no such key")
}

func (o Office) keyBadge(k identity.Key) page.Value {
	switch {
	case k.RevokedAt != 0:
		return page.Badge("Revoked", page.Plain)
	case k.ExpiresAt != 0 && k.ExpiresAt <= o.Store.Now():
		return page.Badge("Expired", page.Warn)
	}
	return page.Badge("Active", page.Good)
}

// scopes are the first few of a key's scopes.
func scopes(all []string, most int) string {
	if len(all) == 0 {
		return identity.Everything
	}
	if len(all) > most {
		return strings.Join(all[:most], ", ") + "…"
	}
	return strings.Join(all, ", ")
}

func (o Office) newKey() page.Page {
	return page.Form[identity.NewKey]{Path: "/new/api-keys", Title: "New API key", Permission: "api-keys:write",
		Where: page.InControl, Settles: true, Submit: "Make the key",
		Lead: "For another system. Give it no more than it needs.",
		Fields: func(_ *page.Ctx, k *identity.NewKey) []page.Field {
			options := []page.Option{{Value: identity.Everything, Label: "* (everything)"}}
			for _, s := range o.Scopes {
				options = append(options, page.Option{Value: s, Label: s})
			}
			return []page.Field{page.Text("name", "Name", &k.Name).Required().Hint("Of the system that uses it."),
				page.Moment("expiresAt", "Expires", &k.ExpiresAt).Hint("Empty: never."),
				page.Checks("scopes", "Scopes", &k.Scopes, options).Required()}
		},
		Save: page.Made(identity.NewKey{}, func(c *page.Ctx, n identity.NewKey) (page.Done, error) {
			company, err := identity.FindCompany(c.Tx, c.Visitor.Company)
			if err != nil {
				return page.Done{}, err
			}
			k, secret, err := identity.CreateKey(c.Tx, company, n, o.Scopes)
			return page.Done{To: page.Path("api-keys", k.ID),
				Card: &page.Card{Title: "The key is made",
					Lead: "Copy it now: it is not kept, and cannot be shown again.", Secret: secret,
					Facts: []page.Fact{{Label: "Name", Value: page.T(k.Name)},
						{Label: "Scopes", Value: page.T(scopes(k.Scopes, 6))}},
					Links: []page.Link{{Label: "Done", Href: page.Path("api-keys", k.ID)}}}}, err
		})}
}

// connections are the programs that act for the company's users.
func connections() page.Page {
	return page.List[identity.Connection]{Path: "/connections", Title: "Connections", Permission: "connections:read",
		Menu: true, Where: page.InControl, Search: "Program, user",
		Lead: "Programs that act for users of the company, over OAuth. An ended connection stops within a second.",
		Find: func(c *page.Ctx, q page.Query) (record.Found[identity.Connection], error) {
			all, err := identity.Connections(c.Tx, c.Visitor.Company, "")
			return page.Cut(page.Narrow(all, q,
				func(k identity.Connection) []string { return []string{k.ClientName, k.UserName, k.Email} }), q), err
		},
		Columns: func(k identity.Connection) []page.Column {
			return []page.Column{page.Col("Program", page.T(k.ClientName)),
				page.Col("User", page.T(k.UserName)),
				page.Minor("Scopes", page.T(strings.Join(k.Scopes, ", "))),
				page.Minor("Since", page.At(k.CreatedAt)), page.Col("Last used", page.At(k.LastUsedAt)),
				page.Col("", page.Post("End", page.Path("connections", k.ID, "revoke")))}
		}}
}
