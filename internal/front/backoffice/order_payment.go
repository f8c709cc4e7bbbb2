package backoffice

import (
	"kontor/internal/business/checkout"
	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/page"
)

// orderPayment is where somebody notes money that came for an order which was placed unpaid: a transfer seen on the
// account.
func orderPayment() page.Page {
	return page.Form[checkout.Arrival]{Path: "/orders/{number}/payment", Title: "Register a payment",
		Permission: "invoices:write", Submit: "Register", Settles: true,
		Lead:   "Once all of the money is there, the order is released to the warehouse. Its invoice will show it as paid.",
		Crumbs: orderCrumbs, Load: func(c *page.Ctx) (checkout.Arrival, error) {
			o, err := loadOrder(c)
			if err != nil {
				return checkout.Arrival{}, err
			}
			p, err := checkout.PaymentOf(c.Tx, o.ID)
			if err == nil && !p.AwaitsMoney(&o) {
				err = checkout.ErrSessionNotFound.Because("order %s waits for no money", o.Number)
			}
			if err != nil {
				return checkout.Arrival{}, err
			}
			return checkout.Arrival{Amount: p.Missing()}, nil
		},
		Fields: func(c *page.Ctx, a *checkout.Arrival) []page.Field {
			o, err := loadOrder(c)
			if err != nil {
				return nil
			}
			return []page.Field{page.Decimal("amount", "Amount", &a.Amount).Required().Hint("In %s.", o.CurrencyCode),
				page.Check("surplus", "More than is missing is meant: the surplus is paid back to the buyer",
					&a.Surplus)}
		},
		Save: page.Made(checkout.Arrival{}, func(c *page.Ctx, a checkout.Arrival) (page.Done, error) {
			if err := checkout.Arrived(c.Tx, c.Path("number"), a); err != nil {
				return page.Done{}, atField(err, "amount")
			}
			return page.Did("The payment is registered."), nil
		})}
}

// methodName is a way to pay by its name.
func methodName(c *page.Ctx, code string) page.Value {
	name, _ := checkout.MethodName(c.Tx, code) // it is the code where the name cannot be read
	return page.T(name)
}

// paidFacts are how an order of a store is paid, and with which codes; none where it is not.
func paidFacts(c *page.Ctx, o sales.Order) ([]page.Part, error) {
	p, err := checkout.PaymentOf(c.Tx, o.ID)
	if err != nil {
		return nil, err
	}
	byCards, err := promotion.GiftCardsPaid(c.Tx, o.ID)
	if err != nil {
		return nil, err
	}
	codes, err := promotion.UsedFor(c.Tx, o.ID)
	if err != nil {
		return nil, err
	}
	facts := page.Facts{Title: "Payment"}
	if p != nil {
		facts.Facts = paymentFacts(c, p)
	}
	if byCards > 0 {
		facts.Facts = append(facts.Facts, page.Fact{Label: "Gift cards", Value: page.Money(byCards, o.CurrencyCode)})
	}
	for _, u := range codes {
		facts.Facts = append(facts.Facts,
			page.Fact{Label: "Discount code", Value: page.To(u.Code, page.Path("discount-codes", u.Code))})
	}
	if p != nil && p.AwaitsMoney(&o) {
		facts.Go = []page.Go{{Label: "Register a payment", Path: page.Path("orders", o.Number, "payment")}}
	}
	if len(facts.Facts) == 0 {
		return nil, nil
	}
	waiting, err := refundsOf(c, o, &facts)
	return append([]page.Part{lostMoney(c, &o, p), facts}, waiting...), err
}

// lostMoney warns who sends the goods of an order that nothing is held for it any more.
func lostMoney(c *page.Ctx, o *sales.Order, p *checkout.Payment) page.Part {
	if p == nil || !p.IsUnheld() || !o.Status.IsOpen() {
		return nil
	}
	return page.Noted("Payment",
		c.Say("Nothing is held for this order any more: agree with the buyer how it is paid before its goods leave."))
}

var paymentBadge = tones[payment.Status]{payment.Pending: page.Warn, payment.Authorized: page.Calm,
	payment.Captured: page.Good, payment.Expired: page.Warn, payment.Cancelled: page.Warn,
	payment.Failed: page.Warn}.badge

func paymentFacts(c *page.Ctx, p *checkout.Payment) []page.Fact {
	facts := []page.Fact{{Label: "Payment method", Value: methodName(c, p.Method)}}
	if p.Amount > 0 {
		facts = append(facts, page.Fact{Label: "Status", Value: paymentBadge(p.Status)},
			page.Fact{Label: "Amount", Value: page.Money(p.Amount, p.Currency)},
			page.Fact{Label: "Paid", Value: page.Money(p.Captured, p.Currency)})
	}
	return append(facts, page.Fact{Label: "Paid back", Value: page.Money(p.Refunded, p.Currency).If(p.Refunded > 0)})
}
