package known

import (
	"slices"
	"strings"

	"kontor/internal/foundation/search"
)

// Cut is a set made into another, which asks for other things of a search.
type Cut struct {
	Name string
	make func(s Set) Set
}

// Cuts are the ways in which sets are cut. Each is made the same every time.
func Cuts() []Cut {
	return []Cut{
		{"as it is", func(s Set) Set { return s }},
		{"names alone", func(s Set) Set { return s.documents(onlyName) }},
		{"short names", func(s Set) Set {
			return s.documents(func(d search.Document) []search.Document { return shortName(d, 5) })
		}},
		{"first word left out", func(s Set) Set {
			return s.documents(onlyName).
				queries(func(_ int, words []string) []string { return words[min(1, len(words)-1):] })
		}},
		{"four words asked", func(s Set) Set {
			return s.documents(onlyName).
				queries(func(_ int, words []string) []string { return words[:min(4, len(words))] })
		}},
		{"last half asked", func(s Set) Set {
			return s.documents(onlyName).queries(func(_ int, words []string) []string { return words[len(words)/2:] })
		}},
		{"numbers left out", func(s Set) Set { return s.documents(onlyName).queries(withoutNumbers) }},
		{"editions", Set.editions},
		{"common words added", Set.commonAdded},
		{"two letters swapped", func(s Set) Set { return s.documents(onlyName).queries(swapped) }},
	}
}

// Of is the set as the cut makes it.
func (c Cut) Of(s Set) Set { return c.make(s) }

// documents is the set with its documents made into others.
func (s Set) documents(into func(d search.Document) []search.Document) Set {
	var out []search.Document
	for _, d := range s.Documents {
		out = append(out, into(d)...)
	}
	s.Documents = out
	return s
}

// queries is the set with the words of its queries made into others; what would be empty stays as it was.
func (s Set) queries(into func(n int, words []string) []string) Set {
	out := slices.Clone(s.Queries)
	for i, q := range out {
		if words := into(i, strings.Fields(q.Text)); len(words) > 0 {
			out[i].Text = strings.Join(words, " ")
		}
	}
	s.Queries = out
	return s
}

// name is a document's name.
func name(d search.Document) string {
	for _, p := range d.Texts {
		if p.Field == search.Name {
			return p.Text
		}
	}
	return ""
}

func named(id, text string) search.Document {
	return search.Document{ID: id, Texts: []search.Passage{{Field: search.Name, Text: text}}}
}

func onlyName(d search.Document) []search.Document { return []search.Document{named(d.ID, name(d))} }

func shortName(d search.Document, most int) []search.Document {
	words := strings.Fields(name(d))
	return []search.Document{named(d.ID, strings.Join(words[:min(most, len(words))], " "))}
}

func withoutNumbers(_ int, words []string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789") })
}

// swapped has the second and third letters of the longest word in each other's place.
func swapped(_ int, words []string) []string {
	longest := 0
	for i, w := range words {
		if len(w) > len(words[longest]) && !strings.ContainsAny(w, "0123456789") {
			longest = i
		}
	}
	w := []byte(words[longest])
	if len(w) < 5 || w[1] > 0x7f || w[2] > 0x7f {
		return words
	}
	w[1], w[2] = w[2], w[1]
	words[longest] = string(w)
	return words
}

// editions is the set with three editions of each product, as software has them, of which the second is asked for.
func (s Set) editions() Set {
	s = s.documents(func(d search.Document) []search.Document {
		return []search.Document{named(d.ID+" 1", name(d)+" 1.0"), named(d.ID, name(d)+" 2.0"),
			named(d.ID+" 3", name(d)+" 3.0 upgrade")}
	})
	return s.queries(func(_ int, words []string) []string { return append(words, "2.0") })
}

// commonAdded is the set with three frequent words of the names added to each query, as listings of other shops have
// them.
func (s Set) commonAdded() Set {
	times := map[string]int{}
	for _, d := range s.Documents {
		for _, w := range plainWords(name(d)) {
			times[w]++
		}
	}
	words := make([]string, 0, len(times))
	for w := range times {
		if len(w) > 2 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		if times[a] != times[b] {
			return times[b] - times[a]
		}
		return strings.Compare(a, b)
	})
	words = words[:min(len(words), 60)]
	return s.documents(onlyName).queries(func(n int, asked []string) []string {
		for i := range 3 {
			asked = append(asked, words[(n*7+i*23)%len(words)])
		}
		return asked
	})
}
