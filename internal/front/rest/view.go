package rest

import (
	"kontor/internal/foundation/db"
)

// Hearing is a visitor to whom an answer was given, fresh or kept.
type Hearing struct {
	Company string
	Visit   any
	At      db.Time
	About   string
}

// Heard tells fn of every visitor to whom the operation's answer was given, and what it was about.
func Heard[Out any](o Op, about func(Out) string, fn func(Hearing)) Op {
	o.about = func(out any) string { return about(out.(Out)) }
	o.heard = fn
	return o
}

// readByView serves a read of a surface for visitors: from what is kept for the visitor's view, or afresh.
func (x *exchange) readByView() error {
	keeps := x.kept != nil && x.plan.op.Traits.ByView && len(x.path)+len(x.r.URL.RawQuery) <= maxKeptKey
	if !keeps {
		return x.readAfresh(nil)
	}
	if visit, ok := x.Glance(x.caller); ok && x.caught.Up() {
		a, ok := x.kept.answers.GetIfPresent(x.viewKey(visit))
		ok = ok && a.ground.Stands(x.Store.Now())
		x.looked(ok)
		if ok {
			x.tell(visit, a.about)
			x.answer(a)
			return nil
		}
	}
	return x.readAfresh(func(a *answer, out any) {
		if a.viewed {
			x.kept.answers.Set(x.viewKey(a.visit), &answer{body: a.body, packed: a.packed, etag: a.etag,
				ground: a.ground, about: a.about, lag: a.lag})
		}
	})
}

// viewKey is where the answer for a visitor's view is kept.
func (x *exchange) viewKey(visit any) string {
	return x.caller.Company + "\x00" + x.path + "\x00" + x.r.URL.RawQuery + "\x00" + x.View(visit)
}

// grounded notes what an answer stands on that may be kept by view, and tells who hears of it.
func (x *exchange) grounded(tx *db.Tx, a *answer, out any) {
	a.visit, a.lag = tx.Visit, tx.Lag()
	if x.plan.op.Traits.ByView {
		a.ground, a.viewed = tx.Rests()
	}
	if about := x.plan.op.about; about != nil {
		a.about = about(out)
	}
}

func (x *exchange) tell(visit any, about string) {
	if fn := x.plan.op.heard; fn != nil {
		fn(Hearing{x.caller.Company, visit, x.Store.Now(), about})
	}
}
