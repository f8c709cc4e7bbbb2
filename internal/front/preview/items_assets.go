package preview

import (
	"context"

	"kontor/internal/business/catalog"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// ItemAssets are the operations on the pictures and documents of items, which belong to the group Items. files is where
// they lie; it may be nil to describe the operations.
func ItemAssets(files *media.Library) []rest.Op {
	s := mediaGroup{files}
	return []rest.Op{
		rest.List("listItemAssets", "/items/{itemNumber}/assets", "Images and documents of an item, by their order.",
			s.listItemAssets).
			NoDelta(whyNoDelta).Raises(catalog.ErrNotFound),
		rest.Prepare(rest.Upload("createItemAsset", "/items/{itemNumber}/assets",
			"Uploads an image (PNG, JPEG, GIF, WebP, SVG) or a document (PDF) of an item, at most 10 MB.",
			s.createItemAsset).
			Raises(catalog.ErrNotFound, media.ErrKindMismatch, media.ErrEmptyFile, media.ErrTooLarge,
				media.ErrUnsupported).
			Refuses(media.ErrTooLarge, media.ErrUnsupported), s.takeItemAsset),
		rest.Patch("updateItemAsset", "/items/{itemNumber}/assets/{assetId}",
			"Changes an asset's texts, order or role.",
			rest.EditsPart[rest.PartID, itemAssetFields](inTx(s.itemAssetOf), media.ChangeItemAsset)).
			Raises(catalog.ErrNotFound, media.ErrItemAssetNotFound, media.ErrKindMismatch).
			Example(`{"altText": "Claw hammer from the side", "isPrimary": true}`),
		rest.Delete("deleteItemAsset", "/items/{itemNumber}/assets/{assetId}",
			"Removes an asset. Where it was the primary image, the first of those left becomes it.",
			rest.OfPart[rest.PartID](changedItem, media.DeleteItemAsset)).
			Raises(catalog.ErrNotFound, media.ErrItemAssetNotFound),
	}
}

// itemAssetFields are what may be changed of an asset.
type itemAssetFields struct {
	Title     rest.Text `json:"title" text:"name"`
	AltText   rest.Text `json:"altText" text:"note" doc:"What an image shows, for those who do not see it."`
	SortOrder int       `json:"sortOrder"`
	IsPrimary bool      `json:"isPrimary" doc:"One image of an item is, while it has any; making another so takes it from the first."`
}

// ItemAsset is an image or a document of an item on the wire.
type ItemAsset struct {
	rest.Tag
	AssetID string     `json:"assetId" format:"uuid"`
	Kind    media.Kind `json:"kind"`
	fileFields
	itemAssetFields
	rest.Located
}

var itemAssetOf = rest.Shown[itemAssetFields, media.ItemAsset]()

func (s mediaGroup) itemAssetOf(tx *db.Tx, a media.ItemAsset) ItemAsset {
	return ItemAsset{Tag: rest.Tag{Value: tx.Revision()}, AssetID: a.ID, Kind: a.Kind, fileFields: s.fileOf(tx, a.File),
		itemAssetFields: itemAssetOf(a)}
}

type listItemAssetsIn struct {
	rest.Parts
	Kind media.Kind `query:"kind"`
}

func (s mediaGroup) listItemAssets(tx *db.Tx, in listItemAssetsIn) (rest.Paged[ItemAsset], error) {
	found, err := media.ListItemAssets(tx, in.Of, in.Kind, in.Record())
	return rest.PageOf(found, in.Paging, func(a media.ItemAsset) ItemAsset { return s.itemAssetOf(tx, a) }), err
}

type createItemAssetIn struct {
	ItemNumber string     `path:"itemNumber"`
	Kind       media.Kind `query:"kind" doc:"Left out: Document for a PDF, else Image."`
	Title      string     `query:"title" text:"name"`
	AltText    string     `query:"altText" text:"note"`
	SortOrder  int        `query:"sortOrder" default:"0"`
	IsPrimary  bool       `query:"isPrimary" default:"false" doc:"The first image of an item is primary in any case."`
	File       rest.File  `part:"file"`

	kept media.File
}

func (s mediaGroup) takeItemAsset(ctx context.Context, company string, in *createItemAssetIn) (err error) {
	in.kept, err = s.files.Take(ctx, company, in.File.Name, in.File.Data, true)
	return err
}

func (s mediaGroup) createItemAsset(tx *db.Tx, in createItemAssetIn) (ItemAsset, error) {
	a, err := media.CreateItemAsset(tx, in.ItemNumber, media.ItemAsset{Kind: in.Kind, File: in.kept, Title: in.Title,
		AltText: in.AltText, SortOrder: in.SortOrder, IsPrimary: in.IsPrimary})
	if err != nil {
		return ItemAsset{}, err
	}
	out := s.itemAssetOf(tx, a)
	out.Location = rest.Self("/preview/items/", in.ItemNumber, "assets", a.ID).Self
	return out, nil
}
