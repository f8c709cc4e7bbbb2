package rest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// write serves what changes data: the key, the effect and the stored answer commit together, so an answer that is
// stored is encoded inside the transaction.
func (x *exchange) write() error {
	b, err := x.plan.bind(x.w, x.r, x.captured, x.LaxQuery)
	if err != nil {
		return x.refuse(err)
	}
	key, err := x.key(b)
	if err != nil {
		return x.refuse(err)
	}
	if x.isHopeless(b, key) {
		return x.refuse(b.wrong)
	}
	mark := ""
	if key != "" {
		mark = fingerprint(x.r, x.path, b.body)
	}
	if prepare := x.plan.op.prepare; prepare != nil && b.wrong == nil {
		x.catch()
		if stored, err := x.recall(key, mark); err != nil || stored != nil {
			return x.replay(stored, err)
		}
		if b.wrong = prepare(x.ahead(x.r.Context()), b.in); key == "" && b.wrong != nil {
			return b.wrong
		}
	}
	x.draft(b)
	request := x.request()
	request.Caught, request.Catches = db.Caught{}, x.catches() // what went ahead may have taken its time
	request.Replayable = key != ""
	var a record.Answer
	var out any
	var replayed bool
	err = x.Store.Write(x.r.Context(), request, x.admitted(func(tx *db.Tx) error {
		a, replayed = record.Answer{}, false
		if key != "" {
			stored, err := record.Remember(tx, key, mark)
			if err != nil {
				return err
			}
			if stored != nil {
				tx.IfMatch, tx.IfNoneMatch = "", "" // they were checked when the answer was first given
				a, replayed = *stored, true
				return nil
			}
		}
		// What validation or preparation found waits until here, because a key used for another request is said first.
		if b.wrong != nil {
			return x.everything(tx, b)
		}
		answered, err := x.plan.op.run(tx, b.in)
		if out = answered; err != nil || key == "" {
			return err
		}
		if a, err = x.encoded(nil, out); err != nil {
			return err
		}
		return record.Answered(tx, key, mark, a)
	}))
	switch {
	case err != nil:
		return x.notDone(err)
	case key == "":
		return x.deliverOnce(out)
	}
	x.deliver(a, replayed)
	return nil
}

// recall is the answer that the key has already; none without a key. What goes ahead of the operation's transaction
// has effects of its own, so it is asked before that: a key's second request has none.
func (x *exchange) recall(key, mark string) (stored *record.Answer, err error) {
	if key == "" {
		return nil, nil
	}
	err = x.Store.Read(x.r.Context(), x.request(), x.admitted(func(tx *db.Tx) (err error) {
		stored, err = record.Recall(tx, key, mark)
		return err
	}))
	return stored, err
}

// replay gives a stored answer again, or says why not.
func (x *exchange) replay(stored *record.Answer, err error) error {
	if err == nil {
		x.deliver(*stored, true)
	}
	return err
}

// notDone is what an operation is refused with, after it has left behind what a refusal leaves.
func (x *exchange) notDone(err error) error {
	if x.plan.op.refused == nil {
		return err
	}
	return cmp.Or(x.plan.op.refused(x.ahead(x.r.Context()), err), err)
}

// tries reports whether a request of which fields are wrong is tried all the same. What a visitor sends is refused with
// as little work as can be.
func (x *exchange) tries(b bound) bool {
	return x.Admit == nil && x.plan.op.prepare == nil && len(fault.As(b.wrong).Fields) > 0
}

// isHopeless reports whether a request is refused before there is a transaction.
func (x *exchange) isHopeless(b bound, key string) bool {
	return key == "" && b.wrong != nil && !x.tries(b)
}

// everything is what validation found and, beside it, what the operation says of the request's other fields, such as
// codes that do not exist: it is tried as far as it reads.
func (x *exchange) everything(tx *db.Tx, b bound) error {
	if !x.tries(b) {
		return b.wrong
	}
	wrong := fault.As(b.wrong)
	err := tx.Try(func() error {
		_, err := x.plan.op.run(tx, b.in)
		return err
	})
	if err == nil {
		return b.wrong
	}
	said := fault.As(err)
	if said.Kind == fault.Invalid {
		return wrong.And(said.Fields)
	}
	// A panic, say: what the operation makes of half a request is no fault that anybody meets, and is not lost.
	x.log(slog.LevelWarn, said, err)
	return b.wrong
}

