package identity

import (
	_ "embed"
	"strings"
)

// zoneOf is the time zone of a country's seat of business: where a country spans several, the one most
// of its trade lives by. It knows every country of ISO 3166-1, and XK; others are "".
// Used for the time zone of a new company, and to tell a country code from a typing error.
func zoneOf(country string) string {
	if len(country) != 2 {
		return ""
	}
	_, rest, found := strings.Cut(zones, "\n"+country+" ")
	if !found {
		return ""
	}
	zone, _, _ := strings.Cut(rest, "\n")
	return zone
}

// zones is one line per country, in the IANA database's names.
//
//go:embed zones.txt
var zones string
