package table

import (
	"strings"
	"unicode/utf8"
)

// plain keeps a spreadsheet from taking text for a formula: a value that begins like one gets an apostrophe before it,
// and so does one that would else be read back without its own. Numbers below zero stay numbers. Where a comma stands
// in numbers, spreadsheets cut a file at its semicolons and lines, quoted or not: what follows one begins a cell too.
func plain(v string) string { return eachCell(v, plainCell) }

// unplain is what plain was given; a value that it was not given stays as it is.
func unplain(v string) string {
	return eachCell(v, func(cell string) string {
		if rest, ok := strings.CutPrefix(cell, "'"); ok && plainCell(rest) == cell {
			return rest
		}
		return cell
	})
}

func plainCell(v string) string {
	if beginsFormula(strings.TrimLeft(v, "'")) {
		return "'" + v
	}
	return v
}

// cellEnds are what may end a cell in the midst of a value.
const cellEnds = ";\n\r"

// eachCell is a value with every part changed that may become a cell of its own.
func eachCell(v string, change func(string) string) string {
	if !strings.ContainsAny(v, cellEnds) {
		return change(v)
	}
	var b strings.Builder
	for v != "" {
		n := strings.IndexAny(v, cellEnds)
		if n < 0 {
			n = len(v)
		}
		b.WriteString(change(v[:n]))
		if v = v[n:]; v != "" {
			b.WriteByte(v[0])
			v = v[1:]
		}
	}
	return b.String()
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
