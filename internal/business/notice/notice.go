// Package notice is what a store's buyers are told by mail of what becomes of their order: goods on their way, invoices
// and credit notes with the paper attached, returns that are approved or have arrived; and what suppliers are told:
// what is ordered of them. Each letter is caused by an event, in the transaction of what it tells of, so that there is
// one of each and none of what did not happen.
//
// Orders without a store (of the integration API, of the office, of an import) have no buyer who waits for mails:
// whoever placed them writes to their customers himself.
package notice

import (
	"cmp"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/configuration"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/paper"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// reader is who is written to about an order.
type reader struct {
	to     mail.Address
	lang   string
	store  channel.Channel
	letter letters.Store
	book   *reference.Book
}

// line is goods as the reader's mail names them, with what was chosen where they are made to order.
func (r *reader) line(number, name, unit string, quantity dec.Dec, chosen *configuration.Configuration,
) letters.ShippedLine {
	l := letters.ShippedLine{Number: number, Name: name, Unit: r.book.UnitWord(r.lang, unit), Quantity: quantity}
	if chosen != nil {
		l.Chosen = chosen.Summary(letters.YesNo(r.lang))
	}
	return l
}

// readerOf is who is written to about an order; nil where nobody is.
func readerOf(tx *db.Tx, o *sales.Order) (*reader, error) {
	if o.ChannelCode == "" || o.IsNew() {
		return nil, nil
	}
	return letterTo(tx, o)
}

// letterTo is readerOf for an order of whatever origin, at the first of these addresses that is one or the order's: one
// of no store is written about by the company.
func letterTo(tx *db.Tx, o *sales.Order, at ...party.Postal) (*reader, error) {
	var r reader
	for _, a := range append(at, o.DeliveryAddress, o.InvoiceAddress) {
		if mail.IsAddress(a.Email) {
			r.to = mail.Address{Name: cmp.Or(a.ContactPerson, a.Name), Email: a.Email}
			break
		}
	}
	if r.to.Email == "" {
		return nil, nil
	}
	var err error
	if r.store, err = channel.Find(tx, o.ChannelCode); fault.Is(err, channel.ErrNotFound) {
		r.store, err = channel.Channel{Name: cmp.Or(o.ChannelName, tx.Info.Name)}, nil
	}
	if err != nil {
		return nil, err
	}
	who, err := paper.ReceiverOf(tx, o.CustomerNumber, o.Language, o.DeliveryAddress)
	r.lang, r.letter = who.Language, channel.Letterhead(tx, r.store)
	if err == nil {
		r.book, err = reference.Of(tx)
	}
	r.letter.Code = "" // caused by the company's own work, so no crowd of strangers can hold it back
	return &r, err
}

// OnHandedOver tells of goods that are on their way, the buyer of each order of its own. What the buyer took along
// himself he knows of.
func OnHandedOver(tx *db.Tx, e shipping.HandedOver) error {
	if e.Shipment == nil || e.IsDelivered || e.Shipment.IsPickup {
		return nil
	}
	return tellBuyers(tx, e.Shipment, e.Orders, func(r *reader, o *sales.Order,
		lines []letters.ShippedLine) mail.Message {
		return letters.OrderShipped(r.lang, r.letter, r.to, letters.Shipped{OrderNumber: o.Number,
			OrderURL: r.store.OrderURL(o.ID, o.Number), Carrier: e.Shipment.ShippingMethodName,
			TrackingNumber: e.Shipment.TrackingNumber, TrackingURL: e.Shipment.TrackingURL, Lines: lines})
	})
}

// tellBuyers writes to the buyer of each order of a shipment, of what it holds of that order.
func tellBuyers(tx *db.Tx, s *shipping.Shipment, orders []*sales.Order,
	letter func(r *reader, o *sales.Order, lines []letters.ShippedLine) mail.Message) error {
	for _, o := range orders {
		r, err := readerOf(tx, o)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		lines, err := r.goodsOf(tx, s, o)
		if err != nil {
			return err
		}
		if len(lines) == 0 { // nothing of this order was picked
			continue
		}
		if err := mail.Enqueue(tx, letter(r, o, lines)); err != nil {
			return err
		}
	}
	return nil
}

// OnPackedUp tells the buyers who fetch their goods themselves that these are ready, and where.
func OnPackedUp(tx *db.Tx, e shipping.PackedUp) error {
	if e.Shipment.Status != shipping.ReadyForPickup {
		return nil
	}
	orders, err := sales.FindMany(tx, e.Shipment.OrderNumbers())
	if err != nil {
		return err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	at, _ := book.Warehouse(e.Shipment.WarehouseCode)
	own := each.Of(e.Shipment.OrderNumbers(), func(n string) *sales.Order { return orders[record.Fold(n)] })
	return tellBuyers(tx, e.Shipment, own, func(r *reader, o *sales.Order, lines []letters.ShippedLine) mail.Message {
		return letters.OrderReady(r.lang, r.letter, r.to, letters.Collection{OrderNumber: o.Number,
			OrderURL: r.store.OrderURL(o.ID, o.Number), Place: at.Place(), Lines: lines})
	})
}

// OnCancelled tells a buyer that the order was called off: nothing of it comes, and it is not to be paid any more. Who
// calls it off in the store himself knows of it, and a colleague who does not approve it has a letter of his own.
func OnCancelled(tx *db.Tx, e sales.OrderCancelled) error {
	if storefront.IsVisit(tx) {
		return nil
	}
	r, err := readerOf(tx, e.Order)
	if r == nil || err != nil {
		return err
	}
	m := letters.OrderCancelled(r.lang, r.letter, r.to, e.Order.Number, r.store.OrderURL(e.Order.ID, e.Order.Number))
	m.MessageID = mail.NameAbout(sales.Orders.Name, e.Order.ID)
	return mail.Enqueue(tx, m)
}

// goodsOf are the goods in a shipment that an order has ordered, as they were picked.
func (r *reader) goodsOf(tx *db.Tx, s *shipping.Shipment, o *sales.Order) (goods []letters.ShippedLine, err error) {
	chosen, err := sales.Chosen(tx, o)
	for _, h := range s.Held() {
		if h.OrderNumber == o.Number {
			goods = append(goods, r.line(h.Item, h.ItemName, h.Unit, h.Quantity,
				chosen[sales.At{OrderID: o.ID, Line: h.OrderLine}]))
		}
	}
	return goods, err
}

// OnIssued brings the buyer an invoice or a credit note that was booked, as the customer has chosen.
func OnIssued(tx *db.Tx, e invoicing.Issued) error {
	i := e.Invoice
	orders, err := sales.FindMany(tx, i.OrderNumbers)
	if err != nil {
		return err
	}
	c, err := party.Find(tx, i.CustomerNumber)
	if err != nil || c.InvoiceDelivery == party.ByNone {
		return err
	}
	isWanted := c.InvoiceDelivery != ""
	for _, number := range i.OrderNumbers {
		o := orders[record.Fold(number)]
		if o == nil || o.IsNew() { // it is written later in this transaction: a history that is read in
			continue
		}
		if o.ChannelCode == "" && !isWanted {
			continue
		}
		r, err := letterTo(tx, o, i.InvoiceAddress, o.InvoiceAddress, c.Postal())
		if err != nil {
			return err
		}
		if r != nil {
			return sendInvoice(tx, r, i)
		}
	}
	return nil
}

func sendInvoice(tx *db.Tx, r *reader, i *invoicing.Invoice) error {
	l := letters.Invoice{Number: i.Document(), OrderNumber: strings.Join(i.OrderNumbers, ", "), Date: i.InvoiceDate, Total: i.TotalIncludingTax(),
		Currency: i.CurrencyCode, Digits: i.Digits}
	write := letters.InvoiceBooked
	if i.Type == invoicing.CreditNote {
		write, l.Credits = letters.CreditNoteBooked, i.CreditsDocument
	} else {
		now, err := invoicing.Find(tx, i.Number) // with what was paid beforehand, which is laid on it as it is booked
		if err != nil {
			return err
		}
		l.Paid, l.Due = now.PaidAmount, dueOf(&now)
	}
	m := write(r.lang, r.letter, r.to, l)
	m.MessageID, m.Paper = mail.NameAbout(invoicing.Invoices.Name, i.ID), i.Number
	return mail.Enqueue(tx, m)
}

// dueOf is when an invoice is to be paid; "" where it is.
func dueOf(i *invoicing.Invoice) day.Date {
	if i.Type == invoicing.Receipt || i.Balance() <= 0 {
		return ""
	}
	return i.DueDate
}

// OnReturn tells of a return that was approved or has arrived.
func OnReturn(tx *db.Tx, e returns.Moved) error {
	write := letters.ReturnApproved
	switch e.Return.Status {
	case returns.Approved:
	case returns.Received:
		write = letters.ReturnReceived
	default:
		return nil
	}
	o, err := sales.Find(tx, e.Return.OrderNumber)
	if err != nil {
		return err
	}
	r, err := readerOf(tx, &o)
	if r == nil || err != nil {
		return err
	}
	chosen, err := sales.Chosen(tx, &o)
	if err != nil {
		return err
	}
	l := letters.Return{Number: e.Return.Number, OrderNumber: o.Number}
	for _, x := range e.Return.Lines {
		if x.Quantity > 0 {
			l.Lines = append(l.Lines, r.line(x.Item, x.ItemName, x.Unit, x.Quantity,
				chosen[sales.At{OrderID: o.ID, Line: x.OrderLine}]))
		}
	}
	return mail.Enqueue(tx, write(r.lang, r.letter, r.to, l))
}

// What begins Message.Paper of a quote and of a purchase order; that of an invoice is its number alone.
const (
	quotePaper    = "quote/"
	purchasePaper = "purchase-order/"
)

// Print prints the paper that a mail brings, and what comes beside it: Message.Paper is the number of an invoice, or
// names a quote or a purchase order.
func Print(tx *db.Tx, number string) ([]mail.Attachment, error) {
	if n, ok := strings.CutPrefix(number, quotePaper); ok {
		return printQuote(tx, n)
	}
	if n, ok := strings.CutPrefix(number, purchasePaper); ok {
		return printPurchase(tx, n)
	}
	i, err := invoicing.Find(tx, number)
	if err != nil {
		return nil, err
	}
	f, err := paper.InvoiceFor(tx, i)
	if err != nil {
		return nil, err
	}
	c, err := party.Find(tx, i.CustomerNumber)
	if err != nil || c.InvoiceDelivery != party.ByPDFAndXML {
		return attached(f, paper.Media), err
	}
	e, err := paper.ElectronicFor(tx, i)
	if err != nil && fault.As(err).Kind == fault.Conflict { // something of it is not known: the paper comes alone
		return attached(f, paper.Media), nil
	}
	return append(attached(f, paper.Media), attached(e, paper.MediaXML)...), err
}

func attached(f paper.File, media string) []mail.Attachment {
	return []mail.Attachment{{Name: f.Name, Media: media, Body: f.Body}}
}
