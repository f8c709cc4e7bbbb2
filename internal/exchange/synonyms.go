package exchange

import (
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/db"
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

// synonyms books words that mean the same in the search of stores. Words of a cell are separated by commas.
type synonyms struct{ single }

func (synonyms) key(r *row) string {
	first, _, _ := strings.Cut(r.get("words"), ",")
	return record.Fold(r.get("language") + "/" + strings.TrimSpace(first))
}

func bookSynonym(tx *db.Tx, r *row) error {
	one := []assortment.Synonym{{Language: r.get("language"), Words: strings.Split(r.get("words"), ",")}}
	if means := r.get("means"); means != "" {
		one[0].Means = strings.Split(means, ",")
	}
	before, err := assortment.SaveSynonyms(tx, one)
	if err != nil {
		return err
	}
	r.became(revised(before[0], one[0].Version))
	return nil
}

func exportSynonyms(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, assortment.ListSynonyms, func(s assortment.Synonym) error {
		return p.row(strings.Join(s.Words, ", "), strings.Join(s.Means, ", "), s.Language)
	})
}
