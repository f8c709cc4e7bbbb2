package identity

import (
	"encoding/json"

	"github.com/google/uuid"

	"kontor/internal/foundation/db"
)

// newID is a uuid v7: ids sort in the order they were made.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// turned is note of what may end or change a right.
func turned(tx *db.Tx, companyID, resource, key, action string, detail map[string]any) error {
	if err := note(tx, companyID, resource, key, action, detail); err != nil {
		return err
	}
	return tx.Fire(Turned{})
}

// note writes what was done to the installation's own log. Secrets never go into detail.
func note(tx *db.Tx, companyID, resource, key, action string, detail map[string]any) error {
	if detail == nil {
		detail = map[string]any{}
	}
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	return tx.Run(`-- identity.note
insert into control_activity (id, at, actor_kind, actor_id, actor_name, request_id, company_id, resource, record_key, action, detail)
values (:id, :now, :kind, :actor, :name, :request, :company_id, :resource, :key, :action, :detail)`, db.Args{
		"id": newID(), "kind": tx.Actor.Kind, "name": tx.Actor.Name, "request": tx.RequestID,
		"company_id": companyID, "resource": resource, "key": key, "action": action, "detail": string(text),
	})
}
