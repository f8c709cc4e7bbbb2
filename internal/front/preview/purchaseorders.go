package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// PurchaseOrders are what the company buys, from the draft to the receipt of the goods.
func PurchaseOrders() rest.Group {
	return rest.Group{Tag: "PurchaseOrders", Scope: "purchase-orders",
		Doc: "Purchase orders with lines, confirmation status and goods receipts. Drafts are visible.", Ops: []rest.Op{
			rest.List("listPurchaseOrders", "/purchase-orders", "Purchase orders, newest first, drafts included.",
				rest.Lists[listPurchaseOrdersIn](shownPurchaseOrderRow, purchasing.ListOrders)).
				Cached(),
			rest.Create("createPurchaseOrder", "/purchase-orders", "Creates a draft purchase order.",
				rest.Creates[newPurchaseOrder](shownPurchaseOrder, purchasing.CreateOrder)).
				Raises(purchasing.ErrOrderSupplier, purchasing.ErrSupplierInactive, purchasing.ErrOrderItem,
					catalog.ErrInactive, catalog.ErrTooManyDecimals, purchasing.ErrOrderUnknownCode,
					purchasing.ErrLineNoPrice, purchasing.ErrLineInvalid, purchasing.ErrOrderExists, limit.ErrQuantity,
					limit.ErrAmount).
				Example(`{"supplierNumber": "S-100", "lines": [{"itemNumber": "A-100", "quantity": "50"}]}`),
			rest.Get("getPurchaseOrder", "/purchase-orders/{orderNumber}", "One purchase order with lines.",
				shownPurchaseOrder.Of(purchasing.FindOrder)).
				Raises(purchasing.ErrOrderNotFound).CachedOne(purchasing.PurchaseOrders),
			rest.Patch("updatePurchaseOrder", "/purchase-orders/{orderNumber}",
				"Changes a purchase order's head; supplier and currency while it is a draft.",
				rest.Edits[purchaseOrderChange](shownPurchaseOrder, purchasing.ChangeOrder)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus, purchasing.ErrOrderSupplier,
					purchasing.ErrSupplierInactive, purchasing.ErrOrderUnknownCode, purchasing.ErrLineNoPrice).
				Example(`{"supplierReference": "Q-4711"}`),
			rest.Delete("deletePurchaseOrder", "/purchase-orders/{orderNumber}", "Deletes a draft.",
				rest.Gone(purchasing.DeleteOrder)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus).Extension(),
			rest.Create("createPurchaseOrderLine", "/purchase-orders/{orderNumber}/lines",
				"Adds a line, until the order is Received.", createPurchaseOrderLine).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus, purchasing.ErrOrderItem,
					catalog.ErrInactive, catalog.ErrTooManyDecimals, purchasing.ErrLineNoPrice,
					purchasing.ErrLineInvalid, limit.ErrQuantity, limit.ErrAmount).
				Example(`{"itemNumber": "A-100", "quantity": "20"}`),
			rest.Patch("updatePurchaseOrderLine", "/purchase-orders/{orderNumber}/lines/{lineNumber}",
				"Changes a line; unknown fields are ignored.", updatePurchaseOrderLine).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrLineNotFound, purchasing.ErrOrderStatus,
					purchasing.ErrLineReceived, catalog.ErrTooManyDecimals, purchasing.ErrLineNoPrice,
					limit.ErrQuantity, limit.ErrAmount).
				IgnoresUnknown().Example(`{"quantity": "40"}`),
			rest.Delete("deletePurchaseOrderLine", "/purchase-orders/{orderNumber}/lines/{lineNumber}",
				"Removes an unreceived line.",
				rest.OfLine(rest.Tagged[purchasing.Order](), purchasing.DeleteOrderLine)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrLineNotFound, purchasing.ErrOrderStatus,
					purchasing.ErrLineReceived, purchasing.ErrOrderNoLines),
			rest.Do("sendPurchaseOrder", "/purchase-orders/{orderNumber}/send", "Sends a draft to the supplier.",
				shownPurchaseOrder.Of(purchasing.SendOrder)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus, purchasing.ErrOrderNoLines),
			rest.Do("confirmPurchaseOrder", "/purchase-orders/{orderNumber}/confirm",
				"Records the supplier's confirmation, whole or by line; may be repeated until the first receipt.",
				rest.Told[confirmationBody](shownPurchaseOrder, purchasing.ConfirmOrder)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus, purchasing.ErrLineUnknown,
					purchasing.ErrExceedsOrder, purchasing.ErrLineInvalid, catalog.ErrTooManyDecimals,
					limit.ErrAmount).
				Example(`{"promisedDeliveryDate": "2026-04-01"}`),
			rest.Do("receivePurchaseOrderLine", "/purchase-orders/{orderNumber}/lines/{lineNumber}/receive",
				"Receives goods against a line: creates a goods receipt.", receivePurchaseOrderLine).Creates().
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrLineNotFound, purchasing.ErrOrderStatus,
					purchasing.ErrLineNotGoods, purchasing.ErrExceedsToCome, catalog.ErrTooManyDecimals,
					stock.ErrTrackingRequired, stock.ErrExpiryDiffers, stock.ErrNotTracked, stock.ErrLocation,
					stock.ErrClosed, stock.ErrSerialInStock, stock.ErrNoLocation, record.ErrInFuture, limit.ErrQuantity,
					limit.ErrAmount).
				Example(`{"quantity": "20"}`),
			rest.Do("cancelPurchaseOrder", "/purchase-orders/{orderNumber}/cancel",
				"Cancels an order of which nothing was received.", shownPurchaseOrder.Of(purchasing.CancelOrder)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus),
			rest.Do("closePurchaseOrder", "/purchase-orders/{orderNumber}/close",
				"Closes an order; what is outstanding is given up.", shownPurchaseOrder.Of(purchasing.CloseOrder)).
				Raises(purchasing.ErrOrderNotFound, purchasing.ErrOrderStatus).Extension(),
		}}
}

