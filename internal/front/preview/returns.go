package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/returns"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Returns are goods that customers send back.
func Returns() rest.Group {
	return rest.Group{Tag: "Returns", Scope: "returns",
		Doc: "Customer returns (RMA): registered against a sales order, approved, received back into stock.",
		Ops: []rest.Op{
			rest.List("listReturns", "/returns", "Returns by number.",
				rest.Lists[listReturnsIn](shownReturn, returns.List)).Cached(),
			rest.Create("createReturn", "/returns",
				"Registers a return against a sales order; without lines all that was delivered. No stock moves.",
				rest.Creates[newReturn](shownReturn, returns.Create)).
				Raises(returns.ErrOrderNotFound, returns.ErrOrderLineNotFound, returns.ErrWarehouseNotFound,
					returns.ErrExceedsDelivered, returns.ErrNoDelivered, returns.ErrInvalid,
					catalog.ErrTooManyDecimals).
				Example(
					`{"orderNumber": "SO-100001", "reason": "Defective", "lines": [{"orderLineNumber": 1, "quantity": "1", "notes": "Does not start"}]}`),
			rest.Get("getReturn", "/returns/{returnNumber}", "One return with its lines.",
				shownReturn.Of(returns.Find)).
				Raises(returns.ErrNotFound).CachedOne(returns.Returns),
			rest.Patch("updateReturn", "/returns/{returnNumber}", "Changes notes, RMA number or reason before receipt.",
				rest.Edits[returnFields](shownReturn, returns.Change)).
				Raises(returns.ErrNotFound, returns.ErrInvalidStatus).Example(`{"rmaNumber": "K-4711"}`),
			rest.Do("approveReturn", "/returns/{returnNumber}/approve",
				"Approves a return: the customer can send the goods.", shownReturn.Of(returns.Approve)).
				Raises(returns.ErrNotFound, returns.ErrInvalidStatus),
			rest.Do("receiveReturn", "/returns/{returnNumber}/receive",
				"Books the goods back into stock at the cost they left with; without lines all came as registered.",
				rest.Told[receiveBody](shownReturn, returns.Receive)).
				Raises(returns.ErrNotFound, returns.ErrInvalidStatus, returns.ErrLineNotFound,
					returns.ErrExceedsRegistered, returns.ErrLocationNotFound, returns.ErrNotShipped,
					returns.ErrInvalid, catalog.ErrTooManyDecimals, limit.ErrQuantity, limit.ErrAmount).
				Example(`{"lines": [{"lineNumber": 1, "quantity": "1", "locationCode": "RETURNS"}]}`),
			rest.Do("cancelReturn", "/returns/{returnNumber}/cancel", "Cancels a return before receipt.",
				shownReturn.Of(returns.Cancel)).
				Raises(returns.ErrNotFound, returns.ErrInvalidStatus).Extension(),
		}}
}

// ReturnLine is what comes back of one order line.
type ReturnLine struct {
	wire.ReturnLine
}

// Return is a return with its lines.
type Return struct {
	rest.Tag
	wire.Return
	RMANumber      rest.Text    `json:"rmaNumber" doc:"The customer's own reference."`
	CustomerNumber rest.Text    `json:"customerNumber"`
	ReturnDate     rest.Date    `json:"returnDate"`
	WarehouseCode  rest.Text    `json:"warehouseCode"`
	ExternalNotes  rest.Text    `json:"externalNotes" doc:"The customer sees them."`
	Lines          []ReturnLine `json:"lines"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/returns/"`
}

var shownReturn = rest.Shows(rest.Shown[Return, returns.Return]())

type listReturnsIn struct {
	rest.Paging
	Search         string         `query:"search" doc:"Part of return or RMA number."`
	Status         returns.Status `query:"status"`
	OrderNumber    string         `query:"orderNumber" of:"Order"`
	CustomerNumber string         `query:"customerNumber" of:"Customer"`
}

type newReturn struct {
	OrderNumber   string          `json:"orderNumber" req:"true"`
	Reason        returns.Reason  `json:"reason" req:"true"`
	Lines         []newReturnLine `json:"lines" minItems:"1" maxItems:"5000" doc:"Left out: everything delivered that has not come back."`
	ReturnDate    rest.Date       `json:"returnDate" doc:"Left out: today."`
	RMANumber     rest.Text       `json:"rmaNumber" doc:"The customer's own reference."`
	WarehouseCode rest.Text       `json:"warehouseCode" doc:"Left out: the order's."`
	ExternalNotes rest.Text       `json:"externalNotes" text:"note" doc:"The customer sees them."`
	InternalNotes rest.Text       `json:"internalNotes" text:"note"`
}

type newReturnLine struct {
	OrderLineNumber int       `json:"orderLineNumber" of:"OrderLine" req:"true"`
	Quantity        dec.Dec   `json:"quantity" req:"true" gt:"0"`
	Condition       rest.Text `json:"condition" doc:"Free text; Scrap is thrown away on receipt."`
	Notes           rest.Text `json:"notes" text:"note"`
}

type returnFields struct {
	RMANumber     rest.Text      `json:"rmaNumber"`
	Reason        returns.Reason `json:"reason"`
	ExternalNotes rest.Text      `json:"externalNotes" text:"note"`
	InternalNotes rest.Text      `json:"internalNotes" text:"note"`
}

type receiveBody struct {
	Lines []receiveLine `json:"lines" minItems:"1" maxItems:"5000" doc:"Left out: all as registered. Else lines that are not named did not come. A line may be named several times; what came in another condition stands on a line of its own from then on."`
}

type receiveLine struct {
	LineNumber    int       `json:"lineNumber" of:"Line" req:"true"`
	Quantity      dec.Dec   `json:"quantity" req:"true" gt:"0"`
	LocationCode  rest.Text `json:"locationCode" of:"Location" doc:"Left out: the location for returns."`
	Condition     rest.Text `json:"condition" doc:"Left out: as registered. Scrap is booked in and thrown away."`
	BatchNumber   rest.Text `json:"batchNumber" of:"Batch" doc:"Left out: in the order the goods were shipped."`
	SerialNumbers []string  `json:"serialNumbers" of:"Serials" doc:"Where none are named, in the order the goods were shipped."`
}
