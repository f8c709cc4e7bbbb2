package checkout

import (
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

const paymentColumns = payingColumns + ", id, cart_id, session_id, method, provider, amount, currency, digits, " +
	"fingerprint, intent, created_at, expires_at"

// payingColumns are what becomes of a payment.
const payingColumns = "ref, status, captured, refunded, settled, mode, render, public_key, is_dropped, reason, order_id, order_number"

var (
	paymentRow = db.Map[Payment](paymentColumns)
	payingRow  = db.Map[Payment](payingColumns)
)

func insertPayment(tx *db.Tx, p *Payment) error {
	return tx.Insert("payment", paymentColumns+", method_key, changed_at", 1, func(int) []any {
		return append(paymentRow.Of(p), record.Fold(p.Method), tx.Now)
	})
}

// writePayment stores what becomes of a payment.
func writePayment(tx *db.Tx, p *Payment) error {
	if p.moved {
		p.moved = false
		tx.Count("payments "+string(p.Status), 1)
	}
	return tx.Run(`-- checkout.writePayment
		update payment set `+payingRow.Set()+`, changed_at = :now where company = :company and id = :id`,
		payingRow.Args(p, db.Args{"id": p.ID}))
}

// paymentOf is the payment under way for a cart, locked; nil where there is none.
func paymentOf(tx *db.Tx, cartID string) (*Payment, error) {
	return onePayment(tx, `-- checkout.paymentOf
		select `+paymentColumns+` from payment where company = :company and cart_id = :cart and is_dropped = 0
		order by created_at desc, id desc limit 1 for update`, db.Args{"cart": cartID})
}

// readPayment reads a payment; nil where there is none.
func readPayment(tx *db.Tx, id string) (*Payment, error) {
	return onePayment(tx, `-- checkout.readPayment
		select `+paymentColumns+` from payment where company = :company and id = :id`, db.Args{"id": id})
}

// lockPayment is readPayment for a change. CheckoutSession.NotFound.
func lockPayment(tx *db.Tx, id string) (*Payment, error) {
	p, err := onePayment(tx, `-- checkout.lockPayment
		select `+paymentColumns+` from payment where company = :company and id = :id for update`, db.Args{"id": id})
	if err == nil && p == nil {
		err = notFound(id)
	}
	return p, err
}

// paymentByRef is the payment that a provider calls so.
func paymentByRef(tx *db.Tx, method, ref string) (*Payment, error) {
	return onePayment(tx, `-- checkout.paymentByRef
		select `+paymentColumns+` from payment where company = :company and method_key = :method and ref = :ref
		order by created_at desc limit 1`, db.Args{"method": record.Fold(method), "ref": ref})
}

// lockOrderPayment is the payment of an order, locked; nil where there is none.
func lockOrderPayment(tx *db.Tx, orderID string) (*Payment, error) {
	return onePayment(tx, `-- checkout.lockOrderPayment
		select `+paymentColumns+
		` from payment where company = :company and order_id = :order and order_id <> '' order by created_at desc limit 1 for update`,
		db.Args{"order": orderID})
}

// PaymentOf is the payment of an order; nil where it has none.
func PaymentOf(tx *db.Tx, orderID string) (*Payment, error) {
	return onePayment(tx, `-- checkout.PaymentOf
		select `+paymentColumns+
		` from payment where company = :company and order_id = :order and order_id <> '' order by created_at desc limit 1`,
		db.Args{"order": orderID})
}

func onePayment(tx *db.Tx, query string, args db.Args) (p *Payment, err error) {
	err = tx.Each(query, args, func(r db.Row) error {
		p = &Payment{}
		return paymentRow.Scan(r, p)
	})
	return p, err
}

// hear notes a callback; new is false where it was heard before.
func hear(tx *db.Tx, method, event string, p *Payment) (isNew bool, err error) {
	n, err := tx.Exec(`-- checkout.hear
		insert into payment_event (company, method_key, event_id, payment_id, status, heard_at)
		values (:company, :method, :event, :payment, :status, :now) on conflict (company, method_key, event_id) do nothing`,
		db.Args{"method": record.Fold(method), "event": event, "payment": p.ID, "status": p.Status})
	return n > 0, err
}

const transferColumns = "id, payment_id, kind, amount, reason, invoice, status, ref, created_at, done_at"

var transferRow = db.Map[Transfer](transferColumns)

func insertTransfer(tx *db.Tx, m *Transfer) error {
	m.CreatedAt = tx.Now
	return tx.Insert("payment_transfer", transferColumns, 1, func(int) []any { return transferRow.Of(m) })
}

func readTransfer(tx *db.Tx, id string) (m *Transfer, err error) {
	err = tx.Each(`-- checkout.readTransfer
		select `+transferColumns+` from payment_transfer where company = :company and id = :id`, db.Args{"id": id},
		func(r db.Row) error {
			m = &Transfer{}
			return transferRow.Scan(r, m)
		})
	return m, err
}

// Transfers are what is to be taken of a payment and given back, and what was.
func Transfers(tx *db.Tx, paymentID string) ([]Transfer, error) {
	return db.Rows(tx, `-- checkout.Transfers
		select `+transferColumns+
		` from payment_transfer where company = :company and payment_id = :payment order by created_at, id`,
		db.Args{"payment": paymentID}, transferRow.Scan)
}

func endTransfer(tx *db.Tx, id, ref string) error {
	return tx.Run(`-- checkout.endTransfer
		update payment_transfer set status = 'Done', ref = :ref, done_at = :now where company = :company and id = :id`,
		db.Args{"id": id, "ref": ref})
}

// reopenTransfer makes a transfer that was done one that is to be made.
func reopenTransfer(tx *db.Tx, id string) error {
	return tx.Run(`-- checkout.reopenTransfer
		update payment_transfer set status = 'Open', ref = '', done_at = 0 where company = :company and id = :id`,
		db.Args{"id": id})
}

// openTransfers is what is still to be taken of a payment, or given back.
func openTransfers(tx *db.Tx, paymentID string, kind TransferKind) (sum dec.Dec, n int, err error) {
	_, err = tx.One(`-- checkout.openTransfers
		select cast(coalesce(sum(amount), 0) as bigint), count(*) from payment_transfer
		where company = :company and payment_id = :payment and kind = :kind and status = 'Open'`,
		db.Args{"payment": paymentID, "kind": kind}, &sum, &n)
	return sum, n, err
}

// openPayment is the payment under way for the cart of a session; nil where there is none.
func openPayment(tx *db.Tx, sessionID string) (*Payment, error) {
	return onePayment(tx, `-- checkout.openPayment
		select `+paymentRow.Select("p")+` from cart c join payment p on p.company = :company and p.cart_id = c.id and p.is_dropped = 0
		where c.company = :company and c.session_id = :session order by p.created_at desc, p.id desc limit 1`,
		db.Args{"session": sessionID})
}

// everyPayment reads the payments of the company one after another, and the holds that belong to none.
func everyPayment(tx *db.Tx, fn func(p *Payment) error, report func(string)) error {
	err := record.Through(func(after string) ([]Payment, error) {
		return db.Rows(tx, `-- checkout.everyPayment
			select `+paymentColumns+` from payment where company = :company and id > :after order by id limit 500`,
			db.Args{"after": after}, paymentRow.Scan)
	}, func(p *Payment) string { return p.ID }, func(some []Payment) (err error) {
		for i := 0; err == nil && i < len(some); i++ {
			err = fn(&some[i])
		}
		return err
	})
	if err != nil {
		return err
	}
	return tx.Each(`-- checkout.everyPayment holds whole
		select distinct h.owner from stock_hold h left join payment p on p.company = :company and p.id = h.owner
		where h.company = :company and (p.id is null or p.is_dropped = 1 or p.order_id <> '')
			and substr(h.owner, 1, length(:history)) <> :history`, db.Args{"history": stock.HistoryHolder},
		func(r db.Row) error {
			var owner string
			err := r.Scan(&owner)
			report("payment " + owner + " holds goods, though it can no longer become an order")
			return err
		})
}

// paidElsewhere says which orders are paid by a provider, or will be before they are sent: they are no credit.
func paidElsewhere(tx *db.Tx, orders []*sales.Order) (map[string]bool, error) {
	if len(orders) == 0 {
		return map[string]bool{}, nil
	}
	ids := each.Of(orders, func(o *sales.Order) string { return o.ID })
	return db.Set[string](tx, `-- checkout.paidElsewhere
		select order_id from payment where company = :company and order_id in (:ids) and order_id <> ''
		and provider <> :ours and is_dropped = 0`,
		db.Args{"ids": ids, "ours": invoiceProvider})
}

// latestOf is the latest payment of a session through a provider; nil where there is none.
func latestOf(tx *db.Tx, sessionID, provider string) (*Payment, error) {
	return onePayment(tx, `-- checkout.latestOf
		select `+paymentColumns+` from payment where company = :company and session_id = :session and provider = :provider
		order by created_at desc, id desc limit 1`, db.Args{"session": sessionID, "provider": provider})
}