// PurchaseOrderRow is a purchase order in the list.
type PurchaseOrderRow struct {
	rest.Tag
	OrderNumber          string                 `json:"orderNumber" of:"Number"`
	Status               purchasing.OrderStatus `json:"status"`
	SupplierNumber       string                 `json:"supplierNumber"`
	SupplierName         string                 `json:"supplierName"`
	SupplierReference    rest.Text              `json:"supplierReference"`
	OrderDate            day.Date               `json:"orderDate"`
	ExpectedDeliveryDate rest.Date              `json:"expectedDeliveryDate" of:"ExpectedDate"`
	PromisedDeliveryDate rest.Date              `json:"promisedDeliveryDate" of:"PromisedDate" doc:"By the supplier; null until confirmed."`
	CurrencyCode         string                 `json:"currencyCode"`
	WarehouseCode        string                 `json:"warehouseCode"`
	TotalAmount          dec.Fixed              `json:"totalAmount" of:"Total" doc:"Without tax."`
	LineCount            int                    `json:"lineCount"`
	ID                   string                 `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/purchase-orders/"`
}

// PurchaseOrder is a purchase order with its lines.
type PurchaseOrder struct {
	PurchaseOrderRow
	Notes rest.Text           `json:"notes"`
	Lines []PurchaseOrderLine `json:"lines"`
}

// PurchaseOrderLine is an item, or text, that is bought. Quantities are in base units.
type PurchaseOrderLine struct {
	LineNumber           int       `json:"lineNumber" of:"Number"`
	ItemNumber           rest.Text `json:"itemNumber" of:"Item" doc:"Null on a free-text line."`
	Description          string    `json:"description"`
	Quantity             dec.Dec   `json:"quantity" doc:"In base units."`
	Unit                 rest.Text `json:"unit" doc:"The item's base unit."`
	UnitPrice            dec.Fixed `json:"unitPrice" doc:"Of one base unit, without tax."`
	LineTotal            dec.Fixed `json:"lineTotal" doc:"Without tax."`
	ExpectedDeliveryDate rest.Date `json:"expectedDeliveryDate" of:"ExpectedDate" doc:"Null: that of the order."`
	ConfirmedQuantity    dec.Dec   `json:"confirmedQuantity" of:"Confirmed"`
	ConfirmedDate        rest.Date `json:"confirmedDate"`
	ReceivedQuantity     dec.Dec   `json:"receivedQuantity" of:"Received"`
}

var shownPurchaseOrderRow = rest.Shows(rest.Shown[PurchaseOrderRow, purchasing.Order]())

var purchaseOrderLineIn = rest.ShownIn[PurchaseOrderLine, purchasing.OrderLine]()

var shownPurchaseOrder = rest.Shows(rest.Shown[PurchaseOrder, purchasing.Order]())

