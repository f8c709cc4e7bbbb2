package paper

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// DeliveryNoteFor prints the delivery note of a shipment for its customer. Customer.NotFound.
func DeliveryNoteFor(tx *db.Tx, sh shipping.Shipment, codes map[string]string) (File, error) {
	orders, err := sales.FindMany(tx, sh.OrderNumbers())
	if err != nil {
		return File{}, err
	}
	chosen, err := sales.Chosen(tx, slices.Collect(maps.Values(orders))...)
	if err != nil {
		return File{}, err
	}
	notes := each.Given(sh.OrderNumbers(), func(number string) string {
		o := orders[record.Fold(number)]
		switch {
		case o == nil || o.Notes == "":
			return ""
		case len(orders) > 1:
			return number + ": " + o.Notes
		}
		return o.Notes
	})
	return For(tx, sh.CustomerNumber, sh.OrderNumbers(), sh.DeliveryAddress, func(s Sender, r Receiver) (File, error) {
		say := wordsOf(r.Language)
		sh.Lines = slices.Clone(sh.Lines)
		for i := range sh.Lines {
			l := &sh.Lines[i]
			l.ItemName = say.with(chosen[sales.At{OrderID: l.OrderID, Line: l.OrderLine}], l.ItemName)
		}
		return DeliveryNote(s, r, sh, codes, notes...)
	})
}

// DeliveryNote prints what a shipment holds, to be laid into it. codes are the return codes of its orders by their
// numbers, as far as they have any: who bought without an account returns by them. notes are those of its orders.
func DeliveryNote(s Sender, r Receiver, sh shipping.Shipment, codes map[string]string, notes ...string) (File, error) {
	p := newSheet(s, r)
	p.letterhead(p.say.DeliveryNote, sh.Number)
	facts := []pair{{p.say.Shipment, sh.Number}, {p.say.Customer, sh.CustomerNumber},
		{p.say.Orders, strings.Join(sh.OrderNumbers(), ", ")}, {p.say.ShippingMethod, sh.ShippingMethodName},
		{p.say.TrackingNumber, sh.TrackingNumber}, {p.say.Left, p.moment(sh.ShippedDate)}}
	for _, order := range sh.OrderNumbers() {
		code := codes[order]
		if code != "" && len(sh.OrderNumbers()) > 1 {
			code += " (" + order + ")"
		}
		facts = append(facts, pair{p.say.ReturnCode, code})
	}
	p.address(p.say.To, sh.DeliveryAddress, facts...)
	columns := []column{{p.say.Order, leftEdge, 76, whole}, {p.say.Item, 132, 96, whole}, {p.say.Name, 232, 226, whole},
		{p.say.Quantity, 462, rightEdge - 462, figure}}
	p.heads(columns)
	for i := range sh.Lines {
		l := &sh.Lines[i]
		p.row(columns, l.OrderNumber, l.Item, l.ItemName, p.quantity(l.Quantity, l.Unit))
	}
	for _, note := range notes {
		p.y += lineHeight
		p.prose(plain, textSize, note)
	}
	return p.file("delivery-note-" + sh.Number)
}
