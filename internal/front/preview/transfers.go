package preview

import (
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// Transfers are goods on their way between the company's warehouses.
func Transfers() rest.Group {
	return rest.Group{Tag: "Transfers", Scope: "transfers",
		Doc: "Stock transfers between warehouses, from release through shipping to receipt.", Ops: []rest.Op{
			rest.List("listTransfers", "/transfers", "Stock transfers by number.", listTransfers).Cached(),
			rest.Create("createTransfer", "/transfers",
				"Creates a draft transfer. Nothing is reserved before it is released.", createTransfer).
				Raises(reference.ErrWarehouseNotFound, transfer.ErrSameWarehouse, stock.ErrClosed,
					transfer.ErrUnknownCode, catalog.ErrNotFound, stock.ErrNotStocked, catalog.ErrTooManyDecimals,
					limit.ErrQuantity, transfer.ErrExists).
				Example(
					`{"fromWarehouseCode": "MAIN", "toWarehouseCode": "SHOP", "lines": [{"itemNumber": "A-100", "quantity": "5"}]}`),
			rest.Get("getTransfer", "/transfers/{orderNumber}", "One transfer with lines.",
				shownTransfer.Of(transfer.Find)).
				Raises(transfer.ErrNotFound).CachedOne(transfer.Transfers),
			rest.Patch("updateTransfer", "/transfers/{orderNumber}", "Changes a draft; lines are replaced as a whole.",
				rest.Edits(shownTransfer, transfer.Change, transferChangeOf, transferChange.onto)).
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
			rest.Create("receiveTransfer", "/transfers/{orderNumber}/receive",
				"Receives goods at the destination, at the cost they left with: creates a goods receipt. Without lines all that is in transit came.",
				receiveTransfer).
				Raises(transfer.ErrNotFound, transfer.ErrInvalidStatus, transfer.ErrLineNotFound,
					catalog.ErrTooManyDecimals, transfer.ErrExceeds, transfer.ErrNotShipped, stock.ErrTrackingRequired,
					stock.ErrLocation, stock.ErrClosed, stock.ErrSerialInStock, stock.ErrNoLocation, limit.ErrQuantity,
					limit.ErrAmount).
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
	OrderNumber        string          `json:"orderNumber"`
	Status             transfer.Status `json:"status"`
	FromWarehouseCode  string          `json:"fromWarehouseCode"`
	ToWarehouseCode    string          `json:"toWarehouseCode"`
	ShippingMethodCode rest.Text       `json:"shippingMethodCode"`
	RequestedDate      rest.Date       `json:"requestedDate" doc:"When the goods are wanted at the destination."`
	ExpectedDate       rest.Date       `json:"expectedDate" doc:"When they are expected there; null until shipped."`
	ReleasedDate       rest.Time       `json:"releasedDate" doc:"Null until released."`
	ShippedDate        rest.Time       `json:"shippedDate" doc:"Null until shipped."`
	ReceivedDate       rest.Time       `json:"receivedDate" doc:"Null until nothing is in transit any more."`
	Notes              rest.Text       `json:"notes"`
	Lines              []TransferLine  `json:"lines"`
	ID                 string          `json:"id" format:"uuid"`
	CreatedDate        db.Time         `json:"createdDate"`
	ModifiedDate       rest.Time       `json:"modifiedDate"`
	Links              rest.Links      `json:"links"`
}

// TransferLine is one item that goes along. Quantities are in base units.
type TransferLine struct {
	LineNumber         int       `json:"lineNumber"`
	ItemNumber         string    `json:"itemNumber"`
	ItemName           rest.Text `json:"itemName"`
	Quantity           dec.Dec   `json:"quantity" doc:"In base units."`
	Unit               rest.Text `json:"unit" doc:"The item's base unit."`
	AllocatedQuantity  dec.Dec   `json:"allocatedQuantity" doc:"Reserved at the source, from release until the goods leave."`
	ShippedQuantity    dec.Dec   `json:"shippedQuantity"`
	ReceivedQuantity   dec.Dec   `json:"receivedQuantity"`
	WrittenOffQuantity dec.Dec   `json:"writtenOffQuantity" doc:"Shipped, and lost on the way."`
}

var shownTransfer = rest.Shows(transferShown)

func transferShown(t transfer.Transfer) Transfer {
	out := Transfer{Tag: rest.Tag{Value: t.ETag()}, OrderNumber: t.Number, Status: t.Status, FromWarehouseCode: t.From,
		ToWarehouseCode: t.To, ShippingMethodCode: rest.Text(t.ShippingMethod),
		RequestedDate: rest.Date(t.RequestedDate), ExpectedDate: rest.Date(t.ExpectedDate),
		ReleasedDate: rest.Time(t.ReleasedAt), ShippedDate: rest.Time(t.ShippedAt),
		ReceivedDate: rest.Time(t.ReceivedAt), Notes: rest.Text(t.Notes), Lines: make([]TransferLine, len(t.Lines)),
		ID: t.ID, CreatedDate: t.CreatedAt, ModifiedDate: rest.Time(t.ModifiedAt),
		Links: rest.Self("/preview/transfers/", t.Number)}
	for i, l := range t.Lines {
		out.Lines[i] = TransferLine{LineNumber: l.Number, ItemNumber: l.Item, ItemName: rest.Text(l.ItemName),
			Quantity: l.Quantity, Unit: rest.Text(l.Unit), AllocatedQuantity: l.Allocated, ShippedQuantity: l.Shipped,
			ReceivedQuantity: l.Received, WrittenOffQuantity: l.WrittenOff}
	}
	return out
}

type listTransfersIn struct {
	rest.Paging
	Search            string          `query:"search" doc:"Part of the number."`
	Status            transfer.Status `query:"status"`
	FromWarehouseCode string          `query:"fromWarehouseCode" doc:"Of the warehouse the goods leave."`
	ToWarehouseCode   string          `query:"toWarehouseCode" doc:"Of the warehouse they go to."`
}

func listTransfers(tx *db.Tx, in listTransfersIn) (rest.Paged[Transfer], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[Transfer]{}, err
	}
	f := transfer.Filter{Search: in.Search, Status: in.Status, From: in.FromWarehouseCode, To: in.ToWarehouseCode}
	if w, ok := book.Warehouse(f.From); ok {
		f.From = w.Code
	}
	if w, ok := book.Warehouse(f.To); ok {
		f.To = w.Code
	}
	found, err := transfer.List(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, transferShown), err
}

type newTransfer struct {
	OrderNumber        rest.Text         `json:"orderNumber" doc:"Left out: the next of the series."`
	FromWarehouseCode  string            `json:"fromWarehouseCode" req:"true"`
	ToWarehouseCode    string            `json:"toWarehouseCode" req:"true" doc:"Another one than fromWarehouseCode."`
	ShippingMethodCode rest.Text         `json:"shippingMethodCode"`
	RequestedDate      rest.Date         `json:"requestedDate" doc:"When the goods are wanted at the destination."`
	Notes              rest.Text         `json:"notes" text:"note"`
	Lines              []newTransferLine `json:"lines" maxItems:"5000" doc:"An empty draft may be saved, not released."`
}

type newTransferLine struct {
	ItemNumber string  `json:"itemNumber" req:"true"`
	Quantity   dec.Dec `json:"quantity" req:"true" gt:"0" doc:"In base units." example:"5"`
}

func transferLines(lines []newTransferLine) []transfer.NewLine {
	out := make([]transfer.NewLine, len(lines))
	for i, l := range lines {
		out[i] = transfer.NewLine{Item: l.ItemNumber, Quantity: l.Quantity}
	}
	return out
}

func createTransfer(tx *db.Tx, in rest.Sent[newTransfer]) (Transfer, error) {
	b := in.Body
	t, err := transfer.Create(tx, transfer.New{Number: string(b.OrderNumber),
		Head: transfer.Head{From: b.FromWarehouseCode, To: b.ToWarehouseCode,
			ShippingMethod: string(b.ShippingMethodCode), RequestedDate: day.Date(b.RequestedDate),
			Notes: string(b.Notes)},
		Lines: transferLines(b.Lines)})
	return transferShown(t), err
}

// transferChange is what a PATCH of a draft may hold.
type transferChange struct {
	FromWarehouseCode  string            `json:"fromWarehouseCode"`
	ToWarehouseCode    string            `json:"toWarehouseCode"`
	ShippingMethodCode rest.Text         `json:"shippingMethodCode"`
	RequestedDate      rest.Date         `json:"requestedDate"`
	Notes              rest.Text         `json:"notes" text:"note"`
	Lines              []newTransferLine `json:"lines" maxItems:"5000" doc:"In place of all lines there are."`
}

func transferChangeOf(d transfer.Drawn) transferChange {
	c := transferChange{d.From, d.To, rest.Text(d.ShippingMethod), rest.Date(d.RequestedDate), rest.Text(d.Notes), nil}
	for _, l := range d.Lines {
		c.Lines = append(c.Lines, newTransferLine{l.Item, l.Quantity})
	}
	return c
}

func (c transferChange) onto(d *transfer.Drawn) {
	d.Head = transfer.Head{From: c.FromWarehouseCode, To: c.ToWarehouseCode,
		ShippingMethod: string(c.ShippingMethodCode), RequestedDate: day.Date(c.RequestedDate), Notes: string(c.Notes)}
	d.Lines = transferLines(c.Lines)
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
	Lines []movedLine `json:"lines" maxItems:"5000" doc:"Left out: all. A line may be named several times: for each batch, or place."`
}

func shipTransfer(tx *db.Tx, in rest.With[rest.Key, *shippedLines]) (Transfer, error) {
	t, err := transfer.Ship(tx, in.At.Key, portions(rest.OrZero(in.Body).Lines))
	return transferShown(t), err
}

type arrivedLines struct {
	Lines       []movedLine `json:"lines" maxItems:"5000" doc:"Left out: all that is in transit. Batches and serial numbers are those that left; they are named where only some came."`
	ReceiptDate rest.Time   `json:"receiptDate" doc:"Left out: now."`
	Notes       rest.Text   `json:"notes" text:"note"`
}

func receiveTransfer(tx *db.Tx, in rest.With[rest.Key, *arrivedLines]) (Receipt, error) {
	b := rest.OrZero(in.Body)
	_, r, err := transfer.Receive(tx, in.At.Key, transfer.Delivery{At: db.Time(b.ReceiptDate),
		Notes: string(b.Notes), Portions: portions(b.Lines)})
	return shownReceipt.One(tx, r, err)
}
