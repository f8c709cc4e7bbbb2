package command

import (
	"testing"

	"kontor/internal/business/invoicing"
)

// Before it is booked an invoice has one number, which is not said twice.
func TestNumbers(t *testing.T) {
	for want, i := range map[string]invoicing.Invoice{
		"INV-100191":                           {Number: "INV-100191"},
		"1000190 (internal number INV-100191)": {Number: "INV-100191", ExternalDocumentNumber: "1000190"},
	} {
		if got := numbers(&i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
