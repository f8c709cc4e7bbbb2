package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// all is a page with every row of a kind of which a record or a company has a few dozen.
func all() record.Page { return record.Page{Number: 1, Size: 200} }

// firstFew are what a lookup finds, inDropDown what a drop-down holds and people still find their way in.
var firstFew, inDropDown = record.Page{Number: 1, Size: 20}, record.Page{Number: 1, Size: 100}

// choices are of one kind: what a field is offered of them, which is all, or where they are searched when a drop-down
// does not hold them, and the page that finds them by words.
type choices struct {
	page.Lookup
	offered func(*page.Ctx) []page.Option
	name    func(c *page.Ctx, code string) string // what a code is called, whether it is in use or not
}

// called shows a code by its name.
func (k choices) called(c *page.Ctx, code string) page.Value { return page.T(k.name(c, code)) }

// of is a code in a list, which shows it by its name.
func (k choices) of(code string) page.Value {
	return page.T(code).Called(func(c *page.Ctx) page.Value { return k.called(c, code) })
}

func chosen[T any](path, permission string,
	list func(c *page.Ctx, text string, p record.Page) (record.Found[T], error),
	of func(T) (value, label string)) choices {
	return choices{
		Lookup: page.Lookup{Path: path, Permission: permission,
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := list(c, text, firstFew)
				return options(found.Items, of), err
			}},
		offered: func(c *page.Ctx) []page.Option {
			found, err := list(c, "", inDropDown)
			if err != nil || found.Total > len(found.Items) {
				return page.Searched(path) // which takes a code all the same, and the verb says what is wrong with it
			}
			return options(found.Items, of)
		}}
}

// kind is a sort of code: the choices that a field is offered of it, how it is listed and known, and what each has.
type kind[T any] struct {
	choices
	path  string // the segment of its pages below /settings
	list  func(*db.Tx, reference.Filter, record.Page) (record.Found[T], error)
	known func(*reference.Book, string) (T, bool)
	head  func(*T) head
}

// head is what every code has.
type head struct {
	id         string
	code, name *string
	active     *bool
}

// coded is a sort of code that fields offer to everybody: those in use. known finds any.
func coded[T any](path string, list func(*db.Tx, reference.Filter, record.Page) (record.Found[T], error),
	known func(*reference.Book, string) (T, bool), of func(*T) head) kind[T] {
	out := chosen("/find/"+path, "", func(c *page.Ctx, text string, p record.Page) (record.Found[T], error) {
		return list(c.Tx, reference.Filter{Search: text, IsActive: new(true)}, p)
	}, func(t T) (string, string) {
		h := of(&t)
		return *h.code, named(*h.code, *h.name)
	})
	out.name = func(c *page.Ctx, code string) string {
		book, err := reference.Of(c.Tx)
		if err != nil {
			return code
		}
		t, _ := known(book, code)
		return cmp.Or(*of(&t).name, code)
	}
	return kind[T]{out, path, list, known, of}
}

// naming is what a code of a kind is called: the code itself where there is none of it, or it has no name.
func naming[T any](find func(*db.Tx, string) (T, error), name func(T) string) func(*page.Ctx, string) string {
	return func(c *page.Ctx, code string) string {
		if code == "" {
			return ""
		}
		t, err := find(c.Tx, code)
		if err != nil {
			return code
		}
		return cmp.Or(name(t), code)
	}
}

// among is a page of those rows, of a list that is in memory, whose choice holds every word that is searched for.
func among[T any](all []T, text string, p record.Page, of func(T) (value, label string)) record.Found[T] {
	q := page.Query{Search: text, Page: p}
	return page.Cut(page.Narrow(all, q, func(t T) []string {
		value, label := of(t)
		return []string{value, label}
	}), q)
}

// options are choices, each by what it is and what it is called.
func options[T any](all []T, of func(T) (value, label string)) []page.Option {
	out := make([]page.Option, len(all))
	for i, t := range all {
		out[i].Value, out[i].Label = of(t)
	}
	return out
}

// listed are what a list found, as its page shows them.
func listed[T, V any](found record.Found[T], as func(T) V) record.Found[V] {
	return record.Found[V]{Total: found.Total, Items: each.Of(found.Items, as)}
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
	warehouses = coded("warehouses", reference.ListWarehouses, (*reference.Book).Warehouse,
		func(w *reference.Warehouse) head { return head{w.ID, &w.Code, &w.Name, &w.IsActive} })
	orderTypes = coded("order-types", reference.ListOrderTypes, (*reference.Book).OrderType,
		func(t *reference.OrderType) head { return head{t.ID, &t.Code, &t.Name, &t.IsActive} })

	paymentTerms = coded("payment-terms", reference.ListPaymentTerms, (*reference.Book).PaymentTerm,
		func(t *reference.PaymentTerm) head { return head{t.ID, &t.Code, &t.Name, &t.IsActive} })
	deliveryTerms = coded("delivery-terms", reference.ListDeliveryTerms, (*reference.Book).DeliveryTerm,
		func(t *reference.DeliveryTerm) head { return head{t.ID, &t.Code, &t.Name, &t.IsActive} })
	shippingMethods = coded("shipping-methods", reference.ListShippingMethods, (*reference.Book).ShippingMethod,
		func(m *reference.ShippingMethod) head { return head{m.ID, &m.Code, &m.Name, &m.IsActive} })
	customerGroups = coded("customer-groups", reference.ListCustomerGroups, (*reference.Book).CustomerGroup,
		func(g *reference.CustomerGroup) head { return head{g.ID, &g.Code, &g.Name, &g.IsActive} })
	ticketQueues = coded("ticket-queues", reference.ListTicketQueues, (*reference.Book).TicketQueue,
		func(q *reference.TicketQueue) head { return head{q.ID, &q.Code, &q.Name, &q.IsActive} })

	taxCodes = coded("tax-codes", reference.ListTaxCodes, (*reference.Book).TaxCode,
		func(t *reference.TaxCode) head { return head{t.ID, &t.Code, &t.Name, &t.IsActive} })
	units = coded("units", reference.ListUnits, (*reference.Book).Unit,
		func(u *reference.Unit) head { return head{u.ID, &u.Code, &u.Name, &u.IsActive} })
	currencies = coded("currencies", reference.ListCurrencies, (*reference.Book).Currency,
		func(u *reference.Currency) head { return head{u.ID, &u.Code, &u.Name, &u.IsActive} })
)

