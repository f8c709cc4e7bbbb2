package record

import "kontor/internal/foundation/db"

// Reading is that somebody read something, where reads are recorded.
type Reading struct {
	Actor     db.Actor
	RequestID string
	Resource  string
	Key       string // business key, "" where a list was read
	Operation string
	Query     string
}

// WriteReadings writes rows of the activity log for what was read. They change nothing, so they are no changes.
func WriteReadings(tx *db.Tx, rows []Reading) error {
	const columns = "at, id, resource, business_key, action, actor_kind, actor_id, actor_name, client_name, request_id, detail"
	return tx.Insert("activity", columns, len(rows), func(i int) []any {
		r := rows[i]
		detail := map[string][2]any{"operation": {nil, r.Operation}}
		if r.Query != "" {
			detail["query"] = [2]any{nil, r.Query}
		}
		return []any{tx.Stamp(), NewID(), r.Resource, r.Key, "read", r.Actor.Kind, r.Actor.ID, r.Actor.Name,
			r.Actor.Client, r.RequestID, encode(detail)}
	})
}
