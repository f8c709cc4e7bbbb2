package ecom

import (
	"kontor/internal/business/cart"
	"kontor/internal/business/portal"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// PortalOrders are a customer's orders.
func PortalOrders() rest.Group {
	return rest.Group{Tag: "PortalOrders", Scope: rest.ScopeCustomer,
		Doc: "The customer's orders, and those that wait for approval.", Ops: []rest.Op{
			rest.List("listPortalOrders", "/portal/orders",
				"The orders of the customer with the delivery of every line, the newest first.", listPortalOrders),
			rest.Get("getPortalOrder", "/portal/orders/{id}", "One order.", getPortalOrder).Raises(sales.ErrNotFound),
			rest.Do("reorder", "/portal/orders/{id}/reorder",
				"Puts the lines of an order into the cart, each accepted or refused by itself.", reorder).
				Raises(sales.ErrNotFound).Raises(additions...),
			rest.Do("cancelPortalOrder", "/portal/orders/{id}/cancel",
				"Cancels an order that the warehouse has not got yet.", rest.Done(portal.CancelOrder)).
				Answers(204).Extension().Raises(sales.ErrNotFound, sales.ErrInvalidStatus),
			rest.List("listApprovals", "/portal/order-approvals", "Orders that wait for approval, the newest first.",
				needs(portal.ApproveOrders, listApprovals)).Raises(portal.ErrDenied),
			rest.Do("approveOrder", "/portal/order-approvals/{id}/approve", "Approves an order; the id is the order's.",
				rest.Done(portal.Approve)).
				Answers(204).Raises(portal.ErrNoApproval, portal.ErrDecided),
			rest.Do("rejectOrder", "/portal/order-approvals/{id}/reject",
				"Rejects an order, which is cancelled, with a reason.", rejectOrder).
				Answers(204).Raises(portal.ErrNoApproval, portal.ErrDecided).
				Example(`{"reason": "Over budget this quarter."}`),
		}}
}

// PortalOrderShipment is what a shipment carries of an order line.
type PortalOrderShipment struct {
	ShipmentID     string          `json:"shipmentId" of:"ID" format:"uuid"`
	ShipmentNumber string          `json:"shipmentNumber" of:"Number"`
	Status         shipping.Status `json:"status"`
	Quantity       dec.Dec         `json:"quantity"`
	TrackingNumber rest.Text       `json:"trackingNumber"`
	TrackingURL    rest.Text       `json:"trackingUrl"`
	ShippedDate    rest.Time       `json:"shippedDate" of:"ShippedAt"`
	DeliveredDate  rest.Time       `json:"deliveredDate" of:"DeliveredAt"`
}

// PortalOrderLine is a line of an order.
type PortalOrderLine struct {
	LineNumber            int                   `json:"lineNumber" of:"Number"`
	ItemID                rest.Text             `json:"itemId" format:"uuid" doc:"Null on a free-text line."`
	ItemNumber            rest.Text             `json:"itemNumber" of:"Item"`
	Description           string                `json:"description"`
	Unit                  rest.Text             `json:"unit"`
	UnitPrice             dec.Fixed             `json:"unitPrice"`
	IsPriceIncludingTax   bool                  `json:"isPriceIncludingTax"`
	DiscountPercent       dec.Dec               `json:"discountPercent"`
	LineTotal             dec.Fixed             `json:"lineTotal" doc:"Without tax."`
	LineTotalIncludingTax dec.Fixed             `json:"lineTotalIncludingTax" of:"-"`
	OrderedQuantity       dec.Dec               `json:"orderedQuantity" of:"Quantity"`
	DeliveredQuantity     dec.Dec               `json:"deliveredQuantity" of:"Delivered"`
	ReturnedQuantity      dec.Dec               `json:"returnedQuantity" of:"Returned"`
	DeliveryStatus        sales.DeliveryStatus  `json:"deliveryStatus"`
	PlannedDeliveryDate   rest.Date             `json:"plannedDeliveryDate"`
	Shipments             []PortalOrderShipment `json:"shipments" of:"-"`
	Values                []ChosenValue         `json:"values" of:"-" doc:"What is chosen of what is made to order; empty of any other."`
}

// standing is how an order stands, without who bought it and where it goes.
type standing struct {
	OrderNumber             string               `json:"orderNumber" of:"Number"`
	OrderDate               day.Date             `json:"orderDate"`
	Status                  sales.Status         `json:"status"`
	DeliveryStatus          sales.DeliveryStatus `json:"deliveryStatus" of:"Delivery"`
	PlannedDeliveryDate     rest.Date            `json:"plannedDeliveryDate"`
	CurrencyCode            string               `json:"currencyCode"`
	TotalAmount             dec.Fixed            `json:"totalAmount" doc:"Without tax."`
	TotalVAT                dec.Fixed            `json:"totalVat"`
	TotalAmountIncludingTax dec.Fixed            `json:"totalAmountIncludingTax" of:"TotalIncludingTax"`
	ShippingMethodName      rest.Text            `json:"shippingMethodName"`
	Lines                   []PortalOrderLine    `json:"lines"`
}

// PortalOrder is an order of the customer.
type PortalOrder struct {
	rest.WideTag
	ID string `json:"id" format:"uuid"`
	standing
	ApprovalStatus        *portal.ApprovalStatus `json:"approvalStatus" of:"-" doc:"Null where the order needs no approval, or no longer: the store went ahead with it, or it was cancelled before anybody decided."`
	RejectionReason       rest.Text              `json:"rejectionReason" of:"-"`
	Reference             rest.Text              `json:"reference" of:"CustomerReference"`
	RequestedDeliveryDate rest.Date              `json:"requestedDeliveryDate"`
	DeliveryAddress       *PortalPostal          `json:"deliveryAddress"`
	InvoiceAddress        *PortalPostal          `json:"invoiceAddress"`
}

func numbersOf(orders []sales.Order) []string {
	return each.Of(orders, func(o sales.Order) string { return o.Number })
}

// portalOrdersOf reads the orders with these numbers, in their order, with what became of every line.
func portalOrdersOf(tx *db.Tx, numbers []string) ([]PortalOrder, error) {
	out := make([]PortalOrder, 0, len(numbers))
	if len(numbers) == 0 {
		return out, nil
	}
	found, err := sales.FindMany(tx, numbers)
	if err != nil {
		return nil, err
	}
	var ids []string
	var orders []*sales.Order
	for _, n := range numbers {
		if o := found[record.Fold(n)]; o != nil {
			orders, ids = append(orders, o), append(ids, o.ID)
		}
	}
	approvals, err := portal.Approvals(tx, ids)
	if err != nil {
		return nil, err
	}
	shipped, err := portal.OrderShipments(tx, ids)
	if err != nil {
		return nil, err
	}
	chosen, err := sales.Chosen(tx, orders...)
	if err != nil {
		return nil, err
	}
	byLine := map[sales.At][]PortalOrderShipment{}
	for _, s := range shipped {
		at := sales.At{OrderID: s.OrderID, Line: s.OrderLine}
		byLine[at] = append(byLine[at], portalOrderShipment(s))
	}
	for _, o := range orders {
		shown := portalOrderOf(o, approvals[o.ID])
		for i := range shown.Lines {
			l := &shown.Lines[i]
			at := sales.At{OrderID: o.ID, Line: l.LineNumber}
			l.Values = chosenValues(chosen[at])
			if s := byLine[at]; s != nil {
				l.Shipments = s
			}
		}
		out = append(out, shown)
	}
	return out, nil
}

var (
	portalOrder         = rest.Shown[PortalOrder, sales.Order]()
	portalOrderShipment = rest.Shown[PortalOrderShipment, portal.OrderShipment]()
)

func portalOrderOf(o *sales.Order, a portal.Approval) PortalOrder {
	out := portalOrder(*o)
	out.ApprovalStatus, out.RejectionReason = rest.OrNull(a.Standing(o)), rest.Text(a.Reason)
	for i, l := range o.Lines {
		out.Lines[i].LineTotalIncludingTax = dec.Fixed{Value: l.LineTotal.Add(l.TaxAmount), Digits: o.Digits}
		out.Lines[i].Shipments = []PortalOrderShipment{}
	}
	return out
}

type listPortalOrdersIn struct {
	rest.Paging
	Search string       `query:"search" doc:"Part of order number or reference."`
	Status sales.Status `query:"status"`
}

func listPortalOrders(tx *db.Tx, in listPortalOrdersIn) (out rest.Paged[PortalOrder], err error) {
	f := sales.Filter{CustomerNumber: storefront.Of(tx).Customer.Number, Search: in.Search, Status: in.Status,
		NewestFirst: true}
	found, err := sales.List(tx, f, in.Record())
	if err != nil {
		return out, err
	}
	orders, err := portalOrdersOf(tx, numbersOf(found.Items))
	return rest.PageOf(record.Found[PortalOrder]{Items: orders, Total: found.Total}, in.Paging,
		func(o PortalOrder) PortalOrder { return o }), err
}

func getPortalOrder(tx *db.Tx, in rest.ID) (PortalOrder, error) {
	o, err := portal.FindOrder(tx, in.ID)
	if err != nil {
		return PortalOrder{}, err
	}
	orders, err := portalOrdersOf(tx, []string{o.Number})
	if err != nil {
		return PortalOrder{}, err
	}
	return orders[0], nil
}

// Reordered is what became of the lines of an order.
type Reordered struct {
	AddedCount  int             `json:"addedCount"`
	FailedCount int             `json:"failedCount"`
	Results     []ReorderedLine `json:"results"`
}

// ReorderedLine is what became of one line.
type ReorderedLine struct {
	OrderLineNumber int           `json:"orderLineNumber"`
	ItemID          rest.Text     `json:"itemId" format:"uuid"`
	LineID          rest.Text     `json:"lineId" format:"uuid" doc:"Of the cart; null where the line was refused."`
	Error           *CartRowError `json:"error"`
}

func reorder(tx *db.Tx, in rest.ID) (out Reordered, err error) {
	if err := portal.NeedFor(tx, portal.CreateOrders, sales.ErrNotFound, in.ID); err != nil {
		return out, err
	}
	o, err := portal.FindOrder(tx, in.ID)
	if err == nil {
		err = tx.Match(o.ID, o.ETag()) // it is not changed, and is what was read
	}
	if err != nil {
		return out, err
	}
	var wanted []cart.Addition
	for _, l := range o.Lines {
		if l.ItemID != "" {
			wanted = append(wanted, cart.Addition{ItemID: l.ItemID, Quantity: l.Quantity, Unit: l.Unit,
				ConfigurationNumber: l.ConfigurationNumber})
			out.Results = append(out.Results, ReorderedLine{OrderLineNumber: l.Number, ItemID: rest.Text(l.ItemID)})
		}
	}
	_, added, err := cart.Add(tx, wanted)
	if err != nil {
		return out, err
	}
	for i, a := range added {
		r := &out.Results[i]
		if a.Err != nil {
			if r.Error, err = cartRowError(a.Err); err != nil {
				return out, err
			}
			out.FailedCount++
			continue
		}
		r.LineID = rest.Text(a.LineID)
		out.AddedCount++
	}
	return out, nil
}

// PortalApproval is an order that waits for approval.
type PortalApproval struct {
	ID          string      `json:"id" format:"uuid" doc:"The order's."`
	RequestedBy string      `json:"requestedBy"`
	RequestedAt db.Time     `json:"requestedAt"`
	Order       PortalOrder `json:"order"`
}

func listApprovals(tx *db.Tx, in pageIn) (out rest.Paged[PortalApproval], err error) {
	found, err := portal.WaitingApprovals(tx, in.Record())
	if err != nil {
		return out, err
	}
	numbers := each.Of(found.Items, func(a portal.Approval) string { return a.OrderNumber })
	orders, err := portalOrdersOf(tx, numbers)
	if err != nil {
		return out, err
	}
	byID := each.By(orders, func(o PortalOrder) string { return o.ID })
	return rest.PageOf(found, in.Paging, func(a portal.Approval) PortalApproval {
		return PortalApproval{a.OrderID, a.AskedBy, a.AskedAt, byID[a.OrderID]}
	}), nil
}

type rejectOrderRequest struct {
	Reason string `json:"reason" req:"true" text:"note" doc:"The colleague is shown it."`
}

func rejectOrder(tx *db.Tx, in rest.With[rest.ID, rejectOrderRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, portal.Reject(tx, in.At.ID, in.Body.Reason)
}
