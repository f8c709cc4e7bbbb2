package preview

import (
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// Transfers are goods on their way between the company's warehouses.
func Transfers() rest.Group {
	return rest.Group{Tag: "Transfers", Scope: "transfers",
		Doc: "Stock transfers between warehouses, from release through shipping to receipt.", Ops: []rest.Op{
			rest.List("listTransfers", "/transfers", "Stock transfers by number.",
				rest.Lists[listTransfersIn](shownTransfer, spelling(
					func(f *transfer.Filter) []*string { return []*string{&f.From, &f.To} }, transfer.List))).Cached(),
			rest.Create("createTransfer", "/transfers",
				"Creates a draft transfer. Nothing is reserved before it is released.",
				rest.Creates[newTransfer](shownTransfer, transfer.Create)).
				Raises(reference.ErrWarehouseNotFound, transfer.ErrSameWarehouse, stock.ErrClosed,
					transfer.ErrUnknownCode, catalog.ErrNotFound, stock.ErrNotStocked, catalog.ErrTooManyDecimals,
					limit.ErrQuantity, transfer.ErrExists).
				Example(
					`{"fromWarehouseCode": "MAIN", "toWarehouseCode": "SHOP", "lines": [{"itemNumber": "A-100", "quantity": "5"}]}`),
			rest.Get("getTransfer", "/transfers/{orderNumber}", "One transfer with lines.",
				shownTransfer.Of(transfer.Find)).
				Raises(transfer.ErrNotFound).CachedOne(transfer.Transfers),
			rest.Patch("updateTransfer", "/transfers/{orderNumber}", "Changes a draft; lines are replaced as a whole.",
				rest.Edits[transferChange](shownTransfer, transfer.Change)).
				Raises(transfer.ErrNotFound, transfer.ErrInvalidStatus, reference.ErrWarehouseNotFound,
					transfer.ErrSameWarehouse, stock.ErrClosed, transfer.ErrUnknownCode, catalog.ErrNotFound,
					stock.ErrNotStocked, catalog.ErrTooManyDecimals, limit.ErrQuantity).
				Extension().Example(`{"requestedDate": "2026-04-01"}`),
			rest.Do("releaseTransfer", "/transfers/{orderNumber}/release",
				"Releases a draft: its goods are reserved at the source, all or none.",
				shownTransfer.Of(transfer.Release)).
				Raises(transfer.ErrNotFound, transfer.ErrInvalidStatus, transfer.ErrNoLines, stock.ErrInsufficient),
			rest.Do("shipTransfer", "/transfers/{orderNumber}/ship",
				"Ships a released transfer, once: its goods are in transit. What is not shipped is given up.",
				shipTransfer).
				Raises(transfer.ErrNotFound, transfer.ErrInvalidStatus, transfer.ErrLineNotFound,
					catalog.ErrTooManyDecimals, transfer.ErrExceeds, stock.ErrLocation, stock.ErrBatchRequired,
					stock.ErrSerialRequired, stock.ErrSerialQuantity, stock.ErrNotTracked, stock.ErrInsufficient).
				Example(`{"lines": [{"lineNumber": 1, "quantity": "5"}]}`),
			rest.Do("receiveTransfer", "/transfers/{orderNumber}/receive",
				"Receives goods at the destination, at the cost they left with: creates a goods receipt. Without lines all that is in transit came.",
				receiveTransfer).Creates().
				Raises(transfer.ErrNotFound, transfer.ErrInvalidStatus, transfer.ErrLineNotFound,
					catalog.ErrTooManyDecimals, transfer.ErrExceeds, transfer.ErrNotShipped, stock.ErrTrackingRequired,
					stock.ErrLocation, stock.ErrClosed, stock.ErrSerialInStock, stock.ErrNoLocation, record.ErrInFuture,
					limit.ErrQuantity, limit.ErrAmount).
				Example(`{"lines": [{"lineNumber": 1, "quantity": "5", "locationCode": "A-01"}]}`),
			rest.Do("cancelTransfer", "/transfers/{orderNumber}/cancel",
				"Cancels a transfer that was not shipped; what is reserved for it becomes free.",
				shownTransfer.Of(transfer.Cancel)).
				Raises(transfer.ErrNotFound, transfer.ErrInvalidStatus).Extension(),
		}}
}

// Transfer is goods that go from one warehouse to another, with lines.
type Transfer struct {
	rest.Tag
	OrderNumber        string          `json:"orderNumber" of:"Number"`
	Status             transfer.Status `json:"status"`
	FromWarehouseCode  string          `json:"fromWarehouseCode" of:"From"`
	ToWarehouseCode    string          `json:"toWarehouseCode" of:"To"`
	ShippingMethodCode rest.Text       `json:"shippingMethodCode" of:"ShippingMethod"`
	RequestedDate      rest.Date       `json:"requestedDate" doc:"When the goods are wanted at the destination."`
	ExpectedDate       rest.Date       `json:"expectedDate" doc:"When they are expected there; null until shipped."`
	ReleasedDate       rest.Time       `json:"releasedDate" of:"ReleasedAt" doc:"Null until released."`
	ShippedDate        rest.Time       `json:"shippedDate" of:"ShippedAt" doc:"Null until shipped."`
	ReceivedDate       rest.Time       `json:"receivedDate" of:"ReceivedAt" doc:"Null until nothing is in transit any more."`
	Notes              rest.Text       `json:"notes"`
	Lines              []TransferLine  `json:"lines"`
	ID                 string          `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/transfers/"`
}

// TransferLine is one item that goes along. Quantities are in base units.
type TransferLine struct {
	LineNumber         int       `json:"lineNumber" of:"Number"`
	ItemNumber         string    `json:"itemNumber" of:"Item"`
	ItemName           rest.Text `json:"itemName"`
	Quantity           dec.Dec   `json:"quantity" doc:"In base units."`
	Unit               rest.Text `json:"unit" doc:"The item's base unit."`
	AllocatedQuantity  dec.Dec   `json:"allocatedQuantity" of:"Allocated" doc:"Reserved at the source, from release until the goods leave."`
	ShippedQuantity    dec.Dec   `json:"shippedQuantity" of:"Shipped"`
	ReceivedQuantity   dec.Dec   `json:"receivedQuantity" of:"Received"`
	WrittenOffQuantity dec.Dec   `json:"writtenOffQuantity" of:"WrittenOff" doc:"Shipped, and lost on the way."`
}

var shownTransfer = rest.Shows(transferShown)

var transferShown = rest.Shown[Transfer, transfer.Transfer]()

type listTransfersIn struct {
	rest.Paging
	Search            string          `query:"search" doc:"Part of the number."`
	Status            transfer.Status `query:"status"`
	FromWarehouseCode string          `query:"fromWarehouseCode" of:"From" doc:"Of the warehouse the goods leave."`
	ToWarehouseCode   string          `query:"toWarehouseCode" of:"To" doc:"Of the warehouse they go to."`
}

type newTransfer struct {
	OrderNumber        rest.Text         `json:"orderNumber" of:"Number" doc:"Left out: the next of the series."`
	FromWarehouseCode  string            `json:"fromWarehouseCode" of:"From" req:"true"`
	ToWarehouseCode    string            `json:"toWarehouseCode" of:"To" req:"true" doc:"Another one than fromWarehouseCode."`
	ShippingMethodCode rest.Text         `json:"shippingMethodCode" of:"ShippingMethod"`
	RequestedDate      rest.Date         `json:"requestedDate" doc:"When the goods are wanted at the destination."`
	Notes              rest.Text         `json:"notes" text:"note"`
	Lines              []newTransferLine `json:"lines" maxItems:"5000" doc:"An empty draft may be saved, not released."`
}

type newTransferLine struct {
	ItemNumber string  `json:"itemNumber" of:"Item" req:"true"`
	Quantity   dec.Dec `json:"quantity" req:"true" gt:"0" doc:"In base units." example:"5"`
}

// transferChange is what a PATCH of a draft may hold.
type transferChange struct {
	FromWarehouseCode  string            `json:"fromWarehouseCode" of:"From"`
	ToWarehouseCode    string            `json:"toWarehouseCode" of:"To"`
	ShippingMethodCode rest.Text         `json:"shippingMethodCode" of:"ShippingMethod"`
	RequestedDate      rest.Date         `json:"requestedDate"`
	Notes              rest.Text         `json:"notes" text:"note"`
	Lines              []newTransferLine `json:"lines" maxItems:"5000" doc:"In place of all lines there are."`
}

// movedLine is what leaves or arrives of a line.
type movedLine struct {
	LineNumber    int       `json:"lineNumber" req:"true"`
	Quantity      dec.Dec   `json:"quantity" req:"true" gt:"0" doc:"In base units."`
	LocationCode  rest.Text `json:"locationCode" doc:"Left out: chosen among the pickable ones."`
	BatchNumber   rest.Text `json:"batchNumber" doc:"Of an item that is tracked by batch."`
	SerialNumbers []string  `json:"serialNumbers" maxItems:"5000" doc:"One for each piece of an item that is tracked by serial number."`
}

func portions(lines []movedLine) []transfer.Portion {
	out := make([]transfer.Portion, len(lines))
	for i, l := range lines {
		out[i] = transfer.Portion{Field: fmt.Sprintf("lines[%d].", i), Line: l.LineNumber, Quantity: l.Quantity,
			Location: string(l.LocationCode), Batch: string(l.BatchNumber), Serials: l.SerialNumbers}
	}
	return out
}

type shippedLines struct {
	Lines []movedLine `json:"lines" maxItems:"5000" doc:"None: all. A line may be named several times: for each batch, or place."`
}

func shipTransfer(tx *db.Tx, in rest.With[rest.Key, *shippedLines]) (Transfer, error) {
	t, err := transfer.Ship(tx, in.At.Key, portions(rest.OrZero(in.Body).Lines))
	return transferShown(t), err
}

type arrivedLines struct {
	Lines       []movedLine `json:"lines" maxItems:"5000" doc:"None: all that is in transit. Batches and serial numbers are those that left; they are named where only some came."`
	ReceiptDate rest.Time   `json:"receiptDate" doc:"Left out: now."`
	Notes       rest.Text   `json:"notes" text:"note"`
}

func receiveTransfer(tx *db.Tx, in rest.With[rest.Key, *arrivedLines]) (Receipt, error) {
	b := rest.OrZero(in.Body)
	_, r, err := transfer.Receive(tx, in.At.Key, transfer.Delivery{At: db.Time(b.ReceiptDate),
		Notes: string(b.Notes), Portions: portions(b.Lines)})
	return shownReceipt.One(tx, r, err)
}
