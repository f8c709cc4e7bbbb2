package app

import (
	"maps"

	"kontor/internal/business/assortment"
	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/configuration"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/mailing"
	"kontor/internal/business/media"
	"kontor/internal/business/notice"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/pricing"
	"kontor/internal/business/production"
	"kontor/internal/business/promotion"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/record"
	"kontor/internal/front/backoffice"
)

// hooks subscribes what higher rooms do when lower ones change something, in the same transaction. Those of one
// event run in the order they stand here: who may refuse comes before who follows. base is the address under which
// others reach the house.
func hooks(s *db.Store, payments *checkout.Payments, base func() string, files *media.Library) {
	owns(s)
	locks(s)
	foresees(s)

	// What other processes commit, where they may.
	s.TailToo(record.Tail(), stock.Tail(), storefront.Tail())

	hookMasters(s)

	// What colleagues say of a record goes with it.
	db.On(s, discussion.Forget)

	// Prices ask their neighbours.
	db.On(s, channel.TellPricing)
	db.On(s, tellCosts)

	// An order's way.
	db.On(s, sales.LockWaiting)
	db.On(s, sales.CoverBackorders)
	db.On(s, sales.TakeBack)
	db.On(s, production.OnArrived)
	db.On(s, assortment.TellArrived)
	db.On(s, assortment.TellPlenty)
	db.On(s, production.OnDemanded)
	db.On(s, shipping.OnReleased)
	db.On(s, invoicing.OnHandedOver)
	db.On(s, invoicing.OnDelivery)
	db.On(s, invoicing.OnTakenBack)

	db.On(s, production.OnCancelled)
	db.On(s, production.TellReserved)
	db.On(s, transfer.TellReserved)

	// Returns and their credit notes are neighbours on one storey: neither knows the other.
	db.On(s, creditReturn)
	db.On(s, lockReturn)
	db.On(s, creditIssued)
	db.On(s, creditWithdrawn)

	// Who waited for an account hears that it is open; who no longer reads a contact's mails is signed out.
	db.On(s, portal.Welcome)
	db.On(s, portal.SignOut)

	hookNotices(s, base, files)

	// A cart follows its visitor, and an order that is cancelled or comes back gives back the codes and the money it
	// took.
	db.On(s, cart.MoveIn)
	db.On(s, cart.Discard)
	db.On(s, holdCodes)
	db.On(s, giveBackCodes)
	db.On(s, checkout.TellCart)
	db.On(s, checkout.GiveBackMoney)
	db.On(s, checkout.PayInvoice(payments))
	db.On(s, checkout.GiveBackReturned)
	db.On(s, checkout.FreeCredited)
	db.On(s, checkout.WeighLessened)
	db.On(s, checkout.WaitForMoney)
	db.On(s, checkout.HoldBeyondCredit)
}

// hookNotices subscribes what people are told of what happens.
func hookNotices(s *db.Store, base func() string, files *media.Library) {
	// What buyers are told of it.
	db.On(s, notice.OnPackedUp)
	db.On(s, notice.OnHandedOver)
	db.On(s, notice.OnCancelled)
	db.On(s, notice.OnIssued)
	db.On(s, notice.OnReturn)
	db.On(s, notice.OnOrderSent)
	db.On(s, notice.OnQuoteMailed(base))
	db.On(s, notice.OnTicketAnswered(files))
	db.On(s, backoffice.OnCustomerWrote)
	db.On(s, backoffice.OnOverdue)
	db.On(s, backoffice.OnQuoteDecided)
	db.On(s, notice.OnNewsletterAsked(base))
	db.On(s, notice.OnNewsletterJoined(base))
	db.On(s, notice.OnMailingLeaving(base))
	db.On(s, mailing.OnReport)
	db.On(s, notice.OnReport)
	db.On(s, backoffice.OnUndelivered)
	db.On(s, mailing.OnHandedOver)
	db.On(s, notice.OnInviting(base))
}

