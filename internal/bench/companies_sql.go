package bench

import (
	"context"
	"errors"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// served is what a database server tells of the work on a database so far.
type served struct{ transactions, connections int64 }

// database asks the server of the measured database, if it has one, on a connection that is not counted.
func (m *measuring) database(ctx context.Context) (s served) {
	if m.place.DatabaseURL == "" {
		return s
	}
	d := halt.Must(m.place.Engine().Open(m.place.DatabaseURL, db.ForOwning))
	err := d.QueryRowContext(ctx, `select xact_commit + xact_rollback,
		(select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
		and backend_type = 'client backend')
		from pg_stat_database where datname = current_database()`).Scan(&s.transactions, &s.connections)
	halt.On(errors.Join(err, d.Close()))
	return s
}

// lookedAfter notes of companies that the index of what is due does not know that they are swept in a week.
func lookedAfter(tx *db.Tx) error {
	return tx.Run(`-- bench.lookedAfter
		insert into company_due (company_id, kind, due_at) select id, 'sweep', :at from company
		where not exists (select 1 from company_due d where d.company_id = company.id and d.kind = 'sweep')`,
		db.Args{"at": tx.Now.Add(7 * 24 * time.Hour)})
}
