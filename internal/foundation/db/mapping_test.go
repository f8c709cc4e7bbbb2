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
	Units    []mappedRoot `db:",json"`
	Lines    []string     `db:",lines"`
	Words    []string     `db:"said,words"`
	Place    place        `db:"at_,columns"`
	hidden   string
}

type place struct{ Street, City string }

func TestTheFieldsOfAStructHaveColumnsOfTheirOwn(t *testing.T) {
	m := Map[mapped]("id, at_street, at_city")
	v := mapped{Place: place{"Storgatan 1", "Lund"}}
	if *m.Of(&v)[2].(*string) != "Lund" || m.Set() != "id = :id, at_street = :at_street, at_city = :at_city" {
		t.Errorf("the city is %v, of %s", m.Of(&v)[2], m.Set())
	}
}

func TestListsOfTextsAreKeptInAColumn(t *testing.T) {
	m := Map[mapped]("lines, said")
	for _, list := range [][]string{{"a", "b c"}, nil} {
		v := mapped{Lines: list, Words: []string{"x", "y"}[:len(list)]}
		written := []any{plain(m.Of(&v)[0]), plain(m.Of(&v)[1])}
		var w mapped
		for i, p := range m.Of(&w) {
			if err := p.(interface{ Scan(any) error }).Scan(written[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(w.Lines, v.Lines) || !slices.Equal(w.Words, v.Words) {
			t.Errorf("%v is read as %v", v, w)
		}
	}
}

func TestAListIsKeptAsJSON(t *testing.T) {
	m := Map[mapped]("id, units")
	v := mapped{mappedRoot: mappedRoot{"1"}, Units: []mappedRoot{{"a"}}}
	args := m.Args(&v, Args{"more": 1})
	if got := plain(args["units"]); got != `[{"ID":"a"}]` || m.Set() != "id = :id, units = :units" || len(args) != 3 {
		t.Errorf("kept is %v, set %s, of %v", got, m.Set(), args)
	}
	for _, text := range []string{`[{"ID":"b"},{"ID":"c"}]`, ""} {
		if err := m.Of(&v)[1].(JSON).Scan(text); err != nil || len(v.Units) != strings.Count(text, "ID") {
			t.Errorf("of %q is read %v, %v", text, v.Units, err)
		}
	}
	if got := plain(m.Of(&v)[1]); got != "" {
		t.Errorf("nothing is kept as %q", got)
	}
}

func TestARowTakesThePlaceOfTheOneWithItsKeys(t *testing.T) {
	got := Overwriting("list, line", "list, line, price,\n\tquantity")
	if got != "on conflict (company, list, line) do update set price = excluded.price, quantity = excluded.quantity" {
		t.Error(got)
	}
}

func TestWhatIsWrittenIsWhatStandsThere(t *testing.T) {
	m := Map[mapped]("changed, id, logo_url, customer_number, limit")
	v := mapped{mappedRoot: mappedRoot{"1"}, LogoURL: "u", Customer: "C", hidden: "h"}
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

func TestAColumnWithoutAFieldIsTold(t *testing.T) {
	for _, column := range []string{"missing", "hidden"} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, column) {
					t.Errorf("%s: %q", column, s)
				}
			}()
			Map[mapped]("id, " + column).Set()
		}()
	}
}
