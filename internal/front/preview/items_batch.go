package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

type batchUpsertItemsRequest struct {
	Items []itemRow    `json:"items" req:"true" minItems:"1" maxItems:"200"`
	Mode  catalog.Mode `json:"mode" default:"upsert"`
}

// itemRow is a row of a batch. What it does not name, or names with null, stays as it is: clearing a
// field is for PATCH, so that a caller who sends whole rows never wipes what others maintain.
type itemRow struct {
	ItemNumber             string                 `json:"itemNumber" of:"-" req:"true"`
	Name                   *string                `json:"name" text:"name" doc:"Required for a new item."`
	Description            *rest.Text             `json:"description" text:"note"`
	Type                   *catalog.ItemType      `json:"type"`
	IsActive               *bool                  `json:"isActive"`
	CategoryCode           *rest.Text             `json:"categoryCode"`
	ItemGroupCode          *rest.Text             `json:"itemGroupCode" of:"GroupCode"`
	BrandCode              *rest.Text             `json:"brandCode"`
	BaseUnitCode           *rest.Text             `json:"baseUnitCode" of:"BaseUnit"`
	SalesUnitCode          *rest.Text             `json:"salesUnitCode" of:"SalesUnit"`
	PurchaseUnitCode       *rest.Text             `json:"purchaseUnitCode" of:"PurchaseUnit"`
	DecimalPlaces          *int                   `json:"decimalPlaces" min:"0" max:"6"`
	SalesPrice             *dec.Dec               `json:"salesPrice" min:"0"`
	TaxCode                *string                `json:"taxCode"`
	GTIN                   *rest.Text             `json:"gtin"`
	ManufacturerItemNumber *rest.Text             `json:"manufacturerItemNumber" of:"ManufacturerNumber"`
	PrimarySupplierNumber  *rest.Text             `json:"primarySupplierNumber" of:"SupplierNumber"`
	WeightKg               *dec.Dec               `json:"weightKg" min:"0"`
	LengthCm               *dec.Dec               `json:"lengthCm" min:"0"`
	WidthCm                *dec.Dec               `json:"widthCm" min:"0"`
	HeightCm               *dec.Dec               `json:"heightCm" min:"0"`
	CountryOfOriginCode    *rest.Text             `json:"countryOfOriginCode" of:"OriginCountry"`
	CommodityCode          *rest.Text             `json:"commodityCode"`
	TrackingType           *catalog.TrackingType  `json:"trackingType" of:"Tracking"`
	ReplenishmentType      *catalog.Replenishment `json:"replenishmentType" of:"Replenishment"`
	IsConfigurable         *bool                  `json:"isConfigurable"`
	VariantOf              *rest.Text             `json:"variantOf"`
	VariantOptions         *[]itemOption          `json:"variantOptions" maxItems:"50"`
	CrossReferences        *[]itemReference       `json:"crossReferences" maxItems:"500"`
}

var itemRowOver = rest.Over[itemRow, catalog.Item]()

// BatchItems is the answer to a batch of items.
type BatchItems struct {
	tally
	Results []BatchItemResult `json:"results"`
}

// BatchItemResult is what became of a row.
type BatchItemResult struct{ itemOutcome }

func batchItems(tx *db.Tx, in rest.Sent[batchUpsertItemsRequest]) (BatchItems, error) {
	rows := in.Body.Items
	drafts := make([]catalog.Draft, len(rows))
	for n, row := range rows {
		drafts[n] = catalog.Draft{Number: row.ItemNumber, Edit: func(i *catalog.Item) error {
			itemRowOver(row, i)
			return nil
		}}
	}
	saved, err := catalog.Save(tx, drafts, in.Body.Mode)
	out := BatchItems{Results: make([]BatchItemResult, len(saved))}
	for n, s := range saved {
		out.Results[n] = BatchItemResult{out.ofItem(n, rows[n].ItemNumber, s.Err, s.Created)}
	}
	return out, err
}
