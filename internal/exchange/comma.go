package exchange

import (
	"strings"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/lazy"
)

// grouped is a number with a decimal comma whose thousands may stand in groups: 1.234,50 or 1 234,50.
var grouped = lazy.Regexp(`^-?\d{1,3}([.\x{a0}\x{202f} ]\d{3})+(,\d+)?$`)

// decimalOf reads a decimal as the file writes it: with a point, or by option with a comma, which then leaves no other
// meaning to a point than to part thousands.
func decimalOf(text string, comma bool) (dec.Dec, error) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "-.") {
		text = strings.Replace(text, ".", "0.", 1) // as databases write what is below one
	}
	if !comma {
		return dec.Parse(text)
	}
	if grouped().MatchString(text) {
		text = strings.NewReplacer(".", "", " ", "", "\u00a0", "", "\u202f", "").Replace(text)
	} else if strings.Contains(text, ".") {
		text = "" // 12.5 would be a mistake, whatever it means
	}
	return dec.Parse(strings.Replace(text, ",", ".", 1))
}
