package sales

import (
	"slices"
	"strings"

	"kontor/internal/db"
)

// LinkShipment notes on orders read by Lock that a shipment carries goods of theirs. The caller books on the
// orders in the same transaction, which makes the new revision.
func LinkShipment(tx *db.Tx, orders []*Order, number string) error {
	for _, o := range orders {
		if !slices.Contains(o.ShipmentNumbers, number) {
			o.ShipmentNumbers = append(o.ShipmentNumbers, number)
		}
	}
	_, err := tx.Exec(`-- sales.LinkShipment
		update sales_order set shipments = shipments || :line where company = :company and id in (:ids)`,
		db.Args{"line": number + "\n", "ids": idsOf(orders)})
	return err
}

// LinkInvoice notes on orders read by Lock that an invoice or credit note bills them; as LinkShipment.
func LinkInvoice(tx *db.Tx, orders []*Order, number string) error {
	for _, o := range orders {
		if !slices.Contains(o.InvoiceNumbers, number) {
			o.InvoiceNumbers = append(o.InvoiceNumbers, number)
		}
	}
	_, err := tx.Exec(`-- sales.LinkInvoice
		update sales_order set invoices = invoices || :line where company = :company and id in (:ids)`,
		db.Args{"line": number + "\n", "ids": idsOf(orders)})
	return err
}

// numbersOf reads a column of numbers, one a line.
func numbersOf(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(column, "\n"), "\n")
}

func idsOf(orders []*Order) []string {
	ids := make([]string, len(orders))
	for i, o := range orders {
		ids[i] = o.ID
	}
	return ids
}
