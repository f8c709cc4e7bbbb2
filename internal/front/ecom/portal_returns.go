package ecom

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/paper"
	"kontor/internal/business/portal"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// PortalReturns are what a customer sends back. Guests register a return by the order's number and the code of its
// return slip.
func PortalReturns(e Access) rest.Group {
	return rest.Group{Tag: "PortalReturns", Scope: rest.ScopeCustomer,
		Doc: "Returns of the customer; guests register theirs by order number and return-slip code.", Ops: []rest.Op{
			rest.List("listPortalReturns", "/portal/returns", "The customer's returns, the newest first.",
				needs(portal.ReadReturns, listPortalReturns)).Raises(portal.ErrDenied),
			rest.Get("getPortalReturn", "/portal/returns/{id}", "One return.", getPortalReturn).
				Raises(returns.ErrNotFound), rest.Before(rest.Create("createPortalReturn", "/portal/returns",
				"Registers a return against an order.",
				createPortalReturn),
				func(a *rest.Ahead, in *createPortalReturnIn) error { return e.trySlip(a, in.slip()) }).Guests().
				Raises(portal.ErrDenied, portal.ErrReturnCode, returns.ErrOrderNotFound, returns.ErrOrderLineNotFound,
					returns.ErrExceedsDelivered, returns.ErrNoDelivered, catalog.ErrTooManyDecimals).
				Example(
					`{"orderId": "019a9d2e-7c3f-7b51-9d2c-1f4e8a6b0c11", "reason": "Defective", "lines": [{"orderLineNumber": 1, "quantity": "1"}]}`),
			rest.Before(rest.List("listReturnableLines", "/portal/returns/eligible",
				"The delivered lines of an order that can be returned.", listReturnableLines),
				func(a *rest.Ahead, in *listReturnableLinesIn) error { return e.trySlip(a, in.slip()) }).Guests().
				NamedByQuery().Raises(portal.ErrDenied, portal.ErrReturnCode, sales.ErrNotFound),
			rest.Print("getReturnSlip", "/portal/returns/{id}/slip",
				"The slip that goes into the parcel, as PDF: the return's number as a bar code, what comes back and why, and where it goes.",
				paper.Media, getReturnSlip).
				Extension().Raises(returns.ErrNotFound),
		}}
}

// PortalReturnLine is what comes back of an order line.
type PortalReturnLine struct {
	wire.ReturnLine
	ItemID rest.Text `json:"itemId" format:"uuid"`
	Unit   rest.Text `json:"unit"`
}

// PortalReturn is a return of the customer.
type PortalReturn struct {
	rest.Located `of:"ID" self:"/ecom/portal/returns/"`
	rest.WideTag
	ID string `json:"id" format:"uuid"`
	wire.Return
	OrderID    string             `json:"orderId" format:"uuid"`
	ReturnDate day.Date           `json:"returnDate"`
	Notes      rest.Text          `json:"notes" of:"ExternalNotes"`
	Lines      []PortalReturnLine `json:"lines"`
}

var portalReturnOf = rest.Shown[PortalReturn, returns.Return]()

type listPortalReturnsIn struct {
	rest.Paging
	Search string         `query:"search" doc:"Part of the return number."`
	Status returns.Status `query:"status"`
}

func listPortalReturns(tx *db.Tx, in listPortalReturnsIn) (rest.Paged[PortalReturn], error) {
	f := returns.Filter{CustomerID: storefront.Of(tx).Customer.ID, Search: in.Search, Status: in.Status}
	found, err := returns.List(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, portalReturnOf), err
}

func getPortalReturn(tx *db.Tx, in rest.ID) (PortalReturn, error) {
	if err := portal.NeedFor(tx, portal.ReadReturns, returns.ErrNotFound, in.ID); err != nil {
		return PortalReturn{}, err
	}
	r, err := portal.FindReturn(tx, in.ID)
	return portalReturnOf(r), err
}

type newPortalReturnLine struct {
	OrderLineNumber int       `json:"orderLineNumber" of:"OrderLine" req:"true"`
	Quantity        dec.Dec   `json:"quantity" req:"true" gt:"0"`
	Condition       rest.Text `json:"condition"`
	Notes           rest.Text `json:"notes" text:"note"`
}

