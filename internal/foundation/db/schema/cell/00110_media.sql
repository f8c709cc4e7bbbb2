-- +goose Up
-- Pictures and documents. The bytes lie in the file store, by the hash of their content; what uses them stands here.

create table media_asset (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}}  not null,
	created_at   {{int}}  not null,
	modified_at  {{int}},
	changed_at   {{int}}  not null,
	channel_code {{text}} not null,
	channel_key  {{text}} not null,
	folder       {{text}} not null,
	file_name    {{text}} not null,
	hash         {{text}} not null,             -- SHA-256 of the bytes, hexadecimal
	content_type {{text}} not null,
	file_size    {{int}}  not null,
	width        {{int}}  not null default 0,   -- 0 where it is not known
	height       {{int}}  not null default 0,
	title        {{text}} not null default '',
	alt_text     {{text}} not null default '',
	caption      {{text}} not null default '',
	search       {{text}} not null,             -- folded file name, title and alternative text
	primary key (company, id)
){{strict}};

create index media_asset_changed on media_asset (company, changed_at);
create index media_asset_newest on media_asset (company, channel_key, created_at, id);
create index media_asset_hash on media_asset (company, hash);

create table item_asset (
	company      {{text}} not null,
	item_id      {{text}} not null,
	id           {{text}} not null,
	kind         {{text}} not null,             -- Image or Document
	file_name    {{text}} not null,
	hash         {{text}} not null,
	content_type {{text}} not null,
	file_size    {{int}}  not null,
	width        {{int}}  not null default 0,
	height       {{int}}  not null default 0,
	title        {{text}} not null default '',
	alt_text     {{text}} not null default '',
	sort_order   {{int}}  not null default 0,
	is_primary   {{int}}  not null,
	primary key (company, item_id, id)
){{strict}};

create index item_asset_hash on item_asset (company, hash);
-- One picture stands for an item.
create unique index item_asset_primary on item_asset (company, item_id) where is_primary = 1;
