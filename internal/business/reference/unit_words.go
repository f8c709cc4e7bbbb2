package reference

import (
	_ "embed"
	"unicode/utf8"

	"kontor/internal/foundation/texts"
)

// UnitWord is what people call a unit of the company by its code, on papers and in mails; of an unknown one, the code.
func (b *Book) UnitWord(language, code string) string {
	if u, known := b.Unit(code); known {
		return u.Word(language)
	}
	return code
}

// Word is what people call the unit: the word of their language for its code in UN/ECE Recommendation 20, else the name
// that the company gives it where that is short enough for a column, else its code.
func (u Unit) Word(language string) string {
	const longest = 10
	words := unitWords()
	if word, ok := words[words.Language(language)][u.CommonCode]; ok {
		return word
	}
	if u.Name != "" && utf8.RuneCountInString(u.Name) <= longest {
		return u.Name
	}
	return u.Code
}

//go:embed units.tsv
var unitTable string

// unitWords are words for units by their common codes.
var unitWords = texts.Must(unitTable)
