package payable

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
)

// Approve lets an invoice that differs pass: the goods cost what is asked for them. Refusals: SupplierInvoice.NotFound,
// SupplierInvoice.InvalidStatus, SupplierInvoice.Invalid without a reason, and Receipt.InvalidStatus where a receipt
// that bears a cost was reversed meanwhile.
func Approve(tx *db.Tx, invoiceNumber, reason string) (Invoice, error) {
	v, before, err := begin(tx, invoiceNumber, "approve", reason)
	if err != nil {
		return v, err
	}
	b, err := stock.OpenBilling(tx, v.receipts())
	if err != nil {
		return v, err
	}
	if err := v.book(tx, b); err != nil {
		return v, err
	}
	return v, invoices.Act(tx, "approve", before, &v)
}

// Reject refuses an invoice: what it billed may be billed by another. Refusals: SupplierInvoice.NotFound,
// SupplierInvoice.InvalidStatus, SupplierInvoice.Invalid without a reason.
func Reject(tx *db.Tx, invoiceNumber, reason string) (Invoice, error) {
	return withdraw(tx, invoiceNumber, "reject", reason)
}

// Cancel takes an invoice back that was registered wrongly: what it billed may be billed by another, and what it made
// of the value of the stock is taken back as far as the goods are there. Refusals: SupplierInvoice.NotFound,
// SupplierInvoice.InvalidStatus, SupplierInvoice.Invalid without a reason.
func Cancel(tx *db.Tx, invoiceNumber, reason string) (Invoice, error) {
	return withdraw(tx, invoiceNumber, "cancel", reason)
}

// Pay notes that an invoice is paid, and with what. Refusals: SupplierInvoice.NotFound, SupplierInvoice.InvalidStatus.
func Pay(tx *db.Tx, invoiceNumber, with string) (Invoice, error) {
	return invoices.Do(tx, invoiceNumber, "pay", func(v *Invoice) error {
		v.PaidAt, v.PaidWith = tx.Now, with
		return nil
	})
}

// begin locks an invoice that somebody decides on.
func begin(tx *db.Tx, invoiceNumber, verb, reason string) (v, before Invoice, err error) {
	if v, before, err = invoices.Begin(tx, invoiceNumber, verb); err != nil {
		return v, before, err
	}
	if reason == "" {
		return v, before, ErrInvalid.At("reason", "say why: it stands on the invoice")
	}
	v.DecidedAt, v.DecidedBy, v.Reason = tx.Now, tx.Actor.Name, reason
	return v, before, nil
}

// book makes the goods cost what is asked for them, and charges of the costs of their delivery.
func (v *Invoice) book(tx *db.Tx, b *stock.Billing) error {
	var rows []*stock.Repricing
	var of []*Line
	for i := range v.Lines {
		l := &v.Lines[i]
		if d := l.Dearer(v.BaseDigits); d != 0 {
			rows = append(rows, &stock.Repricing{Receipt: l.Receipt, Line: l.ReceiptLine, Amount: d, Over: l.Quantity,
				Notes: v.Reference})
			of = append(of, l)
		}
	}
	if err := b.Reprice(tx, rows); err != nil {
		return err
	}
	for i, x := range rows {
		of[i].OnHand, of[i].InStock, of[i].EntryID = x.OnHand, x.InStock, x.EntryID
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		if l.Kind == Goods || l.Receipt == "" || l.BaseAmount == 0 {
			continue
		}
		r, err := stock.AddCharge(tx, l.Receipt, stock.NewCharge{Kind: l.Kind, Basis: stock.ByValue,
			Amount: l.BaseAmount, Reference: v.Reference})
		if err != nil {
			return err
		}
		l.Charge = len(r.Charges)
	}
	return nil
}

// withdraw ends an invoice without its being paid.
func withdraw(tx *db.Tx, invoiceNumber, verb, reason string) (Invoice, error) {
	v, before, err := begin(tx, invoiceNumber, verb, reason)
	if err != nil {
		return v, err
	}
	numbers := v.receipts()
	if before.Status == Waiting { // the receipt of a mere cost may have been reversed, which is nothing to it
		numbers = nil
		for _, l := range v.Lines {
			if l.Kind == Goods {
				numbers = append(numbers, l.Receipt)
			}
		}
	}
	b, err := stock.OpenBilling(tx, numbers)
	if err != nil {
		return v, err
	}
	for _, l := range v.Lines {
		if l.Kind == Goods {
			b.Give(l.Receipt, l.ReceiptLine, l.Quantity)
		}
	}
	if err := b.Save(tx, "no longer billed"); err != nil {
		return v, err
	}
	if before.Status == Approved {
		if err := v.unbook(tx, b); err != nil {
			return v, err
		}
	}
	return v, invoices.Act(tx, verb, before, &v)
}

// unbook takes back what book did, as far as the goods are there.
func (v *Invoice) unbook(tx *db.Tx, b *stock.Billing) error {
	var rows []*stock.Repricing
	var of []*Line
	for i := range v.Lines {
		if l := &v.Lines[i]; l.InStock != 0 {
			rows = append(rows, &stock.Repricing{Receipt: l.Receipt, Line: l.ReceiptLine, Amount: l.InStock.Neg(),
				Over: l.OnHand, Notes: v.Reason})
			of = append(of, l)
		}
	}
	if err := b.Reprice(tx, rows); err != nil {
		return err
	}
	for i, x := range rows {
		of[i].LeftOver, of[i].Returned, of[i].CounterID = x.OnHand, x.InStock.Neg(), x.EntryID
	}
	for _, l := range v.Lines {
		if l.Charge == 0 || b.Receipt(l.Receipt).Charges[l.Charge-1].ReversedAt != 0 {
			continue
		}
		if _, err := stock.ReverseCharge(tx, l.Receipt, l.Charge, v.Reason); err != nil {
			return err
		}
	}
	return nil
}
