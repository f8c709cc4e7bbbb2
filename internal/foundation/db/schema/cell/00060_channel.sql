-- +goose Up
-- Where the company sells, what is published there, and the redirects that keep old addresses working.

create table channel (
	company                {{text}} not null,
	id                     {{text}} not null,
	version                {{int}}  not null,
	created_at             {{int}}  not null,
	modified_at            {{int}},
	changed_at             {{int}}  not null,
	code                   {{text}} not null,
	code_key               {{text}} not null,
	name                   {{text}} not null,
	type                   {{text}} not null,
	domain                 {{text}} not null default '',
	currency_code          {{text}} not null,
	warehouse_code         {{text}} not null,
	price_list_code        {{text}} not null default '',
	order_type_code        {{text}} not null,
	is_active              {{int}}  not null,
	is_price_including_tax {{int}}  not null,
	languages              {{text}} not null default '',  -- joined by spaces
	countries              {{text}} not null default '',
	product_path           {{text}} not null,             -- templates with {slug}
	category_path          {{text}} not null,
	brand_path             {{text}} not null,
	page_path              {{text}} not null,
	blog_path              {{text}} not null,
	primary key (company, id),
	unique (company, code_key)
){{strict}};

create index channel_changed on channel (company, changed_at);

create table publication (
	company           {{text}} not null,
	id                {{text}} not null,
	version           {{int}}  not null,
	created_at        {{int}}  not null,
	modified_at       {{int}},
	changed_at        {{int}}  not null,
	item_id           {{text}} not null,
	item_number       {{text}} not null,
	item_key          {{text}} not null,
	channel_code      {{text}} not null,
	channel_key       {{text}} not null,
	is_published      {{int}}  not null,
	slug              {{text}} not null,
	title             {{text}} not null default '',
	short_description {{text}} not null default '',
	description       {{text}} not null default '',
	meta_title        {{text}} not null default '',
	meta_description  {{text}} not null default '',
	sort_order        {{int}}  not null default 0,
	publish_from      {{int}},
	publish_to        {{int}},
	is_featured       {{int}}  not null,
	is_purchasable    {{int}}  not null,
	allow_backorder   {{int}}  not null,
	primary key (company, id),
	unique (company, item_key, channel_key),
	unique (company, channel_key, slug)
){{strict}};

create index publication_changed on publication (company, changed_at);

create table redirect (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}}  not null,
	created_at   {{int}}  not null,
	modified_at  {{int}},
	changed_at   {{int}}  not null,
	channel_code {{text}} not null,
	channel_key  {{text}} not null,
	from_path    {{text}} not null,
	to_path      {{text}} not null,
	to_path_key  {{text}} not null,                       -- as from_path is written, to find chains
	status_code  {{int}}  not null,
	is_active    {{int}}  not null,
	hit_count    {{int}}  not null default 0,
	last_hit_at  {{int}},
	primary key (company, id),
	unique (company, channel_key, from_path)
){{strict}};

create index redirect_target on redirect (company, channel_key, to_path_key);
create index redirect_changed on redirect (company, changed_at);
