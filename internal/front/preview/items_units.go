package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// whyNoDelta is why the parts of an item have no modifiedSince.
const whyNoDelta = "the rows carry no stamp of their own: a change of them is a change of the item"

func itemUnits() []rest.Op {
	return []rest.Op{
		rest.List("listItemUnits", "/items/{itemNumber}/units",
			"Units of an item with conversion factors, the base unit first.", listItemUnits).
			NoDelta(whyNoDelta).Raises(catalog.ErrNotFound),
		rest.Put("putItemUnit", "/items/{itemNumber}/units/{unitCode}", "Sets how many base units one unit is.",
			putItemUnit).
			Raises(catalog.ErrNotFound, catalog.ErrUnknownUnit, catalog.ErrUnitFactor, limit.ErrQuantity,
				catalog.ErrInvalidGTIN).
			Example(`{"factor": "12"}`),
		rest.Delete("deleteItemUnit", "/items/{itemNumber}/units/{unitCode}", "Removes a unit.",
			rest.OfPart[rest.Part](changedItem, catalog.DeleteUnit)).
			Raises(catalog.ErrNotFound, catalog.ErrUnitNotFound, catalog.ErrUnitInUse),
		rest.List("listItemVariants", "/items/{itemNumber}/variants", "Variants of an item with their option values.",
			shownVariant.Parts(variantsOf)).
			NoDelta(whyNoDelta).Raises(catalog.ErrNotFound),
	}
}

// ItemUnit is a unit of an item on the wire.
type ItemUnit struct {
	UnitCode string    `json:"unitCode"`
	Factor   dec.Dec   `json:"factor" doc:"Base units per unit."`
	IsBase   bool      `json:"isBase"`
	GTIN     rest.Text `json:"gtin"`
}

func listItemUnits(tx *db.Tx, in rest.Parts) (rest.Paged[ItemUnit], error) {
	i, err := catalog.Find(tx, in.Of)
	if err != nil {
		return rest.Paged[ItemUnit]{}, err
	}
	return rest.PageOfAll(i.AllUnits(), in.Paging, func(u catalog.Unit) ItemUnit {
		return ItemUnit{UnitCode: u.Code, Factor: u.Factor, IsBase: u.Code == i.BaseUnit, GTIN: rest.Text(u.GTIN)}
	}), nil
}

type putItemUnitRequest struct {
	Factor dec.Dec   `json:"factor" req:"true" gt:"0" doc:"Base units per unit."`
	GTIN   rest.Text `json:"gtin"`
}

func putItemUnit(tx *db.Tx, in rest.With[rest.Part, putItemUnitRequest]) (rest.NoContent, error) {
	i, err := catalog.PutUnit(tx, in.At.Of, catalog.Unit{Code: in.At.Key, Factor: in.Body.Factor,
		GTIN: string(in.Body.GTIN)})
	return changedItem.One(tx, i, err)
}

// changedItem is the answer to a change of a part of an item.
var changedItem = rest.Tagged[catalog.Item]()

// ItemVariant is a variant of an item on the wire.
type ItemVariant struct {
	ItemNumber string       `json:"itemNumber" of:"Number"`
	Name       string       `json:"name"`
	Options    []itemOption `json:"options" of:"VariantOptions"`
	SalesPrice *dec.Fixed   `json:"salesPrice"`
	IsActive   bool         `json:"isActive"`
}

var shownVariant = byDigits(rest.ShownIn[ItemVariant, catalog.Item]())

func variantsOf(tx *db.Tx, item string, p record.Page) (found record.Found[catalog.Item], err error) {
	parent, err := catalog.Find(tx, item)
	if err != nil {
		return found, err
	}
	return catalog.ListVariants(tx, parent, p)
}
