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
		say, held := wordsOf(r.Language), sh.Held()
		for i := range held {
			l := *held[i].Line
			l.ItemName = say.with(chosen[sales.At{OrderID: l.OrderID, Line: l.OrderLine}], l.ItemName)
			held[i].Line = &l
			if o := orders[record.Fold(l.OrderNumber)]; o != nil && o.Line(l.OrderLine) != nil {
				held[i].Ordered = o.Line(l.OrderLine).Quantity
			}
		}
		return DeliveryNote(s, r, sh, held, codes, notes...)
	})
}

// DeliveryNote prints what a shipment holds, to be laid into it, with its number as a bar code. codes are the return
// codes of its orders by their numbers, as far as they have any: who bought without an account returns by them. notes
// are those of its orders.
func DeliveryNote(s Sender, r Receiver, sh shipping.Shipment, held []shipping.Held, codes map[string]string,
	notes ...string) (File, error) {
	p := newSheet(s, r)
	p.letterhead(p.say.DeliveryNote, sh.Number)
	p.y = 84
	p.barcode(sh.Number, 28)
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
	for _, h := range held {
		p.row(columns, h.OrderNumber, h.Item, strings.Join(append([]string{h.ItemName}, p.under(h)...), "\n"),
			p.quantity(h.Quantity, h.Unit))
	}
	p.y += 4
	p.rule()
	for _, note := range notes {
		p.y += lineHeight
		p.prose(plain, textSize, note)
	}
	p.foot()
	return p.file("delivery-note-" + sh.Number)
}

// under says of a line what was ordered where that is something else, which batches and serial numbers it holds, and
// of several batches how much of each.
func (p *sheet) under(h shipping.Held) (lines []string) {
	if h.Ordered != 0 && h.Ordered != h.Quantity {
		lines = append(lines, p.say.Ordered+": "+p.quantity(h.Ordered, h.Unit))
	}
	for _, b := range h.Batches {
		if b.Number != "" {
			said := p.say.Batch + " " + b.Number
			if len(h.Batches) > 1 {
				said += ": " + p.quantity(b.Quantity, h.Unit)
			}
			lines = append(lines, said)
		}
		if len(b.Serials) > 0 {
			lines = append(lines, p.say.Serials+" "+strings.Join(b.Serials, ", "))
		}
	}
	return lines
}
