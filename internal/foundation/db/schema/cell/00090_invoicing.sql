-- +goose Up
-- Invoices and credit notes. Amounts of both are positive. Booked ones never change but in what is paid of them.
create table invoice (
	company          {{text}} not null,
	id               {{text}} not null,
	version          {{int}} not null,
	created_at       {{int}} not null,
	modified_at      {{int}},
	changed_at       {{int}} not null,
	number           {{text}} not null,
	number_key       {{text}} not null,
	type             {{text}} not null,
	status           {{text}} not null,
	payment_status   {{text}} not null,
	customer_id      {{text}} not null default '',
	customer_number  {{text}} not null default '',
	customer_key     {{text}} not null default '',
	customer_name    {{text}} not null default '',
	address          {{text}} not null default '',
	invoice_date     {{text}} not null,
	due_date         {{text}} not null default '',
	currency         {{text}} not null default '',
	digits           {{int}} not null default 2,
	payment_term     {{text}} not null default '',
	total            {{int}} not null default 0,
	vat              {{int}} not null default 0,
	paid             {{int}} not null default 0,
	tax_reduction    {{int}} not null default 0,
	document_number  {{text}} not null default '',
	document_key     {{text}} not null default '',
	comments         {{text}} not null default '',
	credits_invoice  {{text}} not null default '',
	return_number    {{text}} not null default '',
	order_numbers    {{text}} not null default '',
	customer_references {{text}} not null default '',
	payments         {{int}} not null default 0,
	search           {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index invoice_changed on invoice (company, changed_at);
create index invoice_date on invoice (company, invoice_date, number_key);
create index invoice_customer on invoice (company, customer_key, invoice_date, number_key);
create index invoice_customer_id on invoice (company, customer_id);
create index invoice_return on invoice (company, return_number);
create unique index invoice_document on invoice (company, document_key) where document_key <> '';

-- credited… is what credit notes took back of the line; rebill says that a credited line is billed again.
create table invoice_line (
	company         {{text}} not null,
	invoice_id      {{text}} not null,
	line            {{int}} not null,
	order_id        {{text}} not null default '',
	order_number    {{text}} not null default '',
	order_key       {{text}} not null default '',
	order_line      {{int}} not null default 0,
	item_id         {{text}} not null default '',
	item            {{text}} not null default '',
	description     {{text}} not null default '',
	unit            {{text}} not null default '',
	quantity        {{int}} not null default 0,
	unit_price      {{int}} not null default 0,
	discount        {{int}} not null default 0,
	gross_price     {{int}} not null default 0,
	tax_code        {{text}} not null default '',
	tax_percent     {{int}} not null default 0,
	total           {{int}} not null default 0,
	tax             {{int}} not null default 0,
	credits_invoice {{text}} not null default '',
	credits_line    {{int}} not null default 0,
	rebill          {{int}} not null default 0,
	credited        {{int}} not null default 0,
	credited_total  {{int}} not null default 0,
	credited_tax    {{int}} not null default 0,
	primary key (company, invoice_id, line)
){{strict}};
create index invoice_line_order on invoice_line (company, order_key, invoice_id);
-- Lines of orders are found through their orders; this is for the few that have none.
create index invoice_line_free on invoice_line (company, item_id) where order_id = '';

create table invoice_payment (
	company     {{text}} not null,
	invoice_id  {{text}} not null,
	payment     {{int}} not null,
	kind        {{text}} not null,
	paid_on     {{text}} not null,
	amount      {{int}} not null,
	reference   {{text}} not null default '',
	primary key (company, invoice_id, payment)
){{strict}};
