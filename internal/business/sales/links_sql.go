package sales

import (
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Link says that a shipment carries goods of an order, or that an invoice or credit note bills it.
type Link struct {
	Order  *Order // read by Lock, or from Compose
	Number string // of the document
}

// Links are those of a document with these of the orders: with the ones that its lines are of, by their ids.
func Links(number string, orders []*Order, of []string) []Link {
	orders = each.Where(orders, func(o *Order) bool { return slices.Contains(of, o.ID) })
	return each.Of(orders, func(o *Order) Link { return Link{Order: o, Number: number} })
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

// VerifyShipmentLinks reports each order that names other shipments than have lines of it. lines is a statement for the
// orders' ids and the shipments' numbers of all lines.
func VerifyShipmentLinks(tx *db.Tx, report func(string), lines string) error {
	return verifyLinks(tx, report, "shipments", lines)
}

// VerifyInvoiceLinks is VerifyShipmentLinks for invoices and credit notes.
func VerifyInvoiceLinks(tx *db.Tx, report func(string), lines string) error {
	return verifyLinks(tx, report, "invoices", lines)
}

func verifyLinks(tx *db.Tx, report func(string), column, lines string) error {
	return record.Report(tx, report, `-- sales.verifyLinks whole
		select number, links, documents from (
			select o.number, o.number_key, length(o.`+column+`) - length(replace(o.`+column+`, :line, '')) as links,
				count(distinct d.number) as documents,
				count(distinct case when instr(:line || o.`+column+`, :line || d.number || :line) > 0 then d.number end) as named
			from sales_order o left join (`+lines+`) d on d.order_id = o.id
			where o.company = :company group by o.id, o.number, o.number_key, o.`+column+`) told
		where links <> documents or links <> named order by number_key`, db.Args{"line": "\n"},
		"order %s: it names %d "+column+", lines of it are on %d", new(string), new(int), new(int))
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
