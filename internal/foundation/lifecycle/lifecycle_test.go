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
		to, err := moves.Check(refused, c.from, c.verb)
		if to != c.to || fault.Is(err, refused) != c.isRefused || err == nil == c.isRefused {
			t.Errorf("%s while %s: %s, %v", c.verb, c.from, to, err)
		}
	}
	_, err := moves.Check(refused, "Ajar", "paint")
	if text := err.Error(); !strings.Contains(text, "Ajar") || !strings.Contains(text, "open, shut") {
		t.Errorf("a refusal says %q", text)
	}
}
