package checkout

import "kontor/internal/foundation/db"

// HadMethods reports whether the company has payment methods, or had some that are gone.
func HadMethods(tx *db.Tx) (bool, error) {
	var one int
	return tx.One(`-- checkout.HadMethods
		select 1 from payment_method where company = :company
		union all select 1 from change where company = :company and resource = :resource limit 1`,
		db.Args{"resource": Methods.Name}, &one)
}
