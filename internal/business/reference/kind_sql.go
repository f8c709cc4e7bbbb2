package reference

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// kind is how one sort of code is kept: every sort has a table with the same head and columns of its own.
type kind[T any] struct {
	record.Resource
	table   string
	columns string // its own, after the head's
	head    func(*T) head
	values  func(*T) []any // of its own columns
	dest    func(*T) []any
}

// head is what every code has.
type head struct {
	root       *record.Root
	code, name *string
	isActive   *bool
	inner      string // the warehouse a location lies in
}

// key is the business key: the code, after its warehouse's for a location.
func (h head) key() string {
	if h.inner != "" {
		return h.inner + "/" + *h.code
	}
	return *h.code
}

const headColumns = record.RootColumns + ", code, code_key, name, is_active, search"

func (k *kind[T]) all() string {
	if k.columns == "" {
		return headColumns
	}
	return headColumns + ", " + k.columns
}

func (k *kind[T]) row(v *T) []any {
	h := k.head(v)
	vals := append(h.root.Values(), *h.code, record.Fold(*h.code), *h.name, *h.isActive,
		record.SearchText(*h.code, *h.name))
	if k.values == nil {
		return vals
	}
	return append(vals, k.values(v)...)
}

func (k *kind[T]) scan(r db.Row, v *T) error {
	h := k.head(v)
	var folded string
	dest := append(h.root.Scan(), h.code, &folded, h.name, h.isActive, &folded)
	if k.dest != nil {
		dest = append(dest, k.dest(v)...)
	}
	return r.Scan(dest...)
}

// read reads every row in the order of the codes.
func (k *kind[T]) read(tx *db.Tx) (rows []T, err error) {
	err = tx.Each(`-- reference.kind.read
		select `+k.all()+` from `+k.table+` where company = :company order by code_key`, nil,
		func(r db.Row) error {
			var v T
			if err := k.scan(r, &v); err != nil {
				return err
			}
			rows = append(rows, v)
			return nil
		})
	return rows, err
}

// lock reads the rows that have one of these codes for update, by folded business key.
func (k *kind[T]) lock(tx *db.Tx, codes []string) (map[string]T, error) {
	found := map[string]T{}
	err := tx.Each(`-- reference.kind.lock
		select `+k.all()+` from `+k.table+` where company = :company and code_key in (:codes) order by id for update`,
		db.Args{"codes": codes}, func(r db.Row) error {
			var v T
			if err := k.scan(r, &v); err != nil {
				return err
			}
			found[record.Fold(k.head(&v).key())] = v
			return nil
		})
	return found, err
}

// write stores rows, new and changed ones alike.
func (k *kind[T]) write(tx *db.Tx, rows []T) error {
	columns := k.all()
	var set []string
	for c := range strings.SplitSeq(columns, ", ") {
		if c != "id" {
			set = append(set, c+" = excluded."+c)
		}
	}
	err := tx.Upsert(k.table, columns, len(rows), func(i int) []any { return k.row(&rows[i]) },
		"on conflict (company, id) do update set "+strings.Join(set, ", "))
	if tx.Unique(err) {
		return ErrExists.Because("another request has just created one of these codes: send the request again")
	}
	return err
}

// list answers a page of the rows. scope is the warehouse of locations.
func (k *kind[T]) list(tx *db.Tx, f Filter, p record.Page, scope string) (record.Found[T], error) {
	q := record.Query{
		Name: "reference.kind.list " + k.table, Select: k.all(), From: k.table,
		Key: []record.Order{{Column: "code_key"}}, Stamp: "changed_at", Resources: []string{k.Name},
		Sorts: func(by string) []record.Order {
			switch by {
			case "code":
				return []record.Order{{Column: "code_key"}}
			}
			return nil
		},
	}
	if scope != "" {
		q.Where("warehouse_key = :scope", db.Args{"scope": record.Fold(scope)})
	}
	if f.IsActive != nil {
		q.Where("is_active = :active", db.Args{"active": *f.IsActive})
	}
	if f.Search != "" {
		q.Search("search", f.Search)
	}
	return record.ListOf(tx, q, p, k.scan)
}

