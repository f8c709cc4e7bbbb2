package checkout

import (
	"encoding/json"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

const methodFields = "name, provider, fee, fee_includes_tax, fee_tax_code, payment_term, instructions, channels, " +
	"countries, sort_order, is_active"

const methodColumns = record.RootColumns + ", code, " + methodFields + ", settings"

var methodRow = db.Map[Method](record.RootColumns + ", code, " + methodFields)

const methodWeight = 1_000 // bytes, about

// settingsColumn is kept sealed, in the whole.
const settingsColumn = "settings"

// scanMethod reads a payment method. Settings whose key is not here are none: the method is not ready, and nobody is
// offered it.
func scanMethod(tx *db.Tx, r db.Row, m *Method) error {
	var sealed string
	err := r.Scan(append(methodRow.Of(m), &sealed)...)
	m.Settings = payment.Settings{}
	if err != nil {
		return err
	}
	if open, err := tx.Unseal("payment_method", settingsColumn, m.ID, sealed); err == nil && open != "" {
		settings := map[string]string{}
		if err := json.Unmarshal([]byte(open), &settings); err != nil {
			return err
		}
		m.Settings = settings
	}
	return nil
}

func findMethod(tx *db.Tx, code, lock string) (m Method, found bool, err error) {
	err = tx.Each(`-- checkout.findMethod
		select `+methodColumns+
		` from payment_method where company = :company and code_key = :key`+lock, db.Args{"key": record.Fold(code)},
		func(r db.Row) error {
			found = true
			return scanMethod(tx, r, &m)
		})
	return m, found, err
}

// lockMethod is findMethod for a change.
func lockMethod(tx *db.Tx, code string) (Method, bool, error) {
	return findMethod(tx, code, " for update")
}

// allMethods are the company's payment methods in the order buyers see them. Their settings are shared.
func allMethods(tx *db.Tx) (all []Method, err error) {
	const name = "payment methods"
	if kept, _, ok := db.CacheGet[[]Method](tx, name); ok {
		return slices.Clone(kept), nil
	}
	depends := tx.DependsOn(db.Ref{Resource: Methods.Name})
	err = tx.Each(`-- checkout.allMethods
		select `+methodColumns+
		` from payment_method where company = :company order by sort_order, code_key`, nil, func(r db.Row) error {
		all = append(all, Method{})
		return scanMethod(tx, r, &all[len(all)-1])
	})
	if err == nil {
		tx.CachePut(name, depends, methodWeight*len(all), slices.Clone(all))
	}
	return all, err
}

// ListMethods reads payment methods in the order buyers see them.
func ListMethods(tx *db.Tx, p record.Page) (record.Found[Method], error) {
	q := record.Query{Name: "checkout.ListMethods", Select: methodColumns,
		From: "payment_method", Key: []string{"sort_order", "code_key"}, Stamp: "changed_at",
		Resources: []string{Methods.Name}}
	return record.ListOf(tx, q, p, func(r db.Row, m *Method) error { return scanMethod(tx, r, m) })
}

// writeMethod stores a payment method, new or changed.
func writeMethod(tx *db.Tx, m *Method) error {
	settings, err := tx.Seal("payment_method", settingsColumn, m.ID, db.JSON{At: &m.Settings}.Text())
	if err != nil {
		return err
	}
	return tx.Upsert("payment_method", methodColumns+", code_key", 1, func(int) []any {
		return append(methodRow.Of(m), settings, record.Fold(m.Code))
	}, db.Overwriting("id", methodFields+", settings"))
}
