package app

import "kontor/internal/foundation/db"

// learnDue enters every company that the index of what is due knows nothing of.
func learnDue(tx *db.Tx) error {
	return tx.Run(`-- app.learnDue
		insert into company_due (company_id, kind, due_at)
		select company.id, kinds.kind, 1 from company
		cross join (select 'jobs' as kind union all select 'equip' union all select 'sweep') kinds
		where not exists (select 1 from company_due d where d.company_id = company.id and d.kind = 'sweep')
		on conflict (company_id, kind) do update set due_at = 1`, nil)
}

// askAgain makes a company be asked everything anew; "" = every company.
func askAgain(tx *db.Tx, company string, kinds ...string) error {
	for _, kind := range kinds {
		_, err := tx.Exec(`-- app.askAgain
			insert into company_due (company_id, kind, due_at) select id, :kind, 1 from company where id = :of or :of = ''
			on conflict (company_id, kind) do update set due_at = 1, held_until = 0`,
			db.Args{"of": company, "kind": kind})
		if err != nil {
			return err
		}
	}
	return nil
}
