package invoicing

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

const headFields = `number, type, status, payment_status, customer_id, customer_number, customer_name, address, invoice_date, due_date,
	currency, digits, payment_term, total, vat, paid, tax_reduction, document_number, comments, credits_invoice,
	credits_document, return_number,
	supplied_on, order_numbers`

const headColumns = headFields + ", customer_references, payments"

var headRow = db.Map[Invoice](record.RootColumns + ", " + headFields)

func (i *Invoice) columns() []any {
	return append(headRow.Of(i), (*db.Lines)(&i.references), &i.payments)
}

// Find reads an invoice whole. Refuses with Invoice.NotFound.
func Find(tx *db.Tx, number string) (Invoice, error) { return find(tx, number, "") }

// lock is Find for a change.
func lock(tx *db.Tx, number string) (Invoice, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, lock string) (Invoice, error) {
	var i Invoice
	ok, err := tx.One(`-- invoicing.Find
		select `+record.RootColumns+`, `+headColumns+`
		from invoice where company = :company and number_key = :key`+lock, db.Args{"key": record.Fold(number)},
		i.columns()...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no invoice has the number %q", number)
	}
	if err != nil {
		return i, err
	}
	return i, readLines(tx, map[string]*Invoice{i.ID: &i})
}

// Documents are the numbers that everybody outside knows invoices by, by folded number.
func Documents(tx *db.Tx, numbers []string) (map[string]string, error) {
	out := make(map[string]string, len(numbers))
	if len(numbers) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- invoicing.Documents
		select number, document_number from invoice where company = :company and number_key in (:keys)`,
		db.Args{"keys": record.FoldAll(numbers)}, func(r db.Row) error {
			var i Invoice
			err := r.Scan(&i.Number, &i.ExternalDocumentNumber)
			out[record.Fold(i.Number)] = i.Document()
			return err
		})
}

// lockMany reads invoices for a change, by folded number, in the order of their ids; those that do not exist
// are left out.
func lockMany(tx *db.Tx, numbers []string, withLines bool) (map[string]*Invoice, error) {
	return readMany(tx, numbers, withLines, " for update")
}

// FindMany reads invoices whole, by folded number.
func FindMany(tx *db.Tx, numbers []string) (map[string]*Invoice, error) {
	return readMany(tx, numbers, true, "")
}

func readMany(tx *db.Tx, numbers []string, withLines bool, lock string) (map[string]*Invoice, error) {
	byNumber, byID := map[string]*Invoice{}, map[string]*Invoice{}
	if len(numbers) == 0 {
		return byNumber, nil
	}
	err := tx.Each(`-- invoicing.readMany
		select `+record.RootColumns+`, `+headColumns+`
		from invoice where company = :company and number_key in (:keys) order by id`+lock,
		db.Args{"keys": record.FoldAll(numbers)}, func(r db.Row) error {
			i := new(Invoice)
			err := r.Scan(i.columns()...)
			byNumber[record.Fold(i.Number)], byID[i.ID] = i, i
			return err
		})
	if err != nil || !withLines || len(byID) == 0 {
		return byNumber, err
	}
	return byNumber, readLines(tx, byID)
}

const lineColumns = `line, order_id, order_number, order_line, item_id, item, description, unit, quantity, unit_price,
	discount, discount_amount, gross_price,
	tax_code, tax_percent, total, tax, credits_invoice, credits_line, rebill, credited, credited_total, credited_tax`

var lineRow = db.Map[Line](lineColumns)

func readLines(tx *db.Tx, byID map[string]*Invoice) error {
	ids := make([]string, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	return tx.Each(`-- invoicing.readLines
		select `+lineColumns+`, invoice_id
		from invoice_line where company = :company and invoice_id in (:ids) order by invoice_id, line`,
		db.Args{"ids": ids}, func(r db.Row) error {
			var (
				id string
				l  Line
			)
			if err := r.Scan(append(lineRow.Of(&l), &id)...); err != nil {
				return err
			}
			byID[id].Lines = append(byID[id].Lines, l)
			return nil
		})
}

func (i *Invoice) search() string {
	return record.SearchText(append([]string{i.Number, i.ExternalDocumentNumber}, i.references...)...)
}

func insertInvoices(tx *db.Tx, invoices []*Invoice) error {
	return tx.Insert("invoice", record.RootColumns+", "+headColumns+", number_key, customer_key, document_key, search",
		len(invoices), func(k int) []any {
			i := invoices[k]
			return append(i.columns(), record.Fold(i.Number), record.Fold(i.CustomerNumber),
				record.Fold(i.ExternalDocumentNumber), i.search())
		})
}

// invoiceLine is a line with the id of its invoice.
type invoiceLine struct {
	id string
	*Line
}

// linesOf are the lines of invoices that matter.
func linesOf(invoices []*Invoice, matters func(*Line) bool) (rows []invoiceLine) {
	for _, i := range invoices {
		for k := range i.Lines {
			if matters(&i.Lines[k]) {
				rows = append(rows, invoiceLine{i.ID, &i.Lines[k]})
			}
		}
	}
	return rows
}

func insertLines(tx *db.Tx, invoices []*Invoice) error {
	rows := linesOf(invoices, func(*Line) bool { return true })
	return tx.Insert("invoice_line", lineColumns+", invoice_id, order_key", len(rows), func(k int) []any {
		l := rows[k]
		return append(lineRow.Of(l.Line), l.id, record.Fold(l.OrderNumber))
	})
}

// save writes what a verb may have changed of the head, and reports the verb.
func save(tx *db.Tx, i *Invoice, before Invoice, action string) error {
	_, err := tx.Exec(`-- invoicing.save
		update invoice set status = :status, payment_status = :paymentstatus, paid = :paid, payments = :payments,
		document_number = :document,
			document_key = :documentkey, search = :search
		where company = :company and id = :id`,
		db.Args{"id": i.ID, "status": i.Status, "paymentstatus": i.PaymentStatus, "paid": i.PaidAmount,
			"payments": i.payments, "document": i.ExternalDocumentNumber,
			"documentkey": record.Fold(i.ExternalDocumentNumber), "search": i.search()})
	if err != nil {
		return err
	}
	return Invoices.Acted(tx, &i.Root, i.Number, action, before, *i)
}

// updatePaid writes what is paid of invoices, from the rows of their payments.
func updatePaid(tx *db.Tx, invoices []*Invoice) error {
	byStatus := map[PaymentStatus][]string{}
	for _, i := range invoices {
		byStatus[i.PaymentStatus] = append(byStatus[i.PaymentStatus], i.ID)
	}
	for status, ids := range byStatus {
		_, err := tx.Exec(`-- invoicing.updatePaid
			update invoice set payment_status = :status,
				paid = (select sum(p.amount) from invoice_payment p where p.company = invoice.company and p.invoice_id = invoice.id),
				payments = (select max(p.payment) from invoice_payment p where p.company = invoice.company and p.invoice_id = invoice.id)
			where company = :company and id in (:ids)`, db.Args{"status": status, "ids": ids})
		if err != nil {
			return err
		}
	}
	return nil
}

// saveCredited writes what credit notes took back of the lines of invoices.
func saveCredited(tx *db.Tx, invoices []*Invoice) error {
	rows := linesOf(invoices, func(l *Line) bool { return l.recredited })
	_, err := tx.Update("invoice_line", "invoice_id, line, credited, credited_total, credited_tax", 2, len(rows),
		func(k int) []any {
			return []any{rows[k].id, rows[k].Number, rows[k].Credited, rows[k].CreditedTotal, rows[k].CreditedTax}
		})
	return err
}

// insertPayments writes payments; payments[k] is of invoices[k], whose head knows of them already.
func insertPayments(tx *db.Tx, invoices []*Invoice, payments []Payment) error {
	numbers, later := make([]int, len(invoices)), map[*Invoice]int{}
	for k := len(invoices) - 1; k >= 0; k-- {
		i := invoices[k]
		numbers[k] = i.payments - later[i]
		later[i]++
	}
	return tx.Insert("invoice_payment", paymentColumns+", invoice_id, payment", len(payments), func(k int) []any {
		return append(paymentRow.Of(&payments[k]), invoices[k].ID, numbers[k])
	})
}

const paymentColumns = "kind, paid_on, amount, reference, order_id"

var paymentRow = db.Map[Payment](paymentColumns)

// Payments reads what was paid of an invoice, oldest first.
func Payments(tx *db.Tx, invoiceID string) ([]Payment, error) {
	return db.Rows(tx, `-- invoicing.Payments
		select `+paymentColumns+`
		from invoice_payment where company = :company and invoice_id = :id order by payment`, db.Args{"id": invoiceID}, paymentRow.Scan)
}

// PaidFor is what an order has paid of invoices by itself, the latest invoice first. What was noted by hand is left
// out.
func PaidFor(tx *db.Tx, orderID string) ([]PaidPart, error) {
	return db.Rows(tx, `-- invoicing.PaidFor
		select i.number, cast(sum(case when p.kind = :money then p.amount else 0 end) as bigint),
			cast(sum(case when p.kind = :card then p.amount else 0 end) as bigint)
		from invoice_payment p join invoice i on i.company = p.company and i.id = p.invoice_id
		where p.company = :company and p.order_id = :order and p.order_id <> ''
		group by i.number, i.number_key, i.invoice_date order by i.invoice_date desc, i.number_key desc`,
		db.Args{"order": orderID, "money": Money, "card": GiftCard}, func(r db.Row, p *PaidPart) error {
			return r.Scan(&p.Invoice, &p.Money, &p.Cards)
		})
}

// ByDocument finds the numbers of invoices by their folded document numbers.
func ByDocument(tx *db.Tx, documents []string) (map[string]string, error) {
	found := make(map[string]string, len(documents))
	err := tx.Each(`-- invoicing.ByDocument
		select document_key, number from invoice where company = :company and document_key in (:keys) and document_key <> ''`,
		db.Args{"keys": record.FoldAll(documents)}, func(r db.Row) error {
			var document, number string
			err := r.Scan(&document, &number)
			found[document] = number
			return err
		})
	return found, err
}

// invoicesOf are the booked invoices that bill an order, oldest first.
func invoicesOf(tx *db.Tx, orderNumber string) (numbers []string, err error) {
	return db.Column[string](tx, `-- invoicing.invoicesOf
		select i.number from invoice i
		where i.company = :company and i.status = :booked and i.type <> :note
			and i.id in (select l.invoice_id from invoice_line l where l.company = :company and l.order_key = :order)
		order by i.invoice_date, i.number_key`,
		db.Args{"booked": Booked, "note": CreditNote, "order": record.Fold(orderNumber)})
}

// openOfReturn counts the open credit notes of a return.
func openOfReturn(tx *db.Tx, returnNumber string) (n int, err error) {
	_, err = tx.One(`-- invoicing.openOfReturn
		select count(*) from invoice where company = :company and return_number = :number and status = :open`,
		db.Args{"number": returnNumber, "open": Open}, &n)
	return n, err
}

// creditedOfReturn is what the credit notes of a return hold of each order line.
func creditedOfReturn(tx *db.Tx, returnNumber string) (map[int]dec.Dec, error) {
	held := map[int]dec.Dec{}
	err := tx.Each(`-- invoicing.creditedOfReturn
		select l.order_line, l.quantity
		from invoice i join invoice_line l on l.company = i.company and l.invoice_id = i.id
		where i.company = :company and i.return_number = :number and i.status <> :cancelled`,
		db.Args{"number": returnNumber, "cancelled": Cancelled}, func(r db.Row) error {
			var (
				line     int
				quantity dec.Dec
			)
			err := r.Scan(&line, &quantity)
			held[line] = held[line].Add(quantity)
			return err
		})
	return held, err
}

// Filter says which invoices a list shows.
type Filter struct {
	Search        string // in invoice number, document number and the customer's reference
	Shown         string // what people see of it: also the customer's name, as the invoice has it and as it is now
	Status        Status
	PaymentStatus PaymentStatus
	Type          Type
	Customer      string // number
	Order         string // number
	Return        string // number
	From, To      day.Date
	DueBefore     day.Date // only what is overdue on that day, the longest first
	Nothing       bool     // the caller's conditions exclude each other
}

// List reads invoices without their lines, the newest invoice date first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Invoice], error) {
	q := record.Query{Name: "invoicing.List", Select: record.Columns("i") + ", " + headColumns, From: "invoice i",
		Key:   []string{"i.invoice_date desc", "i.number_key desc"},
		Stamp: "i.changed_at", Resources: []string{Invoices.Name},
		Sorts: map[string][]string{
			"number": {"i.number_key"}, "date": {"i.invoice_date", "i.number_key"},
			"due": {"i.due_date", "i.number_key"}, "customer": {"lower(i.customer_name)", "i.number_key"},
			"status": {"i.status", "i.payment_status", "i.number_key"},
			"total":  {"i.total + i.vat", "i.number_key"},
		}}
	q.Search("i.search", f.Search)
	q.SearchAny(f.Shown, "instr(i.search, {word}) > 0", "instr(fold(i.customer_name), {word}) > 0",
		"i.customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	equal := func(column, name string, value string) {
		if value != "" {
			q.Where("i."+column+" = :"+name, db.Args{name: value})
		}
	}
	equal("status", "status", string(f.Status))
	equal("payment_status", "paymentstatus", string(f.PaymentStatus))
	equal("type", "type", string(f.Type))
	equal("customer_key", "customer", record.Fold(f.Customer))
	equal("return_number", "return", f.Return)
	if f.Nothing {
		q.Where("1 = 0", nil)
	}
	if f.DueBefore != "" { // as the index invoice_due says it
		q.Key = []string{"i.due_date", "i.number_key"}
		q.Where(
			"i.status = 'Booked' and i.payment_status in ('Unpaid', 'PartiallyPaid') and "+
				"i.type <> 'CreditNote' and i.due_date < :duebefore",
			db.Args{"duebefore": f.DueBefore})
	}
	q.Given("i.id in (select l.invoice_id from invoice_line l where l.company = :company and l.order_key = :order)", record.Fold(f.Order))
	q.Given("i.invoice_date >= :from", f.From)
	q.Given("i.invoice_date <= :to", f.To)
	return record.ListOf(tx, q, p, func(r db.Row, i *Invoice) error { return r.Scan(i.columns()...) })
}
