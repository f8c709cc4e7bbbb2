package exchange

import (
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func supplierKind() kind {
	return kind{name: "suppliers", shownKey: []string{"supplierNumber"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return suppliers{newCustomers()} },
		export: eachRecord(purchasing.ListSuppliers),
		fields: of[purchasing.Supplier](
			must(key(as("Number", column(code, "supplierNumber", "number", "supplier", "supplierId", "vendor",
				"vendorNumber")))),
			column(nameText, "name", "supplierName", "vendorName", "companyName"),
			column(code, "organizationNumber", "organisationNumber", "orgNumber", "registrationNumber"),
			column(code, "vatNumber", "vatId"),
			truth("isActive", "active"),
			column(nameText, "contactPerson", "contact"),
			column(code, "phone", "telephone"),
			as("OrderEmail", column(nameText, "purchaseOrderEmail", "orderEmail", "email")),
			column(path, "website", "url"),
			column(nameText, "street1", "street", "address", "address1"),
			column(nameText, "street2", "address2"),
			column(code, "postalCode", "postcode", "zip", "zipCode"),
			column(nameText, "city", "town"),
			column(code, "countryCode", "country", "countryName"),
			column(code, "currencyCode", "currency"),
			column(code, "languageCode", "language"),
			column(code, "paymentTermCode", "paymentTerm"),
			column(code, "deliveryTermCode", "deliveryTerm"),
			number("leadTimeDays", "leadTime"),
			column(code, "ourCustomerNumber"),
			column(note, "notes", "note", "comment"),
		)}
}

// suppliers books suppliers. Their countries are read as those of customers are.
type suppliers struct{ customers }

func (suppliers) book(tx *db.Tx, rows []*row) error {
	numbers := each.Of(rows, func(r *row) string { return r.get("supplierNumber") })
	known, err := purchasing.FindSuppliers(tx, numbers)
	if err != nil {
		return err
	}
	for _, r := range rows {
		var after purchasing.Supplier
		before, exists := known[record.Fold(r.get("supplierNumber"))]
		if exists {
			after, err = purchasing.ChangeSupplier(tx, before.Number,
				func(s *purchasing.Supplier) error { return editSupplier(r, s) })
		} else {
			after = purchasing.Supplier{Number: r.get("supplierNumber"), IsActive: true}
			if err = editSupplier(r, &after); err == nil {
				after, err = purchasing.CreateSupplier(tx, after)
			}
		}
		switch {
		case err == nil:
			r.became(revised(before.Version, after.Version))
		case fault.As(err).Kind == fault.Invalid: // nothing of it was written
			r.refuse(err)
		default:
			return err
		}
	}
	return nil
}

// editSupplier lays a row over a supplier.
func editSupplier(r *row, s *purchasing.Supplier) error {
	c := r.cells()
	c.lay(s)
	c.wrong.If(s.Name == "", fault.ErrInvalid, "name", "is empty: a supplier needs a name")
	return c.wrong.Err()
}

func supplierItemKind() kind {
	return kind{name: "supplier-items", shownKey: []string{"supplierNumber", "itemNumber"},
		duplicate: purchasing.ErrItemDuplicate, booker: func() booker { return supplierItems{} },
		export: exportSupplierItems, fields: of[purchasing.SupplierItem](
			must(apart(column(code, "supplierNumber", "supplier", "supplierId", "vendor", "vendorNumber"))),
			must(key(as("Item", column(code, "itemNumber", "sku", "item", "number", "articleNumber", "productCode",
				"stockCode")))),
			as("TheirNumber", column(code, "supplierItemNumber", "vendorItemNumber")),
			as("TheirName", column(nameText, "supplierItemName", "vendorItemName")),
			number("unitPrice", "price", "cost", "unitCost"),
			column(code, "currencyCode", "currency"),
			number("minOrderQuantity", "minQuantity", "minimum"),
			number("orderMultiple", "multiple"),
			number("leadTimeDays", "leadTime"),
			truth("isPrimary", "primary"),
			date("validFrom"),
			date("validTo"),
		)}
}

// supplierItems books what suppliers charge for items.
type supplierItems struct{ plain }

func (supplierItems) book(tx *db.Tx, rows []*row) error {
	by, items := map[string][]*row{}, make([]string, len(rows))
	for n, r := range rows {
		by[record.Fold(r.get("supplierNumber"))], items[n] = append(by[record.Fold(r.get("supplierNumber"))], r),
			r.get("itemNumber")
	}
	// In the order in which everybody locks them: all of the items, and then all of the suppliers.
	if _, err := catalog.LockMany(tx, items); err != nil {
		return err
	}
	known, err := purchasing.LockSuppliers(tx, slices.Sorted(maps.Keys(by)))
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(by)) {
		s, ok := known[key]
		if !ok {
			for _, r := range by[key] {
				r.refuse(purchasing.ErrSupplierNotFound.At("supplierNumber", "no supplier has the number %q",
					r.get("supplierNumber")))
			}
			continue
		}
		if err := bookSupplierItems(tx, s, by[key]); err != nil {
			return err
		}
	}
	return nil
}

func bookSupplierItems(tx *db.Tx, s purchasing.Supplier, rows []*row) error {
	drafts := make([]purchasing.Draft, len(rows))
	for n, r := range rows {
		drafts[n] = purchasing.Draft{Item: r.get("itemNumber"),
			Edit: func(i *purchasing.SupplierItem) error { return r.lay(i) }}
	}
	out, err := purchasing.SaveItems(tx, s.Number, drafts)
	if err != nil {
		return err
	}
	for n, o := range out {
		rows[n].turned(o.Err, o.Created, o.Changed)
	}
	return nil
}

func exportSupplierItems(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, purchasing.ListSuppliers, func(s purchasing.Supplier) error {
		of := func(tx *db.Tx, f purchasing.ItemFilter, page record.Page) (record.Found[purchasing.SupplierItem],
			error) {
			_, found, err := purchasing.ListItems(tx, s.Number, f, page)
			return found, err
		}
		return eachOf(tx, pageOf, of, func(i purchasing.SupplierItem) error {
			return p.record(beside{"supplierNumber": s.Number}, i)
		})
	})
}
