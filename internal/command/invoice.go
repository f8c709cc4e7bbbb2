package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kontor/internal/business/invoicing"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

type invoiceFamily struct {
	Book   invoiceBook   `cmd:"" help:"Book an open invoice, or bill what an order has delivered: the invoice gets its document number and is fixed."`
	Credit invoiceCredit `cmd:"" help:"Make a credit note for a booked invoice, or for a part of it."`
	Pay    invoicePay    `cmd:"" help:"Note a payment of a booked invoice."`
}

// errAmount is what an amount that cannot be read is refused with.
var errAmount = fault.New(fault.Invalid, "Request.Invalid")

type invoiceBook struct {
	Company string `required:"" help:"Code or id of the company."`
	Number  string `arg:"" help:"Number of the invoice, or of an order whose delivered goods are to be invoiced."`
}

// Run books the invoice; an order's number makes one of what is billable and books it at once.
func (c *invoiceBook) Run(ctx context.Context, env *Env) error {
	return onInvoice(ctx, env, c.Company, func(tx *db.Tx) (invoicing.Invoice, error) {
		i, err := invoicing.Find(tx, c.Number)
		if err == nil {
			return invoicing.Book(tx, c.Number)
		}
		if !fault.Is(err, invoicing.ErrNotFound) {
			return i, err
		}
		billed, orderErr := invoicing.FromOrders(tx, []string{c.Number}, tx.Today(), invoicing.BookedAtOnce())
		if fault.Is(orderErr, invoicing.ErrOrderNotFound) {
			return i, err
		}
		return billed, orderErr
	})
}

type invoiceCredit struct {
	Company string   `required:"" help:"Code or id of the company."`
	Invoice string   `arg:"" help:"Number of the invoice."`
	Line    []string `placeholder:"LINE:QUANTITY" help:"What is given back, such as 1:2; may be repeated. The whole invoice if left out."`
	Book    bool     `help:"Book the credit note at once."`
}

// Run makes the credit note.
func (c *invoiceCredit) Run(ctx context.Context, env *Env) error {
	lines, err := creditLines(c.Line)
	if err != nil {
		return err
	}
	var opts []invoicing.Option
	if c.Book {
		opts = append(opts, invoicing.BookedAtOnce())
	}
	return onInvoice(ctx, env, c.Company, func(tx *db.Tx) (invoicing.Invoice, error) {
		return invoicing.Credit(tx, c.Invoice, lines, opts...)
	})
}

func creditLines(texts []string) ([]invoicing.CreditLine, error) {
	var wrong fault.List
	lines := make([]invoicing.CreditLine, 0, len(texts))
	for _, t := range texts {
		number, quantity, _ := strings.Cut(t, ":")
		n, err1 := strconv.Atoi(number)
		q, err2 := dec.Parse(quantity)
		if err1 != nil || err2 != nil {
			wrong.Add(errAmount, "line", "%q is not a line's number, a colon and a quantity, such as 1:2", t)
			continue
		}
		lines = append(lines, invoicing.CreditLine{Line: n, Quantity: q})
	}
	return lines, wrong.Err()
}

type invoicePay struct {
	Company   string `required:"" help:"Code or id of the company."`
	Invoice   string `arg:"" help:"Number of the invoice."`
	Amount    string `required:"" help:"Amount in the invoice's currency, such as 125.00; below 0 takes a payment back."`
	Date      string `placeholder:"YYYY-MM-DD" help:"Day of the payment; today if left out."`
	Reference string `help:"What the payment says."`
	Surplus   bool   `help:"Take more than the balance: the rest stays to the customer's credit."`
}

// Run notes the payment.
func (c *invoicePay) Run(ctx context.Context, env *Env) error {
	var wrong fault.List
	amount, err := dec.Parse(c.Amount)
	wrong.If(err != nil, errAmount, "amount", "%q is not an amount such as 125.00", c.Amount)
	var on day.Date
	if c.Date != "" {
		if on, err = day.Parse(c.Date); err != nil {
			wrong.Add(errAmount, "date", "%q is not a day such as 2026-01-31", c.Date)
		}
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	return onInvoice(ctx, env, c.Company, func(tx *db.Tx) (invoicing.Invoice, error) {
		return invoicing.Pay(tx, c.Invoice, invoicing.Payment{Amount: amount, Date: on, Reference: c.Reference,
			Surplus: c.Surplus})
	})
}

// onInvoice runs a verb and prints the invoice it answers.
func onInvoice(ctx context.Context, env *Env, company string, verb func(*db.Tx) (invoicing.Invoice, error)) error {
	var i invoicing.Invoice
	err := env.App.InCompany(ctx, company, db.Into(&i, verb))
	if err != nil {
		return err
	}
	var document any // null until it is booked, as in the API
	if i.ExternalDocumentNumber != "" {
		document = i.ExternalDocumentNumber
	}
	surplus := ""
	if b := i.Balance(); b < 0 {
		surplus = fmt.Sprintf(", a surplus of %s", b.Neg().Fixed(i.Digits))
	}
	total, paid := i.TotalAmount.Add(i.TotalVAT).Fixed(i.Digits), i.PaidAmount.Fixed(i.Digits)
	return env.Print(map[string]any{
		"invoiceNumber": i.Number, "type": i.Type, "status": i.Status, "paymentStatus": i.PaymentStatus,
		"externalDocumentNumber": document, "currencyCode": i.CurrencyCode,
		"totalAmountIncludingTax": total, "paidAmount": paid,
	}, "%s %s: %s, %s, %s of %s %s paid%s\n", i.Type, numbers(&i), i.Status, i.PaymentStatus, paid, total,
		i.CurrencyCode, surplus)
}

// numbers are the number that others know an invoice by, and ours beside it once that is another one.
func numbers(i *invoicing.Invoice) string {
	if i.Document() == i.Number {
		return i.Number
	}
	return fmt.Sprintf("%s (internal number %s)", i.Document(), i.Number)
}
