package assortment

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const synonymColumns = record.RootColumns + ", language, words, means"

func scanSynonym(r db.Row, s *Synonym) error {
	var words, means string
	err := r.Scan(append(s.Root.Scan(), &s.Language, &words, &means)...)
	s.Words, s.Means = lines(words), lines(means)
	return err
}

// lines are the words of a column, one a line.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// ListSynonyms reads a page of synonyms by language and first word.
func ListSynonyms(tx *db.Tx, text string, p record.Page) (record.Found[Synonym], error) {
	q := record.Query{Name: "assortment.ListSynonyms", Select: synonymColumns, From: "search_synonym",
		Stamp: "changed_at", Key: []record.Order{{Column: "word_key"}}, Resources: []string{Synonyms.Name}}
	q.Search("search", text)
	return record.ListOf(tx, q, p, scanSynonym)
}

// FindSynonym reads a synonym. Refusal: SearchSynonym.NotFound.
func FindSynonym(tx *db.Tx, id string) (s Synonym, err error) {
	found := false
	err = tx.Each(`-- assortment.FindSynonym
		select `+synonymColumns+` from search_synonym where company = :company and id = :id`, db.Args{"id": id},
		func(r db.Row) error {
			found = true
			return scanSynonym(r, &s)
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
			return scanSynonym(r, &out[len(out)-1])
		})
	return out, err
}

func lockSynonyms(tx *db.Tx) (map[string]Synonym, error) {
	out := map[string]Synonym{}
	return out, tx.Each(`-- assortment.lockSynonyms
		select `+synonymColumns+` from search_synonym where company = :company order by id for update`, nil,
		func(r db.Row) error {
			var s Synonym
			err := scanSynonym(r, &s)
			if err == nil {
				out[s.wordKey()] = s
			}
			return err
		})
}

func writeSynonym(tx *db.Tx, s Synonym) error {
	return tx.Upsert("search_synonym", synonymColumns+", word_key, search", 1, func(int) []any {
		return append(s.Root.Values(), s.Language, strings.Join(s.Words, "\n"), strings.Join(s.Means, "\n"),
			s.wordKey(), record.SearchText(append(append([]string{}, s.Words...), s.Means...)...))
	},
		"on conflict (company, id) do update set words = excluded.words, means = excluded.means, search = excluded.search")
}

func removeSynonym(tx *db.Tx, id string) error {
	_, err := tx.Exec(`-- assortment.removeSynonym
		delete from search_synonym where company = :company and id = :id`, db.Args{"id": id})
	return err
}
