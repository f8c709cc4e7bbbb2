package backoffice

import (
	"encoding/json"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// personal are the files of what is kept of somebody, for who asks for their data (articles 15 and 20 of the GDPR): of
// a customer, and of a contact. They say what the activity log says of such records, so that no secret is in them.
func personal() []page.Page {
	of := func(path string, make func(*page.Ctx, io.Writer) (string, error)) page.Page {
		return page.Download{Path: path, Permission: "customers:read", Media: "application/json", Make: make}
	}
	return []page.Page{of("/customers/{number}/personal-data", customersData),
		of("/customers/{number}/contact/{id}/personal-data", contactsData)}
}

// few is how many records are in hand at once: documents have up to 5,000 lines.
const few = 20

// dossier is the file of what is kept of somebody, by what it is. What the reader may not see is named in it, so that
// nobody takes it for the whole. err is what went wrong first: nothing is added after it.
type dossier struct {
	c       *page.Ctx
	out     *jsontext.Encoder
	missing []string
	err     error
}

func dossierOf(c *page.Ctx, out io.Writer) *dossier {
	d := &dossier{c: c, out: jsontext.NewEncoder(out, jsontext.WithIndent("  ")), missing: []string{}}
	d.write(jsontext.BeginObject)
	d.put("madeAt", c.Tx.Now)
	return d
}

func (d *dossier) write(t jsontext.Token) {
	if d.err == nil {
		d.err = d.out.WriteToken(t)
	}
}

func (d *dossier) value(v any) {
	text, err := json.Marshal(v)
	if err == nil && d.err == nil {
		err = d.out.WriteValue(text)
	}
	d.met(err)
}

// met notes an error, if it is the first.
func (d *dossier) met(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *dossier) put(name string, v any) {
	d.write(jsontext.String(name))
	d.value(v)
}

// may reports whether the reader may see a part, and notes where they may not.
func (d *dossier) may(name, permission string) bool {
	if d.err == nil && !d.c.May(permission) {
		d.missing = append(d.missing, name)
	}
	return d.err == nil && d.c.May(permission)
}

// add puts all that a list has into the dossier, each in whole where the list is of heads.
func add[T any](d *dossier, name, permission string, list func(record.Page) (record.Found[T], error),
	whole func([]T) error) {
	if d.may(name, permission) {
		d.write(jsontext.String(name))
		rows(d, list, whole)
	}
}

// rows are all that a list has, as the activity log says them.
func rows[T any](d *dossier, list func(record.Page) (record.Found[T], error), whole func([]T) error) {
	d.write(jsontext.BeginArray)
	d.met(record.Walk(record.Page{Size: few}, list, func(some []T) error {
		if whole != nil {
			if err := whole(some); err != nil {
				return err
			}
		}
		for i := range some {
			d.value(record.Told(&some[i]))
		}
		return d.err
	}))
	d.write(jsontext.EndArray)
}

// inWhole makes the heads of a list whole records.
func inWhole[T any](c *page.Ctx, find func(tx *db.Tx, numbers []string) (map[string]*T, error),
	number func(*T) string) func([]T) error {
	return func(heads []T) error {
		found, err := find(c.Tx, each.Of(heads, func(t T) string { return number(&t) }))
		for i := range heads {
			if t := found[record.Fold(number(&heads[i]))]; t != nil {
				heads[i] = *t
			}
		}
		return err
	}
}

// end ends the file.
func (d *dossier) end() error {
	d.put("notIncluded", d.missing)
	d.write(jsontext.EndObject)
	return d.err
}

// subscriptions are those of an address to the newsletters of the stores.
func (d *dossier) subscriptions(email string) {
	add(d, "newsletters", "newsletter:read", func(p record.Page) (record.Found[newsletter.Subscriber], error) {
		if email == "" {
			return record.Found[newsletter.Subscriber]{}, nil
		}
		return newsletter.List(d.c.Tx, newsletter.Filter{Email: email}, p)
	}, nil)
}

// customersData is what is kept of a customer.
func customersData(c *page.Ctx, to io.Writer) (name string, err error) {
	t, err := party.Find(c.Tx, c.Path("number"))
	if err != nil {
		return "", err
	}
	d := dossierOf(c, to)
	d.put("customer", record.Told(t))
	add(d, "contacts", "customers:read", func(p record.Page) (record.Found[party.Contact], error) {
		return party.Contacts(c.Tx, t.Number, p)
	}, nil)
	add(d, "deliveryAddresses", "customers:read", func(p record.Page) (record.Found[party.Address], error) {
		return party.Addresses(c.Tx, t.Number, p)
	}, nil)
	add(d, "orders", "sales-orders:read", func(p record.Page) (record.Found[sales.Order], error) {
		return sales.List(c.Tx, sales.Filter{CustomerNumber: t.Number}, p)
	}, inWhole(c, sales.FindMany, func(o *sales.Order) string { return o.Number }))
	add(d, "quotes", "quotes:read", func(p record.Page) (record.Found[quoting.Quote], error) {
		return quoting.List(c.Tx, quoting.Filter{Customer: t.Number}, p)
	}, nil)
	add(d, "invoices", "invoices:read", func(p record.Page) (record.Found[invoicing.Invoice], error) {
		return invoicing.List(c.Tx, invoicing.Filter{Customer: t.Number}, p)
	}, inWhole(c, invoicing.FindMany, func(i *invoicing.Invoice) string { return i.Number }))
	add(d, "returns", "returns:read", func(p record.Page) (record.Found[returns.Return], error) {
		return returns.List(c.Tx, returns.Filter{Customer: t.Number}, p)
	}, nil)
	d.tickets(t.Number)
	d.subscriptions(t.InvoiceEmail)
	return "customer-" + t.Number + ".json", d.end()
}

// tickets are those of a customer, and what was written in them: what people say of them among themselves is not.
func (d *dossier) tickets(number string) {
	list := func(p record.Page) (record.Found[support.Ticket], error) {
		return support.List(d.c.Tx, support.Filter{Customer: number}, p)
	}
	add(d, "tickets", "tickets:read", list, nil)
	if d.err != nil || !d.c.May("tickets:read") {
		return
	}
	d.write(jsontext.String("ticketMessages"))
	d.write(jsontext.BeginObject)
	d.met(record.Walk(record.Page{Size: few}, list, func(some []support.Ticket) error {
		for i := range some {
			d.write(jsontext.String(some[i].Number))
			rows(d, func(p record.Page) (record.Found[support.Message], error) {
				return support.PublicMessages(d.c.Tx, &some[i], p)
			}, nil)
		}
		return d.err
	}))
	d.write(jsontext.EndObject)
}

// contactsData is what is kept of a contact.
func contactsData(c *page.Ctx, to io.Writer) (name string, err error) {
	t, err := party.Find(c.Tx, c.Path("number"))
	if err != nil {
		return "", err
	}
	who, err := party.FindContact(c.Tx, t.ID, c.Path("id"))
	if err != nil {
		return "", err
	}
	d := dossierOf(c, to)
	d.put("contact", record.Told(who))
	d.put("customer", map[string]string{"number": t.Number, "name": t.Name})
	d.subscriptions(who.Email)
	return "contact-" + who.ID + ".json", d.end()
}
