package purchasing

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// VerifySuppliers holds what items say of their primary suppliers against what those supply. It reports every
// difference in a sentence and changes nothing.
func VerifySuppliers(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- purchasing.VerifySuppliers
		select i.number, s.number from item i join supplier s on s.company = i.company and s.number = i.supplier_number
		where i.company = :company and i.supplier_number <> '' and not exists (
			select 1 from supplier_item si where si.company = i.company and si.supplier_id = s.id and si.item_id = i.id)
		order by i.number_key`, nil,
		"item %s: its primary supplier is %s, who does not supply it", new(string), new(string))
}
