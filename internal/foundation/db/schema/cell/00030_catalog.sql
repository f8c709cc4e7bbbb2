-- +goose Up
-- What can be sold, bought and made.

create table item (
	company             {{text}} not null,
	id                  {{text}} not null,
	version             {{int}}  not null,
	created_at          {{int}}  not null,
	modified_at         {{int}},
	changed_at          {{int}}  not null,
	number              {{text}} not null,
	number_key          {{text}} not null,
	name                {{text}} not null,
	description         {{text}} not null default '',
	search              {{text}} not null default '', -- folded number, name, gtin, manufacturer's number
	type                {{text}} not null,            -- Stock, NonStock or Service
	is_active           {{int}}  not null,
	category_code       {{text}} not null default '', -- codes never change, so they are kept as they are shown
	group_code          {{text}} not null default '',
	group_key           {{text}} not null default '',
	brand_code          {{text}} not null default '',
	base_unit           {{text}} not null default '',
	sales_unit          {{text}} not null default '',
	purchase_unit       {{text}} not null default '',
	decimal_places      {{int}}  not null default 0,
	sales_price         {{int}},
	tax_code            {{text}} not null default '',
	gtin                {{text}} not null default '',
	manufacturer_number {{text}} not null default '',
	supplier_number     {{text}} not null default '',
	weight_kg           {{int}},
	length_cm           {{int}},
	width_cm            {{int}},
	height_cm           {{int}},
	origin_country      {{text}} not null default '',
	commodity_code      {{text}} not null default '',
	tracking            {{text}} not null,
	replenishment       {{text}} not null,
	is_configurable     {{int}}  not null default 0,
	variant_of          {{text}} not null default '', -- number of the parent; numbers never change
	variant_options     {{text}} not null default '', -- JSON
	cross_references    {{text}} not null default '', -- JSON
	units               {{text}} not null default '', -- JSON: units besides the base unit
	primary key (company, id),
	unique (company, number_key)
){{strict}};

create index item_changed on item (company, changed_at);
create index item_category on item (company, category_code, number_key);
create index item_brand on item (company, brand_code, number_key);
create index item_variant on item (company, variant_of, number_key);

create table item_attribute (
	company        {{text}} not null,
	item_id        {{text}} not null,
	attribute_key  {{text}} not null,
	position       {{int}}  not null,
	value          {{text}} not null,
	value_key      {{text}} not null, -- the beginning of the folded value, for filters
	primary key (company, item_id, attribute_key, position)
){{strict}};

create index item_attribute_value on item_attribute (company, attribute_key, value_key, item_id);

create table item_relation (
	company    {{text}} not null,
	source_id  {{text}} not null,
	type       {{text}} not null,
	target_id  {{text}} not null,
	sort_order {{int}}  not null default 0,
	primary key (company, source_id, type, target_id)
){{strict}};

create index item_relation_target on item_relation (company, target_id);

create table category (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}}  not null,
	created_at  {{int}}  not null,
	modified_at {{int}},
	changed_at  {{int}}  not null,
	code        {{text}} not null,
	code_key    {{text}} not null,
	name        {{text}} not null,
	search      {{text}} not null default '',
	parent_code {{text}} not null default '', -- as the parent was created; codes never change
	depth       {{int}}  not null default 0,  -- ancestors above it, so that lists bring parents first
	slug        {{text}} not null,
	description {{text}} not null default '',
	sort_order  {{int}}  not null default 0,
	is_active   {{int}}  not null,
	primary key (company, id),
	unique (company, code_key),
	unique (company, slug)
){{strict}};

create index category_changed on category (company, changed_at);
create index category_parent on category (company, parent_code);
create index category_order on category (company, depth, sort_order, code_key);

create table brand (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}}  not null,
	created_at  {{int}}  not null,
	modified_at {{int}},
	changed_at  {{int}}  not null,
	code        {{text}} not null,
	code_key    {{text}} not null,
	name        {{text}} not null,
	search      {{text}} not null default '',
	slug        {{text}} not null,
	description {{text}} not null default '',
	logo_url    {{text}} not null default '',
	website_url {{text}} not null default '',
	sort_order  {{int}}  not null default 0,
	is_active   {{int}}  not null,
	primary key (company, id),
	unique (company, code_key),
	unique (company, slug)
){{strict}};

create index brand_changed on brand (company, changed_at);

create table attribute (
	company        {{text}} not null,
	id             {{text}} not null,
	version        {{int}}  not null,
	created_at     {{int}}  not null,
	modified_at    {{int}},
	changed_at     {{int}}  not null,
	code           {{text}} not null,
	code_key       {{text}} not null,
	name           {{text}} not null,
	search         {{text}} not null default '',
	description    {{text}} not null default '',
	group_name     {{text}} not null default '',
	data_type      {{text}} not null,
	unit           {{text}} not null default '',
	allowed_values {{text}} not null default '', -- JSON; '' where any value is allowed
	is_multi_value {{int}}  not null default 0,
	is_visible     {{int}}  not null default 0,  -- on the product page
	min_value      {{int}},
	max_value      {{int}},
	pattern        {{text}} not null default '',
	is_active      {{int}}  not null,
	primary key (company, id),
	unique (company, code_key)
){{strict}};

create index attribute_changed on attribute (company, changed_at);
