package backoffice

import (
	"net/url"
	"slices"

	"kontor/internal/business/party"
	"kontor/internal/front/page"
)

// query is a value as it stands behind a question mark.
func query(s string) string { return url.QueryEscape(s) }

// contactForm makes a contact, or changes the one whose id is in the path.
func contactForm(path, title string) page.Page {
	return page.Form[party.Contact]{Path: path, Title: title, Permission: "customers:write", Crumbs: customerCrumbs,
		Back: func(c *page.Ctx) string { return page.Path("customers", c.Path("number")) },
		Load: func(c *page.Ctx) (party.Contact, error) {
			found, err := party.Contacts(c.Tx, c.Path("number"), all())
			if err != nil || c.Path("id") == "" {
				return party.Contact{IsActive: true}, err
			}
			i := slices.IndexFunc(found.Items, func(p party.Contact) bool { return p.ID == c.Path("id") })
			if i < 0 {
				return party.Contact{}, party.ErrContactNotFound.Because("the customer has no such contact any more")
			}
			return found.Items[i], nil
		},
		Fields: func(_ *page.Ctx, p *party.Contact) []page.Field {
			return []page.Field{
				page.Text("name", "Name", &p.Name).Required(), page.Text("role", "Role", &p.Role),
				page.Email("email", "E-mail", &p.Email), page.Code("phone", "Phone", &p.Phone),
				page.Code("mobile", "Mobile", &p.Mobile), page.Select("languageCode", "Language", &p.LanguageCode,
					[]page.Option{{Value: "sv", Label: "Svenska"},
						{Value: "nb", Label: "Norsk bokmål"}, {Value: "da", Label: "Dansk"},
						{Value: "fi", Label: "Suomi"}, {Value: "de", Label: "Deutsch"},
						{Value: "en", Label: "English"}}),
				page.Check("isPrimary", "Primary contact", &p.IsPrimary), page.Check("isActive", "Active", &p.IsActive),
				page.Check("hasPortalAccess", "Signs in to the customer portal", &p.HasPortalAccess),
			}
		},
		Save: partSaved(party.Contact{IsActive: true}, "The contact is added.", party.CreateContact,
			party.UpdateContact)}
}

func customerCrumbs(c *page.Ctx) []page.Link {
	out := []page.Link{{Label: c.Say("Customers"), Href: "/customers"}}
	if t, err := party.Find(c.Tx, c.Path("number")); err == nil {
		out = append(out, page.Link{Label: t.Name, Href: page.Path("customers", t.Number)})
	}
	return out
}

// addressForm makes a delivery address, or changes the one whose id is in the path.
func addressForm(path, title string) page.Page {
	return page.Form[party.Address]{Path: path, Title: title, Permission: "customers:write", Crumbs: customerCrumbs,
		Back: func(c *page.Ctx) string { return page.Path("customers", c.Path("number")) },
		Load: func(c *page.Ctx) (party.Address, error) {
			t, err := party.Find(c.Tx, c.Path("number"))
			if err != nil || c.Path("id") == "" {
				return party.Address{Postal: party.Postal{CountryCode: t.CountryCode}}, err
			}
			return party.FindAddress(c.Tx, t.ID, c.Path("id"))
		},
		Fields: func(c *page.Ctx, a *party.Address) []page.Field {
			return append(postal(c, "", &a.Postal), page.Check("isDefault", "The usual address", &a.IsDefault))
		},
		Save: partSaved(party.Address{}, "The address is added.", party.CreateAddress, party.UpdateAddress)}
}
