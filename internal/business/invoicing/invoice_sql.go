package invoicing

import (
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var (
	bills = record.TableOf(Invoices, record.Layout[Invoice]{
		Fixed: `number, type, customer_id, customer_number, customer_name, address, invoice_date, due_date, currency,
			digits, payment_term, total, vat, tax_reduction, comments, credits_invoice, credits_document, return_number,
			supplied_on, order_numbers, customer_references`,
		Changing: "status, payment_status, paid, payments, document_number, rate_amount, rate_units",
		Number:   func(i *Invoice) *string { return &i.Number },
		Derived: func(i *Invoice) db.Args {
			return db.Args{"customer_key": record.Fold(i.CustomerNumber),
				"document_key": record.Fold(i.ExternalDocumentNumber),
				"search":       record.SearchText(append([]string{i.Number, i.ExternalDocumentNumber}, i.References...)...)}
		},
		Parts: []*record.Parts[Invoice]{billLines},
		Step: lifecycle.Step(Moves, ErrInvalidStatus, "invoice",
			func(i *Invoice) (string, *Status) { return i.Number, &i.Status }),
		Missing: func(number string) error { return ErrNotFound.Because("no invoice has the number %q", number) },
	})
	billLines = record.PartsOf(record.PartLayout[Invoice, Line]{
		Table: "invoice_line", Owner: "invoice_id", Place: "line", Columns: lineColumns,
		Of:      func(i *Invoice) *[]Line { return &i.Lines },
		Derived: func(_ *Invoice, l *Line) db.Args { return db.Args{"order_key": record.Fold(l.OrderNumber)} },
	})
)

const lineColumns = `line, order_id, order_number, order_line, item_id, item, description, unit, quantity, unit_price,
	discount, discount_amount, gross_price, tax_code, tax_percent, total, tax, credits_invoice, credits_line, rebill,
	credited, credited_total, credited_tax`

var lineRow = db.Map[Line](lineColumns)

// Find reads an invoice whole. Refuses with Invoice.NotFound.
func Find(tx *db.Tx, number string) (Invoice, error) { return bills.Find(tx, number) }

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
	return readMany(tx, numbers, withLines, db.ForUpdate)
}

// Hold locks invoices until the transaction ends, for who changes what pays for them too: whoever books a credit note
// has the invoice that it credits before he looks for its money, so that comes first for everybody.
func Hold(tx *db.Tx, numbers []string) error {
	_, err := lockMany(tx, numbers, false)
	return err
}

// ahead locks what comes before invoices for everybody: the returns that they credit, and their orders. Which those are
// never changes.
func ahead(tx *db.Tx, numbers ...string) error {
	found, err := readMany(tx, numbers, false, "")
	if err != nil {
		return err
	}
	var orders []string
	for _, i := range inOrder(found) {
		if i.ReturnNumber != "" {
			if err := tx.Fire(ReturnBilling{i.ReturnNumber}); err != nil {
				return err
			}
		}
		orders = append(orders, i.OrderNumbers...)
	}
	if len(orders) == 0 {
		return nil
	}
	_, err = sales.Lock(tx, orders)
	return err
}

// FindMany reads invoices whole, by folded number.
func FindMany(tx *db.Tx, numbers []string) (map[string]*Invoice, error) {
	return readMany(tx, numbers, true, "")
}

func readMany(tx *db.Tx, numbers []string, withLines bool, lock string) (map[string]*Invoice, error) {
	byNumber := make(map[string]*Invoice, len(numbers))
	if len(numbers) == 0 {
		return byNumber, nil
	}
	list, err := bills.Where(tx, "invoicing.readMany", "number_key in (:keys) order by id"+lock,
		db.Args{"keys": record.FoldAll(numbers)})
	if err == nil && withLines {
		err = bills.Whole(tx, list)
	}
	for i := range list {
		byNumber[record.Fold(list[i].Number)] = &list[i]
	}
	return byNumber, err
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
		numbers[k] = i.PaymentCount - later[i]
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
	return db.Pairs[string, string](tx, `-- invoicing.ByDocument
		select document_key, number from invoice where company = :company and document_key in (:keys) and document_key <> ''`,
		db.Args{"keys": record.FoldAll(documents)})
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
func openOfReturn(tx *db.Tx, returnNumber string) (int, error) {
	return db.Value[int](tx, `-- invoicing.openOfReturn
		select count(*) from invoice where company = :company and return_number = :number and status = :open`,
		db.Args{"number": returnNumber, "open": Open})
}

// GivenBack is what the credit notes of a return hold of each order line.
func GivenBack(tx *db.Tx, returnNumber string) (map[int]Given, error) {
	return db.Sums(tx, `-- invoicing.GivenBack
		select l.order_line, l.quantity, l.total, l.tax
		from invoice i join invoice_line l on l.company = i.company and l.invoice_id = i.id
		where i.company = :company and i.return_number = :number and i.status <> :cancelled`,
		db.Args{"number": returnNumber, "cancelled": Cancelled},
		func(r db.Row, line *int, g *Given) error { return r.Scan(line, &g.Quantity, &g.Net, &g.Tax) })
}

// byHand is what invoices and credit notes that belong to no return say of a line of an order: what stands on those
// that are not booked yet, and what was given back for good.
type byHand struct{ open, given dec.Dec }

// byHandOf tells that of an order, by its lines.
func byHandOf(tx *db.Tx, orderNumber string) (map[int]byHand, error) {
	return db.ByKey(tx, `-- invoicing.byHandOf
		select l.order_line, sum(case when i.status = :open then l.quantity else 0 end),
			sum(case when i.status = :booked and i.type = :note and l.rebill = 0 then l.quantity else 0 end)
		from invoice_line l join invoice i on i.company = l.company and i.id = l.invoice_id
		where l.company = :company and l.order_key = :order and i.return_number = '' group by l.order_line`,
		db.Args{"open": Open, "booked": Booked, "note": CreditNote, "order": record.Fold(orderNumber)},
		func(r db.Row, line *int, is *byHand) error { return r.Scan(line, &is.open, &is.given) })
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
	q := bills.Query("invoicing.List")
	q.Key = []string{"invoice_date desc", "number_key desc"}
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "date": {"invoice_date", "number_key"},
		"due": {"due_date", "number_key"}, "customer": {"lower(customer_name)", "number_key"},
		"status": {"status", "payment_status", "number_key"},
		"total":  {"total + vat", "number_key"},
	}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(fold(customer_name), {word}) > 0",
		"customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	q.Given("status = :status", f.Status)
	q.Given("payment_status = :paymentstatus", f.PaymentStatus)
	q.Given("type = :type", f.Type)
	q.Given("customer_key = :customer", record.Fold(f.Customer))
	q.Given("return_number = :return", f.Return)
	if f.Nothing {
		q.Where("1 = 0", nil)
	}
	if f.DueBefore != "" { // as the index invoice_due says it
		q.Key = []string{"due_date", "number_key"}
		q.Where(
			"status = 'Booked' and payment_status in ('Unpaid', 'PartiallyPaid') and "+
				"type <> 'CreditNote' and due_date < :duebefore",
			db.Args{"duebefore": f.DueBefore})
	}
	q.Given("id in (select l.invoice_id from invoice_line l where l.company = :company and l.order_key = :order)", record.Fold(f.Order))
	q.Given("invoice_date >= :from", f.From)
	q.Given("invoice_date <= :to", f.To)
	return record.ListOf(tx, q, p, bills.Scan)
}
