package sqlite

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// A rule with other words is dropped and added again: the table keeps its rows and its other rules.
func TestARuleIsDroppedAndAddedAgain(t *testing.T) {
	pool, err := connect(filepath.Join(t.TempDir(), "a.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	ctx := context.Background()
	run := func(text string) error {
		tx, err := pool.BeginTx(ctx, nil)
		if err == nil {
			err = step(ctx, tx, text)
		}
		if err != nil {
			_ = tx.Rollback()
			return err
		}
		return tx.Commit()
	}
	insert := func(kind string, size int) error {
		_, err := pool.ExecContext(ctx, "insert into thing (kind, size) values (?, ?)", kind, size)
		return err
	}
	for _, text := range []string{
		`create table thing (
	kind text not null, -- (a, b)
	size integer not null -- at the end
) strict;
alter table thing add constraint thing_words check (kind in ('a', 'b')) not valid;
alter table thing add constraint thing_signs check (size >= 0) not valid;`,
		`insert into thing values ('a', 1);`,
		`alter table thing drop constraint thing_words;
alter table thing add constraint thing_words check (kind in ('a', 'c')) not valid;`,
	} {
		if err := run(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		kind string
		size int
		rule string
	}{{"a", 0, ""}, {"c", 0, ""}, {"b", 0, "thing_words"}, {"c", -1, "thing_signs"}} {
		err := insert(c.kind, c.size)
		if (err == nil) != (c.rule == "") || err != nil && !strings.Contains(err.Error(), c.rule) {
			t.Errorf("%s %d: %v, want rule %q", c.kind, c.size, err, c.rule)
		}
	}
	var rows int
	if err := pool.QueryRowContext(ctx, "select count(*) from thing").Scan(&rows); err != nil || rows != 3 {
		t.Errorf("%d rows: %v", rows, err)
	}
	if err := run("alter table thing drop constraint thing_bounds;"); err == nil ||
		!strings.Contains(err.Error(), "no rule thing_bounds") {
		t.Errorf("a rule that is not there was dropped: %v", err)
	}
	if err := insert("b", 1); err == nil {
		t.Error("after a failed step the rules are gone")
	}
}
