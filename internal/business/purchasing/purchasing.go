// Package purchasing is whom the company buys from and at what prices.
//
// A supplier is one aggregate with the people who work there and the items it supplies: a change of any of them is a
// change of the supplier. Which supplier is an item's primary one stands on the item alone
// (catalog.Item.SupplierNumber): the row of that supplier for that item is the primary one, and there always is such a
// row.
//
// Who changes both locks the items first, in the order of their ids, and then the suppliers in the order of theirs.
package purchasing

import (
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Suppliers are the aggregate: a supplier with contacts and items.
var Suppliers = record.Define("suppliers", "supplier", "Supplier", "supplier_contact", "supplier_item")

// What this room refuses of suppliers.
var (
	ErrSupplierNotFound = fault.New(fault.NotFound, "Supplier.NotFound")
	ErrSupplierExists   = fault.New(fault.Conflict, "Supplier.AlreadyExists")
	ErrSupplierInUse    = fault.New(fault.Conflict, "Supplier.InUse")
	ErrSupplierInactive = fault.New(fault.Invalid, "Supplier.Inactive")
	ErrUnknownCode      = fault.New(fault.Invalid, "Supplier.UnknownCode")
	ErrNoVATNumber      = fault.New(fault.Conflict, "Supplier.NoVatNumber")
	ErrSupplierEmail    = fault.New(fault.Invalid, "Supplier.EmailInvalid")

	ErrContactNotFound = fault.New(fault.NotFound, "SupplierContact.NotFound")
	ErrContactEmail    = fault.New(fault.Invalid, "SupplierContact.EmailInvalid")

	ErrItemNotFound  = fault.New(fault.NotFound, "SupplierItem.NotFound")
	ErrItemDuplicate = fault.New(fault.Invalid, "SupplierItem.DuplicateInBatch")
	ErrItemValidity  = fault.New(fault.Invalid, "SupplierItem.ValidityRange.Invalid")
)
