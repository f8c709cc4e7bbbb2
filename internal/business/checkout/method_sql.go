package checkout

import (
	"cmp"
	"encoding/json"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

const methodWeight = 1_000 // bytes, about

// settingsColumn is kept sealed, in the whole.
const settingsColumn = "settings"

// methods are the company's payment methods. Settings whose key is not here are none: the method is not ready, and
// nobody is offered it.
var methods = record.TableOf(Methods, record.Layout[Method]{
	Fixed: "code",
	Changing: "name, provider, fee, fee_includes_tax, fee_tax_code, payment_term, instructions, channels, countries, " +
		"sort_order, is_active",
	Key:   "code_key",
	KeyOf: func(m *Method) string { return m.Code },
	Sealed: &record.Sealed[Method]{Column: settingsColumn, Named: "settings",
		Of: func(m *Method) string { return db.JSON{At: &m.Settings}.Text() },
		Open: func(m *Method, text string, _ bool) {
			if err := json.Unmarshal([]byte(text), &m.Settings); err != nil {
				m.Settings = payment.Settings{}
			}
		}},
	Missing: func(code string) error { return ErrMethodNotFound.Because("there is no payment method %q", code) },
})

// allMethods are the company's payment methods in the order buyers see them. Their settings are shared.
func allMethods(tx *db.Tx) (all []Method, err error) {
	const name = "payment methods"
	if kept, _, ok := db.CacheGet[[]Method](tx, name); ok {
		return slices.Clone(kept), nil
	}
	depends := tx.DependsOn(db.Ref{Resource: Methods.Name})
	all, err = methods.All(tx, "checkout.allMethods", "order by sort_order, code_key")
	if err == nil {
		tx.CachePut(name, depends, methodWeight*len(all), slices.Clone(all))
	}
	return all, err
}

// MethodName is what a payment method is called; its code where the company no longer has it, or it has no name.
func MethodName(tx *db.Tx, code string) (string, error) {
	all, err := allMethods(tx)
	for _, m := range all {
		if record.Fold(m.Code) == record.Fold(code) {
			return cmp.Or(m.Name, code), err
		}
	}
	return code, err
}

// ListMethods reads payment methods in the order buyers see them.
func ListMethods(tx *db.Tx, p record.Page) (record.Found[Method], error) {
	q := methods.Query("checkout.ListMethods")
	q.Key = []string{"sort_order", "code_key"}
	return methods.List(tx, q, p)
}

// HadMethods reports whether the company has payment methods, or had some that are gone.
func HadMethods(tx *db.Tx) (bool, error) {
	var one int
	return tx.One(`-- checkout.HadMethods
		select 1 from payment_method where company = :company
		union all select 1 from change where company = :company and resource = :resource limit 1`,
		db.Args{"resource": Methods.Name}, &one)
}
