package preview

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// Receipts are goods that came in.
func Receipts() rest.Group {
	return rest.Group{Tag: "Receipts", Scope: "receipts",
		Doc: "Goods receipts, of purchase orders and of transfers. They arise from receiving there.", Ops: []rest.Op{
			rest.List("listReceipts", "/receipts", "Goods receipts by number.",
				rest.Lists[listReceiptsIn](shownReceipt, spelling(
					func(f *stock.ReceiptFilter) []*string { return []*string{&f.Warehouse} }, stock.ListReceipts))).
				Cached(),
			rest.Get("getReceipt", "/receipts/{receiptNumber}", "One receipt with lines.",
				shownReceipt.Of(stock.FindReceipt)).
				Raises(stock.ErrReceiptNotFound).CachedOne(stock.Receipts),
			rest.List("listReceiptLines", "/receipts/{receiptNumber}/lines", "Lines of a receipt.", listReceiptLines).
				NoDelta(whyNoReceiptDelta).Raises(stock.ErrReceiptNotFound).Cached(),
		}}
}

const whyNoReceiptDelta = "lines have no stamp of their own: a change of them is a change of the receipt"

// Receipt is goods that came in, with lines.
type Receipt struct {
	rest.Tag
	ReceiptNumber string              `json:"receiptNumber" of:"Number"`
	Status        stock.ReceiptStatus `json:"status" doc:"Completed at once; Cancelled where it was keyed wrongly and reversed."`
	WarehouseCode rest.Text           `json:"warehouseCode" of:"Warehouse"`
	ReceiptDate   db.Time             `json:"receiptDate" of:"At"`
	Notes         rest.Text           `json:"notes"`
	Lines         []ReceiptLine       `json:"lines"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/receipts/"`
}

// ReceiptLine is what came in of one item, of one batch or under one serial number.
type ReceiptLine struct {
	LineNumber          int       `json:"lineNumber" of:"Number"`
	ItemNumber          string    `json:"itemNumber" of:"Item"`
	ItemName            rest.Text `json:"itemName"`
	Quantity            dec.Dec   `json:"quantity" doc:"In base units."`
	UnitCost            dec.Fixed `json:"unitCost" doc:"In the company's base currency."`
	LocationCode        rest.Text `json:"locationCode" of:"Location"`
	BatchNumber         rest.Text `json:"batchNumber" of:"Batch"`
	SerialNumber        rest.Text `json:"serialNumber" of:"Serial"`
	PurchaseOrderNumber rest.Text `json:"purchaseOrderNumber" of:"PurchaseOrder" doc:"Null on a receipt of a transfer."`
	TransferOrderNumber rest.Text `json:"transferOrderNumber" of:"TransferOrder" doc:"Null on a receipt of a purchase order."`
	Notes               rest.Text `json:"notes"`
}

var shownReceipt = byDigits(rest.ShownIn[Receipt, stock.GoodsReceipt]())

type listReceiptsIn struct {
	rest.Paging
	Search        string              `query:"search" doc:"Part of the receipt number."`
	Status        stock.ReceiptStatus `query:"status"`
	WarehouseCode string              `query:"warehouseCode" of:"Warehouse"`
}

func listReceiptLines(tx *db.Tx, in rest.Parts) (rest.Paged[ReceiptLine], error) {
	r, err := stock.FindReceipt(tx, in.Of)
	if err != nil {
		return rest.Paged[ReceiptLine]{}, err
	}
	shown, err := shownReceipt.One(tx, r, nil)
	return rest.PageOfAll(shown.Lines, in.Paging, func(l ReceiptLine) ReceiptLine { return l }), err
}
