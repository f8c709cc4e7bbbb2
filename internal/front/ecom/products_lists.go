package ecom

import (
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/media"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/front/rest"
)

// choiceOf reads a choice of an attribute as it was bound: code=v1,v2.
func choiceOf(text string) assortment.Choice {
	code, values, _ := strings.Cut(text, "=")
	return assortment.Choice{Attribute: code, Values: strings.Split(values, ",")}
}

func (w Window) listVariants(tx *db.Tx, in rest.Parts) (rest.Paged[Variant], error) {
	found, err := assortment.Variants(tx, storefront.Of(tx).Viewer(), in.Of, in.Record())
	return rest.PageOf(found, in.Paging, func(c assortment.Card) Variant { return w.variantOf(tx, c) }), err
}

// RelatedProduct is a product that another is related to.
type RelatedProduct struct {
	RelationType catalog.RelationType `json:"relationType"`
	Product      Card                 `json:"product"`
}

type listRelatedIn struct {
	rest.Parts
	RelationType catalog.RelationType `query:"relationType" doc:"Left out: all."`
}

func (w Window) listRelated(tx *db.Tx, in listRelatedIn) (rest.Paged[RelatedProduct], error) {
	found, err := assortment.Relatives(tx, storefront.Of(tx).Viewer(), in.Of, in.RelationType, in.Record())
	return rest.PageOf(found, in.Paging, func(r assortment.Relative) RelatedProduct {
		return RelatedProduct{r.Type, w.cardOf(tx, r.Card)}
	}), err
}

type listDocumentsIn struct {
	rest.Parts
	Kind media.Kind `query:"kind" doc:"Left out: both."`
}

func (w Window) listDocuments(tx *db.Tx, in listDocumentsIn) (rest.Paged[Asset], error) {
	all, err := assortment.Assets(tx, storefront.Of(tx).Viewer(), in.Of)
	some := each.Where(all, func(a media.ItemAsset) bool { return in.Kind == "" || a.Kind == in.Kind })
	return rest.PageOfAll(some, in.Paging, func(a media.ItemAsset) Asset { return w.assetOf(tx, a) }), err
}

// CrossReference is a product with the number that somebody calls it by.
type CrossReference struct {
	Number  string                `json:"number"`
	Type    assortment.NumberType `json:"type"`
	Product Card                  `json:"product"`
}

type listCrossReferencesIn struct {
	rest.Paging
	Number string `query:"number" req:"true" max:"500" doc:"With or without separators." example:"WX-4411"`
}

func (w Window) listCrossReferences(tx *db.Tx, v assortment.Viewer, edition assortment.Edition,
	in listCrossReferencesIn) (rest.Paged[CrossReference], error) {
	found, err := assortment.Referenced(tx, edition, v, in.Number, in.Record())
	return rest.PageOf(found, in.Paging, func(n assortment.Numbered) CrossReference {
		return CrossReference{n.Number, n.Type, w.cardOf(tx, *n.Card)}
	}), err
}

type lookupProductsRequest struct {
	Numbers []string `json:"numbers" req:"true" minItems:"1" maxItems:"200" doc:"Item numbers or GTINs."`
}

// Lookup is what was found by number.
type Lookup struct {
	Items []LookedUp `json:"items" doc:"In the order asked."`
}

// LookedUp is what was found by one number.
type LookedUp struct {
	Number  string                 `json:"number"`
	Type    *assortment.NumberType `json:"type" doc:"Null: nothing was found."`
	Product *Card                  `json:"product"`
}

func (w Window) lookupProducts(tx *db.Tx, in rest.Sent[lookupProductsRequest]) (Lookup, error) {
	v := storefront.Of(tx).Viewer()
	edition := func() (assortment.Edition, error) { return w.Edition(tx, v) }
	rows, err := assortment.Lookup(tx, edition, v, in.Body.Numbers)
	return Lookup{each.Of(rows, func(r assortment.Numbered) LookedUp {
		if r.Card == nil {
			return LookedUp{Number: r.Number}
		}
		card := w.cardOf(tx, *r.Card)
		return LookedUp{r.Number, rest.OrNull(r.Type), &card}
	})}, err
}

func (w Window) listRecentlyViewed(tx *db.Tx, in pageIn) (rest.Paged[Card], error) {
	visit := storefront.Of(tx)
	found, err := w.Notes.Recent(tx, visit.Viewer(), visit.Session.ID, in.Record())
	return rest.PageOf(found, in.Paging, w.cards(tx)), err
}
