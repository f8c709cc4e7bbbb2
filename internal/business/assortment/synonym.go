package assortment

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// Synonyms is the resource of synonyms.
var Synonyms = record.Define("search-synonyms", "search_synonym", "SearchSynonym")

// ErrSynonymNotFound refuses a synonym that is not there.
var ErrSynonymNotFound = fault.New(fault.NotFound, "SearchSynonym.NotFound")

// Synonym says that words mean the same to who searches: Words among themselves, or where Means holds some, Words lead
// to Means and not the other way.
type Synonym struct {
	record.Root
	Language string   // "" is every language
	Words    []string `db:",lines"`
	Means    []string `db:",lines"`
}

// key is how logs name a synonym.
func (s *Synonym) key() string { return s.Language + "/" + strings.Join(s.Words, ",") }

// wordKey is what there is one synonym of: language and first word.
func (s Synonym) wordKey() string {
	return s.Language + "/" + record.Fold(strings.Join(s.Words[:min(1, len(s.Words))], ""))
}

// check tidies a synonym and refuses what breaks a rule.
func (s *Synonym) check() error {
	var wrong fault.List
	tidy := func(field string, words []string) []string {
		var out []string
		for _, w := range words {
			w = strings.Join(strings.Fields(w), " ")
			wrong.If(utf8.RuneCountInString(w) > 100, ErrSynonymInvalid, field, "%q is longer than 100 characters", w)
			same := func(o string) bool { return record.Fold(o) == record.Fold(w) }
			if w != "" && !slices.ContainsFunc(out, same) {
				out = append(out, w)
			}
		}
		return out
	}
	language, region, ofRegion := strings.Cut(strings.TrimSpace(s.Language), "-")
	if s.Language = strings.ToLower(language); ofRegion {
		s.Language += "-" + strings.ToUpper(region)
	}
	wrong.If(s.Language != "" && !channel.IsLanguage(s.Language), ErrSynonymInvalid, "language",
		"%q is no language tag like sv or en-GB", s.Language)
	s.Words, s.Means = tidy("words", s.Words), tidy("means", s.Means)
	switch {
	case len(s.Words) == 0:
		wrong.Add(ErrSynonymInvalid, "words", "needs at least one word")
	case len(s.Words) == 1 && !slices.ContainsFunc(s.Means, func(m string) bool {
		return record.Fold(m) != record.Fold(s.Words[0])
	}):
		wrong.Add(ErrSynonymInvalid, "words", "%q means nothing else: give a second word, or what it leads to in means",
			s.Words[0])
	}
	wrong.If(len(s.Words) > 50 || len(s.Means) > 50, ErrSynonymInvalid, "words", "holds more than 50 words: split it")
	return wrong.Err()
}

// SaveSynonyms writes synonyms, each in the place of the one of its language that begins with the same word, and
// answers the revisions they had before; 0 = none. Refusal: SearchSynonym.Invalid.
func SaveSynonyms(tx *db.Tx, list []Synonym) (revisions []int64, err error) {
	before, err := lockSynonyms(tx)
	if err != nil {
		return nil, err
	}
	revisions = make([]int64, len(list))
	for i := range list {
		s := &list[i]
		if err := s.check(); err != nil {
			return nil, err
		}
		old, ok := before[s.wordKey()]
		if ok {
			s.Root, revisions[i] = old.Root, old.Version
			err = synonyms.Act(tx, "changed", old, s)
		} else {
			s.Root = record.New(tx)
			err = synonyms.Create(tx, s)
		}
		if err != nil {
			return nil, err
		}
		before[s.wordKey()] = *s
	}
	return revisions, nil
}

// CreateSynonym adds a synonym. Refusal: SearchSynonym.Invalid, also where one of its language begins with the same
// word.
func CreateSynonym(tx *db.Tx, s Synonym) error {
	s.Root = record.New(tx)
	if err := s.check(); err != nil {
		return err
	}
	return synonyms.Create(tx, &s)
}

// ChangeSynonym lays edit over a synonym. Refusals: SearchSynonym.NotFound and those of CreateSynonym.
func ChangeSynonym(tx *db.Tx, id string, edit func(*Synonym) error) error {
	_, _, err := synonyms.Change(tx, id, edit, func(_ Synonym, s *Synonym) error { return s.check() })
	return err
}

// DeleteSynonym removes a synonym. Refusal: SearchSynonym.NotFound.
func DeleteSynonym(tx *db.Tx, id string) error { return synonyms.Delete(tx, id, nil) }

// inLanguage are the synonyms that hold in a language, as the index takes them.
func inLanguage(all []Synonym, language string) (out []search.Synonym) {
	for _, s := range all {
		if s.Language == "" || base(s.Language) == base(language) {
			out = append(out, search.Synonym{Words: s.Words, Means: s.Means})
		}
	}
	return out
}

// base is a language without its region.
func base(language string) string {
	plain, _, _ := strings.Cut(language, "-")
	return strings.ToLower(plain)
}
