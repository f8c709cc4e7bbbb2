package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
)

var (
	planStep  = lazy.Regexp(`^(SCAN|SEARCH) (\w+)(?:.*\((.*)\))?`)
	parameter = lazy.Regexp(`\?\d+`)
	given     = lazy.Regexp(`(\w+) = \?\d+`)
)

// whole says what a statement goes through as a whole (https://www.sqlite.org/eqp.html). What stops at a limit without
// sorting does not, unless it looks for a value: that may be nowhere. Steps below the same one are loops in each other.
func whole(ctx context.Context, c *sql.Conn, text string) (p db.Passes, err error) {
	rows, err := c.QueryContext(ctx, "explain query plan "+parameter().ReplaceAllString(text, "1"))
	if err != nil {
		return p, err
	}
	defer rows.Close()
	sorts, below := false, map[int][]string{}
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return p, err
		}
		sorts = sorts || strings.HasPrefix(detail, "USE TEMP B-TREE")
		if m := planStep().FindStringSubmatch(detail); m != nil && (m[1] == "SCAN" || m[3] == "company=?") {
			below[parent] = append(below[parent], m[2])
		}
	}
	for _, parent := range slices.Sorted(maps.Keys(below)) {
		if p.Names = append(p.Names, below[parent]...); len(below[parent]) > 1 {
			p.Again = append(p.Again, below[parent])
		}
	}
	for _, m := range given().FindAllStringSubmatch(text, -1) {
		if c := m[1]; c != "company" && !hasFew(c) {
			p.Told = append(p.Told, c)
		}
	}
	if !sorts && len(p.Told) == 0 && strings.Contains(text, " limit ") {
		p.Names = nil
	}
	slices.Sort(p.Names)
	p.Names = slices.Compact(p.Names)
	return p, rows.Err()
}
