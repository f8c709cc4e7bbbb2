package lifecycle_test

import (
	"strings"
	"testing"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
)

type status string

// A verb leads from where it may be said to where it leads, and is refused elsewhere, naming the status and what is
// allowed there.
func TestAVerbIsRefusedWhereItIsNotAllowed(t *testing.T) {
	refused := fault.New(fault.Conflict, "Door.InvalidStatus")
	moves := lifecycle.Moves[status]{"open": {From: []status{"Shut", "Ajar"}, To: "Open"},
		"shut": {From: []status{"Open", "Ajar"}, To: "Shut"}, "paint": {From: []status{"Shut"}}}
	for _, c := range []struct {
		from      status
		verb      string
		to        status
		isRefused bool
	}{{"Shut", "open", "Open", false}, {"Ajar", "open", "Open", false}, {"Open", "open", "Open", true},
		{"Shut", "paint", "Shut", false}, {"Open", "paint", "Open", true}, {"Open", "burn", "Open", true}} {
		to, err := moves.Check(refused, "door", "D-1", c.from, c.verb)
		if to != c.to || fault.Is(err, refused) != c.isRefused || err == nil == c.isRefused {
			t.Errorf("%s while %s: %s, %v", c.verb, c.from, to, err)
		}
	}
}

// A refusal is a sentence that names the record, where it stands and what can be done instead, whatever nobody can do
// left out.
func TestARefusalSaysWhatCanBeDone(t *testing.T) {
	refused := fault.New(fault.Conflict, "Door.InvalidStatus")
	moves := lifecycle.Moves[status]{"open": {From: []status{"Shut", "Ajar"}, Done: "opened"},
		"close": {From: []status{"Open", "Ajar"}, Done: "closed"}, "break": {From: []status{"Open"}, Done: lifecycle.Unsaid},
		"shut": {From: []status{"Ajar"}, Done: "shut"}, "paint": {From: []status{"Shut"}, Done: "painted"}}
	for _, c := range []struct{ from, verb, want string }{
		{"Ajar", "paint", "door D-1 is Ajar: it cannot be painted now, only closed, opened or shut"},
		{"Open", "paint", "door D-1 is Open: it cannot be painted now, only closed"},
		{"Gone", "open", "door D-1 is Gone: it can no longer be opened"},
	} {
		if _, err := moves.Check(refused, "door", "D-1", status(c.from), c.verb); err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s of what is %s: %v", c.verb, c.from, err)
		}
	}
}
