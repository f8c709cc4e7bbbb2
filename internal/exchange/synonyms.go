package exchange

import (
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func synonymKind() kind {
	return kind{name: "synonyms", shownKey: []string{"words"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return synonyms{single{one: bookSynonym}} }, export: exportSynonyms,
		fields: []field{
			must(column(manyText, "words", "word", "synonyms")),
			column(manyText, "means", "leadsTo"),
			column(code, "language", "languageCode"),
		}}
}

// synonyms books words that mean the same in the search of stores. Words of a cell are separated by commas; one that is
// part of a word has a backslash before it.
type synonyms struct{ single }

func (synonyms) key(r *row) string {
	first := ""
	if words := splitAt(r.get("words"), comma); len(words) > 0 {
		first = words[0]
	}
	return record.Fold(r.get("language") + "/" + first)
}

func bookSynonym(tx *db.Tx, r *row) error {
	one := []assortment.Synonym{{Language: r.get("language"), Words: splitAt(r.get("words"), comma),
		Means: splitAt(r.get("means"), comma)}}
	before, err := assortment.SaveSynonyms(tx, one)
	if err != nil {
		return err
	}
	r.became(revised(before[0], one[0].Version))
	return nil
}

func exportSynonyms(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, assortment.ListSynonyms, func(s assortment.Synonym) error {
		return p.row(wordsIn(s.Words), wordsIn(s.Means), s.Language)
	})
}

// wordsIn are words in one cell.
func wordsIn(words []string) string {
	return strings.Join(each.Of(words, func(w string) string { return escape(w, comma) }), ", ")
}
