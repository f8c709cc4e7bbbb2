package ecom

import (
	"kontor/internal/business/paper"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/returns"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

func getPortalInvoicePdf(tx *db.Tx, in rest.ID) (rest.Document, error) {
	i, err := portal.FindInvoice(tx, in.ID)
	if err != nil {
		return rest.Document{}, err
	}
	f, err := paper.InvoiceFor(tx, i)
	return rest.Document(f), err
}

func getReturnSlip(tx *db.Tx, in rest.ID) (rest.Document, error) {
	if err := portal.NeedFor(tx, portal.ReadReturns, returns.ErrNotFound, in.ID); err != nil {
		return rest.Document{}, err
	}
	back, err := portal.FindReturn(tx, in.ID)
	if err != nil {
		return rest.Document{}, err
	}
	to, err := paper.SendTo(tx, back)
	if err != nil {
		return rest.Document{}, err
	}
	slip := paper.Slip{Return: back, Code: portal.ReturnCode(back.OrderID), SendTo: to}
	f, err := paper.For(tx, back.CustomerNumber, []string{back.OrderNumber}, party.Postal{},
		func(s paper.Sender, r paper.Receiver) (paper.File, error) { return paper.ReturnSlip(s, r, slip) })
	return rest.Document(f), err
}
