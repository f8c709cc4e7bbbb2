package record

import (
	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
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
	if tx.Alone() { // nobody else can take the key meanwhile: Answered writes it, and a refused request writes nothing
		a, _, err := stored(tx, key, fingerprint)
		return a, err
	}
	args := db.Args{"key": key, "fingerprint": fingerprint, "at": tx.Stamp()}
	n, err := tx.Exec(`-- record.Remember
		insert into idempotency (company, key, fingerprint, created_at) values (:company, :key, :fingerprint, :at)
		on conflict (company, key) do nothing`, args)
	if tx.Waited(err) {
		f := ErrInProgress.Because(
			"the first request with this Idempotency-Key is still running: repeat the request in a moment")
		f.RetryAfterSeconds = 1
		return nil, f.From(err)
	}
	if err != nil || n == 1 {
		return nil, err
	}
	a, old, err := stored(tx, key, fingerprint)
	if old {
		_, err = tx.Exec(`-- record.Remember renew
			update idempotency set fingerprint = :fingerprint, created_at = :at, status = 0, headers = '', body = null
			where company = :company and key = :key`, args)
	}
	return a, err
}

// Recall is Remember for who only looks: the answer that is stored under the key, nil where there is none yet.
func Recall(tx *db.Tx, key, fingerprint string) (*Answer, error) {
	a, _, err := stored(tx, key, fingerprint)
	return a, err
}

// stored is the answer under the key; nil where there is none, or one too old to be given again.
func stored(tx *db.Tx, key, fingerprint string) (answer *Answer, old bool, err error) {
	var a Answer
	var was, headers string
	var at db.Time
	found, err := tx.One(`-- record.Remember stored
		select fingerprint, created_at, status, headers, body from idempotency where company = :company and key = :key`,
		db.Args{"key": key}, &was, &at, &a.Status, &headers, &a.Body)
	if err != nil || !found {
		return nil, false, err
	}
	if tx.Stamp()-at > keptFor {
		return nil, true, nil
	}
	if was != fingerprint {
		return nil, false,
			ErrKeyReused.Because(
				"this Idempotency-Key was used for another request: send a new key with a new request, " +
					"and the same key only with the very same one")
	}
	if headers != "" {
		err = json.Unmarshal([]byte(headers), &a.Headers)
	}
	return &a, false, err
}

// Answered stores the answer with its key, in the transaction that makes it true.
func Answered(tx *db.Tx, key, fingerprint string, a Answer) error {
	headers, err := json.Marshal(a.Headers, json.Deterministic(true))
	if err != nil {
		return err
	}
	args := db.Args{"key": key, "fingerprint": fingerprint, "at": tx.Stamp(), "status": a.Status,
		"headers": string(headers), "body": a.Body}
	text := `-- record.Answered
		insert into idempotency (company, key, fingerprint, created_at, status, headers, body)
		values (:company, :key, :fingerprint, :at, :status, :headers, :body)
		on conflict (company, key) do update set fingerprint = excluded.fingerprint, created_at = excluded.created_at,
			status = excluded.status, headers = excluded.headers, body = excluded.body`
	if !tx.Alone() { // the row is there since Remember
		text = `-- record.Answered beside its key
		update idempotency set status = :status, headers = :headers, body = :body where company = :company and key = :key`
	}
	return tx.Run(text, args)
}

// ForgetOld drops keys older than 7 days.
func ForgetOld(tx *db.Tx, _ string) (next string, err error) {
	return tx.SweepOut("record.ForgetOld", "idempotency", "key", "created_at < :before",
		db.Args{"before": tx.Now - keptFor})
}
