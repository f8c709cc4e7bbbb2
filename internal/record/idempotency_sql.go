package record

import (
	"github.com/go-json-experiment/json"

	"kontor/internal/db"
	"kontor/internal/fault"
)

// Faults of an Idempotency-Key.
var (
	ErrKeyReused  = fault.New(fault.Conflict, "Idempotency.KeyReused")
	ErrInProgress = fault.New(fault.Conflict, "Idempotency.InProgress")
)

// Answer is a stored answer.
type Answer struct {
	Status  int
	Headers map[string]string
	Body    []byte
}

// keptFor is how long a key is remembered: 7 days, in microseconds.
const keptFor = 7 * 24 * 3600 * 1_000_000

// Remember takes the key for this transaction. Where it is already taken it answers what was stored, after waiting for
// a transaction under way; the same key with another request is refused with Idempotency.KeyReused. key is fixed-length
// and already scoped to credential, method and path.
func Remember(tx *db.Tx, key, fingerprint string) (*Answer, error) {
	args := db.Args{"key": key, "fingerprint": fingerprint, "at": tx.Stamp()}
	n, err := tx.Exec(`-- record.Remember
		insert into idempotency (company, key, fingerprint, created_at) values (:company, :key, :fingerprint, :at)
		on conflict (company, key) do nothing`, args)
	if tx.Waited(err) {
		f := ErrInProgress.Because("the first request with this Idempotency-Key is still running: repeat the request in a moment")
		f.RetryAfterSeconds = 1
		return nil, f.From(err)
	}
	if err != nil || n == 1 {
		return nil, err
	}
	var a Answer
	var was, headers string
	var at db.Time
	_, err = tx.One(`-- record.Remember stored
		select fingerprint, created_at, status, headers, body from idempotency where company = :company and key = :key`,
		db.Args{"key": key}, &was, &at, &a.Status, &headers, &a.Body)
	if err != nil {
		return nil, err
	}
	if tx.Stamp()-at > keptFor {
		_, err := tx.Exec(`-- record.Remember renew
			update idempotency set fingerprint = :fingerprint, created_at = :at, status = 0, headers = '', body = null
			where company = :company and key = :key`, args)
		return nil, err
	}
	if was != fingerprint {
		return nil, ErrKeyReused.Because("this Idempotency-Key was used for another request: send a new key with a new request, and the same key only with the very same one")
	}
	if headers != "" {
		err = json.Unmarshal([]byte(headers), &a.Headers)
	}
	return &a, err
}

// Answered stores the answer beside its key, in the transaction that makes it true.
func Answered(tx *db.Tx, key string, a Answer) error {
	headers, err := json.Marshal(a.Headers, json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = tx.Exec(`-- record.Answered
		update idempotency set status = :status, headers = :headers, body = :body where company = :company and key = :key`,
		db.Args{"key": key, "status": a.Status, "headers": string(headers), "body": a.Body})
	return err
}

// ForgetOld drops keys older than 7 days.
func ForgetOld(tx *db.Tx) (int64, error) {
	return tx.Exec(`-- record.ForgetOld
		delete from idempotency where company = :company and created_at < :before`, db.Args{"before": tx.Now - keptFor})
}
