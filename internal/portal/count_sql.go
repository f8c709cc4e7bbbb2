package portal

import "kontor/internal/db"

// countAttempt adds one attempt to a key and answers how many there were since its window began; a window that began before
// then is over, and another begins.
func countAttempt(tx *db.Tx, key string, before db.Time) (n int64, since db.Time, err error) {
	_, err = tx.One(`-- portal.countAttempt
		insert into portal_attempt (company, key, count, since) values (:company, :key, 1, :now)
		on conflict (company, key) do update set
			count = case when portal_attempt.since < :before then 1 else portal_attempt.count + 1 end,
			since = case when portal_attempt.since < :before then excluded.since else portal_attempt.since end
		returning count, since`, db.Args{"key": key, "before": before}, &n, &since)
	return n, since, err
}

// forgive takes attempts back that turned out well.
func forgive(tx *db.Tx, key string) error {
	_, err := tx.Exec(`-- portal.forgive
		delete from portal_attempt where company = :company and key = :key`, db.Args{"key": key})
	return err
}

// forgiveOne takes one attempt back of a key that others count on as well.
func forgiveOne(tx *db.Tx, key string) error {
	_, err := tx.Exec(`-- portal.forgiveOne
		update portal_attempt set count = count - 1 where company = :company and key = :key and count > 0`, db.Args{"key": key})
	return err
}

// Sweep forgets what is over: codes, counts and registrations that nobody finished, and favourites of people who are gone.
func Sweep(tx *db.Tx) error {
	for _, statement := range []string{
		"-- portal.Sweep codes\ndelete from portal_code where company = :company and expires_at < :now",
		"-- portal.Sweep attempts\ndelete from portal_attempt where company = :company and since < :before",
		"-- portal.Sweep registrations\ndelete from portal_registration where company = :company and expires_at < :now",
		`-- portal.Sweep favourites
		delete from portal_favourite where company = :company and not exists (
			select 1 from customer_contact c where c.company = :company and c.id = portal_favourite.contact_id)`,
	} {
		if _, err := tx.Exec(statement, db.Args{"before": later(tx.Now, -longestWindow)}); err != nil {
			return err
		}
	}
	return nil
}
