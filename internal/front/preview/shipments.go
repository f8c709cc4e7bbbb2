package preview

import (
	"strconv"

	"kontor/internal/business/catalog"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Shipments are the way of goods out of the warehouse, from release to delivery.
func Shipments() rest.Group {
	moved := []rest.Op{
		rest.Do("pickShipment", "/shipments/{shipmentNumber}/pick",
			"Records picked quantities, which add up; without lines everything still open is picked.",
			rest.Told[pickBody](shownShipmentDetail, shipping.PickGoods)).
			Raises(shipping.ErrLineNotFound, shipping.ErrExceedsLine, shipping.ErrTrackingRequired,
				shipping.ErrLocationNotFound, shipping.ErrInvalid, catalog.ErrTooManyDecimals, stock.ErrNotTracked,
				stock.ErrInsufficient).
			Example(
				`{"lines": [{"orderNumber": "SO-100001", "orderLineNumber": 1, "pickedQuantity": "3", "locationCode": "A-01"}]}`),
		rest.Do("packShipment", "/shipments/{shipmentNumber}/pack",
			"Records packing, optionally with the packages; goods the customer fetches are ready then.",
			rest.Told[packBody](shownShipmentDetail, shipping.Pack)).
			Raises(shipping.ErrInvalid).Example(`{"packages": [{"weightKg": "2.4", "lengthCm": "40", "widthCm": "30", "heightCm": "20"}]}`),
		rest.Do("bookShipment", "/shipments/{shipmentNumber}/book",
			"Books the carrier, with the tracking number it gave.",
			rest.Told[bookBody](shownShipmentDetail, shipping.BookCarrier)).
			Raises(shipping.ErrIsPickup).Example(`{"trackingNumber": "SE123456789"}`),
		rest.Do("handOverShipment", "/shipments/{shipmentNumber}/hand-over",
			"Hands the goods over: issues the picked stock, updates the orders and invoices where the order type says so.",
			rest.Told[handOverBody](shownShipmentDetail, shipping.HandOver)).
			Raises(stock.ErrInsufficient, record.ErrInFuture).Example(`{"shippedDate": "2026-03-02T14:30:00Z"}`),
		rest.Do("deliverShipment", "/shipments/{shipmentNumber}/deliver", "Marks the shipment delivered.",
			rest.Told[deliverBody](shownShipmentDetail, shipping.Deliver)).
			Raises(shipping.ErrInvalid, record.ErrInFuture).Example(`{"deliveredDate": "2026-03-04T09:15:00Z"}`),
		rest.Do("cancelShipment", "/shipments/{shipmentNumber}/cancel",
			"Cancels the shipment before hand-over; its quantities stay allocated to their orders.",
			shownShipmentDetail.Of(shipping.Cancel)),
		rest.Create("createShipmentPackage", "/shipments/{shipmentNumber}/packages", "Adds a package.", createPackage).
			Raises(shipping.ErrInvalid).Example(`{"weightKg": "2.4"}`),
		rest.Patch("updateShipmentPackage", "/shipments/{shipmentNumber}/packages/{packageNumber}",
			"Changes a package.", updatePackage).
			Raises(shipping.ErrPackageNotFound, shipping.ErrInvalid).Example(`{"weightKg": "2.6"}`),
		rest.Delete("deleteShipmentPackage", "/shipments/{shipmentNumber}/packages/{packageNumber}",
			"Removes a package.", rest.OfLine(rest.Tagged[shipping.Shipment](), shipping.RemovePackage)).
			Raises(shipping.ErrPackageNotFound),
	}
	for i := range moved {
		moved[i] = moved[i].Raises(shipping.ErrNotFound, shipping.ErrInvalidStatus)
	}
	return rest.Group{Tag: "Shipments", Scope: "shipments",
		Doc: "Physical fulfilment, from warehouse release to delivery. A shipment can cover several orders, and an order several shipments.",
		Ops: append([]rest.Op{
			rest.List("listShipments", "/shipments", "Shipments by number, each with all its lines.",
				rest.Lists[listShipmentsIn](shownShipment, shipping.List)).
				Cached(), rest.Create("createShipment", "/shipments",
				"Ships what is allocated to one or several orders and on no other shipment.",
				rest.Creates[createShipmentRequest](shownShipmentDetail, shipping.Create)).
				Raises(shipping.ErrOrderNotFound, shipping.ErrOrderStatus, shipping.ErrNoDeliveryAddress,
					shipping.ErrNoAllocations, shipping.ErrNoDeliverable, shipping.ErrNoMethod,
					shipping.ErrMethodNotFound, shipping.ErrDifferentCustomers, shipping.ErrDifferentAddresses,
					shipping.ErrDifferentMethods, shipping.ErrShipGroup).
				Example(`{"orderNumbers": ["SO-100001"], "shippingMethodCode": "PARCEL"}`),
			rest.Get("getShipment", "/shipments/{shipmentNumber}", "One shipment with its packages.",
				shownShipmentDetail.Of(shipping.Find)).
				Raises(shipping.ErrNotFound).CachedOne(shipping.Shipments),
			rest.Patch("updateShipment", "/shipments/{shipmentNumber}",
				"Changes method, dates, goods label, incoterms or notes before hand-over.",
				rest.Edits[shipmentFields](shownShipmentDetail, shipping.Change)).
				Raises(shipping.ErrNotFound, shipping.ErrInvalidStatus, shipping.ErrNoMethod,
					shipping.ErrMethodNotFound).
				Example(`{"goodsLabel": "Fragile", "plannedShipDate": "2026-03-02"}`),
		}, moved...)}
}

// orderShipments is the part of the Orders group that shipping answers.
func orderShipments() rest.Op {
	return rest.List("listOrderShipments", "/orders/{orderNumber}/shipments",
		"The shipments of an order, scoped to its lines.", shownShipment.Parts(shipping.OfOrder)).
		Raises(sales.ErrNotFound)
}

// ShipmentLine is what a shipment holds of one order line.
type ShipmentLine struct {
	OrderNumber     string    `json:"orderNumber"`
	OrderLineNumber int       `json:"orderLineNumber" of:"OrderLine"`
	ItemNumber      string    `json:"itemNumber" of:"Item"`
	ItemName        string    `json:"itemName"`
	Quantity        dec.Dec   `json:"quantity"`
	PickedQuantity  dec.Dec   `json:"pickedQuantity" of:"Picked"`
	Unit            rest.Text `json:"unit"`
}

// Shipment is a shipment in lists.
type Shipment struct {
	wire.Shipment
	ShippingMethodCode rest.Text      `json:"shippingMethodCode"`
	Lines              []ShipmentLine `json:"lines"`
	Links              rest.Links     `json:"links" of:"Number" self:"/preview/shipments/"`
}

// ShipmentDetail is a shipment by itself.
type ShipmentDetail struct {
	rest.Tag
	Shipment
	DeliveryAddress       postalFields      `json:"deliveryAddress"`
	ExternalBookingID     rest.Text         `json:"externalBookingId" doc:"The carrier's reference."`
	GoodsLabel            rest.Text         `json:"goodsLabel"`
	IncotermsCode         rest.Text         `json:"incotermsCode"`
	Notes                 rest.Text         `json:"notes"`
	OrderNumbers          []string          `json:"orderNumbers"`
	Packages              []ShipmentPackage `json:"packages"`
	RequestedDeliveryDate rest.Date         `json:"requestedDeliveryDate"`
	WarehouseCode         rest.Text         `json:"warehouseCode"`
	ModifiedAt            rest.Time         `json:"modifiedDate"`
}

// packageFields are what may be written of a package.
type packageFields struct {
	TrackingNumber rest.Text `json:"trackingNumber"`
	WeightKg       *dec.Dec  `json:"weightKg" gt:"0"`
	LengthCm       *dec.Dec  `json:"lengthCm" gt:"0"`
	WidthCm        *dec.Dec  `json:"widthCm" gt:"0"`
	HeightCm       *dec.Dec  `json:"heightCm" gt:"0"`
	Notes          rest.Text `json:"notes" text:"note"`
}

// ShipmentPackage is one package of a shipment.
type ShipmentPackage struct {
	PackageNumber int `json:"packageNumber" of:"Number"`
	packageFields
}

// NewShipmentPackage is a package just added or changed, with the shipment's validator.
type NewShipmentPackage struct {
	rest.Tag
	rest.Located
	ShipmentPackage
}

var (
	packagesFields = rest.Alike[packageFields, shipping.Package]()
	packageOf      = rest.Shown[ShipmentPackage, shipping.Package]()
	packageWritten = rest.Written[packageFields, shipping.Package]()
)

var shownShipment = rest.Shows(rest.Shown[Shipment, shipping.Shipment]())

var shownShipmentDetail = rest.Shows(rest.Shown[ShipmentDetail, shipping.Shipment]())

func packageShown(s shipping.Shipment, p shipping.Package) NewShipmentPackage {
	self := rest.Self("/preview/shipments/", s.Number, "packages", strconv.Itoa(p.Number)).Self
	return NewShipmentPackage{rest.Tag{Value: s.ETag()}, rest.Located{Location: self},
		packageOf(p)}
}

type listShipmentsIn struct {
	rest.Paging
	Search        string          `query:"search" doc:"Part of shipment or tracking number."`
	OrderNumber   string          `query:"orderNumber" of:"Order"`
	Status        shipping.Status `query:"status"`
	WarehouseCode string          `query:"warehouseCode" of:"Warehouse"`
}

type createShipmentRequest struct {
	OrderNumbers       []string  `json:"orderNumbers" req:"true" minItems:"1" maxItems:"200" doc:"Several are consolidated: they must agree on customer, address and shipping method."`
	ShippingMethodCode rest.Text `json:"shippingMethodCode" of:"MethodCode" doc:"Left out: the orders' own."`
	Notes              rest.Text `json:"notes" text:"note"`
}

type shipmentFields struct {
	ShippingMethodCode    rest.Text `json:"shippingMethodCode"`
	PlannedShipDate       rest.Date `json:"plannedShipDate"`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
	GoodsLabel            rest.Text `json:"goodsLabel" text:"name"`
	IncotermsCode         rest.Text `json:"incotermsCode"`
	Notes                 rest.Text `json:"notes" text:"note"`
}

type pickBody struct {
	Lines []pickLine `json:"lines" maxItems:"5000" doc:"None: everything still open."`
}

type pickLine struct {
	OrderNumber     rest.Text `json:"orderNumber" doc:"May be left out while the shipment has one order."`
	OrderLineNumber int       `json:"orderLineNumber" of:"OrderLine" req:"true"`
	PickedQuantity  dec.Dec   `json:"pickedQuantity" of:"Quantity" req:"true" gt:"0" doc:"Adds to what was picked before."`
	LocationCode    rest.Text `json:"locationCode" of:"Location"`
	BatchNumber     rest.Text `json:"batchNumber" of:"Batch" doc:"Needed of batch-tracked items."`
	SerialNumbers   []string  `json:"serialNumbers" of:"Serials" doc:"Needed of serial-tracked items: one for each base unit."`
}

type packBody struct {
	Packages []packageFields `json:"packages" maxItems:"500"`
}

type bookBody struct {
	TrackingNumber    rest.Text `json:"trackingNumber"`
	ExternalBookingID rest.Text `json:"externalBookingId" of:"BookingID" doc:"The carrier's reference."`
}

type handOverBody struct {
	ShippedDate rest.Time `json:"shippedDate" doc:"Left out: now."`
}

type deliverBody struct {
	DeliveredDate rest.Time `json:"deliveredDate" doc:"Left out: now."`
}

func createPackage(tx *db.Tx, in rest.With[rest.Key, packageFields]) (NewShipmentPackage, error) {
	s, p, err := shipping.AddPackage(tx, in.At.Key, packageWritten(in.Body))
	return packageShown(s, p), err
}

func updatePackage(tx *db.Tx, in rest.With[rest.Line, rest.Merge[packageFields]]) (NewShipmentPackage, error) {
	s, p, err := shipping.ChangePackage(tx, in.At.Of, in.At.Number,
		rest.Laid(in.Body, packagesFields))
	return packageShown(s, p), err
}