var (
	warehouses = kind[Warehouse]{
		record.Define("warehouses", "warehouse", "Warehouse"), "warehouse",
		"street1, street2, postal_code, city, country_code, transport_days",
		func(w *Warehouse) head {
			return head{root: &w.Root, code: &w.Code, name: &w.Name, isActive: &w.IsActive}
		},
		func(w *Warehouse) []any {
			return []any{w.Street1, w.Street2, w.PostalCode, w.City, w.CountryCode, w.TransportDays}
		},
		func(w *Warehouse) []any {
			return []any{&w.Street1, &w.Street2, &w.PostalCode, &w.City, &w.CountryCode, &w.TransportDays}
		},
	}
	locations = kind[Location]{
		record.Define("locations", "warehouse_location", "WarehouseLocation"), "warehouse_location",
		"warehouse, warehouse_key, zone, is_pickable, is_returns, is_quarantine",
		func(l *Location) head {
			return head{root: &l.Root, code: &l.Code, name: &l.Name, isActive: &l.IsActive, inner: l.Warehouse}
		},
		func(l *Location) []any {
			return []any{l.Warehouse, record.Fold(l.Warehouse), l.Zone, l.IsPickable, l.IsReturns, l.IsQuarantine}
		},
		func(l *Location) []any {
			var folded string
			return []any{&l.Warehouse, &folded, &l.Zone, &l.IsPickable, &l.IsReturns, &l.IsQuarantine}
		},
	}
	currencyKind = kind[Currency]{
		record.Define("currencies", "currency", "Currency"), "currency", "",
		func(c *Currency) head {
			return head{root: &c.Root, code: &c.Code, name: &c.Name, isActive: &c.IsActive}
		},
		nil, nil,
	}
	paymentTerms = kind[PaymentTerm]{
		record.Define("payment-terms", "payment_term", "PaymentTerm"), "payment_term", "days, end_of_month",
		func(t *PaymentTerm) head {
			return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive}
		},
		func(t *PaymentTerm) []any { return []any{t.Days, t.EndOfMonth} },
		func(t *PaymentTerm) []any { return []any{&t.Days, &t.EndOfMonth} },
	}
	deliveryTerms = kind[DeliveryTerm]{
		record.Define("delivery-terms", "delivery_term", "DeliveryTerm"), "delivery_term", "incoterms_code",
		func(t *DeliveryTerm) head {
			return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive}
		},
		func(t *DeliveryTerm) []any { return []any{t.IncotermsCode} },
		func(t *DeliveryTerm) []any { return []any{&t.IncotermsCode} },
	}
	orderTypes = kind[OrderType]{
		record.Define("order-types", "order_type", "OrderType"), "order_type", "auto_release, auto_ship, auto_invoice",
		func(t *OrderType) head {
			return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive}
		},
		func(t *OrderType) []any { return []any{t.AutoRelease, t.AutoShip, t.AutoInvoice} },
		func(t *OrderType) []any { return []any{&t.AutoRelease, &t.AutoShip, &t.AutoInvoice} },
	}
	shippingMethods = kind[ShippingMethod]{
		record.Define("shipping-methods", "shipping_method", "ShippingMethod"), "shipping_method",
		"carrier, tracking_url_template, is_pickup",
		func(m *ShippingMethod) head {
			return head{root: &m.Root, code: &m.Code, name: &m.Name, isActive: &m.IsActive}
		},
		func(m *ShippingMethod) []any { return []any{m.Carrier, m.TrackingURLTemplate, m.IsPickup} },
		func(m *ShippingMethod) []any { return []any{&m.Carrier, &m.TrackingURLTemplate, &m.IsPickup} },
	}
	ticketQueues = kind[TicketQueue]{
		record.Define("ticket-queues", "ticket_queue", "TicketQueue"), "ticket_queue", "",
		func(q *TicketQueue) head {
			return head{root: &q.Root, code: &q.Code, name: &q.Name, isActive: &q.IsActive}
		},
		nil, nil,
	}
	cannedAnswers = kind[CannedAnswer]{
		record.Define("canned-answers", "canned_answer", "CannedAnswer"), "canned_answer", "language, body",
		func(a *CannedAnswer) head {
			return head{root: &a.Root, code: &a.Code, name: &a.Name, isActive: &a.IsActive}
		},
		func(a *CannedAnswer) []any { return []any{a.Language, a.Body} },
		func(a *CannedAnswer) []any { return []any{&a.Language, &a.Body} },
	}
	units = kind[Unit]{
		record.Define("units", "unit", "Unit"), "unit", "common_code",
		func(u *Unit) head { return head{root: &u.Root, code: &u.Code, name: &u.Name, isActive: &u.IsActive} },
		func(u *Unit) []any { return []any{u.CommonCode} },
		func(u *Unit) []any { return []any{&u.CommonCode} },
	}
	customerGroups = kind[CustomerGroup]{
		record.Define("customer-groups", "customer_group", "CustomerGroup"), "customer_group", "",
		func(g *CustomerGroup) head {
			return head{root: &g.Root, code: &g.Code, name: &g.Name, isActive: &g.IsActive}
		},
		nil, nil,
	}
	taxCodes = kind[TaxCode]{
		record.Define("tax-codes", "tax_code", "TaxCode"), "tax_code", "",
		func(t *TaxCode) head { return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive} },
		nil, nil,
	}
)
