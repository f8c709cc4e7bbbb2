package table

import (
	"cmp"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Formats by their numbers: one that is none, so that a number is read with all its digits, and two that every workbook
// has.
const (
	noFormat     = 163
	dayFormat    = 14
	momentFormat = 22
)

// unstyled has a workbook's numbers read as they are, and not as they are shown: 12.5 may be shown as 13, or as
// "12.50 kr". A day is read as one however it is shown. What is shown as a percentage, a time of day or a code of so
// many digits stays that. Zeros at the end of its decimals are nothing of a number.
func unstyled(f *excelize.File) {
	if f.Styles == nil || f.Styles.CellXfs == nil {
		return
	}
	codes := map[int]string{}
	if f.Styles.NumFmts != nil {
		for _, n := range f.Styles.NumFmts.NumFmt {
			codes[n.NumFmtID] = cmp.Or(n.FormatCode16, n.FormatCode)
		}
	}
	for i := range f.Styles.CellXfs.Xf {
		xf := &f.Styles.CellXfs.Xf[i]
		if xf.NumFmtID == nil {
			continue
		}
		id := *xf.NumFmtID
		if code, ok := codes[id]; ok {
			id = readAs(code, id)
		} else {
			id = readAlways(id)
		}
		xf.NumFmtID = &id
	}
}

// readAlways is the format by which a number is read that has one of those that every workbook has.
func readAlways(id int) int {
	switch {
	case id >= 0 && id <= 8, id >= 11 && id <= 13, id >= 37 && id <= 44, id == 48: // numbers and amounts
		return noFormat
	case id >= 15 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58: // days
		return dayFormat
	}
	return id
}

// readAs is the format by which a number is read that a workbook shows by a format of its own.
func readAs(code string, id int) int {
	shown, _, _ := strings.Cut(withoutTexts(code), ";")
	whole, _, _ := strings.Cut(shown, ".")
	switch {
	case strings.HasPrefix(shown, dateFormat):
		return id
	case strings.ContainsAny(shown, "yd") && strings.Contains(shown, "h"):
		return momentFormat
	case strings.ContainsAny(shown, "yd"):
		return dayFormat
	case strings.ContainsAny(shown, "hms%@"), strings.Count(whole, "0") > 1:
		return id
	}
	return noFormat
}

// withoutTexts is a format in small letters without what it shows as it stands: texts, colours, currencies.
func withoutTexts(code string) string {
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		end := byte(0)
		switch code[i] {
		case '"':
			end = '"'
		case '[':
			end = ']'
		case '\\', '_', '*':
			i++
			continue
		}
		if end == 0 {
			b.WriteByte(code[i])
			continue
		}
		n := strings.IndexByte(code[i+1:], end)
		if n < 0 {
			break
		}
		i += n + 1
	}
	return strings.ToLower(b.String())
}
