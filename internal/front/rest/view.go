package rest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"kontor/internal/foundation/db"
)

// Served is a visitor to whom an answer was given, fresh or kept.
type Served struct {
	Company string
	Visit   any
	At      db.Time
	About   string
}

// OnServed tells fn of every visitor to whom the operation's answer was given, and what it was about.
func OnServed[Out any](o Op, about func(Out) string, fn func(Served)) Op {
	o.about = func(out any) string { return about(out.(Out)) }
	o.onServed = fn
	return o
}

// readByView serves a read of a surface for visitors: from what is kept for the visitor's view, or afresh.
func (x *exchange) readByView() error {
	keeps := x.cached != nil && x.plan.op.Traits.ByView && len(x.path)+len(x.r.URL.RawQuery) <= maxCachedKey
	if !keeps {
		return x.readAfresh(nil)
	}
	if visit, ok := x.CachedVisit(x.caller); ok && x.caught.Up() {
		a := x.cached.get(x.caller.Company, x.viewKey(visit))
		x.looked(a != nil)
		if a != nil {
			x.prove(a)
			x.tell(visit, a.about)
			x.answer(a)
			return nil
		}
	}
	return x.readAfresh(func(a *answer, out any) {
		if a.viewed {
			x.cached.put(x.caller.Company, x.viewKey(a.visit), &answer{body: a.body, packed: a.packed, etag: a.etag,
				deps: a.deps, about: a.about, lag: a.lag})
		}
	})
}

// prove tells, where there is somebody to be told of doubts, of an answer that is kept and stands, and would be another
// if it were read now.
func (x *exchange) prove(kept *answer) {
	if !x.Store.Doubted() {
		return
	}
	b, err := x.plan.bind(x.w, x.r, x.captured, x.LaxQuery)
	if err != nil {
		return
	}
	body, err := x.readAgain(b.in, true)
	if err == nil && !bytes.Equal(body, kept.body) && kept.deps.Stand(x.Store.Now()) {
		x.doubt(kept.body, body)
	}
}

// proveRead does so for an answer that was read just now, of which parts may have been kept. What others change
// meanwhile, or what is new each time, is another with what is kept as well: it is read twice in both ways.
func (x *exchange) proveRead(in, out any) {
	if _, isDocument := out.(Document); isDocument || !x.Store.Doubted() {
		return
	}
	body, err := x.bodyOf(nil, out)
	var afresh []byte
	for range 2 {
		if err == nil {
			afresh, err = x.readAgain(in, true)
		}
		if err != nil || bytes.Equal(body, afresh) {
			return
		}
		if again, err := x.readAgain(in, false); err != nil || !bytes.Equal(body, again) {
			return
		}
	}
	x.doubt(body, afresh)
}

// readAgain is what would be answered now, with what is kept or without it. Nothing comes of it: what is counted when a
// reader has been answered is not counted once more.
func (x *exchange) readAgain(in any, afresh bool) ([]byte, error) {
	r := x.reading(in)
	r.Afresh = afresh
	var out any
	if err := x.Store.Read(x.r.Context(), r, x.admitted(func(tx *db.Tx) (err error) {
		if out, _, err = x.readOut(tx, in); err == nil {
			err = errOnlyRead
		}
		return err
	})); !errors.Is(err, errOnlyRead) {
		return nil, err
	}
	return x.bodyOf(nil, out)
}

var errOnlyRead = errors.New("this was read for a proof")

func (x *exchange) bodyOf(b []byte, out any) ([]byte, error) {
	return x.plan.encode.encode(b, reflect.Indirect(reflect.ValueOf(out)))
}

func (x *exchange) doubt(kept, read []byte) {
	x.Store.Doubt(fmt.Sprintf("%s is answered by what is kept, and would be answered otherwise:\n%s\n%s", x.r.URL, kept,
		read))
}

// viewKey is where the answer for a visitor's view is kept.
func (x *exchange) viewKey(visit any) string {
	return "answer " + x.Prefix + x.path + "\x00" + x.r.URL.RawQuery + "\x00" + x.View(visit)
}

// noteDependencies notes what an answer depends on that may be cached by view, and tells who hears of it.
func (x *exchange) noteDependencies(tx *db.Tx, a *answer, out any) {
	a.visit, a.lag = tx.Admitted, tx.Lag()
	if x.plan.op.Traits.ByView {
		a.deps, a.viewed = tx.AnswerDependencies()
	}
	if about := x.plan.op.about; about != nil {
		a.about = about(out)
	}
}

func (x *exchange) tell(visit any, about string) {
	if fn := x.plan.op.onServed; fn != nil {
		fn(Served{x.caller.Company, visit, x.Store.Now(), about})
	}
}
