package db

// noteDue brings an entry of the index forward, and answers where it stands then.
func noteDue(tx *Tx, company, kind string, at Time) (stands Time, err error) {
	_, err = tx.One(`-- db.noteDue
		insert into company_due (company_id, kind, due_at) values (:of, :kind, :at)
		on conflict (company_id, kind) do update set due_at = case when excluded.due_at < company_due.due_at
		then excluded.due_at else company_due.due_at end
		returning due_at`, Args{"of": company, "kind": kind, "at": at}, &stands)
	return stands, err
}

// noteShared is noteDue inside a company's own transaction: until that ends nobody moves the company's entries away.
func noteShared(tx *Tx, kind string, at Time) (stands Time, err error) {
	_, err = tx.One(`-- db.noteShared
		select kontor_due(:company, :kind, :at)`, Args{"kind": kind, "at": at}, &stands)
	return stands, err
}

// holdDue keeps a company's entries where they are against all who are about to note something, until the transaction
// ends; false where somebody is.
func holdDue(tx *Tx, company string) (held bool, err error) {
	_, err = tx.One(`-- db.holdDue
		select pg_try_advisory_xact_lock(hashtextextended('kontor due ' || :of, 0))`, Args{"of": company}, &held)
	return held, err
}

// moveDue puts an entry where it belongs, and reports whether it was missing or too late: one that is due is never too
// late.
func moveDue(tx *Tx, company, kind string, next Time) (late bool, err error) {
	var was Time
	a := Args{"of": company, "kind": kind, "at": next}
	if _, err := tx.One(`-- db.moveDue was
		select due_at from company_due where company_id = :of and kind = :kind`, a, &was); err != nil || was == next {
		return false, err
	}
	if next == 0 {
		_, err = tx.Exec(`-- db.moveDue none
			delete from company_due where company_id = :of and kind = :kind`, a)
		return false, err
	}
	_, err = tx.Exec(`-- db.moveDue
		insert into company_due (company_id, kind, due_at) values (:of, :kind, :at)
		on conflict (company_id, kind) do update set due_at = excluded.due_at,
			held_until = case when excluded.due_at > :now then 0 else company_due.held_until end`, a)
	return was == 0 || was > next && was > tx.Now, err
}

// nextDue is when the next entry of a kind that nobody holds is due; 0 where there is none. Who holds one for much
// longer than until, the end of a lease from now, does it by a clock that has been put back since.
func nextDue(tx *Tx, kind string, until Time) (at Time, err error) {
	_, err = tx.One(`-- db.nextDue
		select due_at from company_due where kind = :kind and (held_until <= :now or held_until > :late)
		order by due_at limit 1`,
		Args{"kind": kind, "late": until + dueMargin}, &at)
	return at, err
}

func claimDue(tx *Tx, kind, holder string, by, until Time, most int) (companies []string, err error) {
	lock := ""
	if tx.Engine() == "postgres" {
		lock = " for update skip locked"
	}
	err = tx.Each(`-- db.claimDue
		update company_due set holder = :holder, held_until = :until where kind = :kind and company_id in (
			select company_id from company_due where kind = :kind and due_at <= :by
			and (held_until <= :now or held_until > :late) order by due_at limit :most`+lock+`)
		returning company_id`,
		Args{"kind": kind, "holder": holder, "by": by, "until": until, "late": until + dueMargin, "most": most}, func(r Row) error {
			var id string
			err := r.Scan(&id)
			companies = append(companies, id)
			return err
		})
	return companies, err
}

func dueBy(tx *Tx, kind string, by Time) (companies []string, err error) {
	err = tx.Each(`-- db.dueBy
		select company_id from company_due where kind = :kind and due_at <= :by order by due_at`,
		Args{"kind": kind, "by": by}, func(r Row) error {
			var id string
			err := r.Scan(&id)
			companies = append(companies, id)
			return err
		})
	return companies, err
}

func forgetDue(tx *Tx, company string) error {
	_, err := tx.Exec(`-- db.forgetDue
		delete from company_due where company_id = :of`, Args{"of": company})
	return err
}

func freeDue(tx *Tx, holder string) error {
	return tx.Run(`-- db.freeDue
		update company_due set held_until = 0 where held_until <> 0 and (holder = :holder or :holder = '')`,
		Args{"holder": holder})
}
