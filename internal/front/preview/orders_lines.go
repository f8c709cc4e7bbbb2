package preview

import (
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// OrderLine is a line of a sales order. Quantities are in the line's unit.
type OrderLine struct {
	LineNumber            int                  `json:"lineNumber" of:"Number"`
	ItemNumber            rest.Text            `json:"itemNumber" of:"Item" doc:"Null on a free-text line."`
	Description           string               `json:"description"`
	Quantity              dec.Dec              `json:"quantity"`
	Unit                  rest.Text            `json:"unit"`
	UnitPrice             dec.Fixed            `json:"unitPrice"`
	IsManualPrice         bool                 `json:"isManualPrice" doc:"Given by the caller, so never priced anew."`
	IsPriceIncludingTax   bool                 `json:"isPriceIncludingTax"`
	PriceListCode         rest.Text            `json:"priceListCode"`
	DiscountPercent       dec.Dec              `json:"discountPercent" doc:"Where an amount was agreed, as near as six decimals come to it: discountAmount is exact."`
	DiscountAmount        dec.Fixed            `json:"discountAmount" doc:"Taken off quantity times unitPrice; with tax where the price has it."`
	TaxCode               rest.Text            `json:"taxCode"`
	TaxPercent            dec.Dec              `json:"taxPercent"`
	LineTotal             dec.Fixed            `json:"lineTotal" doc:"Without tax."`
	TaxAmount             dec.Fixed            `json:"taxAmount"`
	AllocatedQuantity     dec.Dec              `json:"allocatedQuantity" of:"Allocated" doc:"Reserved in stock and not delivered yet, open shipments included."`
	DeliveredQuantity     dec.Dec              `json:"deliveredQuantity" of:"Delivered"`
	ReturnedQuantity      dec.Dec              `json:"returnedQuantity" of:"Returned"`
	InvoicedQuantity      dec.Dec              `json:"invoicedQuantity" of:"Invoiced"`
	DeliveryStatus        sales.DeliveryStatus `json:"deliveryStatus"`
	RequestedDeliveryDate rest.Date            `json:"requestedDeliveryDate" doc:"Null: that of the order."`
	PlannedDeliveryDate   rest.Date            `json:"plannedDeliveryDate" doc:"The requested date, else the order date, once all of the line is reserved or delivered."`
	WarehouseCode         rest.Text            `json:"warehouseCode"`
	ConfigurationNumber   rest.Text            `json:"configurationNumber"`
	ExternalLineID        rest.Text            `json:"externalLineId"`
}

var orderLineIn = rest.ShownIn[OrderLine, sales.Line]()

type newOrderLine struct {
	ItemNumber            rest.Text `json:"itemNumber" of:"Item" doc:"This, or a description with a unitPrice."`
	Description           rest.Text `json:"description" text:"note" doc:"Left out: the item's name."`
	Quantity              dec.Dec   `json:"quantity" req:"true" gt:"0" example:"3"`
	UnitCode              rest.Text `json:"unitCode" of:"Unit" doc:"Left out: the item's sales unit."`
	UnitPrice             *dec.Dec  `json:"unitPrice" min:"0" doc:"Left out: priced by the rule."`
	DiscountPercent       *dec.Dec  `json:"discountPercent" min:"0" max:"100"`
	TaxCode               rest.Text `json:"taxCode" doc:"Left out: the item's."`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
	WarehouseCode         rest.Text `json:"warehouseCode" doc:"Left out: the order's."`
	ConfigurationNumber   rest.Text `json:"configurationNumber"`
	ExternalLineID        rest.Text `json:"externalLineId"`
}

var newLineOf = rest.Written[newOrderLine, sales.NewLine]()

// changedOrderLine is a line as adding and changing it answer, with the validator of its order and, when it is new, the
// address of the order, since a line has none of its own.
type changedOrderLine struct {
	rest.Tag
	rest.Located
	OrderLine
}

func changedLine(o sales.Order, l sales.Line, err error) (changedOrderLine, error) {
	if err != nil {
		return changedOrderLine{}, err
	}
	return changedOrderLine{rest.Tag{Value: o.ETag()},
		rest.Located{Location: rest.Self("/preview/orders/", o.Number).Self}, orderLineIn(o.Digits, l)}, nil
}

func createOrderLine(tx *db.Tx, in rest.With[rest.Key, newOrderLine]) (changedOrderLine, error) {
	return changedLine(sales.AddLine(tx, in.At.Key, newLineOf(in.Body)))
}

// orderLineChange is what a PATCH of a line may hold.
type orderLineChange struct {
	Description           rest.Text `json:"description" text:"note" doc:"null: the item's name."`
	Quantity              dec.Dec   `json:"quantity" gt:"0" doc:"Never below what is shipped or on an open shipment."`
	UnitCode              rest.Text `json:"unitCode" of:"Unit" doc:"null: the item's sales unit."`
	UnitPrice             *dec.Dec  `json:"unitPrice" min:"0" doc:"null: priced by the rule again."`
	DiscountPercent       *dec.Dec  `json:"discountPercent" min:"0" max:"100"`
	TaxCode               rest.Text `json:"taxCode" doc:"null: the item's."`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
	WarehouseCode         rest.Text `json:"warehouseCode" doc:"null: the order's."`
	ExternalLineID        rest.Text `json:"externalLineId"`
}

var orderLineChanges = rest.Alike[orderLineChange, sales.Revision]()

func updateOrderLine(tx *db.Tx, in rest.With[rest.Line, rest.Merge[orderLineChange]]) (changedOrderLine, error) {
	return changedLine(sales.ChangeLine(tx, in.At.Of, in.At.Number,
		rest.Laid(in.Body, orderLineChanges)))
}
