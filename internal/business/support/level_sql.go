package support

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const levelColumns = `hours, closed, low_answer, low_solve, normal_answer, normal_solve, high_answer, high_solve,
	urgent_answer, urgent_solve`

// Level is what the company promises; nothing where it has never said anything.
func Level(tx *db.Tx) (ServiceLevel, error) { return readLevel(tx, "") }

func readLevel(tx *db.Tx, lock string) (l ServiceLevel, err error) {
	l.Goals = make([]Goal, len(Priority("").Values()))
	week, closed := strings.Repeat("\n", len(dayFields)-1), ""
	into := append(l.Root.Scan(), &week, &closed)
	for i := range l.Goals {
		into = append(into, &l.Goals[i].Answer, &l.Goals[i].Solve)
	}
	_, err = tx.One(`-- support.readLevel
		select `+record.RootColumns+`, `+levelColumns+` from service_level where company = :company`+lock, nil,
		into...)
	if l.Hours = strings.Split(week, "\n"); closed != "" {
		l.DaysOff = strings.Fields(closed)
	}
	return l, err
}

func writeLevel(tx *db.Tx, l ServiceLevel) error {
	return tx.Upsert("service_level", record.RootColumns+", "+levelColumns, 1, func(int) []any {
		row := append(l.Root.Scan(), strings.Join(l.Hours, "\n"), strings.Join(l.DaysOff, "\n"))
		for _, g := range l.Goals {
			row = append(row, g.Answer, g.Solve)
		}
		return row
	}, `on conflict (company) do update set hours = excluded.hours, closed = excluded.closed,
		low_answer = excluded.low_answer, low_solve = excluded.low_solve,
		normal_answer = excluded.normal_answer, normal_solve = excluded.normal_solve, high_answer = excluded.high_answer,
		high_solve = excluded.high_solve, urgent_answer = excluded.urgent_answer, urgent_solve = excluded.urgent_solve`)
}
