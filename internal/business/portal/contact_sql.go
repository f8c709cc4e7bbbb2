package portal

import (
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
)

// countAdmins counts who administers the contacts of a customer.
func countAdmins(tx *db.Tx, customerID string) (int, error) {
	return db.Value[int](tx, `-- portal.countAdmins
		select count(*) from customer_contact where company = :company and customer_id = :customer and is_active = 1
			and has_portal_access = 1 and role = :admin`, db.Args{"customer": customerID, "admin": storefront.Admin})
}
