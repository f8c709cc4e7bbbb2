-- +goose Up
-- An order names the invoices and shipments that have lines of it. One that was asked for beside another, and had nothing
-- for the document, was told its number all the same.
update sales_order set invoices = x.numbers
from (
	select company, order_id, string_agg(number || '
', '' order by id) as numbers
	from (
		select distinct l.company, l.order_id, i.id, i.number
		from invoice_line l join invoice i on i.company = l.company and i.id = l.invoice_id
	) as d group by company, order_id
) as x
where x.company = sales_order.company and x.order_id = sales_order.id and length(sales_order.invoices) <> length(x.numbers);
update sales_order set invoices = ''
where invoices <> '' and (company, id) not in (select company, order_id from invoice_line);
update sales_order set shipments = x.numbers
from (
	select company, order_id, string_agg(number || '
', '' order by id) as numbers
	from (
		select distinct l.company, l.order_id, s.id, s.number
		from shipment_line l join shipment s on s.company = l.company and s.id = l.shipment_id
	) as d group by company, order_id
) as x
where x.company = sales_order.company and x.order_id = sales_order.id and length(sales_order.shipments) <> length(x.numbers);
update sales_order set shipments = ''
where shipments <> '' and (company, id) not in (select company, order_id from shipment_line);