type createPortalReturnIn struct {
	Body struct {
		OrderID     rest.Text             `json:"orderId" format:"uuid" doc:"An order of the customer who is signed in."`
		OrderNumber rest.Text             `json:"orderNumber" doc:"Instead of orderId, with returnCode: without a sign-in."`
		ReturnCode  rest.Text             `json:"returnCode" doc:"Printed on the return slip."`
		Reason      returns.Reason        `json:"reason" req:"true"`
		Lines       []newPortalReturnLine `json:"lines" req:"true" minItems:"1" maxItems:"5000"`
		Notes       rest.Text             `json:"notes" text:"note"`
	}
}

func (in createPortalReturnIn) slip() portal.Slip {
	return portal.Slip{OrderID: string(in.Body.OrderID), OrderNumber: string(in.Body.OrderNumber),
		Code: string(in.Body.ReturnCode)}
}

// trySlip counts return codes that are not the order's.
func (e Access) trySlip(a *rest.Ahead, s portal.Slip) error {
	if !s.Named() {
		return nil
	}
	if err := come(a); err != nil {
		return err
	}
	_, err := e.Guard.Try(a.Context, &throttle.ReturnCode, stranger(a, s.OrderNumber), func() (bool, error) {
		err := a.Read(func(tx *db.Tx) error {
			_, err := portal.FindReturnable(tx, s)
			return err
		})
		return !fault.Is(err, portal.ErrReturnCode), nil // what else is wrong the operation says
	})
	return err
}

var portalReturnLines = rest.Written[[]newPortalReturnLine, []returns.NewLine]()

func createPortalReturn(tx *db.Tx, in createPortalReturnIn) (PortalReturn, error) {
	o, err := portal.FindReturnable(tx, in.slip())
	if fault.Is(err, sales.ErrNotFound) {
		err = returns.ErrOrderNotFound.At("orderId", "there is no order with this id")
	}
	if err != nil {
		return PortalReturn{}, err
	}
	r, err := returns.Create(tx, returns.New{OrderNumber: o.Number, Reason: in.Body.Reason,
		ExternalNotes: string(in.Body.Notes), Lines: portalReturnLines(in.Body.Lines)})
	if in.Body.OrderID != "" {
		err = orderNamedByID(err)
	}
	return portalReturnOf(r), err
}

// orderNamedByID says of what is wrong with the order that it is wrong with the id that it was asked for by.
func orderNamedByID(err error) error {
	if !fault.Is(err, returns.ErrNoDelivered) {
		return err
	}
	f := *fault.As(err)
	f.Fields = slices.Clone(f.Fields)
	for i := range f.Fields {
		if f.Fields[i].Path == "orderNumber" {
			f.Fields[i].Path = "orderId"
		}
	}
	return &f
}

// ReturnableLine is a delivered line of an order.
type ReturnableLine struct {
	OrderLineNumber    int       `json:"orderLineNumber"`
	ItemID             rest.Text `json:"itemId" format:"uuid"`
	ItemNumber         rest.Text `json:"itemNumber"`
	Description        string    `json:"description"`
	Unit               rest.Text `json:"unit"`
	DeliveredQuantity  dec.Dec   `json:"deliveredQuantity"`
	ReturnableQuantity dec.Dec   `json:"returnableQuantity" doc:"What has neither come back nor been announced."`
}

type listReturnableLinesIn struct {
	rest.Paging
	OrderID     string `query:"orderId" format:"uuid" doc:"An order of the customer who is signed in."`
	OrderNumber string `query:"orderNumber" doc:"Instead of orderId, with returnCode: without a sign-in."`
	ReturnCode  string `query:"returnCode" doc:"Printed on the return slip."`
}

func (in listReturnableLinesIn) slip() portal.Slip {
	return portal.Slip{OrderID: in.OrderID, OrderNumber: in.OrderNumber, Code: in.ReturnCode}
}

func listReturnableLines(tx *db.Tx, in listReturnableLinesIn) (out rest.Paged[ReturnableLine], err error) {
	o, err := portal.FindReturnable(tx, in.slip())
	if err != nil {
		return out, err
	}
	left, err := returns.Left(tx, &o)
	if err != nil {
		return out, err
	}
	lines := each.Where(o.Lines, func(l sales.Line) bool { return l.Ships() && left[l.Number] > 0 })
	return rest.PageOfAll(lines, in.Paging, func(l sales.Line) ReturnableLine {
		return ReturnableLine{l.Number, rest.Text(l.ItemID), rest.Text(l.Item), l.Description, rest.Text(l.Unit),
			l.Delivered, left[l.Number]}
	}), nil
}
