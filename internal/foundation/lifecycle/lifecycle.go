// Package lifecycle turns a status enum and a table of permitted moves into the only way a status changes.
package lifecycle

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/foundation/fault"
)

// Move says where a verb leads and from where it may be said. To "" means that the verb decides.
type Move[S ~string] struct {
	From []S
	To   S
}

// Moves is every verb a thing understands. What is not listed is refused aloud.
type Moves[S ~string] map[string]Move[S]

// Check answers the status after verb, or the refusal, which names the status and what is allowed.
func (m Moves[S]) Check(refuse fault.Code, from S, verb string) (S, error) {
	move, ok := m[verb]
	if !ok || !slices.Contains(move.From, from) {
		return from, refuse.Because("cannot %s while the status is %s; allowed now: %s", verb, from,
			verbs(m.Allowed(from)))
	}
	if move.To == "" {
		return from, nil
	}
	return move.To, nil
}

// Step is how a verb moves what has its status where at says: it takes the status that Check answers, or refuses.
func Step[S ~string, T any](m Moves[S], refuse fault.Code, at func(*T) *S) func(v *T, verb string) error {
	return func(v *T, verb string) (err error) {
		status := at(v)
		*status, err = m.Check(refuse, *status, verb)
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

// verbs are what may be said, for a refusal.
type verbs []string

// String is the verbs in English.
func (v verbs) String() string {
	if len(v) == 0 {
		return "nothing more"
	}
	return strings.Join(v, ", ")
}
