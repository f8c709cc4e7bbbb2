package backoffice_test

import (
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// bought makes a supplier and a purchase order of ten hammers at 50 that have come in, and answers their receipt.
func bought(o *office) (receipt string) {
	o.write(func(tx *db.Tx) error {
		_, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Smedjan", IsActive: true,
			PaymentTermCode: "NET30"})
		if err != nil {
			return err
		}
		price := dec.Must("50")
		_, err = purchasing.CreateOrder(tx, purchasing.NewOrder{Number: "P-1",
			OrderHead: purchasing.OrderHead{SupplierNumber: "S-1"},
			Lines:     []purchasing.NewLine{{Item: "A-100", Quantity: dec.Must("12"), UnitPrice: &price}}})
		if err != nil {
			return err
		}
		if _, err := purchasing.SendOrder(tx, "P-1"); err != nil {
			return err
		}
		_, r, err := purchasing.ReceiveOrder(tx, "P-1", purchasing.Delivery{Arrived: []purchasing.Arrival{
			{Line: 1, Quantity: dec.Must("10")}}})
		receipt = r.Number
		return err
	})
	return receipt
}

// A supplier's invoice is registered against what came in, differs, is approved by a person and paid, on both engines;
// the next is as ordered and approved by itself; a third is taken back.
func TestASuppliersInvoiceIsMatched(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		receipt := bought(o)
		b.get("/new/supplier-invoices")
		b.submit("/new/supplier-invoices", "supplierNumber", "S-9")
		b.see("there is no supplier S-9")
		b.submit("/new/supplier-invoices", "supplierNumber", "s-1")
		b.see("Register a supplier's invoice: Smedjan")
		form := b.at
		if got := b.value("lines[0].quantity"); got != "10" {
			t.Errorf("proposed are %s", got)
		}
		b.submit(form, "reference", "F-77", "lines[0].quantity", "11")
		b.see("10 of item A-100 came in with receipt " + receipt + ", of which 0 are billed already: 11 are too many")
		b.submit(form, "reference", "F-77", "lines[0].quantity", "4", "lines[0].unitPrice", "60", "tax", "60", "total",
			"299")
		b.see("its lines and its tax come to 300, not to 299: correct what was typed")
		b.submit(form, "total", "300")
		b.see("differs from what was ordered: it waits for approval.", "Waiting",
			"The price is higher than ordered: 40.00 SEK more in all.", "A part of what came in is billed.", "300.00")
		first := b.at
		b.get("/receipts/" + receipt)
		b.see("Suppliers' invoices", "F-77", "Waiting")
		b.get("/receipts/" + receipt + "/reverse")
		b.submit("/receipts/"+receipt+"/reverse", "reason", "Keyed wrongly")
		b.see("The supplier has billed goods of receipt " + receipt + ": reject or cancel that invoice first")
		b.get(first + "/approve")
		b.submit(first+"/approve", "reason", "The steel got dearer")
		b.see("The invoice is approved.", "Approved", "The steel got dearer", "What the differences made of the stock",
			"40.00")
		b.get(first + "/pay")
		b.submit(first+"/pay", "reason", "BG 1")
		b.see("The invoice is paid.", "Paid", "BG 1")
		// The same number again, however it is written; then one that is as ordered.
		b.get(form)
		b.submit(form, "reference", "f-77")
		b.see("invoice f-77 of supplier S-1 is registered already")
		b.submit(form, "reference", "F-78", "lines[0].quantity", "3")
		b.see("is as it was ordered, and approved.", "As it was ordered.")
		b.get("/purchase-orders/P-1")
		b.see("Billed", "7", "F-77", "F-78")
		freight(b, form, receipt)
		if err := o.kontor.Verify(t.Context(), o.company, func(line string) { t.Error(line) }); err != nil {
			t.Fatal(err)
		}
		b.get("/supplier-invoices?status=Paid")
		b.see("F-77", "Smedjan")
		b.miss("F-78")
	})
}

// freight bills the rest with freight, which waits, becomes a charge of the receipt, and is taken back.
func freight(b *browser, form, receipt string) {
	b.t.Helper()
	b.get(form)
	b.submit(form, "reference", "F-79", "lines[0].unitPrice", "45", "charges[0].kind", "Freight", "charges[0].amount",
		"12", "charges[0].receiptNumber", receipt)
	b.see("The price is lower than ordered: 15.00 SEK less in all.", "This cost was not ordered.", "Waiting")
	at := b.at
	b.get(at + "/approve")
	b.submit(at+"/approve", "reason", "Agreed by phone")
	b.see("The invoice is approved.", "−15.00")
	b.get("/receipts/" + receipt)
	b.see("Landed cost", "F-79")
	b.get(at + "/cancel")
	b.submit(at+"/cancel", "reason", "Of another company")
	b.see("The invoice is cancelled.", "Cancelled")
	b.get("/receipts/" + receipt)
	b.see("Reversed")
	b.get(form) // its number is free again
	b.submit(form, "reference", "F-79", "lines[0].unitPrice", "48", "dueDate", "2030-01-31")
	b.see("Waiting")
	at = b.at
	b.get(at + "/reject")
	b.submit(at+"/reject", "reason", "Not as agreed")
	b.see("The invoice is rejected.", "Rejected", "Not as agreed")
	b.get("/settings/defaults/edit")
	b.submit("/settings/defaults/edit", "billPercent", "5")
	b.get(form)
	b.submit(form, "reference", "F-80", "lines[0].unitPrice", "48", "lines[0].quantity", "1", "lines[0].lineNumber",
		"0")
	b.see("The company lets this pass.", "Approved")
	if !strings.HasPrefix(b.at, "/supplier-invoices/") {
		b.t.Errorf("at %s", b.at)
	}
}
