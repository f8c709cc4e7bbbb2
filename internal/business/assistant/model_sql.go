package assistant

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const modelColumns = "channel_code, address, name, api_key, is_used"

// keyColumn is kept sealed.
const keyColumn = "api_key"

// findModel reads the settings of a store's model. One whose key cannot be opened is not used.
func findModel(tx *db.Tx, channelCode, lock string) (m Model, found bool, err error) {
	err = tx.Each(`-- assistant.findModel
		select `+record.RootColumns+`, `+modelColumns+
		` from assistant_model where company = :company and channel_key = :key`+lock,
		db.Args{"key": record.Fold(channelCode)}, func(r db.Row) error {
			found = true
			var sealed string
			err := r.Scan(append(m.Root.Scan(), &m.ChannelCode, &m.Address, &m.Name, &sealed, &m.IsUsed)...)
			if err != nil {
				return err
			}
			open, wrong := tx.Unseal("assistant_model", keyColumn, m.ID, sealed)
			if m.Key = open; wrong != nil {
				m.IsUsed = false
			}
			return nil
		})
	return m, found, err
}

// lockModel is findModel for a change.
func lockModel(tx *db.Tx, channelCode string) (Model, bool, error) {
	return findModel(tx, channelCode, " for update")
}

// writeModel stores the settings of a model, new or changed.
func writeModel(tx *db.Tx, m *Model) error {
	sealed, err := tx.Seal("assistant_model", keyColumn, m.ID, m.Key)
	if err != nil {
		return err
	}
	return tx.Upsert("assistant_model", record.RootColumns+", channel_key, "+modelColumns, 1, func(int) []any {
		return append(m.Root.Scan(), record.Fold(m.ChannelCode), m.ChannelCode, m.Address, m.Name, sealed, m.IsUsed)
	}, `on conflict (company, id) do update set address = excluded.address, name = excluded.name,
		api_key = excluded.api_key, is_used = excluded.is_used`)
}
