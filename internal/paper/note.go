package paper

import (
	"strings"

	"kontor/internal/shipping"
)

// DeliveryNote prints what a shipment holds, to be laid into it.
func DeliveryNote(s Sender, r Receiver, sh shipping.Shipment) (File, error) {
	p := newSheet(s, r)
	p.letterhead(p.say.DeliveryNote)
	p.address(p.say.To, sh.DeliveryAddress, pair{p.say.Shipment, sh.Number}, pair{p.say.Customer, sh.CustomerNumber}, pair{p.say.Orders, strings.Join(sh.OrderNumbers(), ", ")},
		pair{p.say.ShippingMethod, sh.ShippingMethodName}, pair{p.say.TrackingNumber, sh.TrackingNumber}, pair{p.say.Left, p.moment(sh.ShippedDate)})
	columns := []column{{p.say.Order, leftEdge, 76, short}, {p.say.Item, 132, 96, short}, {p.say.Name, 232, 226, whole}, {p.say.Quantity, 462, rightEdge - 462, figure}}
	p.heads(columns)
	for i := range sh.Lines {
		l := &sh.Lines[i]
		p.row(columns, l.OrderNumber, l.Item, l.ItemName, p.quantity(l.Quantity, l.Unit))
	}
	return p.file("delivery-note-" + sh.Number)
}
