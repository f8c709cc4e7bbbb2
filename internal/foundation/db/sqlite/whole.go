package sqlite

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"
)

var (
	planStep  = regexp.MustCompile(`^(SCAN|SEARCH) (\w+)(?:.*\((.*)\))?`)
	parameter = regexp.MustCompile(`\?\d+`)
)

// whole names what a statement goes through as a whole: tables, under the names that the statement has for them, of
// which all rows of a company are looked at (https://www.sqlite.org/eqp.html). What stops at a limit without sorting
// does not.
func whole(ctx context.Context, c *sql.Conn, text string) (names []string, err error) {
	rows, err := c.QueryContext(ctx, "explain query plan "+parameter.ReplaceAllString(text, "1"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sorts := false
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return nil, err
		}
		sorts = sorts || strings.HasPrefix(detail, "USE TEMP B-TREE")
		if m := planStep.FindStringSubmatch(detail); m != nil && (m[1] == "SCAN" || m[3] == "company=?") {
			names = append(names, m[2])
		}
	}
	if !sorts && strings.Contains(text, " limit ") {
		return nil, rows.Err()
	}
	slices.Sort(names)
	return slices.Compact(names), rows.Err()
}