type listPurchaseOrdersIn struct {
	rest.Paging
	Search         string                 `query:"search" doc:"Part of order number or supplier reference."`
	Status         purchasing.OrderStatus `query:"status"`
	SupplierNumber string                 `query:"supplierNumber" of:"Supplier"`
	OrderDateFrom  day.Date               `query:"orderDateFrom" of:"From" doc:"Inclusive."`
	OrderDateTo    day.Date               `query:"orderDateTo" of:"To" doc:"Inclusive."`
}

// purchaseOrderFields are what may be written of an order's head, on creation and later.
type purchaseOrderFields struct {
	SupplierReference    rest.Text `json:"supplierReference" text:"name"`
	OrderDate            rest.Date `json:"orderDate" doc:"Left out: today."`
	ExpectedDeliveryDate rest.Date `json:"expectedDeliveryDate" of:"ExpectedDate"`
	CurrencyCode         rest.Text `json:"currencyCode" doc:"ISO 4217. Left out: the supplier's, else the company's. Changed in a draft, prices are converted."`
	WarehouseCode        rest.Text `json:"warehouseCode" doc:"Left out: the company's default."`
	Notes                rest.Text `json:"notes" text:"note"`
}

type newPurchaseOrder struct {
	OrderNumber    rest.Text `json:"orderNumber" of:"Number" doc:"Left out: the next of the series."`
	SupplierNumber string    `json:"supplierNumber" req:"true"`
	purchaseOrderFields
	Lines []newPurchaseOrderLine `json:"lines" maxItems:"5000" doc:"An empty draft may be saved, not sent."`
}

type newPurchaseOrderLine struct {
	ItemNumber           rest.Text `json:"itemNumber" of:"Item" doc:"This, or a description with a unitPrice."`
	Description          rest.Text `json:"description" text:"note" doc:"Left out: the item's name."`
	Quantity             dec.Dec   `json:"quantity" req:"true" gt:"0" doc:"In base units." example:"50"`
	UnitPrice            *dec.Dec  `json:"unitPrice" min:"0" doc:"Left out: the supplier item's, in the order's currency."`
	ExpectedDeliveryDate rest.Date `json:"expectedDeliveryDate" of:"ExpectedDate" doc:"Left out: that of the order."`
}

var newPurchaseLine = rest.Written[newPurchaseOrderLine, purchasing.NewLine]()

// purchaseOrderChange is what a PATCH of an order may hold.
type purchaseOrderChange struct {
	SupplierNumber string `json:"supplierNumber" doc:"While the order is a draft; prices that are the supplier's are found anew."`
	purchaseOrderFields
}

// changedPurchaseOrderLine is a line as adding and changing it answer, with the validator of its order and, when it is
// new, the address of the order, since a line has none of its own.
type changedPurchaseOrderLine struct {
	rest.Tag
	rest.Located
	PurchaseOrderLine
}

func changedPurchaseLine(o purchasing.Order, l purchasing.OrderLine, err error) (changedPurchaseOrderLine, error) {
	if err != nil {
		return changedPurchaseOrderLine{}, err
	}
	return changedPurchaseOrderLine{rest.Tag{Value: o.ETag()},
		rest.Located{Location: rest.Self("/preview/purchase-orders/", o.Number).Self},
		purchaseOrderLineIn(o.Digits, *o.Line(l.Number))}, nil
}

func createPurchaseOrderLine(tx *db.Tx,
	in rest.With[rest.Key, newPurchaseOrderLine]) (changedPurchaseOrderLine, error) {
	return changedPurchaseLine(purchasing.AddOrderLine(tx, in.At.Key, newPurchaseLine(in.Body)))
}

// purchaseOrderLineChange is what a PATCH of a line may hold.
type purchaseOrderLineChange struct {
	Description          rest.Text `json:"description" text:"note" doc:"null: as it is."`
	Quantity             dec.Dec   `json:"quantity" gt:"0" doc:"Never below what was received."`
	UnitPrice            *dec.Dec  `json:"unitPrice" min:"0" doc:"null: the supplier item's again."`
	ExpectedDeliveryDate rest.Date `json:"expectedDeliveryDate" of:"ExpectedDate"`
}

var purchaseLineChanges = rest.Alike[purchaseOrderLineChange, purchasing.LineChange]()

func updatePurchaseOrderLine(tx *db.Tx,
	in rest.With[rest.Line, rest.Merge[purchaseOrderLineChange]]) (changedPurchaseOrderLine, error) {
	return changedPurchaseLine(purchasing.ChangeOrderLine(tx, in.At.Of, in.At.Number,
		rest.Laid(in.Body, purchaseLineChanges)))
}
