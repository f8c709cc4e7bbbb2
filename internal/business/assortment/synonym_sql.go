package assortment

import (
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

var synonyms = record.TableOf(Synonyms, record.Layout[Synonym]{
	Changing: "language, words, means",
	Named:    (*Synonym).key,
	Derived: func(s *Synonym) db.Args {
		return db.Args{"word_key": s.wordKey(), "search": record.SearchText(slices.Concat(s.Words, s.Means)...)}
	},
	Missing: func(id string) error { return ErrSynonymNotFound.Because("there is no synonym %q", id) },
	Taken: func(s *Synonym) error {
		return ErrSynonymInvalid.At("words", "another synonym of this language begins with %q: add the words there",
			s.Words[0])
	},
})

// ListSynonyms reads a page of synonyms by language and first word.
func ListSynonyms(tx *db.Tx, text string, p record.Page) (record.Found[Synonym], error) {
	q := synonyms.Query("assortment.ListSynonyms")
	q.Key = []string{"word_key"}
	q.Search("search", text)
	return record.ListOf(tx, q, p, synonyms.Scan)
}

// FindSynonym reads a synonym. Refusal: SearchSynonym.NotFound.
func FindSynonym(tx *db.Tx, id string) (Synonym, error) { return synonyms.Find(tx, id) }

func allSynonyms(tx *db.Tx) ([]Synonym, error) {
	return synonyms.All(tx, "assortment.allSynonyms", "order by word_key")
}

func lockSynonyms(tx *db.Tx) (map[string]Synonym, error) {
	all, err := synonyms.All(tx, "assortment.lockSynonyms", "order by id for update")
	return each.By(all, Synonym.wordKey), err
}
