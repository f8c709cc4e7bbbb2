// Package faulttest holds refusals against what they should be.
package faulttest

import (
	"testing"

	"kontor/internal/foundation/fault"
)

// Refused fails the test unless err is a fault of this code, and names the field if one is given.
func Refused(t testing.TB, err error, code fault.Code, field string) {
	t.Helper()
	f := fault.As(err)
	if err == nil || f.Code != code.Name {
		t.Fatalf("got %v, want %s", err, code.Name)
	}
	if field == "" {
		return
	}
	for _, x := range f.Fields {
		if x.Path == field {
			return
		}
	}
	t.Fatalf("%s names %v, not %s", code.Name, f.Fields, field)
}

// None fails the test at once where something went wrong.
func None(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
