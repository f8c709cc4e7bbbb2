package invoicing

import (
	"fmt"
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"

	"kontor/internal/business/sales"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Verify recomputes totals, payments and payment statuses from lines and payments, what is credited from credit notes,
// and what order lines say is invoiced, and reports every difference.
func Verify(tx *db.Tx, report func(string)) error {
	err := record.Verify(tx, report, verifyHeads, verifyLines, verifyCredited, verifyOrders)
	if err != nil {
		return err
	}
	return sales.VerifyInvoiceLinks(tx, report, `select l.order_id, i.number
		from invoice_line l join invoice i on i.company = l.company and i.id = l.invoice_id where l.company = :company`)
}

func verifyHeads(tx *db.Tx, report func(string)) error {
	return tx.Each(`-- invoicing.verifyHeads
		select i.number, i.status, i.payment_status, i.total, i.vat, i.paid, i.tax_reduction, i.document_number,
			coalesce(l.total, 0), coalesce(l.tax, 0), coalesce(p.amount, 0)
		from invoice i
			left join (select invoice_id, sum(total) as total, sum(tax) as tax from invoice_line
			where company = :company group by invoice_id) l on l.invoice_id = i.id
			left join (select invoice_id, sum(amount) as amount from invoice_payment where company = :company
			group by invoice_id) p on p.invoice_id = i.id
		where i.company = :company order by i.number_key`, nil, func(r db.Row) error {
		var (
			i                Invoice
			total, vat, paid dec.Dec
		)
		err := r.Scan(&i.Number, &i.Status, &i.PaymentStatus, &i.TotalAmount, &i.TotalVAT, &i.PaidAmount,
			&i.TaxReduction, &i.ExternalDocumentNumber, &total, &vat, &paid)
		if err != nil {
			return err
		}
		say := func(what string, stored, is any) {
			if stored != is {
				report(fmt.Sprintf("invoice %s: %s is stored as %v, its parts say %v", i.Number, what, stored, is))
			}
		}
		say("totalAmount", i.TotalAmount, total)
		say("totalVat", i.TotalVAT, vat)
		say("paidAmount", i.PaidAmount, paid)
		say("paymentStatus", i.PaymentStatus, paymentStatus(total.Add(vat), paid, i.TaxReduction))
		if (i.Status == Booked) != (i.ExternalDocumentNumber != "") {
			report(fmt.Sprintf("invoice %s is %s, but its document number is %q", i.Number, i.Status,
				i.ExternalDocumentNumber))
		}
		return nil
	})
}

// verifyLines recomputes what each line costs: quantity times price, rounded, less its discount, and the tax of that. A
// part of an order's line may bear a minor unit of tax that rounding left, and a part that is taken back whatever it
// left. Lines are numbered from 1 without gaps.
func verifyLines(tx *db.Tx, report func(string)) error {
	of, lines := "", 0
	return tx.Each(`-- invoicing.verifyLines
		select `+lineColumns+`, i.number, i.digits
		from invoice_line join (select company, id, number, number_key, digits
		from invoice) i on i.company = invoice_line.company and i.id = invoice_line.invoice_id
		where invoice_line.company = :company order by i.number_key, line`, nil, func(r db.Row) error {
		var (
			number string
			digits int
			l      Line
		)
		if err := r.Scan(append(lineRow.Of(&l), &number, &digits)...); err != nil {
			return err
		}
		if of != number {
			of, lines = number, 0
		}
		if lines++; l.Number != lines {
			report(fmt.Sprintf("invoice %s: line %d has the number %d", number, lines, l.Number))
		}
		if gross := sales.Amount(l.Quantity, l.UnitPrice, 0, digits); l.cost() != gross.Sub(l.DiscountAmount) {
			report(fmt.Sprintf("invoice %s, line %d: %s at %s less %s is stored as %s", number, l.Number, l.Quantity,
				l.UnitPrice, l.DiscountAmount, l.cost()))
		}
		// The part of a line that is taken back bears what rounding left: what its taxes come to, the line's own do
		// (see verifyCredited).
		left := dec.Dec(0)
		if l.OrderID != "" {
			left = dec.Unit(digits)
		}
		if net, vat := tax.Line(l.cost(), l.TaxPercent, digits, l.IsPriceIncludingTax); l.CreditsInvoice == "" &&
			max(vat.Sub(l.TaxAmount), l.TaxAmount.Sub(vat)) > left {
			report(fmt.Sprintf("invoice %s, line %d: %s %% tax of %s is stored as %s + %s, it comes to %s + %s", number,
				l.Number, l.TaxPercent, l.cost(), l.LineTotal, l.TaxAmount, net, vat))
		}
		if l.DiscountAmount < 0 && l.CreditsInvoice == "" {
			report(fmt.Sprintf("invoice %s, line %d: the discount is %s; it must not be below 0", number, l.Number,
				l.DiscountAmount))
		}
		return nil
	})
}

func verifyCredited(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- invoicing.verifyCredited
		select i.number, l.line, l.quantity, l.credited, coalesce(c.quantity, 0)
		from invoice i join invoice_line l on l.company = i.company and l.invoice_id = i.id
			left join (select n.credits_invoice, n.credits_line, sum(n.quantity) as quantity, sum(n.total) as total, sum(n.tax) as tax
				from invoice_line n join invoice h on h.company = n.company and h.id = n.invoice_id
				where n.company = :company and h.status <> 'Cancelled' and n.credits_invoice <> ''
				group by n.credits_invoice, n.credits_line) c on c.credits_invoice = i.number and c.credits_line = l.line
		where i.company = :company and i.type <> 'CreditNote' and (l.credited <> coalesce(c.quantity, 0) or l.credited > l.quantity
			or l.credited_total <> coalesce(c.total, 0) or l.credited_tax <> coalesce(c.tax, 0))
		order by i.number_key, l.line`, nil,
		"invoice %s, line %d of %s: %s are stored as credited, the credit notes say %s (or other amounts)",
		new(string), new(int), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}

func verifyOrders(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- invoicing.verifyOrders
		select o.number, l.line, l.invoiced, l.invoiced_amount, coalesce(x.invoiced, 0), coalesce(x.amount, 0)
		from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
			left join (select n.order_id, n.order_line,
					sum(case when h.type <> 'CreditNote' then n.quantity when n.rebill = 1 then -n.quantity else 0 end) as invoiced,
					sum(case when h.type <> 'CreditNote' then n.total + n.gross_price * n.tax when n.rebill = 1
					then -n.total - n.gross_price * n.tax else 0 end) as amount
				from invoice_line n join invoice h on h.company = n.company and h.id = n.invoice_id
				where n.company = :company and h.status <> 'Cancelled' and n.order_id <> ''
				group by n.order_id, n.order_line) x on x.order_id = l.order_id and x.order_line = l.line
		where l.company = :company and (l.invoiced <> coalesce(x.invoiced, 0) or l.invoiced_amount <> coalesce(x.amount, 0))
		order by o.number_key, l.line`, nil,
		"order %s, line %d: %s are stored as invoiced for %s, the invoices say %s for %s",
		new(string), new(int), new(dec.Dec), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}

// RefuseCustomerDeletion keeps a customer that an invoice names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	invoice, err := db.Value[string](tx, `-- invoicing.RefuseCustomerDeletion
		select number from invoice where company = :company and customer_id = :customer order by id limit 1`,
		db.Args{"customer": e.Customer.ID})
	return party.ErrInUse.When(invoice != "", err,
		"customer %s has invoices, %s among them; set isActive to false instead", e.Customer.Number, invoice)
}

// RefuseItemDeletion keeps an item that an invoice names on a line without an order: a line with one needs no look, the
// order names the item too. Subscribed to catalog.Deleting.
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	invoice, err := db.Value[string](tx, `-- invoicing.RefuseItemDeletion
		select i.number from invoice_line l join invoice i on i.company = l.company and i.id = l.invoice_id
		where l.company = :company and l.item_id = :item and l.order_id = ''
		order by l.invoice_id limit 1`, db.Args{"item": e.Item.ID})
	return catalog.ErrInUse.When(invoice != "", err,
		"item %s is on invoices, %s among them; set isActive to false instead", e.Item.Number, invoice)
}
