package preview

import (
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

type confirmationBody struct {
	PromisedDeliveryDate rest.Date       `json:"promisedDeliveryDate" of:"PromisedDate" doc:"Left out: the last of the lines' days."`
	Lines                []confirmedLine `json:"lines" maxItems:"5000" doc:"None: all as ordered. Else lines that are not named stay as they are."`
}

type confirmedLine struct {
	LineNumber        int       `json:"lineNumber" of:"Line" req:"true"`
	ConfirmedQuantity dec.Dec   `json:"confirmedQuantity" of:"Quantity" req:"true" min:"0" doc:"0 where the supplier has none."`
	ConfirmedDate     rest.Date `json:"confirmedDate" of:"Date" doc:"Left out: the promised day."`
	UnitPrice         *dec.Dec  `json:"unitPrice" min:"0" doc:"Another price than ordered."`
}

type arrivalBody struct {
	Quantity      dec.Dec   `json:"quantity" req:"true" gt:"0" doc:"In base units; at most what is outstanding."`
	LocationCode  rest.Text `json:"locationCode" doc:"Left out: the first pickable one."`
	BatchNumber   rest.Text `json:"batchNumber" doc:"Of an item that is tracked by batch."`
	SerialNumbers []string  `json:"serialNumbers" maxItems:"5000" doc:"One for each piece of an item that is tracked by serial number."`
	ExpiryDate    rest.Date `json:"expiryDate" doc:"Of the batch."`
	UnitCost      *dec.Dec  `json:"unitCost" min:"0" doc:"In the company's base currency. Left out: the line's price at the rate of the day."`
	ReceiptDate   rest.Time `json:"receiptDate" doc:"Left out: now."`
	Notes         rest.Text `json:"notes" text:"note"`
}

func receivePurchaseOrderLine(tx *db.Tx, in rest.With[rest.Line, arrivalBody]) (Receipt, error) {
	b := in.Body
	_, r, err := purchasing.ReceiveOrder(tx, in.At.Of, purchasing.Delivery{At: db.Time(b.ReceiptDate),
		Notes: string(b.Notes), Arrived: []purchasing.Arrival{{Line: in.At.Number, Quantity: b.Quantity,
			UnitCost: b.UnitCost, Location: string(b.LocationCode), Batch: string(b.BatchNumber),
			Serials: b.SerialNumbers, Expiry: day.Date(b.ExpiryDate), Notes: string(b.Notes)}}})
	return shownReceipt.One(tx, r, err)
}
