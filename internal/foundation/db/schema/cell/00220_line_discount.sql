-- +goose Up
-- The discount of a line as an amount, in the terms of its price: quantity times price, rounded to the currency's minor digits, less
-- discount_amount is what the line costs, with tax where includes_tax. keeps_discount: the amount was agreed; else it follows discount_percent.
alter table sales_order_line add column discount_amount {{int}} not null default 0;
alter table sales_order_line add column keeps_discount {{int}} not null default 0;
-- What the invoices ask for of what is invoiced, in the same terms.
alter table sales_order_line add column invoiced_amount {{int}} not null default 0;
alter table invoice_line add column discount_amount {{int}} not null default 0;
alter table sales_return_line add column discount_amount {{int}} not null default 0;
-- What lines cost stands on them. Quantity times price is taken in pieces, each of which fits a BIGINT.
update sales_order_line set discount_amount = (x.whole + x.unit / 2) / x.unit * x.unit - line_total - includes_tax * tax_amount
from (
	select l.company, l.order_id, l.line,
		l.quantity / 1000000 * l.unit_price + l.quantity % 1000000 * (l.unit_price / 1000000) + l.quantity % 1000000 * (l.unit_price % 1000000) / 1000000 as whole,
		case o.digits when 0 then 1000000 when 1 then 100000 when 2 then 10000 when 3 then 1000 when 4 then 100 when 5 then 10 else 1 end as unit
	from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
	where l.discount_percent > 0 and l.unit_price > 0 and l.quantity / 1000000 <= 900000000000000000 / l.unit_price
) as x
where x.company = sales_order_line.company and x.order_id = sales_order_line.order_id and x.line = sales_order_line.line;
update invoice_line set discount_amount = (x.whole + x.unit / 2) / x.unit * x.unit - total - gross_price * tax
from (
	select l.company, l.invoice_id, l.line,
		l.quantity / 1000000 * l.unit_price + l.quantity % 1000000 * (l.unit_price / 1000000) + l.quantity % 1000000 * (l.unit_price % 1000000) / 1000000 as whole,
		case i.digits when 0 then 1000000 when 1 then 100000 when 2 then 10000 when 3 then 1000 when 4 then 100 when 5 then 10 else 1 end as unit
	from invoice_line l join invoice i on i.company = l.company and i.id = l.invoice_id
	where (l.discount > 0 or l.credits_invoice <> '') and l.unit_price > 0 and l.quantity / 1000000 <= 900000000000000000 / l.unit_price
) as x
where x.company = invoice_line.company and x.invoice_id = invoice_line.invoice_id and x.line = invoice_line.line;
update sales_return_line set discount_amount = (x.whole + x.unit / 2) / x.unit * x.unit - total - gross_price * vat
from (
	select l.company, l.return_id, l.line,
		l.quantity / 1000000 * l.unit_price + l.quantity % 1000000 * (l.unit_price / 1000000) + l.quantity % 1000000 * (l.unit_price % 1000000) / 1000000 as whole,
		case r.digits when 0 then 1000000 when 1 then 100000 when 2 then 10000 when 3 then 1000 when 4 then 100 when 5 then 10 else 1 end as unit
	from sales_return_line l join sales_return r on r.company = l.company and r.id = l.return_id
	where l.discount > 0 and l.unit_price > 0 and l.quantity / 1000000 <= 900000000000000000 / l.unit_price
) as x
where x.company = sales_return_line.company and x.return_id = sales_return_line.return_id and x.line = sales_return_line.line;
update sales_order_line set invoiced_amount = x.amount
from (
	select n.company, n.order_id, n.order_line,
		sum(case when h.type <> 'CreditNote' then n.total + n.gross_price * n.tax when n.rebill = 1 then -n.total - n.gross_price * n.tax else 0 end) as amount
	from invoice_line n join invoice h on h.company = n.company and h.id = n.invoice_id
	where h.status <> 'Cancelled' and n.order_id <> ''
	group by n.company, n.order_id, n.order_line
) as x
where x.company = sales_order_line.company and x.order_id = sales_order_line.order_id and x.order_line = sales_order_line.line;
