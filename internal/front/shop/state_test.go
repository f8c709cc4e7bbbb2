package shop

import (
	"strings"
	"testing"
)

// An order that the house has released is what its parcels are: what waits for goods is not being packed.
func TestAnOrderIsAsFarAsItsParcels(t *testing.T) {
	for _, c := range []struct{ status, delivery, parcels, want string }{
		{"Placed", "NotDelivered", "", "Placed"},
		{"Released", "NotDelivered", "", "Confirmed"},
		{"Released", "NotDelivered", "Cancelled", "Confirmed"},
		{"Released", "NotDelivered", "Picking", "Packing"},
		{"Released", "NotDelivered", "ReadyForPickup", "ReadyForPickup"},
		{"Released", "PartiallyDelivered", "Delivered", "PartiallyDelivered"},
		{"Released", "PartiallyDelivered", "InTransit", "PartiallyDelivered"},
		{"Released", "PartiallyDelivered", "Delivered Released", "Packing"},
		{"Released", "FullyDelivered", "Delivered InTransit", "InTransit"},
		{"Released", "FullyDelivered", "Delivered", "FullyDelivered"},
		{"Closed", "PartiallyDelivered", "Delivered", "Closed"},
	} {
		o := Order{Status: c.status, DeliveryStatus: c.delivery}
		for p := range strings.FieldsSeq(c.parcels) {
			o.Lines = append(o.Lines, OrderLine{Shipments: []Parcel{{ShipmentNumber: p, Status: p}}})
		}
		if got := o.State(); got != c.want {
			t.Errorf("%s, %s, with the parcels %q is %q, want %q", c.status, c.delivery, c.parcels, got, c.want)
		}
	}
}
