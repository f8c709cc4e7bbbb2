package sales

import (
	"slices"
	"strings"

	"kontor/internal/foundation/db"
)

// Link says that a shipment carries goods of an order, or that an invoice or credit note bills it.
type Link struct {
	Order  *Order // read by Lock, or from Compose
	Number string // of the document
}

// LinkShipments notes on orders the shipments that carry goods of theirs. The caller books on the orders in the same
// transaction, which makes the new revision.
func LinkShipments(tx *db.Tx, links []Link) error {
	return link(tx, "shipments", links, func(o *Order) *[]string { return &o.ShipmentNumbers })
}

// LinkInvoices notes on orders the invoices and credit notes that bill them; as LinkShipments.
func LinkInvoices(tx *db.Tx, links []Link) error {
	return link(tx, "invoices", links, func(o *Order) *[]string { return &o.InvoiceNumbers })
}

func link(tx *db.Tx, column string, links []Link, list func(*Order) *[]string) error {
	var stored []*Order
	seen := make(map[*Order]bool, len(links))
	for _, l := range links {
		numbers := list(l.Order)
		if slices.Contains(*numbers, l.Number) {
			continue
		}
		*numbers = append(*numbers, l.Number)
		if !l.Order.IsNew() && !seen[l.Order] {
			seen[l.Order] = true
			stored = append(stored, l.Order)
		}
	}
	_, err := tx.Update("sales_order", "id, "+column, 1, len(stored), func(i int) []any {
		return []any{stored[i].ID, columnOf(*list(stored[i]))}
	})
	return err
}

// columnOf keeps numbers in one column, one a line.
func columnOf(numbers []string) string {
	if len(numbers) == 0 {
		return ""
	}
	return strings.Join(numbers, "\n") + "\n"
}

// numbersOf reads what columnOf wrote.
func numbersOf(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(column, "\n"), "\n")
}
