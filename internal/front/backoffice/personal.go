package backoffice

import (
	"encoding/json"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// personal are the files of what is kept of somebody, for who asks for their data (articles 15 and 20 of the GDPR): of
// a customer, and of a contact. They say what the activity log says of such records, so that no secret is in them.
func personal() []page.Page {
	return []page.Page{
		page.Document{Path: "/customers/{number}/personal-data", Permission: "customers:read", Make: customersData},
		page.Document{Path: "/customers/{number}/contact/{id}/personal-data", Permission: "customers:read",
			Make: contactsData},
	}
}

// dossier is what is kept of somebody, by what it is. What the reader may not see is named in it, so that nobody takes
// it for the whole. err is what went wrong first: nothing is added after it.
type dossier struct {
	c       *page.Ctx
	parts   map[string]any
	missing []string
	err     error
}

func dossierOf(c *page.Ctx) *dossier {
	return &dossier{c: c, parts: map[string]any{"madeAt": c.Tx.Now}, missing: []string{}}
}

// add puts all that a list has into the dossier, each in whole where the list is of heads.
func add[T any](d *dossier, name, permission string, list func(record.Page) (record.Found[T], error),
	whole func(*T) error) {
	switch {
	case d.err != nil:
	case !d.c.May(permission):
		d.missing = append(d.missing, name)
	default:
		d.parts[name], d.err = rows(list, whole)
	}
}

// rows are all that a list has, as the activity log says them.
func rows[T any](list func(record.Page) (record.Found[T], error), whole func(*T) error) ([]map[string]any, error) {
	out := []map[string]any{}
	for p := all(); ; p.Number++ {
		found, err := list(p)
		if err != nil {
			return nil, err
		}
		for i := range found.Items {
			t := &found.Items[i]
			if whole != nil {
				if err := whole(t); err != nil {
					return nil, err
				}
			}
			out = append(out, record.Told(t))
		}
		if len(found.Items) < p.Size {
			return out, nil
		}
	}
}

// inWhole makes the head of a list the whole record.
func inWhole[T any](find func(number string) (T, error), number func(*T) string) func(*T) error {
	return func(t *T) (err error) {
		*t, err = find(number(t))
		return err
	}
}

// paper is the dossier as a file.
func (d *dossier) paper(name string) (page.Paper, error) {
	if d.err != nil {
		return page.Paper{}, d.err
	}
	d.parts["notIncluded"] = d.missing
	body, err := json.MarshalIndent(d.parts, "", "  ")
	return page.Paper{Name: name + ".json", Media: "application/json", Body: body}, err
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
func customersData(c *page.Ctx) (page.Paper, error) {
	t, err := party.Find(c.Tx, c.Path("number"))
	if err != nil {
		return page.Paper{}, err
	}
	d := dossierOf(c)
	d.parts["customer"] = record.Told(t)
	add(d, "contacts", "customers:read", func(p record.Page) (record.Found[party.Contact], error) {
		return party.Contacts(c.Tx, t.Number, p)
	}, nil)
	add(d, "deliveryAddresses", "customers:read", func(p record.Page) (record.Found[party.Address], error) {
		return party.Addresses(c.Tx, t.Number, p)
	}, nil)
	add(d, "orders", "sales-orders:read", func(p record.Page) (record.Found[sales.Order], error) {
		return sales.List(c.Tx, sales.Filter{CustomerNumber: t.Number}, p)
	}, inWhole(func(n string) (sales.Order, error) { return sales.Find(c.Tx, n) },
		func(o *sales.Order) string { return o.Number }))
	add(d, "quotes", "quotes:read", func(p record.Page) (record.Found[quoting.Quote], error) {
		return quoting.List(c.Tx, quoting.Filter{Customer: t.Number}, p)
	}, inWhole(func(n string) (quoting.Quote, error) { return quoting.Find(c.Tx, n) },
		func(q *quoting.Quote) string { return q.Number }))
	add(d, "invoices", "invoices:read", func(p record.Page) (record.Found[invoicing.Invoice], error) {
		return invoicing.List(c.Tx, invoicing.Filter{Customer: t.Number}, p)
	}, inWhole(func(n string) (invoicing.Invoice, error) { return invoicing.Find(c.Tx, n) },
		func(i *invoicing.Invoice) string { return i.Number }))
	add(d, "returns", "returns:read", func(p record.Page) (record.Found[returns.Return], error) {
		return returns.List(c.Tx, returns.Filter{Customer: t.Number}, p)
	}, inWhole(func(n string) (returns.Return, error) { return returns.Find(c.Tx, n) },
		func(r *returns.Return) string { return r.Number }))
	d.tickets(t.Number)
	d.subscriptions(t.InvoiceEmail)
	return d.paper("customer-" + t.Number)
}

// tickets are those of a customer, and what was written in them: what people say of them among themselves is not.
func (d *dossier) tickets(number string) {
	var threads []support.Ticket
	add(d, "tickets", "tickets:read", func(p record.Page) (record.Found[support.Ticket], error) {
		found, err := support.List(d.c.Tx, support.Filter{Customer: number}, p)
		threads = append(threads, found.Items...)
		return found, err
	}, nil)
	if !d.c.May("tickets:read") {
		return
	}
	written := map[string][]map[string]any{}
	for i := 0; i < len(threads) && d.err == nil; i++ {
		t := &threads[i]
		written[t.Number], d.err = rows(func(p record.Page) (record.Found[support.Message], error) {
			return support.PublicMessages(d.c.Tx, t, p)
		}, nil)
	}
	d.parts["ticketMessages"] = written
}

// contactsData is what is kept of a contact.
func contactsData(c *page.Ctx) (page.Paper, error) {
	t, err := party.Find(c.Tx, c.Path("number"))
	if err != nil {
		return page.Paper{}, err
	}
	who, err := party.FindContact(c.Tx, t.ID, c.Path("id"))
	if err != nil {
		return page.Paper{}, err
	}
	d := dossierOf(c)
	d.parts["contact"] = record.Told(who)
	d.parts["customer"] = map[string]string{"number": t.Number, "name": t.Name}
	d.subscriptions(who.Email)
	return d.paper("contact-" + who.ID)
}
