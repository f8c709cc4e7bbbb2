package checkout

import (
	"encoding/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
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

// settingsColumn is kept sealed, in the whole.
const settingsColumn = "settings"

// scanMethod reads a payment method. Settings whose key is not here are none: the method is not ready, and nobody is
// offered it.
func scanMethod(tx *db.Tx, r db.Row, m *Method) error {
	var sealed string
	err := r.Scan(append(m.Root.Scan(), &m.Code, &m.Name, &m.Provider, &m.Fee, &m.FeeIncludesTax, &m.FeeTaxCode,
		&m.PaymentTermCode, &m.Instructions, &sealed, kept[[]string]{&m.Channels}, kept[[]string]{&m.Countries},
		&m.SortOrder, &m.IsActive)...)
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

// settingsOf are the ids of the payment methods that have settings, with what the column holds; stale leaves out what
// is sealed with the present key.
func settingsOf(tx *db.Tx, stale bool) (all [][2]string, err error) {
	err = tx.Each(`-- checkout.settingsOf
		select id, settings from payment_method where company = :company and settings <> ''`, nil,
		func(r db.Row) error {
			var id, settings string
			err := r.Scan(&id, &settings)
			if !stale || !tx.SealedNow(settings) {
				all = append(all, [2]string{id, settings})
			}
			return err
		})
	return all, err
}

// writeSeal replaces the sealed text of settings, which stay what they are.
func writeSeal(tx *db.Tx, id, settings string) error {
	_, err := tx.Exec(`-- checkout.writeSeal
		update payment_method set settings = :settings where company = :company and id = :id`,
		db.Args{"id": id, "settings": settings})
	return err
}

func findMethod(tx *db.Tx, code, lock string) (m Method, found bool, err error) {
	err = tx.Each(`-- checkout.findMethod
		select `+record.RootColumns+`, `+methodColumns+
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

func allMethods(tx *db.Tx) (all []Method, err error) {
	err = tx.Each(`-- checkout.allMethods
		select `+record.RootColumns+`, `+methodColumns+
		` from payment_method where company = :company order by sort_order, code_key`, nil, func(r db.Row) error {
		all = append(all, Method{})
		return scanMethod(tx, r, &all[len(all)-1])
	})
	return all, err
}

// ListMethods reads payment methods in the order buyers see them.
func ListMethods(tx *db.Tx, p record.Page) (record.Found[Method], error) {
	q := record.Query{Name: "checkout.ListMethods", Select: record.RootColumns + ", " + methodColumns,
		From: "payment_method", Key: []record.Order{{Column: "sort_order"}, {Column: "code_key"}}, Stamp: "changed_at",
		Resources: []string{Methods.Name}}
	return record.ListOf(tx, q, p, func(r db.Row, m *Method) error { return scanMethod(tx, r, m) })
}

// writeMethod stores a payment method, new or changed.
func writeMethod(tx *db.Tx, m *Method) error {
	settings, err := tx.Seal("payment_method", settingsColumn, m.ID, text(map[string]string(m.Settings)))
	if err != nil {
		return err
	}
	return tx.Upsert("payment_method", record.RootColumns+", code_key, "+methodColumns, 1, func(int) []any {
		return append(m.Root.Values(), record.Fold(m.Code), m.Code, m.Name, m.Provider, m.Fee, m.FeeIncludesTax,
			m.FeeTaxCode, m.PaymentTermCode, m.Instructions, settings, text(m.Channels), text(m.Countries), m.SortOrder,
			m.IsActive)
	}, `on conflict (company, id) do update set name = excluded.name, provider = excluded.provider, fee = excluded.fee,
		fee_includes_tax = excluded.fee_includes_tax, fee_tax_code = excluded.fee_tax_code, payment_term = excluded.payment_term,
		instructions = excluded.instructions, settings = excluded.settings, channels = excluded.channels, countries = excluded.countries,
		sort_order = excluded.sort_order, is_active = excluded.is_active`)
}
