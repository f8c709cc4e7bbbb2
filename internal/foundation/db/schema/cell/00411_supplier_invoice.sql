-- +goose Up
-- What suppliers ask for goods that were received, held against order and receipt.
create table supplier_invoice (
	company         {{text}} not null,
	id              {{text}} not null,
	version         {{int}}  not null,
	created_at      {{int}}  not null,
	modified_at     {{int}},
	changed_at      {{int}}  not null,
	number          {{text}} not null,
	number_key      {{text}} not null,
	status          {{text}} not null,
	supplier_id     {{text}} not null,
	supplier_number {{text}} not null,
	supplier_key    {{text}} not null,
	supplier_name   {{text}} not null,
	reference       {{text}} not null,            -- the supplier's own number of the invoice
	reference_key   {{text}} not null,
	invoice_date    {{text}} not null,
	due_date        {{text}} not null,
	currency        {{text}} not null,
	digits          {{int}}  not null,
	base_digits     {{int}}  not null,
	net             {{int}}  not null,
	tax             {{int}}  not null,
	notes           {{text}} not null default '',
	decided_at      {{int}},
	decided_by      {{text}} not null default '', -- empty: it was matched by itself
	reason          {{text}} not null default '', -- of who decided, or cancelled
	paid_at         {{int}},
	paid_with       {{text}} not null default '', -- of the payment
	line_count      {{int}}  not null,
	search          {{text}} not null,
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index supplier_invoice_changed on supplier_invoice (company, changed_at);
create index supplier_invoice_date on supplier_invoice (company, invoice_date, number_key);
create index supplier_invoice_due on supplier_invoice (company, due_date, number_key);
create index supplier_invoice_supplier on supplier_invoice (company, supplier_key, number_key);
create index supplier_invoice_supplier_id on supplier_invoice (company, supplier_id);
create index supplier_invoice_status on supplier_invoice (company, status, number_key);
create unique index supplier_invoice_reference on supplier_invoice (company, supplier_id, reference_key) where status not in ('Rejected', 'Cancelled');

-- A line bills goods of a receipt's line, or a cost of the delivery. Quantities are in base units; unit_cost and what follows are in the base currency.
create table supplier_invoice_line (
	company        {{text}} not null,
	invoice_id     {{text}} not null,
	line           {{int}}  not null,
	kind           {{text}} not null,
	receipt_id     {{text}} not null default '',
	receipt        {{text}} not null default '', -- its number
	receipt_line   {{int}}  not null default 0,
	purchase_order {{text}} not null default '',
	order_key      {{text}} not null default '',
	order_line     {{int}}  not null default 0,
	item           {{text}} not null default '',
	description    {{text}} not null default '',
	ordered        {{int}}  not null default 0,
	order_price    {{int}}  not null default 0,
	received       {{int}}  not null default 0,
	quantity       {{int}}  not null,
	unit_price     {{int}}  not null,
	amount         {{int}}  not null,
	is_matched     {{int}}  not null,            -- as it was ordered, within what the company lets pass
	unit_cost      {{int}}  not null default 0,  -- that the goods came in at
	base_amount    {{int}}  not null,
	on_hand        {{int}}  not null default 0,  -- in the warehouse as the difference was booked
	in_stock       {{int}}  not null default 0,  -- of the difference, in the value of the stock since then
	entry_id       {{text}} not null default '', -- in the ledger; empty: nothing was to be booked
	left_over      {{int}}  not null default 0,  -- on hand as it was taken back
	returned       {{int}}  not null default 0,  -- of in_stock, out of the value again
	counter_id     {{text}} not null default '',
	charge         {{int}}  not null default 0,  -- of the receipt, that the line became
	primary key (company, invoice_id, line)
){{strict}};
create index supplier_invoice_line_receipt on supplier_invoice_line (company, receipt_id, receipt_line);
create index supplier_invoice_line_order on supplier_invoice_line (company, order_key, order_line);

alter table supplier_invoice add constraint supplier_invoice_words check (status in ('Waiting', 'Approved', 'Rejected', 'Paid', 'Cancelled')) not valid;
alter table supplier_invoice add constraint supplier_invoice_signs check ({{least}}(net, tax) >= 0) not valid;
alter table supplier_invoice_line add constraint supplier_invoice_line_words check (kind in ('Goods', 'Freight', 'Customs', 'Insurance', 'Other')) not valid;
alter table supplier_invoice_line add constraint supplier_invoice_line_signs check ({{least}}(receipt_line, order_price, ordered, received, unit_price, amount, unit_cost, base_amount, on_hand, left_over, charge) >= 0) not valid;
alter table supplier_invoice_line add constraint supplier_invoice_line_above check (quantity > 0) not valid;

-- What suppliers have billed of what came in.
alter table goods_receipt_line add column billed {{int}} not null default 0;
alter table goods_receipt_line add constraint goods_receipt_line_billed check (billed >= 0 and billed <= quantity) not valid;

-- How far the invoice of a supplier may differ from the order and pass by itself: a share of what was ordered, in percent, or an amount in the base currency.
alter table company_default add column bill_percent {{int}} not null default 0;
alter table company_default add column bill_amount {{int}} not null default 0;
