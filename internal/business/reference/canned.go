package reference

import (
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// CannedAnswer is what agents answer to tickets often, as plain text with placeholders in braces.
type CannedAnswer struct {
	record.Root
	Code, Name string
	IsActive   bool
	Language   string // ISO 639-1; "" = any
	Body       string
}

// Placeholders are the words that a canned answer may have in braces, to be filled in with what its ticket says.
func Placeholders() []string {
	return []string{"contactName", "customerName", "ticketNumber", "subject", "orderNumber", "itemNumber", "agentName"}
}

// inBraces is a placeholder as it stands in a text.
var inBraces = lazy.Regexp(`\{([^{}]*)\}`)

// Filled is the text with values in place of placeholders. One without a value stays as it is, where whoever sends the
// answer sees it.
func (a CannedAnswer) Filled(values map[string]string) string {
	return inBraces().ReplaceAllStringFunc(a.Body, func(name string) string {
		if v := values[name[1:len(name)-1]]; v != "" {
			return v
		}
		return name
	})
}
