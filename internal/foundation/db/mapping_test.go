package db

import (
	"slices"
	"strings"
	"testing"

	"kontor/internal/foundation/dec"
)

type mappedRoot struct{ ID string }

type mapped struct {
	mappedRoot
	LogoURL  string
	Customer string `db:"customer_number"`
	Limit    *dec.Dec
	Changed  Time
	hidden   string
}

func TestWhatIsWrittenIsWhatStandsThere(t *testing.T) {
	m := Map[mapped]("changed, id, logo_url, customer_number, limit")
	v := mapped{mappedRoot: mappedRoot{"1"}, LogoURL: "u", Customer: "C"}
	var got []any
	for _, p := range m.Of(&v) {
		got = append(got, plain(p))
	}
	if !slices.Equal(got, []any{nil, "1", "u", "C", nil}) {
		t.Errorf("bound are %v", got)
	}
	*m.Of(&v)[3].(*string) = "D"
	if v.Customer != "D" {
		t.Error("a column is not scanned into its field")
	}
}

func TestAColumnWithoutAFieldIsToldAtTheStart(t *testing.T) {
	for _, column := range []string{"missing", "hidden"} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, column) {
					t.Errorf("%s: %q", column, s)
				}
			}()
			Map[mapped]("id, " + column)
		}()
	}
}