// draft works out ahead of the transaction what it will need, where the operation has something of the kind and others
// would wait for it.
func (x *exchange) draft(b bound) {
	draft := x.plan.op.draft
	if draft == nil || b.wrong != nil || !x.Store.OneWriter() {
		return
	}
	x.catch()
	err := x.Store.Read(x.r.Context(), x.request(), x.admitted(func(tx *db.Tx) error { return draft(tx, b.in) }))
	if err != nil { // the transaction will say so itself
		x.Log.Debug("a draft failed", "requestId", x.id, "operation", x.plan.op.ID, "error", err)
	}
}

// deliverOnce sends an answer that nobody will ask for again, and which is therefore encoded only now, when whoever
// writes next need not wait for it.
func (x *exchange) deliverOnce(out any) error {
	buf := x.buffers.Get().(*[]byte)
	a, err := x.encoded((*buf)[:0], out)
	if err == nil {
		x.deliver(a, false)
	}
	x.release(buf, a.Body)
	return err
}

// key is the scoped Idempotency-Key of the request, "" without one; Idempotency.KeyRequired where the
// operation wants one.
func (x *exchange) key(b bound) (string, error) {
	key, err := keyOf(x.r.Header)
	if err != nil {
		return "", err
	}
	rule := x.plan.op.Traits.Key
	if key == "" {
		if rule == KeyRequired || rule == KeyWithBody && len(b.body) > 0 {
			return "",
				errKeyRequired.Because(
					"send the header Idempotency-Key, 1 to 255 visible characters that are new for each new request, for example a UUID")
		}
		return "", nil
	}
	return scopedKey(x.caller.Credential, x.r.Method, x.path, key), nil
}

// encoded is what an operation answers, its body appended to b.
func (x *exchange) encoded(b []byte, out any) (record.Answer, error) {
	a := record.Answer{Status: x.plan.op.Status, Headers: map[string]string{}}
	if tag := tagOf(out); tag != "" {
		a.Headers["ETag"] = tag
	}
	if a.Status == http.StatusCreated {
		at := x.plan.location(out)
		if at != "" && at[0] != '/' { // of a part: below where it was created
			at = Self(x.Prefix+"/", each.Of(strings.Split(x.path+"/"+at, "/"), unescape)...).Self
		}
		a.Headers["Location"] = at
	}
	if x.plan.bodyless {
		return a, nil
	}
	a.Headers["Content-Type"] = "application/json"
	var err error
	a.Body, err = x.bodyOf(b, out)
	if _, ok := out.(based); ok && err == nil {
		a.Headers["ETag"] = tagOfShown(out, a.Body)
	} else if x.plan.isShown && a.Headers["ETag"] == "" && err == nil {
		a.Headers["ETag"] = hashTag(a.Body)
	}
	return a, err
}

// deliver sends a write's answer, now or again.
func (x *exchange) deliver(a record.Answer, replayed bool) {
	h := x.w.Header()
	media := ""
	for name, value := range a.Headers {
		if name == "Content-Type" {
			media = value
			continue
		}
		h.Set(name, value)
	}
	if replayed {
		h.Set(replayedHeader, "true")
	}
	if media == "" {
		x.w.WriteHeader(a.Status)
		return
	}
	x.send(a.Status, media, a.Body, nil)
}

// stream serves what is not one transaction.
func (x *exchange) stream() error {
	b, err := x.plan.bind(x.w, x.r, x.captured, x.LaxQuery)
	if err == nil {
		err = b.wrong
	}
	if err != nil {
		return x.refuse(err)
	}
	ctx, cancel := context.WithCancel(x.r.Context())
	defer cancel()
	w := &watched{ResponseWriter: x.w}
	out, err := x.plan.op.stream(ctx, &Streaming{x.ahead(ctx), w}, b.in)
	switch {
	case w.written && err != nil:
		x.Log.Warn("stream ended early", "requestId", x.id, "operation", x.plan.op.ID, "error", err)
		panic(http.ErrAbortHandler) // the client must see that the answer is not whole
	case err != nil || w.written:
		return err
	case x.plan.bodyless:
		x.w.WriteHeader(x.plan.op.Status)
		return nil
	}
	return x.show(&answer{}, out, nil)
}

// watched knows whether anything was written.
type watched struct {
	http.ResponseWriter
	written bool
}

func (w *watched) WriteHeader(status int) {
	w.written = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *watched) Write(b []byte) (int, error) {
	w.written = true
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach Flush and the deadlines.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }
