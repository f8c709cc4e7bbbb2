package exchange

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/table"
)

// orderColumns are those of exported order lines. The import of a history reads orderNumber as the external number.
func orderColumns() []string {
	return []string{"orderNumber", "orderDate", "status", "deliveryStatus", "invoicedStatus", "customerNumber",
		"customerName", "customerReference", "countryCode", "currencyCode", "externalOrderNumber", "externalOrderScope",
		"lineNumber", "itemNumber", "description", "quantity", "unitCode", "unitPrice", "isPriceIncludingTax",
		"discountPercent", "discountAmount", "taxCode", "taxPercent", "lineTotal", "taxAmount", "allocatedQuantity",
		"deliveredQuantity", "returnedQuantity", "invoicedQuantity", "warehouseCode", "requestedDeliveryDate"}
}

// orderKinds are the kinds of these columns.
func orderKinds() []table.Kind {
	kinds := make([]table.Kind, len(orderColumns()))
	for i, name := range orderColumns() {
		switch name {
		case "lineNumber", "quantity", "unitPrice", "discountPercent", "discountAmount", "taxPercent", "lineTotal",
			"taxAmount", "allocatedQuantity", "deliveredQuantity", "returnedQuantity", "invoicedQuantity":
			kinds[i] = table.Number
		case "isPriceIncludingTax":
			kinds[i] = table.Truth
		case "orderDate", "requestedDeliveryDate":
			kinds[i] = table.Date
		}
	}
	return kinds
}

// exportOrders writes a row for each line of every order that was placed, in the order of their numbers: the cross join
// keeps to it, so that nothing is sorted.
func exportOrders(tx *db.Tx, p *printer) error {
	return tx.Each(`-- exchange.exportOrders whole
		select o.number, o.order_date, o.status, o.delivery_status, o.invoiced_status, o.customer, o.customer_name, o.reference,
			o.delivery_address, o.currency, o.digits, o.external_number, o.external_scope, l.line, l.item,
			l.description, l.quantity, l.unit,
			l.unit_price, l.includes_tax, l.discount_percent, l.discount_amount, l.keeps_discount, l.tax_code,
			l.tax_percent, l.line_total, l.tax_amount, l.allocated, l.delivered, l.returned, l.invoiced, l.warehouse,
			coalesce(nullif(l.requested_on, ''), o.requested_on)
		from sales_order o cross join sales_order_line l
		where l.company = o.company and l.order_id = o.id and o.company = :company
		order by o.number_key, l.line`, nil, func(r db.Row) error {
		var number, date, status, delivery, invoiced, customer, name, reference, currency, external, scope, item,
			description, unit string
		var taxCode, warehouse, requested string
		var to party.Postal
		var digits, line int
		var includesTax, keepsDiscount bool
		var quantity, price, discount, off, percent, total, tax, allocated, delivered, returned, billed dec.Dec
		err := r.Scan(&number, &date, &status, &delivery, &invoiced, &customer, &name, &reference, &to, &currency,
			&digits, &external, &scope, &line, &item, &description, &quantity, &unit, &price, &includesTax, &discount,
			&off, &keepsDiscount, &taxCode, &percent, &total, &tax, &allocated, &delivered, &returned, &billed,
			&warehouse, &requested)
		if err != nil {
			return err
		}
		agreed := "" // an amount that does not follow from the percentage
		if keepsDiscount && off > 0 {
			agreed = off.Fixed(digits)
		}
		return p.row(number, date, status, delivery, invoiced, customer, name, reference, to.CountryCode, currency,
			external, scope, textOf(line), item, description, quantity.String(), unit, price.Fixed(digits),
			textOf(includesTax), discount.String(), agreed, taxCode, percent.String(), total.Fixed(digits),
			tax.Fixed(digits), allocated.String(), delivered.String(), returned.String(), billed.String(), warehouse,
			requested)
	})
}
