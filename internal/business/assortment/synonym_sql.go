package assortment

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const synonymColumns = record.RootColumns + ", language, words, means"

var synonymRow = db.Map[Synonym](synonymColumns)

// ListSynonyms reads a page of synonyms by language and first word.
func ListSynonyms(tx *db.Tx, text string, p record.Page) (record.Found[Synonym], error) {
	q := record.Query{Name: "assortment.ListSynonyms", Select: synonymColumns, From: "search_synonym",
		Stamp: "changed_at", Key: []string{"word_key"}, Resources: []string{Synonyms.Name}}
	q.Search("search", text)
	return record.ListOf(tx, q, p, synonymRow.Scan)
}

// FindSynonym reads a synonym. Refusal: SearchSynonym.NotFound.
func FindSynonym(tx *db.Tx, id string) (s Synonym, err error) {
	found := false
	err = tx.Each(`-- assortment.FindSynonym
		select `+synonymColumns+` from search_synonym where company = :company and id = :id`, db.Args{"id": id},
		func(r db.Row) error {
			found = true
			return synonymRow.Scan(r, &s)
		})
	if err == nil && !found {
		err = ErrSynonymNotFound.Because("there is no synonym %q", id)
	}
	return s, err
}

func allSynonyms(tx *db.Tx) (out []Synonym, err error) {
	err = tx.Each(`-- assortment.allSynonyms
		select `+synonymColumns+` from search_synonym where company = :company order by word_key`, nil,
		func(r db.Row) error {
			out = append(out, Synonym{})
			return synonymRow.Scan(r, &out[len(out)-1])
		})
	return out, err
}

func lockSynonyms(tx *db.Tx) (map[string]Synonym, error) {
	out := map[string]Synonym{}
	return out, tx.Each(`-- assortment.lockSynonyms
		select `+synonymColumns+` from search_synonym where company = :company order by id for update`, nil,
		func(r db.Row) error {
			var s Synonym
			err := synonymRow.Scan(r, &s)
			if err == nil {
				out[s.wordKey()] = s
			}
			return err
		})
}

func writeSynonym(tx *db.Tx, s Synonym) error {
	return tx.Upsert("search_synonym", synonymColumns+", word_key, search", 1, func(int) []any {
		return append(synonymRow.Of(&s), s.wordKey(),
			record.SearchText(append(append([]string{}, s.Words...), s.Means...)...))
	}, db.Overwriting("id", "words, means, search"))
}

func removeSynonym(tx *db.Tx, id string) error { return tx.Delete(db.Args{"id": id}, "search_synonym") }
