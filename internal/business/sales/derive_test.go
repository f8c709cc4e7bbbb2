package sales

import (
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func untouched(*Line) {}

func goods(quantity, allocated, onShipment, delivered, returned, unbilled, invoiced string) Line {
	return Line{ItemID: "i", Type: catalog.Stock, Factor: dec.One, Quantity: dec.Must(quantity),
		Allocated: dec.Must(allocated), OnShipment: dec.Must(onShipment), Delivered: dec.Must(delivered),
		Returned: dec.Must(returned), ReturnedUnbilled: dec.Must(unbilled), Invoiced: dec.Must(invoiced)}
}

func service(quantity, invoiced string) Line {
	return Line{ItemID: "s", Type: catalog.Service, Factor: dec.One, Quantity: dec.Must(quantity),
		Invoiced: dec.Must(invoiced)}
}

func TestDerive(t *testing.T) {
	for name, c := range map[string]struct {
		order     Order
		status    Status
		delivery  DeliveryStatus
		percent   string
		invoicing InvoicedStatus
	}{
		"nothing delivered": {Order{Status: Released, Lines: []Line{goods("4", "4", "2", "0", "0", "0", "0")}},
			Released, NotDelivered, "0", NotInvoiced},
		"a third, rounded down": {Order{Status: Released, Lines: []Line{goods("3", "0", "0", "1", "0", "0", "0")}},
			Released, PartiallyDelivered, "33.33", NotInvoiced},
		"nearly all is not all": {Order{Status: Released,
			Lines: []Line{goods("100000", "0", "0", "99999.999", "0", "0", "0")}}, Released, PartiallyDelivered,
			"99.99", NotInvoiced},
		"freight goes with goods": {Order{Status: Released, Lines: []Line{goods("3", "0", "0", "1", "0", "0", "1"),
			service("1", "0")}}, Released, PartiallyDelivered, "50", PartiallyInvoiced},
		"freight alone": {Order{Status: Released, Lines: []Line{service("1", "0")}}, Released,
			FullyDelivered, "100", NotInvoiced},
		"freight alone, placed": {Order{Status: Placed, Lines: []Line{service("1", "0")}}, Placed, NotDelivered, "0",
			NotInvoiced},
		"all delivered, invoiced": {Order{Status: Released, Lines: []Line{goods("3", "0", "0", "3", "0", "0", "3")}},
			Closed, FullyDelivered, "100", FullyInvoiced},
		"what came back unbilled": {Order{Status: Released, Lines: []Line{goods("3", "0", "0", "3", "1", "1", "2")}},
			Closed, FullyDelivered, "100", FullyInvoiced},
		"all of it came back": {Order{Status: Released, Lines: []Line{goods("3", "0", "0", "3", "3", "3", "0")}},
			Closed, FullyDelivered, "100", FullyInvoiced},
		"invoice taken back": {Order{Status: Closed, Lines: []Line{goods("3", "0", "0", "3", "0", "0", "2")}},
			Released, FullyDelivered, "100", PartiallyInvoiced},
		"closed by hand": {Order{Status: Closed, GivenUp: true,
			Lines: []Line{goods("3", "0", "0", "1", "0", "0", "1")}}, Closed, PartiallyDelivered, "33.33",
			PartiallyInvoiced},
		"services, closed by hand": {Order{Status: Closed, GivenUp: true, Lines: []Line{service("1", "0")}}, Closed,
			NotDelivered, "0", NotInvoiced},
		"cancelled": {Order{Status: Cancelled, Lines: []Line{goods("3", "0", "0", "0", "0", "0", "0"),
			service("1", "0")}}, Cancelled, NotDelivered, "0", NotInvoiced},
	} {
		o := c.order
		derive(&o, untouched)
		if o.Status != c.status || o.Delivery != c.delivery || o.DeliveredPercent != dec.Must(c.percent) ||
			o.Invoicing != c.invoicing {
			t.Errorf("%s: %s %s %s %s", name, o.Status, o.Delivery, o.DeliveredPercent, o.Invoicing)
		}
	}
}

func TestPlannedIsWhenAllIsReserved(t *testing.T) {
	o := Order{Status: Placed, Head: Head{OrderDate: "2026-01-01", RequestedDeliveryDate: "2026-02-01"},
		Lines: []Line{goods("3", "3", "0", "0", "0", "0", "0"), goods("3", "1", "0", "2", "0", "0", "0")}}
	o.Lines[1].RequestedDeliveryDate = "2026-03-01"
	derive(&o, untouched)
	if o.PlannedDeliveryDate != "2026-03-01" || o.Lines[0].PlannedDeliveryDate != "2026-02-01" {
		t.Errorf("%s, line %s", o.PlannedDeliveryDate, o.Lines[0].PlannedDeliveryDate)
	}
	o.Lines[0].Allocated = dec.One
	derive(&o, untouched)
	if o.PlannedDeliveryDate != "" || o.Lines[1].PlannedDeliveryDate != "2026-03-01" {
		t.Errorf("%q, line %s", o.PlannedDeliveryDate, o.Lines[1].PlannedDeliveryDate)
	}
}

func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		quantity, price, discount, tax string
		digits                         int
		inclusive                      bool
		net, vat                       string
	}{
		{"3", "12.5", "0", "25", 2, false, "37.5", "9.38"},
		{"1", "9.995", "0", "25", 2, false, "10", "2.5"},
		{"1", "0.125", "0", "0", 2, false, "0.13", "0"},
		{"7", "1.2345", "12.5", "25", 2, false, "7.56", "1.89"},
		{"3", "100", "0", "10", 0, false, "300", "30"},
		{"2", "10", "0", "25", 2, true, "16", "4"},
		{"3", "19.99", "10", "25", 2, true, "43.18", "10.79"},
		{"1", "10", "100", "25", 2, false, "0", "0"},
	} {
		o := Order{Digits: c.digits, Lines: []Line{{Factor: dec.One, Quantity: dec.Must(c.quantity),
			UnitPrice: dec.Must(c.price), DiscountPercent: dec.Must(c.discount), TaxPercent: dec.Must(c.tax),
			IsPriceIncludingTax: c.inclusive}}}
		derive(&o, untouched)
		if o.TotalAmount != dec.Must(c.net) || o.TotalVAT != dec.Must(c.vat) {
			t.Errorf("%+v: %s and %s", c, o.TotalAmount, o.TotalVAT)
		}
	}
}

