package shipping

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/dec"
)

// Parcel is goods of one order line that left, told apart as far as the picker did. Quantities are base units.
type Parcel struct {
	ShipmentID    string
	Line, Pick    int // Pick 0 = the goods of the line that nobody named
	OrderLine     int
	ItemID, Item  string
	Tracking      catalog.TrackingType
	Batch, Serial string
	Quantity      dec.Dec
	Returned      dec.Dec  // of it came back already
	UnitCost      *dec.Dec // of one base unit when it left
}

// Left is what of the parcel has not come back.
func (p Parcel) Left() dec.Dec { return p.Quantity.Sub(p.Returned) }
