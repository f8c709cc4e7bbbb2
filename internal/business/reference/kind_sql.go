package reference

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// kind is how one sort of code is kept: every sort has a table with the same head and columns of its own.
type kind[T any] struct {
	resource record.Resource
	table    record.Table[T]
	names    db.Mapping[T] // code, name, whether it is in use, and where the code is unique
}

// kindOf is a kind with these columns of its own, the first of which is where its codes are unique, if that is not the
// whole company.
func kindOf[T any](r record.Resource, unique, own string) *kind[T] {
	k := &kind[T]{resource: r, names: db.Map[T](strings.Trim("code, name, is_active, "+unique, ", "))}
	k.table = record.TableOf(r, record.Layout[T]{
		Fixed:    "code",
		Changing: strings.Trim("name, is_active, "+own, ", "),
		Key:      "code_key",
		KeyOf:    func(v *T) string { return *k.head(v).code },
		Named:    func(v *T) string { return k.head(v).key() },
		Derived: func(v *T) db.Args {
			h := k.head(v)
			args := db.Args{"search": record.SearchText(*h.code, *h.name)}
			if h.inner != nil {
				args[unique+"_key"] = record.Fold(*h.inner)
			}
			return args
		},
	})
	return k
}

// head is what every code has.
type head struct {
	root       *record.Root
	code, name *string
	isActive   *bool
	inner      *string // the warehouse a location lies in; nil for what lies in none
}

func (k *kind[T]) head(v *T) head {
	names := k.names.Of(v)
	h := head{root: record.RootOf(v), code: names[0].(*string), name: names[1].(*string),
		isActive: names[2].(*bool)}
	if len(names) > 3 {
		h.inner = names[3].(*string)
	}
	return h
}

// key is the business key: the code, after its warehouse's for a location.
func (h head) key() string {
	if h.inner != nil {
		return *h.inner + "/" + *h.code
	}
	return *h.code
}

// read reads every row in the order of the codes.
func (k *kind[T]) read(tx *db.Tx) ([]T, error) {
	return k.table.All(tx, "reference.kind.read", "order by code_key")
}

// lock reads the rows that have one of these codes for update, by folded business key.
func (k *kind[T]) lock(tx *db.Tx, codes []string) (map[string]T, error) {
	rows, err := k.table.Where(tx, "reference.kind.lock", "code_key in (:codes) order by id for update",
		db.Args{"codes": codes})
	return each.By(rows, func(v T) string { return record.Fold(k.head(&v).key()) }), err
}

// write stores rows, new and changed ones alike.
func (k *kind[T]) write(tx *db.Tx, rows []T) error {
	err := k.table.Write(tx, record.Pointers(rows)...)
	if tx.Unique(err) {
		return ErrExists.Because("another request has just created one of these codes: send the request again")
	}
	return err
}

// all answers a page of the rows.
func (k *kind[T]) all(tx *db.Tx, f Filter, p record.Page) (record.Found[T], error) {
	return k.list(tx, f, p, "")
}

// list answers a page of the rows. scope is the warehouse of locations.
func (k *kind[T]) list(tx *db.Tx, f Filter, p record.Page, scope string) (record.Found[T], error) {
	q := k.table.Query("reference.kind.list " + k.resource.Table)
	q.Sorts = map[string][]string{"code": {"code_key"}}
	q.Given("warehouse_key = :scope", record.Fold(scope))
	q.Given("is_active = :active", f.IsActive)
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, k.table.Scan)
}

var (
	warehouses = kindOf[Warehouse](record.Define("warehouses", "warehouse", "Warehouse"), "",
		"street1, street2, postal_code, city, country_code, transport_days")
	locations = kindOf[Location](record.Define("locations", "warehouse_location", "WarehouseLocation"), "warehouse",
		"warehouse, zone, is_pickable, is_returns, is_quarantine")
	currencyKind = kindOf[Currency](record.Define("currencies", "currency", "Currency"), "", "")
	paymentTerms = kindOf[PaymentTerm](record.Define("payment-terms", "payment_term", "PaymentTerm"), "",
		"days, end_of_month")
	deliveryTerms = kindOf[DeliveryTerm](record.Define("delivery-terms", "delivery_term", "DeliveryTerm"), "",
		"incoterms_code")
	orderTypes = kindOf[OrderType](record.Define("order-types", "order_type", "OrderType"), "",
		"auto_release, auto_ship, auto_invoice")
	shippingMethods = kindOf[ShippingMethod](record.Define("shipping-methods", "shipping_method", "ShippingMethod"), "",
		"carrier, tracking_url_template, is_pickup")
	ticketQueues  = kindOf[TicketQueue](record.Define("ticket-queues", "ticket_queue", "TicketQueue"), "", "")
	cannedAnswers = kindOf[CannedAnswer](record.Define("canned-answers", "canned_answer", "CannedAnswer"), "",
		"language, body")
	units          = kindOf[Unit](record.Define("units", "unit", "Unit"), "", "common_code")
	customerGroups = kindOf[CustomerGroup](record.Define("customer-groups", "customer_group", "CustomerGroup"), "",
		"")
	taxCodes = kindOf[TaxCode](record.Define("tax-codes", "tax_code", "TaxCode"), "", "")
)
