-- +goose Up
-- Who the company buys from, the people who work there, and what each of them charges for an item.

create table supplier (
	company             {{text}} not null,
	id                  {{text}} not null,
	version             {{int}}  not null,
	created_at          {{int}}  not null,
	modified_at         {{int}},
	changed_at          {{int}}  not null,
	number              {{text}} not null,
	number_key          {{text}} not null,
	name                {{text}} not null,
	organization_number {{text}} not null default '',
	vat_number          {{text}} not null default '',
	vat_validated_at    {{int}},                -- when somebody found the number in the register of the EU
	is_active           {{int}}  not null,
	contact_person      {{text}} not null default '',
	phone               {{text}} not null default '',
	order_email         {{text}} not null default '',
	website             {{text}} not null default '',
	street1             {{text}} not null default '',
	street2             {{text}} not null default '',
	postal_code         {{text}} not null default '',
	city                {{text}} not null default '',
	country_code        {{text}} not null default '',
	currency_code       {{text}} not null default '',
	language_code       {{text}} not null default '',
	payment_term_code   {{text}} not null default '',
	delivery_term_code  {{text}} not null default '',
	lead_time_days      {{int}},
	our_customer_number {{text}} not null default '',
	notes               {{text}} not null default '',
	search              {{text}} not null,
	primary key (company, id),
	unique (company, number_key)
){{strict}};

create index supplier_changed on supplier (company, changed_at);
create index supplier_name on supplier (company, lower(name), number_key);

alter table supplier add constraint supplier_lead_time_days check (lead_time_days >= 0) not valid;

create table supplier_contact (
	company       {{text}} not null,
	supplier_id   {{text}} not null,
	id            {{text}} not null,
	name          {{text}} not null,
	email         {{text}} not null default '',
	phone         {{text}} not null default '',
	mobile        {{text}} not null default '',
	role          {{text}} not null default '',
	language_code {{text}} not null default '',
	is_primary    {{int}}  not null,
	is_active     {{int}}  not null,
	created_at    {{int}}  not null,
	modified_at   {{int}},
	changed_at    {{int}}  not null,
	primary key (company, supplier_id, id)
){{strict}};

-- Whether the supplier is the item's primary one stands nowhere but on the item: item.supplier_number is his number.
-- Prices are of one base unit, quantities in base units; item numbers never change, so the number is kept beside the id.
create table supplier_item (
	company            {{text}} not null,
	id                 {{text}} not null,
	supplier_id        {{text}} not null,
	item_id            {{text}} not null,
	item               {{text}} not null,
	item_key           {{text}} not null,
	their_number       {{text}} not null default '',
	their_name         {{text}} not null default '',
	unit_price         {{int}},
	currency_code      {{text}} not null default '', -- empty: the supplier's
	min_order_quantity {{int}},
	order_multiple     {{int}},
	lead_time_days     {{int}},
	valid_from         {{text}} not null default '',
	valid_to           {{text}} not null default '',
	search             {{text}} not null,
	created_at         {{int}}  not null,
	modified_at        {{int}},
	changed_at         {{int}}  not null,
	primary key (company, id),
	unique (company, supplier_id, item_id)
){{strict}};

create index supplier_item_listed on supplier_item (company, supplier_id, item_key);
create index supplier_item_item on supplier_item (company, item_id);

alter table supplier_item add constraint supplier_item_unit_price check (unit_price >= 0) not valid;
alter table supplier_item add constraint supplier_item_min_order_quantity check (min_order_quantity >= 0) not valid;
alter table supplier_item add constraint supplier_item_order_multiple check (order_multiple > 0) not valid;
alter table supplier_item add constraint supplier_item_lead_time_days check (lead_time_days >= 0) not valid;

-- Items have named suppliers since before there were any: one that gets such a number supplies those items.
create index item_supplier on item (company, supplier_number) where supplier_number <> '';
