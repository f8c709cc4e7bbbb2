package backoffice

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// all is a page with every code of a kind: companies have a few dozen.
func all() record.Page { return record.Page{Number: 1, Size: 200} }

// coded are the choices that a list of codes offers: those in use.
func coded[T any](list func(*db.Tx, reference.Filter, record.Page) (record.Found[T], error),
	of func(T) (code, name string)) func(*page.Ctx) []page.Option {
	return func(c *page.Ctx) []page.Option {
		found, err := list(c.Tx, reference.Filter{IsActive: new(true)}, all())
		if err != nil {
			return nil // the form still takes a code; the verb says what is wrong with it
		}
		return options(found.Items, func(t T) (string, string) {
			code, name := of(t)
			return code, named(code, name)
		})
	}
}

// options are choices, each by what it is and what it is called.
func options[T any](all []T, of func(T) (value, label string)) []page.Option {
	out := make([]page.Option, len(all))
	for i, t := range all {
		out[i].Value, out[i].Label = of(t)
	}
	return out
}

// named is a code with its name.
func named(code, name string) string {
	if name == "" || name == code {
		return code
	}
	return name + " (" + code + ")"
}

// The codes that fields offer.
var (
	warehouses = coded(reference.ListWarehouses, func(w reference.Warehouse) (string, string) { return w.Code, w.Name })
	orderTypes = coded(reference.ListOrderTypes, func(t reference.OrderType) (string, string) { return t.Code, t.Name })

	paymentTerms = coded(reference.ListPaymentTerms,
		func(t reference.PaymentTerm) (string, string) { return t.Code, t.Name })
	deliveryTerms = coded(reference.ListDeliveryTerms,
		func(t reference.DeliveryTerm) (string, string) { return t.Code, t.Name })
	shippingMethods = coded(reference.ListShippingMethods,
		func(m reference.ShippingMethod) (string, string) { return m.Code, m.Name })
	customerGroups = coded(reference.ListCustomerGroups,
		func(g reference.CustomerGroup) (string, string) { return g.Code, g.Name })
	ticketQueues = coded(reference.ListTicketQueues,
		func(q reference.TicketQueue) (string, string) { return q.Code, q.Name })

	taxCodes   = coded(reference.ListTaxCodes, func(t reference.TaxCode) (string, string) { return t.Code, t.Name })
	units      = coded(reference.ListUnits, func(u reference.Unit) (string, string) { return u.Code, u.Name })
	currencies = coded(reference.ListCurrencies, func(u reference.Currency) (string, string) { return u.Code, u.Name })
)

// locations are the places of a warehouse.
func locations(c *page.Ctx, warehouse string) []page.Option {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil
	}
	var out []page.Option
	for _, l := range book.Locations(warehouse) {
		if l.IsActive {
			out = append(out, page.Option{Value: l.Code, Label: named(l.Code, l.Name)})
		}
	}
	return out
}

// countries are those that companies have dealt with before; any other code is typed.
func countries(c *page.Ctx) []page.Option {
	var out []page.Option
	for _, code := range []string{"SE", "NO", "DK", "FI", "DE", "NL", "BE", "FR", "GB", "IE", "PL", "EE", "LV", "LT",
		"AT", "CH", "ES", "PT", "IT", "US"} {
		if name, ok := reference.Country(code); ok {
			out = append(out, page.Option{Value: code, Label: c.Say(name)})
		}
	}
	return out
}

// base is the company's currency.
func base(c *page.Ctx) string { return c.Tx.Info.Currency }

// Where fields look up what there is while somebody types.
const (
	findItems          = "/find/items"
	findCustomers      = "/find/customers"
	findCategories     = "/find/categories"
	findSuppliers      = "/find/suppliers"
	findConfigurations = "/find/configurations"
	findPictures       = "/find/pictures/" // and the channel's code
)

