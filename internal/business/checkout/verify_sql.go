package checkout

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// verifySettled holds what payments have settled against the invoices. Invoices of before it was kept whose payment is
// whose are left out: their rows name no order, and begin with the payment's method.
func verifySettled(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- checkout.verifySettled
		select p.id, p.settled, coalesce(x.amount, 0)
		from payment p left join (
			select order_id, sum(amount) as amount from invoice_payment
			where company = :company and order_id <> '' and kind = 'Payment' group by order_id) x on x.order_id = p.order_id
		where p.company = :company and p.order_id <> '' and p.settled <> coalesce(x.amount, 0) and not exists (
			select 1 from invoice_line l join invoice_payment m on m.company = l.company and m.invoice_id = l.invoice_id
			where l.company = :company and l.order_id = p.order_id and m.order_id = '' and m.kind = 'Payment'
				and substr(m.reference, 1, length(p.method) + 1) = p.method || ' ')
		order by p.id`, nil,
		"payment %s: %s are stored as standing on invoices, the invoices say %s",
		new(string), new(dec.Dec), new(dec.Dec))
}

// verifyTransfers holds what payments say was given back against what was: a provider may know of more, such as what
// its own people gave back, but of nothing less.
func verifyTransfers(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- checkout.verifyTransfers
		select p.id, p.refunded, m.amount from payment p join (
			select payment_id, sum(amount) as amount from payment_transfer
			where company = :company and kind = 'Refund' and status = 'Done' group by payment_id) m on m.payment_id = p.id
		where p.company = :company and p.refunded < m.amount order by p.id`, nil,
		"payment %s: %s are stored as given back, %s were", new(string), new(dec.Dec), new(dec.Dec))
}

// verifyCards does what verifySettled does for what gift cards paid, which is no more than is off the cards.
func verifyCards(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- checkout.verifyCards
		select o.order_number, coalesce(c.paid, 0), o.cards_settled, coalesce(x.amount, 0)
		from checkout_order o left join (
			select order_id, sum(amount) as amount from invoice_payment
			where company = :company and order_id <> '' and kind = 'GiftCard' group by order_id) x on x.order_id = o.order_id
		left join (select order_id, -sum(amount) as paid from gift_card_movement
			where company = :company and order_id <> '' group by order_id) c on c.order_id = o.order_id
		where o.company = :company and (o.cards_settled > coalesce(c.paid, 0) or o.cards_settled <> coalesce(x.amount, 0) and not exists (
			select 1 from invoice_line l join invoice_payment m on m.company = l.company and m.invoice_id = l.invoice_id
			where l.company = :company and l.order_id = o.order_id and m.order_id = '' and m.kind = 'GiftCard'))
		order by o.order_number`, nil,
		"order %s: of the %s that gift cards paid %s are stored as standing on invoices, the invoices say %s",
		new(string), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}

// ordersWithRest are the orders that are over, were paid for with more than stands on invoices, and have no job that
// looks at it.
func ordersWithRest(tx *db.Tx) (numbers []string, err error) {
	return db.Column[string](tx, `-- checkout.ordersWithRest whole
		select o.order_number
		from checkout_order o join sales_order s on s.company = o.company and s.id = o.order_id
		left join payment p on p.company = o.company and p.order_id = o.order_id and p.order_id <> ''
		left join (select order_id, -sum(amount) as paid from gift_card_movement
			where company = :company and order_id <> '' group by order_id) c on c.order_id = o.order_id
		where o.company = :company and s.status in ('Closed', 'Cancelled')
			and (p.captured - p.refunded - p.settled > 0 or coalesce(c.paid, 0) > o.cards_settled)
			and not exists (select 1 from job j where j.company = :company and j.kind = :kind
			and j.status in ('Waiting', 'Running', 'Failed')
				and j.unique_key in (o.order_id, o.order_id || :edited))
		order by o.order_number`, db.Args{"kind": Weighing.Name, "edited": editedKey})
}
