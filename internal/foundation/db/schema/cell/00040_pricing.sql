-- +goose Up
-- Price lists, who they are for, and their prices.

create table price_list (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}}  not null,
	created_at   {{int}}  not null,
	modified_at  {{int}},
	changed_at   {{int}}  not null,
	code         {{text}} not null,
	code_key     {{text}} not null,
	name         {{text}} not null,
	description  {{text}} not null default '',
	type         {{text}} not null,             -- Standard, Customer, CustomerGroup, Campaign or Contract
	currency     {{text}} not null,
	is_active    {{int}}  not null,
	is_inclusive {{int}}  not null,             -- prices include tax
	priority     {{int}}  not null,             -- the lower number wins
	is_default   {{int}}  not null,
	parent_id    {{text}} not null default '',
	parent_code  {{text}} not null default '',
	valid_from   {{text}} not null default '',
	valid_to     {{text}} not null default '',
	search       {{text}} not null,
	primary key (company, id),
	unique (company, code_key)
){{strict}};

create index price_list_changed on price_list (company, changed_at);

create unique index price_list_default on price_list (company) where is_default = 1;

-- Who a list is for, one row each: everybody, default, customer:<number>, group:<code>, channel:<code>, keys folded.
create table price_list_target (
	company {{text}} not null,
	target  {{text}} not null,
	list_id {{text}} not null,
	kind    {{text}} not null,                  -- customer, group, channel, or '' for everybody and default
	code    {{text}} not null default '',       -- as the customer, group or channel spells it
	primary key (company, target, list_id)
){{strict}};

create index price_list_target_list on price_list_target (company, list_id);

-- One price: an item in a list from a quantity and a day on. Quantities count base units.
create table price_list_line (
	company       {{text}} not null,
	id            {{text}} not null,
	version       {{int}}  not null,
	created_at    {{int}}  not null,
	modified_at   {{int}},
	changed_at    {{int}}  not null,
	list_id       {{text}} not null,
	item_id       {{text}} not null,
	item_number   {{text}} not null,
	item_key      {{text}} not null,
	min_quantity  {{int}}  not null,
	max_quantity  {{int}},
	valid_from    {{text}} not null default '',
	valid_to      {{text}} not null default '',
	strategy      {{text}} not null,
	unit_price    {{int}},                      -- of a calculated line: the last one calculated
	percentage    {{int}},
	fixed_amount  {{int}},
	calculated_at {{int}},
	primary key (company, id),
	unique (company, list_id, item_key, min_quantity, valid_from)
){{strict}};

create index price_list_line_item on price_list_line (company, item_id);

-- Few lines are calculated, and every write of a price asks for those of its item.
create index price_list_line_calculated on price_list_line (company, item_id) where strategy <> 'Fixed';

create index price_list_line_changed on price_list_line (company, changed_at);
