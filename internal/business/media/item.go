package media

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Kind is what an asset is to its item.
type Kind string

// The kinds of an item's assets.
const (
	Image    Kind = "Image"
	Document Kind = "Document"
)

// Values are all kinds.
func (Kind) Values() []Kind { return []Kind{Image, Document} }

// ItemAsset is a picture of an item, or a document on it. A change of it is a change of the item. One picture of an
// item is the primary one while it has any.
type ItemAsset struct {
	ID   string
	Kind Kind
	File
	Title, AltText string
	SortOrder      int
	IsPrimary      bool
}

// ErrItemAssetNotFound refuses an asset that the item does not have.
var ErrItemAssetNotFound = fault.New(fault.NotFound, "ItemAsset.NotFound")

// ErrKindMismatch refuses a kind or a role that the file cannot have.
var ErrKindMismatch = fault.New(fault.Invalid, "ItemAsset.KindMismatch")

// validate gives an asset the kind its file has where none is said, and refuses what does not fit.
func (a *ItemAsset) validate() error {
	if a.Kind == "" {
		a.Kind = Image
		if a.ContentType == typePDF {
			a.Kind = Document
		}
	}
	switch {
	case a.Kind == Image && a.ContentType == typePDF:
		return ErrKindMismatch.At("kind", "a PDF is no Image: leave kind out, or send Document")
	case a.Kind == Document && a.IsPrimary:
		return ErrKindMismatch.At("isPrimary",
			"only an Image can stand for its item: leave isPrimary out for a Document")
	}
	return nil
}

// CreateItemAsset hangs a file that the library took on an item; the first picture is the primary one. Item.NotFound,
// ItemAsset.KindMismatch.
func CreateItemAsset(tx *db.Tx, itemNumber string, a ItemAsset) (ItemAsset, error) {
	item, err := catalog.Lock(tx, itemNumber)
	if err != nil {
		return a, err
	}
	if err := a.validate(); err != nil {
		return a, err
	}
	a.ID = record.NewID()
	if a.Kind == Image && !a.IsPrimary {
		some, err := hasPrimary(tx, item.ID)
		if err != nil {
			return a, err
		}
		a.IsPrimary = !some
	}
	if err := writeItemAsset(tx, item.ID, a); err != nil {
		return a, err
	}
	return a, catalog.Items.Touched(tx, &item.Root, item.Number, "asset created", map[string][2]any{"asset": {nil, a}})
}

// ChangeItemAsset edits an asset's texts, place or role. The primary picture stays it until another is made so.
// Item.NotFound, ItemAsset.NotFound, ItemAsset.KindMismatch.
func ChangeItemAsset(tx *db.Tx, itemNumber, id string, edit func(*ItemAsset) error) (ItemAsset, error) {
	item, before, err := lockItemAsset(tx, itemNumber, id)
	if err != nil {
		return before, err
	}
	a := before
	if err := edit(&a); err != nil {
		return a, err
	}
	a.IsPrimary = a.IsPrimary || before.IsPrimary
	if err := a.validate(); err != nil {
		return a, err
	}
	if a == before {
		return a, tx.Match(item.ID, item.ETag())
	}
	if err := writeItemAsset(tx, item.ID, a); err != nil {
		return a, err
	}
	return a, catalog.Items.Touched(tx, &item.Root, item.Number, "asset changed", record.Diff(before, a))
}

// DeleteItemAsset takes an asset from its item. Where it was the primary picture, the first of those left becomes it.
// Item.NotFound, ItemAsset.NotFound.
func DeleteItemAsset(tx *db.Tx, itemNumber, id string) (catalog.Item, error) {
	item, a, err := lockItemAsset(tx, itemNumber, id)
	if err != nil {
		return item, err
	}
	if err := tx.Delete(db.Args{"item_id": item.ID, "id": id}, "item_asset"); err != nil {
		return item, err
	}
	if a.IsPrimary {
		if err := makeFirstPrimary(tx, item.ID); err != nil {
			return item, err
		}
	}
	return item, catalog.Items.Touched(tx, &item.Root, item.Number, "asset deleted",
		map[string][2]any{"asset": {a, nil}})
}

func lockItemAsset(tx *db.Tx, itemNumber, id string) (catalog.Item, ItemAsset, error) {
	item, err := catalog.Lock(tx, itemNumber)
	if err != nil {
		return item, ItemAsset{}, err
	}
	a, err := findItemAsset(tx, item.ID, id)
	return item, a, ErrItemAssetNotFound.When(a.ID == "", err, "item %s has no asset %q", item.Number, id)
}

// DropItemAssets takes the assets of an item that is being deleted along. It handles catalog.Deleting.
func DropItemAssets(tx *db.Tx, e catalog.Deleting) error {
	return tx.Delete(db.Args{"item_id": e.Item.ID}, "item_asset")
}
