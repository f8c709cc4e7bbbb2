package db

import (
	"strings"
	"testing"
)

// A list that is sent as an array is looked up by, and the next one asked of each row; neither is joined.
func TestListsAsArraysAreNotJoined(t *testing.T) {
	e := &Engine{Mark: '$', Rewrite: func(q string) string { return q }}
	for _, c := range []struct{ query, want string }{
		{
			"select 1 from level where company = :company and l.item_id in (:items) and warehouse in (:warehouses) for update",
			"select 1 from level where company = $1 and l.item_id = any ($2::text[]) and warehouse in ($3,$4) for update"},
		{"select 1 from t where company = :company and a in (:items) and b in (:more) and c in (:items)",
			"select 1 from t where company = $1 and a = any ($2::text[]) and (b in (select unnest($3::bigint[]))) is true and c = any ($2::text[])"},
		{"delete from t where company = :company and id not in (:items)",
			"delete from t where company = $1 and id not in (select unnest($2::text[]))"},
		{"select 1 from t where company = :company and (a || b) in (:items)",
			"select 1 from t where company = $1 and (a || b) in (select unnest($2::text[]))"},
	} {
		p := parse(c.query, e)
		widths := make([]int, len(p.order))
		for i, name := range p.order {
			widths[i] = map[string]int{"items": textArray, "more": intArray, "warehouses": 2}[name]
		}
		if got := p.render(widths); got != c.want || strings.Count(got, "(") != strings.Count(got, ")") {
			t.Errorf("%s\nbecomes %s\nwant    %s", c.query, got, c.want)
		}
	}
}