// locations are the places of a warehouse.
func locations(c *page.Ctx, warehouse string) []page.Option {
	all := inUse(c, warehouse)
	if len(all) > inDropDown.Size {
		return page.Searched("/find/locations" + page.Path(warehouse))
	}
	return options(all, location)
}

// inUse are the active places of a warehouse. They are in memory.
func inUse(c *page.Ctx, warehouse string) []reference.Location {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil // the form still takes a code; the verb says what is wrong with it
	}
	return each.Where(book.Locations(warehouse), func(l reference.Location) bool { return l.IsActive })
}

func location(l reference.Location) (value, label string) { return l.Code, named(l.Code, l.Name) }

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

// country is the field of a country: its code, or its name in English or in the language of who types it.
func country(name, label string, to *string) page.Field {
	return page.Code(name, label, to).Hint("Its name, or its two letters, such as SE.").
		Named(func(language, text string) string { return cmp.Or(reference.CountryIn(language, text), text) })
}

// countriesIn is the field of several countries, each as country takes it.
func countriesIn(name, label string, to *[]string) page.Field {
	return page.Items(name, label, to).Named(func(language, text string) string {
		lines := each.Of(strings.Split(text, "\n"), func(line string) string {
			line = strings.TrimSpace(line)
			return cmp.Or(reference.CountryIn(language, line), line)
		})
		return strings.Join(lines, "\n")
	})
}

// base is the company's currency.
func base(c *page.Ctx) string { return c.Tx.Info.Currency }

// costs is in a list what one piece cost, in the company's currency.
func costs(d *dec.Dec) page.Value {
	return page.MaybeMoney(d, "").Called(func(c *page.Ctx) page.Value {
		if d == nil {
			return page.None()
		}
		return page.Cost(*d, base(c))
	})
}

// Where fields look up what there is while somebody types.
const (
	findItems          = "/find/items"
	findCustomers      = "/find/customers"
	findCategories     = "/find/categories"
	findSuppliers      = "/find/suppliers"
	findConfigurations = "/find/configurations"
	findPictures       = "/find/pictures/" // and the channel's code
	findBatches        = "/find/batches"   // and the warehouse, and the item
)

// lookups answer the fields that offer what there is.
func lookups() []page.Page {
	return []page.Page{warehouses, orderTypes, paymentTerms, deliveryTerms, shippingMethods,
		customerGroups, ticketQueues, taxCodes, units, currencies, channels, brandOptions, everyLocation,
		page.Lookup{Path: "/find/locations/{warehouse}",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				return options(among(inUse(c, c.Path("warehouse")), text, firstFew, location).Items, location), nil
			}},
		page.Lookup{Path: findBatches + "/{warehouse}/{item}", Permission: "inventory:read", Find: batchesThere},
		page.Lookup{Path: findConfigurations, Permission: "configurations:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := configuration.List(c.Tx, configuration.Filter{Search: text}, firstFew)
				return options(found.Items, func(k configuration.Configuration) (string, string) {
					return k.Number, k.Title + ", " + k.Summary(c.Say("yes"), c.Say("no"))
				}), err
			}},
		page.Lookup{Path: findCategories, Permission: "categories:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := catalog.ListCategories(c.Tx, catalog.CategoryFilter{Search: text, IsActive: new(true)},
					firstFew)
				return options(found.Items, func(t catalog.Category) (string, string) { return t.Code, t.Name }), err
			}},
		page.Lookup{Path: findSuppliers, Permission: "suppliers:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := purchasing.ListSuppliers(c.Tx,
					purchasing.SupplierFilter{Search: text, IsActive: new(true)}, firstFew)
				return options(found.Items,
					func(t purchasing.Supplier) (string, string) { return t.Number, t.Name }), err
			}},
		page.Lookup{Path: findItems, Permission: "items:read", Find: func(c *page.Ctx, text string) ([]page.Option,
			error) {
			found, err := catalog.List(c.Tx, catalog.Filter{Search: text, IsActive: new(true)}, firstFew)
			return options(found.Items, func(t catalog.Item) (string, string) { return t.Number, t.Name }), err
		}},
		page.Lookup{Path: findCustomers, Permission: "customers:read",
			Find: func(c *page.Ctx, text string) ([]page.Option, error) {
				found, err := party.List(c.Tx, party.Filter{Search: text, IsActive: new(true)}, firstFew)
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
		country(prefix+"countryCode", "Country", &p.CountryCode).Suggest(countries(c)),
		page.Code(prefix+"phone", "Phone", &p.Phone),
		page.Email(prefix+"email", "E-mail", &p.Email),
	}
}

// address is an address as it stands on an envelope.
func address(c *page.Ctx, p party.Postal) string {
	country, _ := reference.Country(p.CountryCode)
	return strings.Join(each.Given([]string{p.Name, p.ContactPerson, p.Street1, p.Street2,
		strings.TrimSpace(p.PostalCode + " " + p.City), c.Say(country), p.Phone, p.Email},
		func(line string) string { return line }), "\n")
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
