package assistant

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// keyColumn is kept sealed.
const keyColumn = "api_key"

// models are the settings of stores' models. One whose key cannot be opened is not used.
var models = record.TableOf(Models, record.Layout[Model]{
	Fixed:    "channel_code",
	Changing: "address, name, is_used",
	Key:      "channel_key",
	KeyOf:    func(m *Model) string { return m.ChannelCode },
	Sealed: &record.Sealed[Model]{Column: keyColumn, Named: "key",
		Of:   func(m *Model) string { return m.Key },
		Open: func(m *Model, key string, lost bool) { m.Key, m.IsUsed = key, m.IsUsed && !lost }},
})

// findModel reads the settings of a store's model.
func findModel(tx *db.Tx, channelCode string) (Model, bool, error) {
	return models.One(tx, "assistant.findModel", "channel_key = :key", db.Args{"key": record.Fold(channelCode)})
}
