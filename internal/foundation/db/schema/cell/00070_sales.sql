-- +goose Up
-- Sales orders. Names are copied onto the document; statuses and sums of the head are derived from the lines.
create table sales_order (
	company           {{text}} not null,
	id                {{text}} not null,
	version           {{int}}  not null,
	created_at        {{int}}  not null,
	modified_at       {{int}},
	changed_at        {{int}}  not null,
	number            {{text}} not null,
	number_key        {{text}} not null,
	status            {{text}} not null,
	customer_id       {{text}} not null,
	customer          {{text}} not null,             -- number
	customer_key      {{text}} not null,
	customer_name     {{text}} not null default '',
	currency          {{text}} not null,
	digits            {{int}}  not null,             -- minor digits of the currency
	channel           {{text}} not null default '',
	channel_key       {{text}} not null default '',
	channel_name      {{text}} not null default '',
	reference         {{text}} not null default '',
	order_date        {{text}} not null,
	requested_on      {{text}} not null default '',
	order_type        {{text}} not null default '',
	order_type_name   {{text}} not null default '',
	warehouse         {{text}} not null default '',
	warehouse_name    {{text}} not null default '',
	payment_term      {{text}} not null default '',
	payment_term_name {{text}} not null default '',
	delivery_term     {{text}} not null default '',
	delivery_term_name {{text}} not null default '',
	shipping_method   {{text}} not null default '',
	shipping_method_name {{text}} not null default '',
	delivery_address  {{text}} not null default '',
	invoice_address   {{text}} not null default '',
	external_number   {{text}} not null default '',
	external_scope    {{text}} not null default '',
	ship_together     {{int}}  not null default 0,
	notes             {{text}} not null default '',
	internal_notes    {{text}} not null default '',
	placed_at         {{int}},                       -- NULL for a draft
	given_up          {{int}}  not null default 0,   -- closed by hand
	next_line         {{int}}  not null,
	-- derived
	delivery_status   {{text}} not null,
	invoiced_status   {{text}} not null,
	delivered_percent {{int}}  not null default 0,
	planned_on        {{text}} not null default '',
	total_amount      {{int}}  not null default 0,
	total_vat         {{int}}  not null default 0,
	line_count        {{int}}  not null default 0,
	-- written by the rooms above through LinkShipment and LinkInvoice: numbers, one a line
	shipments         {{text}} not null default '',
	invoices          {{text}} not null default '',
	search            {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};

create index sales_order_changed on sales_order (company, changed_at);
create index sales_order_date on sales_order (company, order_date desc, number_key);
create index sales_order_status on sales_order (company, status, order_date desc, number_key);
create index sales_order_customer on sales_order (company, customer_key, order_date desc, number_key);

-- Quantities are in the line's unit; factor is base units per unit.
create table sales_order_line (
	company           {{text}} not null,
	order_id          {{text}} not null,
	line              {{int}}  not null,
	item_id           {{text}} not null default '',
	item              {{text}} not null default '',  -- number
	description       {{text}} not null default '',
	type              {{text}} not null default '',
	decimals          {{int}}  not null default 6,
	quantity          {{int}}  not null default 0,
	unit              {{text}} not null default '',
	factor            {{int}}  not null default 1000000,
	unit_price        {{int}}  not null default 0,
	is_manual_price   {{int}}  not null default 0,
	includes_tax      {{int}}  not null default 0,
	price_list        {{text}} not null default '',
	discount_percent  {{int}}  not null default 0,
	tax_code          {{text}} not null default '',
	tax_percent       {{int}}  not null default 0,
	line_total        {{int}}  not null default 0,
	tax_amount        {{int}}  not null default 0,
	allocated         {{int}}  not null default 0,
	on_shipment       {{int}}  not null default 0,
	delivered         {{int}}  not null default 0,
	returned          {{int}}  not null default 0,
	returned_unbilled {{int}}  not null default 0,
	invoiced          {{int}}  not null default 0,
	requested_on      {{text}} not null default '',
	planned_on        {{text}} not null default '',
	warehouse         {{text}} not null default '',
	configuration     {{text}} not null default '',
	external_line     {{text}} not null default '',
	-- derived: the back-order in base units while the order is open, and the day it is wanted
	waiting           {{int}}  not null default 0,
	wanted_on         {{text}} not null default '',
	primary key (company, order_id, line)
){{clustered}};

create index sales_order_line_waiting on sales_order_line (company, item_id, warehouse) where waiting > 0;

-- Which order has an external number: taken before the order is written, so that two at once cannot both have it.
create table sales_order_external (
	company    {{text}} not null,
	scope_key  {{text}} not null,
	number_key {{text}} not null,
	order_id   {{text}} not null,
	primary key (company, scope_key, number_key)
){{strict}};
