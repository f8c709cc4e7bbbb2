package table

import (
	"strings"
	"unicode/utf8"
)

// plain keeps a spreadsheet from taking text for a formula: a value that begins like one gets an apostrophe before it,
// and so does one that would else be read back without its own. Numbers below zero stay numbers.
func plain(v string) string {
	if beginsFormula(strings.TrimLeft(v, "'")) {
		return "'" + v
	}
	return v
}

// unplain is what plain was given; a value that it was not given stays as it is.
func unplain(v string) string {
	if rest, ok := strings.CutPrefix(v, "'"); ok && plain(rest) == v {
		return rest
	}
	return v
}

func beginsFormula(v string) bool {
	switch first, n := utf8.DecodeRuneInString(v); first {
	case '=', '@', '\t', '\r', '＝', '＠', '＋', '－': // spreadsheets of East Asia read wide signs as narrow ones
		return true
	case '+', '-':
		return strings.Trim(v[n:], ".0123456789") != ""
	}
	return false
}
