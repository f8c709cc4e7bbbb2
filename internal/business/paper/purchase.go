package paper

import (
	"cmp"

	"github.com/signintech/gopdf"

	"kontor/internal/business/party"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// Purchase is what a purchase order shows its supplier.
type Purchase struct {
	Order     purchasing.Order
	Supplier  purchasing.Supplier
	Theirs    map[string]purchasing.SupplierItem // by item id: the numbers under which the supplier knows the items
	DeliverTo party.Postal
}

// SupplierLanguage is the language in which a supplier is written to: its own, else that of business in its country or
// the company's.
func SupplierLanguage(tx *db.Tx, s purchasing.Supplier) string {
	return cmp.Or(s.LanguageCode, reference.LanguageOf(cmp.Or(s.CountryCode, tx.Info.Country)))
}

// PurchaseFor prints a purchase order for its supplier. Supplier.NotFound.
func PurchaseFor(tx *db.Tx, o purchasing.Order) (File, error) {
	s, err := SenderOf(tx)
	if err != nil {
		return File{}, err
	}
	p := Purchase{Order: o}
	if p.Supplier, err = purchasing.FindSupplier(tx, o.SupplierNumber); err != nil {
		return File{}, err
	}
	ids := each.Of(o.Lines, func(v purchasing.OrderLine) string { return v.ItemID })
	if p.Theirs, err = purchasing.OffersOf(tx, p.Supplier, ids); err != nil {
		return File{}, err
	}
	if p.DeliverTo, err = addressOf(tx, o.WarehouseCode); err != nil {
		return File{}, err
	}
	to := party.Customer{Name: p.Supplier.Name, CountryCode: p.Supplier.CountryCode}
	return PurchaseOrder(s, Receiver{Customer: to, Language: SupplierLanguage(tx, p.Supplier)}, p)
}

// PurchaseOrder prints what a supplier is to deliver, at which prices, where and when.
func PurchaseOrder(s Sender, r Receiver, b Purchase) (File, error) {
	p, o := newSheet(s, r), &b.Order
	title := p.say.PurchaseOrder
	if o.Status == purchasing.Drafted {
		title += " (" + p.say.Draft + ")"
	}
	p.letterhead(title, o.Number)
	to := b.Supplier.Postal()
	to.Email, to.Phone = "", ""
	p.address(p.say.To, to, pair{p.say.Number, o.Number}, pair{p.say.Date, p.date(o.OrderDate)},
		pair{p.say.RMANumber, o.SupplierReference}, pair{p.say.Customer, b.Supplier.OurCustomerNumber},
		pair{p.say.WantedBy, p.date(o.ExpectedDate)})
	p.y = p.block(leftEdge, p.y, rightEdge-leftEdge, p.say.DeliverTo, p.lines(b.DeliverTo)) + lineHeight
	p.purchaseLines(b)
	p.room(3 * lineHeight)
	p.pairs(bold, pair{p.say.WithoutTax + " " + o.CurrencyCode, p.number(o.Total, o.Digits)})
	if o.Notes != "" {
		p.y += lineHeight
		p.prose(plain, textSize, o.Notes)
	}
	if o.Status == purchasing.Cancelled {
		p.y += gap
		p.room(lineHeight)
		p.write(bold, textSize, leftEdge, rightEdge-leftEdge, gopdf.Left, p.say.OrderCancelled)
	}
	p.foot()
	return p.file("purchase-order-" + o.Number)
}

func (p *sheet) purchaseLines(b Purchase) {
	columns := []column{{p.say.YourItem, leftEdge, 84, whole}, {p.say.Description, 140, 150, whole},
		{p.say.WantedBy, 294, 64, figure}, {p.say.Quantity, 362, 56, figure}, {p.say.Price, 422, 56, figure},
		{p.say.Total, 482, rightEdge - 482, figure}}
	p.heads(columns)
	for i := range b.Order.Lines {
		l := &b.Order.Lines[i]
		theirs := b.Theirs[l.ItemID]
		what := cmp.Or(theirs.TheirName, l.Description)
		if l.Item != "" {
			what += "\n" + l.Item
		}
		p.row(columns, theirs.TheirNumber, what, p.date(l.ExpectedDate), p.quantity(l.Quantity, l.Unit),
			p.number(l.UnitPrice, b.Order.Digits), p.number(l.LineTotal, b.Order.Digits))
	}
	p.y += 4
	p.rule()
}
