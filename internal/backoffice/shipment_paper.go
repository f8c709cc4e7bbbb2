package backoffice

import (
	"strings"

	"github.com/signintech/gopdf"

	"kontor/internal/page"
)

// deliveryNote prints what a shipment holds, to be laid into it.
func deliveryNote(c *page.Ctx) (page.Paper, error) {
	s, err := loadShipment(c)
	if err != nil {
		return page.Paper{}, err
	}
	p := newPaper()
	p.write("bold", 15, paperLeft, 260, gopdf.Left, c.Tx.Info.Name)
	p.write("bold", 15, 320, paperRight-320, gopdf.Right, c.Say("Delivery note"))
	end := p.block(paperLeft, 120, 240, c.Say("To"), address(s.DeliveryAddress))
	p.y = 120
	for _, f := range [][2]string{{c.Say("Shipment"), s.Number}, {c.Say("Customer"), s.CustomerNumber}, {c.Say("Orders"), strings.Join(s.OrderNumbers(), ", ")},
		{c.Say("Shipping method"), s.ShippingMethodName}, {c.Say("Tracking number"), s.TrackingNumber}, {c.Say("Left"), c.Show(page.At(s.ShippedDate))}} {
		p.pair(330, paperRight-330, "text", f[0], f[1])
	}
	p.y = max(end, p.y) + 2*paperHeader
	columns := []column{{c.Say("Order"), paperLeft, 76, false}, {c.Say("Item"), 132, 96, false}, {c.Say("Name"), 232, 226, false}, {c.Say("Quantity"), 462, paperRight - 462, true}}
	p.heads(columns)
	for i := range s.Lines {
		l := &s.Lines[i]
		if p.room(paperLine) {
			p.heads(columns)
		}
		p.row("text", paperText, columns, []string{l.OrderNumber, l.Item, l.ItemName, c.Show(page.Qty(l.Quantity)) + " " + l.Unit})
	}
	body, err := p.bytes()
	return page.Paper{Name: "delivery-note-" + s.Number + ".pdf", Media: "application/pdf", Body: body, Inline: true}, err
}
