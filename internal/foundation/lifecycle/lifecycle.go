// Package lifecycle turns a status enum and a table of permitted moves into the only way a status changes.
package lifecycle

import (
	"maps"
	"slices"

	"kontor/internal/foundation/fault"
)

// Move says where a verb leads and from where it may be said. To "" means that the verb decides.
type Move[S ~string] struct {
	From []S
	To   S
	Done Done // what a record is after the verb, as its refusal says it
}

// Done is what was done to a record: released, sent again. The tables of words have it with the name of the type before
// it.
type Done string

// Unsaid is what no refusal offers, since nobody can do it: it follows from something else.
const Unsaid Done = "-"

// Moves is every verb a thing understands. What is not listed is refused aloud.
type Moves[S ~string] map[string]Move[S]

// Check answers the status after verb, or the refusal, which names the record, as in "order", "SO-1", its status and
// what can be done instead.
func (m Moves[S]) Check(refuse fault.Code, kind, name string, from S, verb string) (S, error) {
	move, ok := m[verb]
	if !ok || !slices.Contains(move.From, from) {
		switch can := m.doable(from); len(can) {
		case 0:
			return from, refuse.Because("%s %s is %s: it can no longer be %s", kind, name, from, m[verb].Done)
		case 1:
			return from, refuse.Because("%s %s is %s: it cannot be %s now, only %s", kind, name, from, m[verb].Done,
				can[0])
		default:
			last := len(can) - 1
			return from, refuse.Because("%s %s is %s: it cannot be %s now, only %s or %s", kind, name, from,
				m[verb].Done, can[:last], can[last])
		}
	}
	if move.To == "" {
		return from, nil
	}
	return move.To, nil
}

// Step is how a verb moves what has its name and its status where at says: it takes the status that Check answers, or
// refuses.
func Step[S ~string, T any](m Moves[S], refuse fault.Code, kind string,
	at func(*T) (name string, status *S)) func(v *T, verb string) error {
	return func(v *T, verb string) (err error) {
		name, status := at(v)
		*status, err = m.Check(refuse, kind, name, *status, verb)
		return err
	}
}

// Allowed are the verbs that may be said in a status, sorted.
func (m Moves[S]) Allowed(from S) []string {
	var verbs []string
	for _, v := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(m[v].From, from) {
			verbs = append(verbs, v)
		}
	}
	return verbs
}

// doable is what somebody can do in a status.
func (m Moves[S]) doable(from S) (out []Done) {
	for _, verb := range m.Allowed(from) {
		if done := m[verb].Done; done != Unsaid {
			out = append(out, done)
		}
	}
	return slices.Compact(out)
}
