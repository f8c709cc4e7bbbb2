package invoicing

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// DueFigure is what booked invoices still ask for in a currency: how many, how much, and the part of it that is
// overdue. Credit notes that were not paid out yet count against it.
type DueFigure struct {
	Currency                string
	Invoices, Overdue       int
	Balance, OverdueBalance dec.Dec
}

// Due is what is still to be paid, by currency; what was due before today is overdue.
func Due(tx *db.Tx, today day.Date) ([]DueFigure, error) {
	return db.Rows(tx, `-- invoicing.Due
		select currency, sum(case when type <> 'CreditNote' then 1 else 0 end),
			sum(case when type <> 'CreditNote' and due_date < :today then 1 else 0 end),
			`+db.Halves("(total + vat - tax_reduction - paid) * (case when type = 'CreditNote' then -1 else 1 end)")+`,
			`+db.Halves("case when type <> 'CreditNote' and due_date < :today then total + vat - tax_reduction - paid else 0 end")+`
		from invoice where company = :company and status = 'Booked' and payment_status in ('Unpaid', 'PartiallyPaid')
		group by currency order by currency`,
		db.Args{"today": today}, func(r db.Row, f *DueFigure) error {
			var balance, overdue dec.Halves
			err := r.Scan(&f.Currency, &f.Invoices, &f.Overdue, &balance.Whole, &balance.Rest, &overdue.Whole,
				&overdue.Rest)
			f.Balance, f.OverdueBalance = balance.Capped(), overdue.Capped()
			return err
		})
}

// OpenOf is what a customer owes on invoices, with tax, by currency: booked or about to be, less what booked credit
// notes have not settled yet.
func OpenOf(tx *db.Tx, customerID string) (map[string]dec.Dec, error) {
	return db.ByKey(tx, `-- invoicing.OpenOf
		select currency, `+db.Halves("case when type = :note then paid - total - vat else total + vat - paid end")+`
		from invoice where company = :company and customer_id = :customer and status <> :cancelled and (type <> :note or status = :booked)
			and paid <> total + vat
		group by currency`, db.Args{"customer": customerID, "note": CreditNote, "cancelled": Cancelled,
		"booked": Booked}, func(r db.Row, currency *string, open *dec.Dec) error {
		var amount dec.Halves
		err := r.Scan(currency, &amount.Whole, &amount.Rest)
		*open = amount.Capped()
		return err
	})
}