// lookups answer the fields that offer what there is.
func lookups() []page.Page {
	few := record.Page{Number: 1, Size: 20}
	return []page.Page{
		page.Lookup{Path: findConfigurations, Permission: "configurations:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := configuration.List(c.Tx, configuration.Filter{Search: text}, few)
				return options(found.Items, func(k configuration.Configuration) (string, string) {
					return k.Number, k.Title + ", " + k.Summary(c.Say("yes"), c.Say("no"))
				}), err
			}},
		page.Lookup{Path: findCategories, Permission: "categories:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := catalog.ListCategories(c.Tx, catalog.CategoryFilter{Search: text, IsActive: new(true)},
					few)
				return options(found.Items, func(t catalog.Category) (string, string) { return t.Code, t.Name }), err
			}},
		page.Lookup{Path: findSuppliers, Permission: "suppliers:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := purchasing.ListSuppliers(c.Tx,
					purchasing.SupplierFilter{Search: text, IsActive: new(true)}, few)
				return options(found.Items,
					func(t purchasing.Supplier) (string, string) { return t.Number, t.Name }), err
			}},
		page.Lookup{Path: findItems, Permission: "items:read", Find: func(c *page.Ctx, text string) ([]page.Option,
			error) {
			found, err := catalog.List(c.Tx, catalog.Filter{Search: text, IsActive: new(true)}, few)
			return options(found.Items, func(t catalog.Item) (string, string) { return t.Number, t.Name }), err
		}},
		page.Lookup{Path: findCustomers, Permission: "customers:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := party.List(c.Tx, party.Filter{Search: text, IsActive: new(true)}, few)
				return options(found.Items, func(t party.Customer) (string, string) { return t.Number, t.Name }), err
			}},
	}
}

// crumb leads up to a list.
func crumb(label, path string) func(*page.Ctx) []page.Link {
	return func(c *page.Ctx) []page.Link { return []page.Link{{Label: c.Say(label), Href: path}} }
}

// crumbs lead up to a list, and to the record of it that the path names; called is what that is called by its key.
func crumbs(label, path, called, key string) func(*page.Ctx) []page.Link {
	return func(c *page.Ctx) []page.Link {
		name := c.Path(key)
		if called != "" {
			name = c.Say(called, name)
		}
		return []page.Link{{Label: c.Say(label), Href: path}, {Label: name, Href: path + page.Path(c.Path(key))}}
	}
}

// postal are the fields of an address, named with a prefix.
func postal(c *page.Ctx, prefix string, p *party.Postal) []page.Field {
	return []page.Field{
		page.Text(prefix+"name", "Name", &p.Name), page.Text(prefix+"contactPerson", "Contact person",
			&p.ContactPerson),
		page.Text(prefix+"street1", "Street", &p.Street1), page.Text(prefix+"street2", "Street, second line",
			&p.Street2),
		page.Code(prefix+"postalCode", "Postal code", &p.PostalCode), page.Text(prefix+"city", "City", &p.City),
		page.Code(prefix+"countryCode", "Country", &p.CountryCode).Suggest(countries(c)).Max(2).
			Hint("Two letters, such as SE."), page.Code(prefix+"phone", "Phone", &p.Phone),
		page.Email(prefix+"email", "E-mail", &p.Email),
	}
}

// address is an address as it stands on an envelope.
func address(c *page.Ctx, p party.Postal) string {
	var out string
	add := func(s string) {
		if s != "" {
			out += s + "\n"
		}
	}
	add(p.Name)
	add(p.ContactPerson)
	add(p.Street1)
	add(p.Street2)
	city := p.City
	if p.PostalCode != "" {
		city = p.PostalCode + " " + city
	}
	add(city)
	if name, ok := reference.Country(p.CountryCode); ok {
		add(c.Say(name))
	}
	add(p.Phone)
	add(p.Email)
	return out
}

// atField gives a refusal the field of a form that it is about.
func atField(err error, name string) error {
	f := fault.As(err)
	if f.Kind == fault.Internal {
		return err
	}
	at := *f
	at.Fields = []fault.Field{f.Field(name)}
	return &at
}
