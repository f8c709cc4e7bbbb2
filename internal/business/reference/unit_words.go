package reference

import (
	"unicode/utf8"

	"kontor/internal/foundation/letters"
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
	if words, ok := unitWords[u.CommonCode]; ok {
		return words[letters.Language(language)]
	}
	if u.Name != "" && utf8.RuneCountInString(u.Name) <= longest {
		return u.Name
	}
	return u.Code
}

// unitWords are short words for units that have the same name in every company, in the languages of letters.Language.
var unitWords = map[string]map[string]string{
	"H87": pieces, "C62": pieces, "EA": pieces,
	"PR":  {"en": "pair", "sv": "par", "nb": "par", "da": "par", "fi": "paria", "de": "Paar"},
	"SET": {"en": "set", "sv": "set", "nb": "sett", "da": "sæt", "fi": "sarja", "de": "Set"},
	"BX":  {"en": "box", "sv": "låda", "nb": "eske", "da": "æske", "fi": "ltk", "de": "Karton"},
	"XBX": {"en": "box", "sv": "låda", "nb": "eske", "da": "æske", "fi": "ltk", "de": "Karton"},
	"PK":  packs, "XPK": packs,
	"RO":  {"en": "roll", "sv": "rulle", "nb": "rull", "da": "rulle", "fi": "rulla", "de": "Rolle"},
	"SEC": {"en": "s", "sv": "s", "nb": "s", "da": "s", "fi": "s", "de": "s"},
	"MIN": {"en": "min", "sv": "min", "nb": "min", "da": "min", "fi": "min", "de": "Min."},
	"HUR": {"en": "h", "sv": "tim", "nb": "t", "da": "t", "fi": "h", "de": "Std."},
	"DAY": {"en": "days", "sv": "dagar", "nb": "dager", "da": "dage", "fi": "pv", "de": "Tage"},
	"MON": {"en": "mo.", "sv": "mån", "nb": "mnd.", "da": "md.", "fi": "kk", "de": "Mon."},
	"GRM": everywhere("g"), "KGM": everywhere("kg"), "TNE": everywhere("t"), "MLT": everywhere("ml"),
	"LTR": everywhere("l"), "MMT": everywhere("mm"), "CMT": everywhere("cm"), "MTR": everywhere("m"),
	"KMT": everywhere("km"), "MTK": everywhere("m²"), "MTQ": everywhere("m³"), "KWH": everywhere("kWh"),
}

var (
	pieces = map[string]string{"en": "pcs", "sv": "st", "nb": "stk.", "da": "stk.", "fi": "kpl", "de": "Stück"}
	packs  = map[string]string{"en": "pack", "sv": "förp.", "nb": "pk.", "da": "pk.", "fi": "pkt", "de": "Pack"}
)

// everywhere is a unit that is written alike in every language.
func everywhere(sign string) map[string]string {
	words := map[string]string{}
	for _, lang := range []string{"en", "sv", "nb", "da", "fi", "de"} {
		words[lang] = sign
	}
	return words
}
