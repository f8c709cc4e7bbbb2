-- +goose Up
-- What leaves the house: one shipment covers lines of one or several orders of one customer to one address.
create table shipment (
	company          {{text}} not null,
	id               {{text}} not null,
	version          {{int}} not null,
	created_at       {{int}} not null,
	modified_at      {{int}},
	changed_at       {{int}} not null,
	number           {{text}} not null,
	number_key       {{text}} not null,
	status           {{text}} not null,
	customer_id      {{text}} not null default '',
	customer_number  {{text}} not null default '',
	warehouse        {{text}} not null default '',
	warehouse_key    {{text}} not null default '',
	method_code      {{text}} not null default '',
	method_name      {{text}} not null default '',
	is_pickup        {{int}} not null default 0,
	planned_on       {{text}} not null default '',
	requested_on     {{text}} not null default '',
	shipped_at       {{int}},
	delivered_at     {{int}},
	tracking_number  {{text}} not null default '',
	tracking_url     {{text}} not null default '',
	booking_id       {{text}} not null default '',
	goods_label      {{text}} not null default '',
	incoterms        {{text}} not null default '',
	notes            {{text}} not null default '',
	address          {{text}} not null default '',
	weight_kg        {{int}},
	packages         {{int}} not null default 0,
	picks            {{int}} not null default 0,
	search           {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index shipment_changed on shipment (company, changed_at);
create index shipment_status on shipment (company, status, number_key);

-- Quantities are in the order line's unit; factor is how many base units one is.
create table shipment_line (
	company       {{text}} not null,
	shipment_id   {{text}} not null,
	line          {{int}} not null,
	order_id      {{text}} not null default '',
	order_number  {{text}} not null default '',
	order_key     {{text}} not null default '',
	order_line    {{int}} not null default 0,
	item_id       {{text}} not null default '',
	item          {{text}} not null default '',
	item_name     {{text}} not null default '',
	unit          {{text}} not null default '',
	quantity      {{int}} not null default 0,
	factor        {{int}} not null default 1000000,
	picked        {{int}} not null default 0,
	returned      {{int}} not null default 0,
	decimals      {{int}} not null default 6,
	tracking      {{text}} not null default 'None',
	weight_kg     {{int}},
	unit_cost     {{int}},
	primary key (company, shipment_id, line)
){{strict}};
create index shipment_line_order_id on shipment_line (company, order_id, order_line);

-- Where picked pieces were taken from and which ones they are: only what the picker named. Base units.
create table shipment_pick (
	company      {{text}} not null,
	shipment_id  {{text}} not null,
	pick         {{int}} not null,
	line         {{int}} not null default 0,
	location     {{text}} not null default '',
	batch        {{text}} not null default '',
	serial       {{text}} not null default '',
	quantity     {{int}} not null default 0,
	returned     {{int}} not null default 0,
	primary key (company, shipment_id, pick)
){{strict}};

create table shipment_package (
	company          {{text}} not null,
	shipment_id      {{text}} not null,
	package          {{int}} not null,
	tracking_number  {{text}} not null default '',
	weight_kg        {{int}},
	length_cm        {{int}},
	width_cm         {{int}},
	height_cm        {{int}},
	notes            {{text}} not null default '',
	primary key (company, shipment_id, package)
){{strict}};