// hookMasters subscribes what follows when a customer or an item changes or goes.
func hookMasters(s *db.Store) {
	// A customer or an item is deleted or changed.
	db.On(s, configuration.RefuseCustomerDeletion)
	db.On(s, sales.RefuseCustomerDeletion)
	db.On(s, invoicing.RefuseCustomerDeletion)
	db.On(s, quoting.RefuseCustomerDeletion)
	db.On(s, review.Rate)
	db.On(s, support.RefuseCustomerDeletion)
	db.On(s, pricing.ForgetCustomer)
	db.On(s, func(tx *db.Tx, e party.Deleting) error { return catalog.ForgetCustomer(tx, e.Customer.Number) })
	db.On(s, stock.RefuseItemDeletion)
	db.On(s, sales.RefuseItemDeletion)
	db.On(s, purchasing.RefuseItemDeletion)
	db.On(s, transfer.RefuseItemDeletion)
	db.On(s, transfer.RefuseOnTheWay)
	db.On(s, invoicing.RefuseItemDeletion)
	db.On(s, quoting.RefuseItemDeletion)
	db.On(s, production.RefuseItemDeletion)
	db.On(s, configuration.RefuseItemDeletion)
	db.On(s, configuration.DropSchema)
	db.On(s, quoting.KeepConfiguration)
	db.On(s, pricing.ForgetItem)
	db.On(s, purchasing.ForgetItem)
	db.On(s, channel.WithdrawDeletedItem)
	db.On(s, media.DropItemAssets)
	db.On(s, stock.RefuseItemChange)
	db.On(s, sales.RefuseItemChange)
	db.On(s, production.RefuseItemChange)
	db.On(s, purchasing.RefuseItemChange)
	db.On(s, transfer.RefuseItemChange)
	db.On(s, channel.RedirectSlug)
	db.On(s, followDomains)

	db.On(s, knowCustomers)

	// An item's primary supplier and whoever supplies it are one truth.
	db.On(s, purchasing.KnowSuppliers)
	db.On(s, purchasing.FollowChoices)
}

// knowCustomers tells the catalogue which customers there are.
func knowCustomers(tx *db.Tx, e catalog.CustomersWanted) error {
	known, err := party.ReferMany(tx, e.Numbers)
	for key, c := range known {
		e.Known[key] = c.Number
	}
	return err
}

// holdCodes locks what a cancelled order will give back before the stock that it frees, as who places an order does.
func holdCodes(tx *db.Tx, e sales.OrderCancelling) error {
	return promotion.Hold(tx, e.Order.ID)
}

// giveBackCodes gives back the uses and the money that a cancelled order took of discount codes and gift cards.
func giveBackCodes(tx *db.Tx, e sales.OrderCancelled) error {
	return promotion.GiveBack(tx, e.Order.ID)
}

// tellCosts answers prices that start from the cost.
func tellCosts(tx *db.Tx, e pricing.CostsWanted) error {
	costs, err := stock.AverageCosts(tx, e.ItemIDs)
	maps.Copy(e.Costs, costs)
	return err
}

// creditReturn makes the credit notes of a return.
func creditReturn(tx *db.Tx, e returns.Crediting) error {
	var lines []invoicing.ReturnedLine
	for _, l := range e.Return.Lines {
		if l.ToCredit > 0 {
			lines = append(lines, invoicing.ReturnedLine{OrderLine: l.OrderLine, Quantity: l.ToCredit})
		}
	}
	open, err := invoicing.CreditReturn(tx, e.Return.Number, e.Return.OrderNumber, lines)
	if err != nil {
		return err
	}
	*e.Open = open
	given, err := invoicing.GivenBack(tx, e.Return.Number)
	for line, g := range given {
		e.Return.Settle(line, g.Quantity, g.Net, g.Tax)
	}
	return err
}

// lockReturn locks a return before its credit notes, as who receives it does.
func lockReturn(tx *db.Tx, e invoicing.ReturnBilling) error {
	return returns.Hold(tx, e.Number)
}

// creditIssued closes a return once all it is owed was booked.
func creditIssued(tx *db.Tx, e invoicing.Issued) error {
	if !e.LastOfReturn {
		return nil
	}
	return returns.CreditBooked(tx, e.Invoice.ReturnNumber)
}

// creditWithdrawn lets a return be credited again.
func creditWithdrawn(tx *db.Tx, e invoicing.Withdrawn) error {
	if e.Invoice.ReturnNumber == "" {
		return nil
	}
	return returns.CreditWithdrawn(tx, e.Invoice.ReturnNumber)
}
