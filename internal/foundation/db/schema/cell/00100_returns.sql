-- +goose Up
-- Goods that come back from customers, registered against one order.
create table sales_return (
	company          {{text}} not null,
	id               {{text}} not null,
	version          {{int}} not null,
	created_at       {{int}} not null,
	modified_at      {{int}},
	changed_at       {{int}} not null,
	number           {{text}} not null,
	number_key       {{text}} not null,
	rma_number       {{text}} not null default '',
	order_id         {{text}} not null,
	order_number     {{text}} not null,
	order_key        {{text}} not null,
	customer_id      {{text}} not null default '',
	customer_number  {{text}} not null default '',
	customer_key     {{text}} not null default '',
	status           {{text}} not null,
	reason           {{text}} not null default '',
	return_date      {{text}} not null default '',
	received_date    {{text}} not null default '',
	warehouse        {{text}} not null default '',
	currency         {{text}} not null default '',
	digits           {{int}} not null default 2,
	external_notes   {{text}} not null default '',
	internal_notes   {{text}} not null default '',
	total            {{int}} not null default 0,
	vat              {{int}} not null default 0,
	search           {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index sales_return_changed on sales_return (company, changed_at);
create index sales_return_order on sales_return (company, order_id);
create index sales_return_customer on sales_return (company, customer_key, number_key);

-- Quantities are in the order line's unit; registered is what was announced, to_credit what of it had been invoiced.
create table sales_return_line (
	company      {{text}} not null,
	return_id    {{text}} not null,
	line         {{int}} not null,
	order_line   {{int}} not null default 0,
	item_id      {{text}} not null default '',
	item         {{text}} not null default '',
	item_name    {{text}} not null default '',
	unit         {{text}} not null default '',
	factor       {{int}} not null default 1000000,
	decimals     {{int}} not null default 6,
	ships        {{int}} not null default 0,
	registered   {{int}} not null default 0,
	quantity     {{int}} not null default 0,
	to_credit    {{int}} not null default 0,
	unit_price   {{int}} not null default 0,
	discount     {{int}} not null default 0,
	gross_price  {{int}} not null default 0,
	tax_percent  {{int}} not null default 0,
	total        {{int}} not null default 0,
	vat          {{int}} not null default 0,
	condition    {{text}} not null default '',
	notes        {{text}} not null default '',
	primary key (company, return_id, line)
){{strict}};
