package sqlite

import (
	"slices"
	"testing"
)

// Whoever wants the first entry of an index says so: planners read all for min() where they believe the table small.
func TestWhatGoesThroughATableIsTold(t *testing.T) {
	d, err := connect(":memory:", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c, err := d.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.ExecContext(t.Context(), `create table job (company text, kind text, subject text, run_at int);
		create index job_open on job (company, run_at)`); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"select run_at from job where company = ?1 order by run_at limit 1":                nil,
		"select kind from job where company = ?1 and run_at > ?2":                          nil,
		"select min(run_at) from job where company = ?1":                                   {"job"},
		"select run_at from job where company = ?1 order by kind limit 1":                  {"job"},
		"select count(*) from job where company = ?1 and kind = ?2":                        {"job"},
		"select min(run_at) from (select run_at from job where company = ?1 limit 1) as j": nil,
	} {
		p, err := whole(t.Context(), c, text)
		got := slices.DeleteFunc(p.Names, func(name string) bool { return name == "j" })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s goes through %q, %v, and not through %q", text, got, err, want)
		}
	}
	p, err := whole(t.Context(), c, `select count(*) from job a join job b on b.company = a.company and b.kind = a.kind
		where a.company = ?1 and a.kind = ?2`)
	if err != nil || !slices.Equal(p.Again[0], []string{"a", "b"}) {
		t.Errorf("all of a table for each row of one: %+v, %v", p, err)
	}
	p, err = whole(t.Context(), c, "select count(*) from job where company = ?1 and subject = ?2 and kind = ?3")
	if err != nil || !slices.Equal(p.Told, []string{"subject"}) {
		t.Errorf("what tells few rows: %+v, %v", p, err)
	}
}
