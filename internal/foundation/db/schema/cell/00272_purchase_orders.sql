-- +goose Up
-- What the company buys. Quantities are in base units, prices are of one base unit in the order's currency and without tax.
create table purchase_order (
	company            {{text}} not null,
	id                 {{text}} not null,
	version            {{int}}  not null,
	created_at         {{int}}  not null,
	modified_at        {{int}},
	changed_at         {{int}}  not null,
	number             {{text}} not null,
	number_key         {{text}} not null,
	status             {{text}} not null,
	supplier_id        {{text}} not null,
	supplier_number    {{text}} not null,
	supplier_key       {{text}} not null,
	supplier_name      {{text}} not null,
	supplier_reference {{text}} not null default '',
	order_date         {{text}} not null,
	expected_date      {{text}} not null default '',
	promised_date      {{text}} not null default '', -- by the supplier
	currency           {{text}} not null,
	digits             {{int}}  not null,
	warehouse          {{text}} not null,
	notes              {{text}} not null default '',
	sent_at            {{int}},
	is_confirmed       {{int}}  not null,            -- the supplier has answered
	next_line          {{int}}  not null,
	line_count         {{int}}  not null,
	total              {{int}}  not null,
	search             {{text}} not null,
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index purchase_order_changed on purchase_order (company, changed_at);
create index purchase_order_listed on purchase_order (company, order_date desc, number_key);
create index purchase_order_date on purchase_order (company, order_date, number_key);
create index purchase_order_supplier_id on purchase_order (company, supplier_id);
create index purchase_order_supplier on purchase_order (company, supplier_key, number_key);
create index purchase_order_status on purchase_order (company, status, number_key);

create table purchase_order_line (
	company         {{text}} not null,
	order_id        {{text}} not null,
	line            {{int}}  not null,
	item_id         {{text}} not null default '',    -- empty on a line of text
	item            {{text}} not null default '',
	description     {{text}} not null,
	unit            {{text}} not null default '',
	is_goods        {{int}}  not null,               -- kept in stock, so it is received
	decimals        {{int}}  not null,
	quantity        {{int}}  not null,
	unit_price      {{int}}  not null,
	is_manual_price {{int}}  not null,
	line_total      {{int}}  not null,
	expected_date   {{text}} not null default '',
	confirmed       {{int}}  not null default 0,
	confirmed_date  {{text}} not null default '',
	received        {{int}}  not null default 0,
	primary key (company, order_id, line)
){{strict}};
create index purchase_order_line_item on purchase_order_line (company, item_id, order_id);

alter table purchase_order add constraint purchase_order_words check (status in ('Draft', 'Sent', 'PartiallyConfirmed', 'Confirmed', 'PartiallyReceived', 'Received', 'Closed', 'Cancelled')) not valid;
alter table purchase_order add constraint purchase_order_signs check (total >= 0) not valid;
alter table purchase_order_line add constraint purchase_order_line_signs check ({{least}}(unit_price, line_total, confirmed, received) >= 0) not valid;
alter table purchase_order_line add constraint purchase_order_line_above check (quantity > 0) not valid;
alter table purchase_order_line add constraint purchase_order_line_bounds check (confirmed <= quantity and received <= quantity) not valid;
