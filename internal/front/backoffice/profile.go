package backoffice

import (
	"net/http"
	"strings"

	"kontor/internal/business/reference"
	"kontor/internal/front/page"
)

// companyProfile are the pages of who the company is.
func companyProfile() []page.Page {
	load := func(c *page.Ctx) (reference.Profile, error) {
		book, err := reference.Of(c.Tx)
		if err != nil {
			return reference.Profile{}, err
		}
		return book.Profile(), nil
	}
	back := func(*page.Ctx) string { return "/settings/profile" }
	return []page.Page{
		page.Record[reference.Profile]{Path: "/settings/profile", Title: "Company profile", Menu: true,
			Permission: "settings:read", Resource: reference.CompanyProfile, Load: load, Show: showProfile,
			Edit: func(*page.Ctx, reference.Profile) []page.Go {
				return []page.Go{{Label: "Logo", Path: "/settings/profile/change-logo"},
					{Label: "Edit", Path: "/settings/profile/edit", Primary: true}}
			}},
		page.Form[reference.Profile]{Path: "/settings/profile/edit", Title: "Company profile",
			Permission: "settings:write", Resource: reference.CompanyProfile, Load: load, Fields: companyFields,
			Back: back, Lead: "As invoices and letters name the company.",
			Save: func(c *page.Ctx, lay func(*reference.Profile) error) (page.Done, error) {
				_, err := reference.SaveProfile(c.Tx, lay)
				return page.Did("Saved."), err
			}},
		page.Form[page.Upload]{Path: "/settings/profile/change-logo", Title: "Logo", Permission: "settings:write",
			Settles: true, Back: back,
			Fields: func(_ *page.Ctx, u *page.Upload) []page.Field {
				return []page.Field{page.File("logo", "Picture", u).
					Hint("PNG or JPEG, at most 300 kB. Saved without a picture, the logo is taken away.")}
			},
			Save: page.Made(page.Upload{}, func(c *page.Ctx, u page.Upload) (page.Done, error) {
				_, err := reference.SaveLogo(c.Tx, u.Bytes)
				return page.Did("Saved."), err
			})},
		page.Document{Path: "/settings/profile/logo/{hash}", Permission: "settings:read",
			Make: func(c *page.Ctx) (page.Paper, error) {
				p, err := load(c)
				if err != nil || p.LogoHash == "" || p.LogoHash != c.Path("hash") {
					return page.Paper{}, errNoCode.Because("there is no such logo")
				}
				picture, err := reference.Logo(c.Tx)
				return page.Paper{Name: "logo", Media: http.DetectContentType(picture), Body: picture, Inline: true},
					err
			}},
	}
}

func companyFields(c *page.Ctx, p *reference.Profile) []page.Field {
	return []page.Field{
		page.Text("legalName", "Legal name", &p.LegalName).Required().Auto("organization"),
		page.Code("organizationNumber", "Organisation number", &p.OrganizationNumber),
		page.Code("vatNumber", "VAT number", &p.VATNumber).
			Hint("With the letters of the country, such as SE556016068001."),
		page.Text("seat", "Registered office", &p.Seat).Hint("The town."),
		page.Check("hasFTax", "Approved for F-tax", &p.HasFTax),
		page.Group("Address", page.Text("street1", "Street", &p.Street1),
			page.Text("street2", "Street, second line", &p.Street2),
			page.Code("postalCode", "Postal code", &p.PostalCode).Max(20), page.Text("city", "City", &p.City),
			country("countryCode", "Country", &p.CountryCode).Suggest(countries(c))),
		page.Group("How to reach the company", page.Email("email", "E-mail", &p.Email),
			page.Code("phone", "Phone", &p.Phone), page.Text("website", "Website", &p.Website)),
		page.Group("How it is paid", page.Text("bankName", "Bank", &p.BankName), page.Code("iban", "IBAN", &p.IBAN),
			page.Code("bic", "BIC", &p.BIC), page.Code("bankgiro", "Bankgiro", &p.Bankgiro),
			page.Code("plusgiro", "Plusgiro", &p.Plusgiro)),
		page.Prose("invoiceText", "At the foot of invoices", &p.InvoiceText).Max(1000),
	}
}

func showProfile(c *page.Ctx, p reference.Profile) (page.Sheet, error) {
	s := page.Sheet{Title: p.LegalName, Subtitle: c.Say("Company profile")}
	if missing := p.Missing(); len(missing) > 0 {
		for i, name := range missing {
			missing[i] = c.Say(missingWords(name))
		}
		s.Parts = append(s.Parts, page.Note{Title: "A lawful invoice needs more", Text: strings.Join(missing, ", ") +
			".", Go: []page.Go{{Label: "Edit", Path: "/settings/profile/edit"}}})
	}
	s.Parts = append(s.Parts, page.Facts{Title: "Company",
		Facts: []page.Fact{{Label: "Legal name", Value: page.T(p.LegalName)},
			{Label: "Organisation number", Value: page.T(p.OrganizationNumber)},
			{Label: "VAT number", Value: page.T(p.VATNumber)},
			{Label: "Approved for F-tax", Value: page.YesNo(p.HasFTax)},
			{Label: "Registered office", Value: page.T(p.Seat)}, {Label: "E-mail", Value: page.T(p.Email)},
			{Label: "Phone", Value: page.T(p.Phone)}, {Label: "Website", Value: page.T(p.Website)}}},
		page.Facts{Title: "How it is paid", Facts: []page.Fact{{Label: "Bank", Value: page.T(p.BankName)},
			{Label: "IBAN", Value: page.T(p.SpacedIBAN())}, {Label: "BIC", Value: page.T(p.BIC)},
			{Label: "Bankgiro", Value: page.T(p.Bankgiro)}, {Label: "Plusgiro", Value: page.T(p.Plusgiro)}}},
		page.Noted("At the foot of invoices", p.InvoiceText))
	if p.LogoHash != "" {
		s.Side = append(s.Side, page.Gallery{Title: "Logo",
			Pictures: []page.Picture{{Shows: c.Say("Logo"), Source: "/settings/profile/logo/" + p.LogoHash}}})
	}
	s.Side = append(s.Side, page.Note{Title: "Address", Text: strings.Join(append([]string{p.LegalName}, p.Lines()...),
		"\n")})
	return s, nil
}

// missingWords are the words of what a profile lacks.
func missingWords(name string) string {
	switch name {
	case "vatNumber":
		return "VAT number"
	case "street1":
		return "Street"
	case "city":
		return "City"
	case "countryCode":
		return "Country"
	}
	return "Legal name"
}
