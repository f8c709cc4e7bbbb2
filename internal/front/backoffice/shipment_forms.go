package backoffice

import (
	"strconv"

	"kontor/internal/business/shipping"
	"kontor/internal/foundation/db"
	"kontor/internal/front/page"
)

func packageNumber(c *page.Ctx) (int, error) {
	n, err := strconv.Atoi(c.Path("package"))
	if err != nil {
		return 0, shipping.ErrPackageNotFound.Because("the shipment has no package %q", c.Path("package"))
	}
	return n, nil
}

func packageFields(p *shipping.Package) []page.Field {
	return []page.Field{page.Code("trackingNumber", "Tracking number", &p.TrackingNumber),
		page.Maybe("weightKg", "Weight, kg", &p.WeightKg), page.Maybe("lengthCm", "Length, cm", &p.LengthCm),
		page.Maybe("widthCm", "Width, cm", &p.WidthCm), page.Maybe("heightCm", "Height, cm", &p.HeightCm),
		page.Text("notes", "Notes", &p.Notes)}
}

func packAction(may func(shipping.Shipment) bool) page.Action[shipping.Shipment] {
	a := page.Action[shipping.Shipment]{Name: "pack", Label: "Packed", When: may,
		Confirm: "Packing is closed, with further packages where there are any."}
	return page.Ask(a, nil,
		func(_ *page.Ctx, _ shipping.Shipment, v *[]shipping.Package) []page.Field {
			return []page.Field{page.Lines("packages", "Packages", v, packageFields)}
		},
		told("The shipment is packed.", shipping.Pack, shipmentNumber))
}

func addPackage(may func(shipping.Shipment) bool) page.Action[shipping.Shipment] {
	a := page.Action[shipping.Shipment]{Name: "package", Label: "Add a package", When: may}
	return page.Ask(a, nil,
		func(_ *page.Ctx, _ shipping.Shipment, p *shipping.Package) []page.Field { return packageFields(p) },
		func(c *page.Ctx, s shipping.Shipment, p shipping.Package) (page.Done, error) {
			_, p, err := shipping.AddPackage(c.Tx, s.Number, p)
			return page.Did("Package %d is added.", p.Number), err
		})
}

func bookAction(may func(shipping.Shipment) bool) page.Action[shipping.Shipment] {
	a := page.Action[shipping.Shipment]{Name: "book", Label: "Book the carrier",
		When: may, Confirm: "What the carrier gave; both may be left empty."}
	return page.Ask(a,
		func(_ *page.Ctx, s shipping.Shipment) (shipping.Booking, error) {
			return shipping.Booking{TrackingNumber: s.TrackingNumber, BookingID: s.ExternalBookingID}, nil
		},
		func(_ *page.Ctx, _ shipping.Shipment, b *shipping.Booking) []page.Field {
			return []page.Field{page.Code("trackingNumber", "Tracking number", &b.TrackingNumber),
				page.Code("externalBookingId", "Booking", &b.BookingID)}
		},
		told("The carrier is booked.", shipping.BookCarrier, shipmentNumber))
}

func handOver(may func(shipping.Shipment) bool) page.Action[shipping.Shipment] {
	a := page.Action[shipping.Shipment]{Name: "hand-over", Label: "Hand over", Tone: page.Primary, When: may,
		Confirm: "The goods leave the stock. What was picked short goes back to its orders as a back-order."}
	return page.Ask(a, nil,
		func(_ *page.Ctx, _ shipping.Shipment, at *db.Time) []page.Field {
			return []page.Field{page.Moment("shippedDate", "When", at).Hint("Empty: now.")}
		},
		told("The goods are handed over.", shipping.HandOver, shipmentNumber))
}
