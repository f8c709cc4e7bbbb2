package preview

import (
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

type supplierContactFields struct {
	wire.Person
	IsPrimary bool `json:"isPrimary" doc:"One contact of a supplier is; making another so takes it from the first."`
	IsActive  bool `json:"isActive" default:"true"`
}

// SupplierContact is a contact person of a supplier on the wire.
type SupplierContact struct {
	rest.Tag  `of:"-"`
	ContactID string `json:"contactId" of:"ID" format:"uuid"`
	supplierContactFields
	rest.Stamps
	rest.Located `of:"ID" self:""`
}

var shownSupplierContact = rest.ShowsPart(rest.Shown[SupplierContact, purchasing.Contact]())

// supplierItemFields are what may be written of an item of a supplier, less the item.
type supplierItemFields struct {
	SupplierItemNumber rest.Text `json:"supplierItemNumber" of:"TheirNumber" doc:"The supplier's own number of the item."`
	SupplierItemName   rest.Text `json:"supplierItemName" of:"TheirName" text:"name"`
	UnitPrice          *dec.Dec  `json:"unitPrice" min:"0" doc:"Of a base unit."`
	CurrencyCode       rest.Text `json:"currencyCode" doc:"ISO 4217, of unitPrice; null is the supplier's, else the company's."`
	MinOrderQuantity   *dec.Dec  `json:"minOrderQuantity" min:"0" doc:"In base units."`
	OrderMultiple      *dec.Dec  `json:"orderMultiple" gt:"0" doc:"In base units: what is ordered is rounded up to whole multiples."`
	LeadTimeDays       *int      `json:"leadTimeDays" min:"0" max:"3650"`
	IsPrimary          bool      `json:"isPrimary" doc:"Of the suppliers of an item one is at most; it is the item's primarySupplierNumber, which follows it and leads it."`
	ValidFrom          rest.Date `json:"validFrom" doc:"First day of the price."`
	ValidTo            rest.Date `json:"validTo" doc:"Last day of the price."`
}

// supplierItemRow is a row of a batch: a merge patch of one item.
type supplierItemRow struct {
	ItemNumber string `json:"itemNumber" req:"true" key:"true"`
	supplierItemFields
}

var supplierItemsFields = rest.Alike[supplierItemFields, purchasing.SupplierItem]()

// offer is what a supplier charges for an item, on the wire.
type offer struct {
	SupplierItemNumber rest.Text  `json:"supplierItemNumber" of:"TheirNumber" doc:"The supplier's own number of the item."`
	SupplierItemName   rest.Text  `json:"supplierItemName" of:"TheirName"`
	UnitPrice          *dec.Fixed `json:"unitPrice" doc:"Of a base unit."`
	CurrencyCode       rest.Text  `json:"currencyCode" doc:"ISO 4217, of unitPrice; null is the supplier's, else the company's."`
	MinOrderQuantity   *dec.Dec   `json:"minOrderQuantity" doc:"In base units."`
	OrderMultiple      *dec.Dec   `json:"orderMultiple" doc:"In base units."`
	LeadTimeDays       *int       `json:"leadTimeDays"`
	IsPrimary          bool       `json:"isPrimary"`
	ValidFrom          rest.Date  `json:"validFrom"`
	ValidTo            rest.Date  `json:"validTo"`
	rest.Stamps
}

var offerIn = rest.ShownIn[offer, purchasing.SupplierItem]()

func offerOf(book *reference.Book, s purchasing.Supplier, i purchasing.SupplierItem) offer {
	return offerIn(book.Digits(i.Currency(s, book)), i)
}

// SupplierItem is an item of a supplier on the wire.
type SupplierItem struct {
	ItemNumber string `json:"itemNumber"`
	ItemName   string `json:"itemName"`
	offer
}

// ItemSupplier is a supplier of an item on the wire.
type ItemSupplier struct {
	SupplierNumber string `json:"supplierNumber"`
	SupplierName   string `json:"supplierName"`
	offer
}

type listSupplierItemsIn struct {
	rest.Paging
	SupplierNumber string `path:"supplierNumber"`
	Search         string `query:"search" doc:"Part of the item's number, name, gtin or manufacturer's number, or of the supplier's number and name of it."`
	IsPrimary      *bool  `query:"isPrimary" doc:"Only items whose primary supplier this one is, or only the others."`
}

func listSupplierItems(tx *db.Tx, in listSupplierItemsIn) (rest.Paged[SupplierItem], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[SupplierItem]{}, err
	}
	s, found, err := purchasing.ListItems(tx, in.SupplierNumber,
		purchasing.ItemFilter{Search: in.Search, IsPrimary: in.IsPrimary}, in.Record())
	return rest.PageOf(found, in.Paging, func(i purchasing.SupplierItem) SupplierItem {
		return SupplierItem{ItemNumber: i.Item, ItemName: i.ItemName, offer: offerOf(book, s, i)}
	}), err
}

func listItemSuppliers(tx *db.Tx, in rest.Parts) (rest.Paged[ItemSupplier], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[ItemSupplier]{}, err
	}
	found, err := purchasing.ListSources(tx, in.Of, in.Record())
	return rest.PageOf(found, in.Paging, func(s purchasing.Source) ItemSupplier {
		return ItemSupplier{SupplierNumber: s.Supplier.Number, SupplierName: s.Supplier.Name,
			offer: offerOf(book, s.Supplier, s.SupplierItem)}
	}), err
}

type updateSupplierItemsRequest struct {
	Items []rest.Merge[supplierItemRow] `json:"items" req:"true" minItems:"1" maxItems:"200"`
}

// UpdateSupplierItems is the answer to a batch of a supplier's items.
type UpdateSupplierItems struct {
	tally
	Results []UpdateSupplierItemResult `json:"results"`
}

// UpdateSupplierItemResult is what became of a row.
type UpdateSupplierItemResult struct{ itemOutcome }

func updateSupplierItems(tx *db.Tx, in rest.With[rest.Key, updateSupplierItemsRequest]) (UpdateSupplierItems, error) {
	rows := in.Body.Items
	drafts := make([]purchasing.Draft, len(rows))
	for n, patch := range rows {
		var named supplierItemRow
		if err := patch.Onto(&named); err != nil {
			return UpdateSupplierItems{}, err
		}
		drafts[n] = purchasing.Draft{Item: named.ItemNumber, Edit: func(i *purchasing.SupplierItem) error {
			row := supplierItemRow{ItemNumber: i.Item, supplierItemFields: supplierItemsFields.Of(*i)}
			if err := patch.Onto(&row); err != nil {
				return err
			}
			supplierItemsFields.Onto(row.supplierItemFields, i)
			return nil
		}}
	}
	saved, err := purchasing.SaveItems(tx, in.At.Key, drafts)
	out := UpdateSupplierItems{Results: make([]UpdateSupplierItemResult, len(saved))}
	for n, s := range saved {
		out.Results[n] = UpdateSupplierItemResult{out.ofItem(n, drafts[n].Item, s.Err, s.Created)}
	}
	return out, err
}
