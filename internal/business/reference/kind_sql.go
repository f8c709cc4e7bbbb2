package reference

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// kind is how one sort of code is kept: every sort has a table with the same head and columns of its own.
type kind[T any] struct {
	record.Resource
	columns string
	derived string // further columns: made of others, see values
	mapped  db.Mapping[T]
	head    func(*T) head
}

// kindOf is a kind with these columns of its own.
func kindOf[T any](r record.Resource, own string, of func(*T) head) kind[T] {
	k := kind[T]{Resource: r, columns: record.RootColumns + ", code, name, is_active", derived: ", code_key, search",
		head: of}
	if of(new(T)).inner != nil {
		k.derived += ", warehouse_key"
	}
	if own != "" {
		k.columns += ", " + own
	}
	k.mapped = db.Map[T](k.columns)
	return k
}

// head is what every code has.
type head struct {
	root       *record.Root
	code, name *string
	isActive   *bool
	inner      *string // the warehouse a location lies in; nil for what lies in none
}

// key is the business key: the code, after its warehouse's for a location.
func (h head) key() string {
	if h.inner != nil {
		return *h.inner + "/" + *h.code
	}
	return *h.code
}

func (k *kind[T]) values(v *T) []any {
	h := k.head(v)
	row := append(k.mapped.Of(v), record.Fold(*h.code), record.SearchText(*h.code, *h.name))
	if h.inner != nil {
		row = append(row, record.Fold(*h.inner))
	}
	return row
}

// read reads every row in the order of the codes.
func (k *kind[T]) read(tx *db.Tx) (rows []T, err error) {
	return db.Rows(tx, `-- reference.kind.read
		select `+k.columns+` from `+k.Table+` where company = :company order by code_key`, nil, k.mapped.Scan)
}

// lock reads the rows that have one of these codes for update, by folded business key.
func (k *kind[T]) lock(tx *db.Tx, codes []string) (map[string]T, error) {
	found := map[string]T{}
	err := tx.Each(`-- reference.kind.lock
		select `+k.columns+` from `+k.Table+` where company = :company and code_key in (:codes) order by id for update`,
		db.Args{"codes": codes}, func(r db.Row) error {
			var v T
			if err := k.mapped.Scan(r, &v); err != nil {
				return err
			}
			found[record.Fold(k.head(&v).key())] = v
			return nil
		})
	return found, err
}

// write stores rows, new and changed ones alike.
func (k *kind[T]) write(tx *db.Tx, rows []T) error {
	err := tx.Upsert(k.Table, k.columns+k.derived, len(rows), func(i int) []any { return k.values(&rows[i]) },
		db.Overwriting("id", k.columns+k.derived))
	if tx.Unique(err) {
		return ErrExists.Because("another request has just created one of these codes: send the request again")
	}
	return err
}

// list answers a page of the rows. scope is the warehouse of locations.
func (k *kind[T]) list(tx *db.Tx, f Filter, p record.Page, scope string) (record.Found[T], error) {
	q := record.Query{
		Name: "reference.kind.list " + k.Table, Select: k.columns, From: k.Table,
		Key: []string{"code_key"}, Stamp: "changed_at", Resources: []string{k.Name},
		Sorts: map[string][]string{"code": {"code_key"}},
	}
	q.Given("warehouse_key = :scope", record.Fold(scope))
	q.Given("is_active = :active", f.IsActive)
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, k.mapped.Scan)
}

var (
	warehouses = kindOf[Warehouse](
		record.Define("warehouses", "warehouse", "Warehouse"),
		"street1, street2, postal_code, city, country_code, transport_days",
		func(w *Warehouse) head {
			return head{root: &w.Root, code: &w.Code, name: &w.Name, isActive: &w.IsActive}
		},
	)
	locations = kindOf[Location](
		record.Define("locations", "warehouse_location", "WarehouseLocation"),
		"warehouse, zone, is_pickable, is_returns, is_quarantine",
		func(l *Location) head {
			return head{root: &l.Root, code: &l.Code, name: &l.Name, isActive: &l.IsActive, inner: &l.Warehouse}
		},
	)
	currencyKind = kindOf[Currency](
		record.Define("currencies", "currency", "Currency"), "",
		func(c *Currency) head {
			return head{root: &c.Root, code: &c.Code, name: &c.Name, isActive: &c.IsActive}
		},
	)
	paymentTerms = kindOf[PaymentTerm](
		record.Define("payment-terms", "payment_term", "PaymentTerm"), "days, end_of_month",
		func(t *PaymentTerm) head {
			return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive}
		},
	)
	deliveryTerms = kindOf[DeliveryTerm](
		record.Define("delivery-terms", "delivery_term", "DeliveryTerm"), "incoterms_code",
		func(t *DeliveryTerm) head {
			return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive}
		},
	)
	orderTypes = kindOf[OrderType](
		record.Define("order-types", "order_type", "OrderType"), "auto_release, auto_ship, auto_invoice",
		func(t *OrderType) head {
			return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive}
		},
	)
	shippingMethods = kindOf[ShippingMethod](
		record.Define("shipping-methods", "shipping_method", "ShippingMethod"),
		"carrier, tracking_url_template, is_pickup",
		func(m *ShippingMethod) head {
			return head{root: &m.Root, code: &m.Code, name: &m.Name, isActive: &m.IsActive}
		},
	)
	ticketQueues = kindOf[TicketQueue](
		record.Define("ticket-queues", "ticket_queue", "TicketQueue"), "",
		func(q *TicketQueue) head {
			return head{root: &q.Root, code: &q.Code, name: &q.Name, isActive: &q.IsActive}
		},
	)
	cannedAnswers = kindOf[CannedAnswer](
		record.Define("canned-answers", "canned_answer", "CannedAnswer"), "language, body",
		func(a *CannedAnswer) head {
			return head{root: &a.Root, code: &a.Code, name: &a.Name, isActive: &a.IsActive}
		},
	)
	units = kindOf[Unit](
		record.Define("units", "unit", "Unit"), "common_code",
		func(u *Unit) head { return head{root: &u.Root, code: &u.Code, name: &u.Name, isActive: &u.IsActive} },
	)
	customerGroups = kindOf[CustomerGroup](
		record.Define("customer-groups", "customer_group", "CustomerGroup"), "",
		func(g *CustomerGroup) head {
			return head{root: &g.Root, code: &g.Code, name: &g.Name, isActive: &g.IsActive}
		},
	)
	taxCodes = kindOf[TaxCode](
		record.Define("tax-codes", "tax_code", "TaxCode"), "",
		func(t *TaxCode) head { return head{root: &t.Root, code: &t.Code, name: &t.Name, isActive: &t.IsActive} },
	)
)
