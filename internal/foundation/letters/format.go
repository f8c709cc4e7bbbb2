package letters

import (
	"strings"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/texts"
)

// Language is the one of ours (sv, nb, da, fi, de, en) that a tag such as sv-SE asks for; en where it is none of them.
func Language(tag string) string { return table().Language(tag) }

// Country is what people who read this language call a country by its ISO 3166-1 code; empty for a code that is none.
func Country(lang, code string) string { return texts.Country(Language(lang), code) }

// noBreak is a space at which no line ends.
const noBreak = "\u00a0"

// Money is an amount as people who read this language write it, with its currency.
func Money(lang string, amount dec.Dec, digits int, currency string) string {
	text := Number(lang, amount.Round(digits), digits)
	if currency == "" {
		return text
	}
	return text + noBreak + currency
}

// Number is a number with at least so many decimals, as people who read this language write it.
func Number(lang string, n dec.Dec, decimals int) string {
	point, group := ",", noBreak
	switch Language(lang) {
	case "da", "de":
		group = "."
	case "en":
		point, group = ".", ","
	}
	whole, part, _ := strings.Cut(n.Fixed(decimals), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(group)
		}
		b.WriteRune(d)
	}
	if part != "" {
		b.WriteString(point + part)
	}
	return b.String()
}

// Date is a date as people who read this language write it; empty for none.
func Date(lang string, d day.Date) string {
	parts := strings.Split(string(d), "-")
	if len(parts) != 3 {
		return string(d)
	}
	switch Language(lang) {
	case "sv":
		return string(d)
	case "nb", "da", "fi", "de":
		return parts[2] + "." + parts[1] + "." + parts[0]
	}
	months := map[string]string{"01": "January", "02": "February", "03": "March", "04": "April", "05": "May",
		"06": "June", "07": "July", "08": "August", "09": "September", "10": "October", "11": "November",
		"12": "December"}
	return strings.TrimPrefix(parts[2], "0") + " " + months[parts[1]] + " " + parts[0]
}
