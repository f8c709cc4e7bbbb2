package notice

import (
	"cmp"

	"kontor/internal/business/channel"
	"kontor/internal/business/paper"
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// OnOrderSent brings a supplier the purchase order that was sent, as paper, in its language. One without an address for
// orders is written to by the company's own people.
func OnOrderSent(tx *db.Tx, e purchasing.OrderSent) error {
	s, err := purchasing.FindSupplier(tx, e.Order.SupplierNumber)
	if err != nil || !mail.IsAddress(s.OrderEmail) {
		return err
	}
	office := channel.Letterhead(tx, channel.Channel{Name: tx.Info.Name})
	to := mail.Address{Name: cmp.Or(s.ContactPerson, s.Name), Email: s.OrderEmail, Confirmed: true}
	o := e.Order
	m := letters.PurchaseOrdered(paper.SupplierLanguage(tx, s), office, to,
		letters.Purchase{Number: o.Number, Reference: o.SupplierReference, WantedBy: o.ExpectedDate, Total: o.Total,
			Currency: o.CurrencyCode, Digits: o.Digits})
	m.MessageID = mail.NameAbout(purchasing.PurchaseOrders.Name, o.ID)
	m.Paper, m.Readers = purchasePaper+o.Number, "purchase-orders:read"
	return mail.Enqueue(tx, m)
}

func printPurchase(tx *db.Tx, number string) ([]mail.Attachment, error) {
	o, err := purchasing.FindOrder(tx, number)
	if err != nil {
		return nil, err
	}
	f, err := paper.PurchaseFor(tx, o)
	return attached(f, paper.Media), err
}
