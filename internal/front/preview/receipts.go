package preview

import (
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// Receipts are goods that came in.
func Receipts() rest.Group {
	return rest.Group{Tag: "Receipts", Scope: "receipts",
		Doc: "Goods receipts, of purchase orders and of transfers. They arise from receiving there.", Ops: []rest.Op{
			rest.List("listReceipts", "/receipts", "Goods receipts by number.", listReceipts).Cached(),
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
	ReceiptNumber string              `json:"receiptNumber"`
	Status        stock.ReceiptStatus `json:"status" doc:"Completed at once; Cancelled where it was keyed wrongly and reversed."`
	WarehouseCode rest.Text           `json:"warehouseCode"`
	ReceiptDate   db.Time             `json:"receiptDate"`
	Notes         rest.Text           `json:"notes"`
	Lines         []ReceiptLine       `json:"lines"`
	CreatedDate   db.Time             `json:"createdDate"`
	ModifiedDate  rest.Time           `json:"modifiedDate"`
	Links         rest.Links          `json:"links"`
}

// ReceiptLine is what came in of one item, of one batch or under one serial number.
type ReceiptLine struct {
	LineNumber          int       `json:"lineNumber"`
	ItemNumber          string    `json:"itemNumber"`
	ItemName            rest.Text `json:"itemName"`
	Quantity            dec.Dec   `json:"quantity" doc:"In base units."`
	UnitCost            dec.Fixed `json:"unitCost" doc:"In the company's base currency."`
	LocationCode        rest.Text `json:"locationCode"`
	BatchNumber         rest.Text `json:"batchNumber"`
	SerialNumber        rest.Text `json:"serialNumber"`
	PurchaseOrderNumber rest.Text `json:"purchaseOrderNumber" doc:"Null on a receipt of a transfer."`
	TransferOrderNumber rest.Text `json:"transferOrderNumber" doc:"Null on a receipt of a purchase order."`
	Notes               rest.Text `json:"notes"`
}

func receiptLineOf(digits int, l stock.ReceiptLine) ReceiptLine {
	return ReceiptLine{LineNumber: l.Number, ItemNumber: l.Item, ItemName: rest.Text(l.ItemName), Quantity: l.Quantity,
		UnitCost: dec.Fixed{Value: l.UnitCost, Digits: digits}, LocationCode: rest.Text(l.Location),
		BatchNumber: rest.Text(l.Batch), SerialNumber: rest.Text(l.Serial),
		PurchaseOrderNumber: rest.Text(l.PurchaseOrder), TransferOrderNumber: rest.Text(l.TransferOrder),
		Notes: rest.Text(l.Notes)}
}

func receiptOf(digits int, r stock.GoodsReceipt) Receipt {
	out := Receipt{Tag: rest.Tag{Value: r.ETag()}, ReceiptNumber: r.Number, Status: r.Status,
		WarehouseCode: rest.Text(r.Warehouse), ReceiptDate: r.At, Notes: rest.Text(r.Notes),
		Lines: make([]ReceiptLine, len(r.Lines)), CreatedDate: r.CreatedAt, ModifiedDate: rest.Time(r.ModifiedAt),
		Links: rest.Self("/preview/receipts/", r.Number)}
	for i, l := range r.Lines {
		out.Lines[i] = receiptLineOf(digits, l)
	}
	return out
}

var shownReceipt = byDigits(receiptOf)

type listReceiptsIn struct {
	rest.Paging
	Search        string              `query:"search" doc:"Part of the receipt number."`
	Status        stock.ReceiptStatus `query:"status"`
	WarehouseCode string              `query:"warehouseCode"`
}

func listReceipts(tx *db.Tx, in listReceiptsIn) (rest.Paged[Receipt], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[Receipt]{}, err
	}
	f := stock.ReceiptFilter{Search: in.Search, Status: in.Status, Warehouse: in.WarehouseCode}
	if w, ok := book.Warehouse(in.WarehouseCode); ok {
		f.Warehouse = w.Code
	}
	found, err := stock.ListReceipts(tx, f, in.Record())
	return shownReceipt.Page(tx, in.Paging, found, err)
}

func listReceiptLines(tx *db.Tx, in rest.Parts) (rest.Paged[ReceiptLine], error) {
	r, err := stock.FindReceipt(tx, in.Of)
	if err != nil {
		return rest.Paged[ReceiptLine]{}, err
	}
	shown, err := shownReceipt.One(tx, r, nil)
	return rest.PageOf(pageOfAll(shown.Lines, in.Paging), in.Paging, func(l ReceiptLine) ReceiptLine { return l }), err
}
