package checkout

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// mailOrder lets a job send the confirmation.
func mailOrder(tx *db.Tx, v *storefront.Visit, c *Checkout, o *sales.Order) error {
	to := mail.Address{Name: c.Contact.Name(), Email: c.Contact.Email,
		Confirmed: v.SignedIn() && record.Fold(v.Contact.Email) == record.Fold(c.Contact.Email)}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	m := letters.OrderConfirmation(v.Language, channel.Letterhead(tx, v.Channel), to, confirmation(v, c, o, book))
	m.MessageID = mail.NameAbout(sales.Orders.Name, o.ID)
	return mail.Enqueue(tx, m)
}

// confirmation is the order as its buyer reads it: with or without tax, as prices were shown.
func confirmation(v *storefront.Visit, c *Checkout, o *sales.Order, book *reference.Book) letters.Order {
	amount := func(net, tax dec.Dec) dec.Dec {
		if v.IncludesTax {
			return net.Add(tax)
		}
		return net
	}
	out := letters.Order{Number: o.Number, URL: v.Channel.OrderURL(o.ID, o.Number),
		Reference: o.CustomerReference, Currency: o.CurrencyCode, Digits: o.Digits, Date: o.OrderDate,
		PricesIncludeTax: v.IncludesTax, Total: o.TotalIncludingTax(),
		Billing: addressLines(v.Language, c.named(c.Billing)), Delivery: addressLines(v.Language, c.named(c.To())),
		DeliveryMethod: c.Cart.Freight.Name, NeedsApproval: c.asksColleague}
	taxes := map[dec.Dec]dec.Dec{}
	for i := range c.Cart.Lines {
		l := c.Cart.Lines[i]
		if !l.IsSellable {
			continue
		}
		sum := amount(l.Net, l.Tax)
		line := letters.Line{Number: l.Item.Number, Name: l.Article.Name, Note: l.Note,
			Unit: book.UnitWord(v.Language, l.Unit), Quantity: l.Quantity,
			UnitPrice: sum.Div(l.Quantity).Round(o.Digits), Total: sum}
		if l.Configuration != nil {
			line.Chosen, line.Typed = l.Configuration.Told(letters.YesNo(v.Language))
		}
		out.Lines = append(out.Lines, line)
		out.Subtotal = out.Subtotal.Add(sum)
		taxes[l.TaxPercent] = taxes[l.TaxPercent].Add(l.Tax)
	}
	freight := amount(c.Cart.FreightNet, c.Cart.Freight.Tax)
	out.Freight = &freight
	taxes[c.Cart.Freight.TaxPercent] = taxes[c.Cart.Freight.TaxPercent].Add(c.Cart.Freight.Tax)
	if c.Fee.IncludingTax > 0 {
		fee := amount(c.Fee.Net, c.Fee.Tax)
		out.PaymentFee = &fee
		taxes[c.Fee.TaxPercent] = taxes[c.Fee.TaxPercent].Add(c.Fee.Tax)
	}
	out.Taxes = taxSums(taxes)
	for _, a := range c.Cart.Codes {
		if a.Problem == nil && a.Kind == promotion.GiftCard {
			out.GiftCards = append(out.GiftCards, letters.Sum{Amount: a.Amount})
		}
	}
	if c.Cart.GiftCardTotal > 0 {
		out.ToPay = c.Amount()
	}
	if !v.SignedIn() && v.Channel.Store.Offers().Returns {
		out.ReturnCode = portal.ReturnCode(o.ID)
	}
	if c.Method != nil {
		out.PaymentMethod = c.Method.Name
		if c.Method.Instructions != "" {
			out.Instructions = strings.Split(c.Method.Instructions, "\n")
		}
	}
	return out
}

// taxSums are the taxes by their rates, the highest first.
func taxSums(taxes map[dec.Dec]dec.Dec) (out []letters.Sum) {
	for _, rate := range slices.Backward(slices.Sorted(maps.Keys(taxes))) {
		if taxes[rate] > 0 {
			out = append(out, letters.Sum{Label: rate.String() + " %", Amount: taxes[rate]})
		}
	}
	return out
}

func addressLines(lang string, p party.Postal) []string {
	lines := []string{p.Name, p.ContactPerson, p.Street1, p.Street2, strings.TrimSpace(p.PostalCode + " " + p.City),
		letters.Country(lang, p.CountryCode)}
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

// mailRefund tells the buyer that money is on its way back.
func mailRefund(tx *db.Tx, p *Payment, m *Transfer, amount dec.Dec) error {
	if p.Intent.Email == "" {
		return nil
	}
	store, err := storeOf(tx, p)
	if err != nil {
		return err
	}
	r := letters.Refund{OrderNumber: p.OrderNumber, Amount: amount, Currency: p.Currency, Digits: p.Digits}
	if m.Invoice != "" {
		note, err := invoicing.Find(tx, m.Invoice)
		if err != nil {
			return err
		}
		r.ReturnNumber = note.ReturnNumber
	} else if p.OrderNumber != "" {
		o, err := sales.Find(tx, p.OrderNumber)
		if err != nil {
			return err
		}
		r.IsRest = o.Status != sales.Cancelled
	}
	if m.Ref != byHand {
		method, err := FindMethod(tx, p.Method)
		if err != nil && !fault.Is(err, ErrMethodNotFound) {
			return err
		}
		r.Method = method.Name
	}
	return mail.Enqueue(tx, letters.RefundMade(p.Intent.Language, channel.Letterhead(tx, store),
		mail.Address{Email: p.Intent.Email}, r))
}

// storeOf is where something was paid for: the order's store, or that of the visit. Where both are gone it has its name
// at least.
func storeOf(tx *db.Tx, p *Payment) (channel.Channel, error) {
	if p.OrderNumber == "" {
		v, err := storefront.Recall(tx, p.SessionID)
		if v != nil {
			return v.Channel, err
		}
		return channel.Channel{Name: p.Intent.Reference}, err
	}
	o, err := sales.Find(tx, p.OrderNumber)
	if err != nil {
		return channel.Channel{}, err
	}
	c, err := channel.Find(tx, o.ChannelCode)
	if fault.Is(err, channel.ErrNotFound) {
		return channel.Channel{Name: p.Intent.Reference}, nil
	}
	return c, err
}
