package search

import (
	_ "embed"
	"strings"
)

// unit is how a unit is written after a number: canonical is the one spelling that is indexed.
type unit struct {
	canonical string
	// apart tells that the unit is also one when a space stands before it ("12 v"); "2 in 1" and "4 a" are no
	// quantities.
	apart bool
}

// units are all spellings of units, folded.
var units = unitSpellings()

func unitSpellings() map[string]unit {
	m := map[string]unit{}
	for line := range strings.Lines(unitLines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		canonical := words[0]
		for _, w := range words {
			w, only := strings.CutPrefix(w, "!")
			m[w] = unit{strings.TrimPrefix(canonical, "!"), !only}
		}
	}
	return m
}

// unitLines has one unit a line, the canonical spelling first; ! marks those that count only when written to the
// number.
//
//go:embed units.txt
var unitLines string
