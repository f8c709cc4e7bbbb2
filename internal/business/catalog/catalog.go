// Package catalog is what the house can sell, buy and make: items with their units, attribute values
// and relations, the tree of categories, the brands, and the definitions of attributes.
//
// An item is one aggregate. Its units, option values and cross references are part of its row,
// because whoever reads an item needs them; attribute values and relations stand in tables of their
// own, because lists are filtered by the first and walked from both ends along the second. A change
// of any of them is a change of the item.
package catalog

import (
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// The resources of this room.
var (
	Items = record.Define("items", "item", "Item", "item_attribute", "item_relation", "item_configuration",
		"item_asset")
	Categories = record.Define("categories", "category", "Category")
	Brands     = record.Define("brands", "brand", "Brand")
	Attributes = record.Define("attributes", "attribute", "Attribute")
)

// What this room refuses.
var (
	ErrNotFound        = fault.New(fault.NotFound, "Item.NotFound")
	ErrExists          = fault.New(fault.Conflict, "Item.AlreadyExists")
	ErrInactive        = fault.New(fault.Invalid, "Item.Inactive")
	ErrInUse           = fault.New(fault.Conflict, "Item.InUse")
	ErrUnknownCode     = fault.New(fault.Invalid, "Item.UnknownCode")
	ErrInvalid         = fault.New(fault.Invalid, "Item.Invalid")
	ErrInvalidGTIN     = fault.New(fault.Invalid, "Item.InvalidGtin")
	ErrVariant         = fault.New(fault.Invalid, "Item.InvalidVariant")
	ErrBaseUnitFixed   = fault.New(fault.Conflict, "Item.BaseUnitFixed")
	ErrDuplicate       = fault.New(fault.Invalid, "Item.DuplicateInBatch")
	ErrTooManyDecimals = fault.New(fault.Invalid, "Quantity.TooManyDecimals")

	ErrUnitNotFound = fault.New(fault.NotFound, "ItemUnit.NotFound")
	ErrUnknownUnit  = fault.New(fault.Invalid, "ItemUnit.UnknownUnit")
	ErrUnitFactor   = fault.New(fault.Invalid, "ItemUnit.InvalidFactor")
	ErrUnitInUse    = fault.New(fault.Conflict, "ItemUnit.InUse")

	ErrAttributeNotFound = fault.New(fault.NotFound, "Attribute.NotFound")
	ErrAttributeInvalid  = fault.New(fault.Invalid, "Attribute.Invalid")
	ErrValueNotFound     = fault.New(fault.NotFound, "ItemAttribute.NotFound")
	ErrInvalidValue      = fault.New(fault.Invalid, "ItemAttribute.InvalidValue")

	ErrRelationNotFound  = fault.New(fault.NotFound, "ItemRelation.NotFound")
	ErrSelfReference     = fault.New(fault.Invalid, "ItemRelation.SelfReference")
	ErrRelationType      = fault.New(fault.Invalid, "ItemRelation.InvalidType")
	ErrUnknownSource     = fault.New(fault.Invalid, "ItemRelations.Bulk.UnknownSourceItem")
	ErrUnknownTarget     = fault.New(fault.Invalid, "ItemRelations.Bulk.UnknownTargetItem")
	ErrGradedAlternative = fault.New(fault.Invalid, "ItemRelations.Bulk.GradedAlternativeNotSupported")

	ErrCategoryNotFound = fault.New(fault.NotFound, "Category.NotFound")
	ErrCategoryExists   = fault.New(fault.Conflict, "Category.AlreadyExists")
	ErrCategorySlug     = fault.New(fault.Conflict, "Category.SlugAlreadyExists")
	ErrCategoryInUse    = fault.New(fault.Conflict, "Category.InUse")
	ErrCategoryCycle    = fault.New(fault.Invalid, "Category.Cycle")
	ErrCategoryParent   = fault.New(fault.Invalid, "Category.UnknownParent")
	ErrCategoryInvalid  = fault.New(fault.Invalid, "Category.Invalid")

	ErrBrandNotFound = fault.New(fault.NotFound, "Brand.NotFound")
	ErrBrandExists   = fault.New(fault.Conflict, "Brand.AlreadyExists")
	ErrBrandSlug     = fault.New(fault.Conflict, "Brand.SlugAlreadyExists")
	ErrBrandInUse    = fault.New(fault.Conflict, "Brand.InUse")
	ErrBrandInvalid  = fault.New(fault.Invalid, "Brand.Invalid")
)

// Deleting is fired before an item is deleted; who still needs it refuses with ErrInUse.
type Deleting struct{ Item Item }

// Changing is fired before an item's type, tracking or base unit changes, or its decimals become fewer, which stock or
// open documents may forbid (trackingType is fixed once stock exists): they refuse with ErrInUse.
type Changing struct{ Before, After Item }

// SlugChanged is fired when a category or a brand has got another slug, so that its old address in
// each channel can lead to the new one.
type SlugChanged struct {
	Kind     string // "category" or "brand"
	Code     string
	Old, New string
}
