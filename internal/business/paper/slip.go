package paper

import (
	"cmp"
	"strings"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/foundation/db"
)

// Slip is what a return slip shows.
type Slip struct {
	Return returns.Return
	Code   string       // with the order's number it authorises a guest
	SendTo party.Postal // where the goods go
}

// SendTo reads where the goods of a return go: to its warehouse.
func SendTo(tx *db.Tx, r returns.Return) (party.Postal, error) { return addressOf(tx, r.WarehouseCode) }

// addressOf is where goods for a warehouse go: there, where it has an address, else to the company.
func addressOf(tx *db.Tx, warehouse string) (party.Postal, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return party.Postal{}, err
	}
	own := book.Profile()
	if w, ok := book.Warehouse(warehouse); ok && w.Street1 != "" && w.City != "" {
		return party.Postal{Name: own.LegalName, ContactPerson: w.Name, Street1: w.Street1, Street2: w.Street2,
			PostalCode: w.PostalCode, City: w.City, CountryCode: cmp.Or(w.CountryCode, own.CountryCode)}, nil
	}
	return party.Postal{Name: own.LegalName, Street1: own.Street1, Street2: own.Street2, PostalCode: own.PostalCode,
		City: own.City, CountryCode: own.CountryCode}, nil
}

// ReturnSlip prints what a customer puts into the parcel with the goods that go back: whose they are and why they come,
// with the return's number as a bar code, and where the parcel goes. The goods are those that were announced, also once
// they have arrived.
func ReturnSlip(s Sender, r Receiver, slip Slip) (File, error) {
	p := newSheet(s, r)
	back := slip.Return
	p.letterhead(p.say.ReturnSlip, back.Number)
	p.y = 84
	p.barcode(back.Number, 28)
	p.address(p.say.SendTo, slip.SendTo, pair{p.say.Return, back.Number}, pair{p.say.RMANumber, back.RMANumber},
		pair{p.say.Date, p.date(back.ReturnDate)}, pair{p.say.Order, back.OrderNumber},
		pair{p.say.ReturnCode, slip.Code}, pair{p.say.Customer, back.CustomerNumber}, pair{p.say.From, r.Customer.Name},
		pair{p.say.Reason, p.say.Reasons[back.Reason]})
	switch back.Status {
	case returns.Draft:
		p.prose(plain, textSize, p.say.SlipHow)
		p.prose(bold, textSize, p.say.NotApproved)
	case returns.Cancelled:
		p.prose(bold, textSize, p.say.ReturnCancelled)
	default:
		p.prose(plain, textSize, p.say.SlipHow)
	}
	p.y += lineHeight
	p.slipLines(back)
	if back.ExternalNotes != "" {
		p.y += lineHeight
		p.prose(plain, textSize, back.ExternalNotes)
	}
	p.foot()
	return p.file("return-slip-" + back.Number)
}

func (p *sheet) slipLines(back returns.Return) {
	columns := []column{{p.say.Item, leftEdge, 96, whole}, {p.say.Name, 152, 180, whole},
		{p.say.Condition, 340, 118, whole}, {p.say.Quantity, 462, rightEdge - 462, figure}}
	p.heads(columns)
	for i := range back.Lines {
		l := &back.Lines[i]
		if l.Registered == 0 {
			continue // it came with a line of another condition
		}
		condition := l.Condition
		if back.ReceivedDate != "" {
			condition = "" // as it was found, not as it was announced
		}
		p.row(columns, l.Item, strings.TrimSpace(l.ItemName+"\n"+l.Notes), condition, p.quantity(l.Registered, l.Unit))
	}
	p.y += 4
	p.rule()
}
