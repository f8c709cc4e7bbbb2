package checkout

import (
	"encoding/json"

	"kontor/internal/db"
	"kontor/internal/payment"
	"kontor/internal/record"
)

const methodColumns = `code, name, provider, fee, fee_includes_tax, fee_tax_code, payment_term, instructions, settings, channels, countries, sort_order, is_active`

// kept is a value as JSON text; the empty text is its zero value.
type kept[T any] struct{ v *T }

// Scan reads what text wrote.
func (k kept[T]) Scan(v any) error {
	text, _ := v.(string)
	if text == "" {
		var zero T
		*k.v = zero
		return nil
	}
	return json.Unmarshal([]byte(text), k.v)
}

// text is a value as it is kept.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts, numbers and lists of them cannot fail to encode
	}
	if s := string(b); s != "null" && s != "{}" && s != "[]" {
		return s
	}
	return ""
}

func scanMethod(r db.Row, m *Method) error {
	settings := map[string]string{}
	err := r.Scan(append(m.Root.Scan(), &m.Code, &m.Name, &m.Provider, &m.Fee, &m.FeeIncludesTax, &m.FeeTaxCode, &m.PaymentTermCode, &m.Instructions,
		kept[map[string]string]{&settings}, kept[[]string]{&m.Channels}, kept[[]string]{&m.Countries}, &m.SortOrder, &m.IsActive)...)
	m.Settings = payment.Settings(settings)
	return err
}

func findMethod(tx *db.Tx, code, lock string) (m Method, found bool, err error) {
	err = tx.Each(`-- checkout.findMethod
		select `+record.RootColumns+`, `+methodColumns+` from payment_method where company = :company and code_key = :key`+lock,
		db.Args{"key": record.Fold(code)}, func(r db.Row) error {
			found = true
			return scanMethod(r, &m)
		})
	return m, found, err
}

// lockMethod is findMethod for a change.
func lockMethod(tx *db.Tx, code string) (Method, bool, error) {
	return findMethod(tx, code, " for update")
}

func allMethods(tx *db.Tx) (all []Method, err error) {
	err = tx.Each(`-- checkout.allMethods
		select `+record.RootColumns+`, `+methodColumns+` from payment_method where company = :company order by sort_order, code_key`, nil, func(r db.Row) error {
		all = append(all, Method{})
		return scanMethod(r, &all[len(all)-1])
	})
	return all, err
}

// ListMethods reads payment methods in the order buyers see them.
func ListMethods(tx *db.Tx, p record.Page) (record.Found[Method], error) {
	q := record.Query{Name: "checkout.ListMethods", Select: record.RootColumns + ", " + methodColumns, From: "payment_method",
		Key: []record.Order{{Column: "sort_order"}, {Column: "code_key"}}, Stamp: "changed_at", Resources: []string{Methods.Name}}
	return record.ListOf(tx, q, p, scanMethod)
}

// writeMethod stores a payment method, new or changed.
func writeMethod(tx *db.Tx, m *Method) error {
	return tx.Upsert("payment_method", record.RootColumns+", code_key, "+methodColumns, 1, func(int) []any {
		return append(m.Root.Values(), record.Fold(m.Code), m.Code, m.Name, m.Provider, m.Fee, m.FeeIncludesTax, m.FeeTaxCode, m.PaymentTermCode,
			m.Instructions, text(map[string]string(m.Settings)), text(m.Channels), text(m.Countries), m.SortOrder, m.IsActive)
	}, `on conflict (company, id) do update set name = excluded.name, provider = excluded.provider, fee = excluded.fee,
		fee_includes_tax = excluded.fee_includes_tax, fee_tax_code = excluded.fee_tax_code, payment_term = excluded.payment_term,
		instructions = excluded.instructions, settings = excluded.settings, channels = excluded.channels, countries = excluded.countries,
		sort_order = excluded.sort_order, is_active = excluded.is_active`)
}