// Whatever is booked, and however often, either it is refused or the line keeps within its bounds, deriving again
// changes nothing, and what is billable was delivered.
func TestBookingKeepsBounds(t *testing.T) {
	quantity := func(name string, from int) *rapid.Generator[dec.Dec] {
		return rapid.Custom(func(t *rapid.T) dec.Dec { return dec.Int(int64(rapid.IntRange(from, 5).Draw(t, name))) })
	}
	rapid.Check(t, func(t *rapid.T) {
		o := Order{Number: "O", Status: Released, Lines: []Line{goods("10", "0", "0", "0", "0", "0", "0"),
			service("2", "0")}}
		o.Lines[0].Number, o.Lines[1].Number = 1, 2
		derive(&o, untouched)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			is := o.clone()
			d := Delta{Line: rapid.IntRange(1, 2).Draw(t, "line"), Returned: quantity("returned", 0).Draw(t, "r"),
				Invoiced: quantity("invoiced", -2).Draw(t, "i")}
			if d.Line == 1 {
				d.Allocated, d.OnShipment, d.Delivered = quantity("a", -3).Draw(t, "a"), quantity("s", -3).Draw(t, "s"),
					quantity("d", -3).Draw(t, "d")
			}
			b := open(&is)
			if err := b.apply(&d); err != nil {
				t.Fatal(err)
			}
			var wrong fault.List
			is.Line(d.Line).check(&wrong, "lines[0]", is.Number)
			if !wrong.Empty() {
				continue
			}
			derive(&is, b.touch)
			o = is
			for i := range o.Lines {
				l := &o.Lines[i]
				l.check(&wrong, "lines[0]", o.Number)
				if l.Billable() > l.Delivered || l.ReturnedUnbilled > l.Returned || l.Missing() > 0 && l.Missing().
					Add(l.Allocated).Add(l.Delivered) != l.Quantity {
					t.Fatalf("line %+v", l)
				}
			}
			again := o.clone()
			if derive(&again, func(l *Line) { t.Fatalf("derived twice, line %d changes", l.Number) }); !wrong.Empty() ||
				again.Status != o.Status {
				t.Fatalf("%v, %s then %s", wrong.Fields(), o.Status, again.Status)
			}
		}
	})
}

func TestEveryMoveIsGrantedOrRefused(t *testing.T) {
	for _, from := range append(Status("").Values(), "") {
		for verb := range Moves {
			if to, err := Moves.Check(ErrInvalidStatus, "order", "1", from, verb); err != nil {
				if to != from || !fault.Is(err, ErrInvalidStatus) {
					t.Errorf("%s from %s: %s, %v", verb, from, to, err)
				}
			} else if to == "" {
				t.Errorf("%s leads to no status", verb)
			}
		}
	}
}

func TestWholeUnits(t *testing.T) {
	for _, c := range []struct {
		factor, wanted, got, want string
		decimals                  int
	}{
		{"1", "5", "3", "3", 0}, {"12", "36", "36", "3", 0}, {"12", "36", "35", "2", 0}, {"12", "36", "11", "0", 0},
		{"0.3", "0.9", "0.8", "2", 0}, {"3", "3", "2", "0.6", 1}, {"0.333333", "0.999999", "0.666665", "1", 0},
	} {
		l := Line{ItemID: "i", Type: catalog.Stock, Factor: dec.Must(c.factor), Decimals: c.decimals}
		l.Quantity = dec.Must(c.wanted).Div(l.Factor)
		claim := want{line: &l}.claim()
		claim.Got = dec.Must(c.got)
		if got := l.units(claim); got != dec.Must(c.want) {
			t.Errorf("%s of %s at %s: %s units, want %s", c.got, c.wanted, c.factor, got, c.want)
		}
	}
}
