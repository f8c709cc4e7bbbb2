-- +goose Up
-- What lies in the warehouses. The ledger (stock_entry) is append-only; balances are its sums, levels
-- are the sums of balances and carry what orders have reserved. Warehouse and location are the codes of
-- the reference book, spelled as there; item numbers never change, so they are kept beside the id.

-- An item in a warehouse: the row that is locked.
create table stock_level (
	company      {{text}} not null,
	item_id      {{text}} not null,
	warehouse    {{text}} not null,
	item         {{text}} not null,
	on_hand      {{int}}  not null,
	allocated    {{int}}  not null,
	average_cost {{int}}  not null,             -- stays known when nothing is left
	seq          {{int}}  not null,             -- of its last entry; 0 = nothing ever moved
	created_at   {{int}}  not null,
	changed_at   {{int}}  not null,
	primary key (company, item_id, warehouse)
){{clustered}};

create index stock_level_changed on stock_level (company, changed_at);

-- What lies at one location, of one batch, under one serial number. Rows stay when they are empty, so
-- that a copy learns it.
create table stock_balance (
	company    {{text}} not null,
	item_id    {{text}} not null,
	warehouse  {{text}} not null,
	location   {{text}} not null,
	batch_key  {{text}} not null default '',
	serial_key {{text}} not null default '',
	batch      {{text}} not null default '',
	serial     {{text}} not null default '',
	item       {{text}} not null,
	item_key   {{text}} not null,
	quantity   {{int}}  not null,
	created_at {{int}}  not null,
	changed_at {{int}}  not null,
	primary key (company, item_id, warehouse, location, batch_key, serial_key)
){{clustered}};

create index stock_balance_listed on stock_balance (company, item_key, warehouse, location, batch_key, serial_key);

-- A serial number is in one place at most.
create unique index stock_balance_serial on stock_balance (company, item_id, serial_key) where serial_key <> '' and quantity > 0;

create table stock_entry (
	company         {{text}} not null,
	id              {{text}} not null,
	version         {{int}}  not null,
	created_at      {{int}}  not null,
	modified_at     {{int}},
	changed_at      {{int}}  not null,
	kind            {{text}} not null,          -- Receipt, Issue, Adjustment, Transfer, Return, Scrap …
	at              {{int}}  not null,          -- the business moment
	warehouse       {{text}} not null,
	location        {{text}} not null,
	target_location {{text}} not null default '', -- of a Transfer within the warehouse
	item_id         {{text}} not null,
	item            {{text}} not null,
	batch           {{text}} not null default '',
	serial          {{text}} not null default '',
	quantity        {{int}}  not null,          -- signed; a Transfer moves it from location to target_location
	balance_after   {{int}}  not null,          -- at location, of this batch and serial number
	unit_cost       {{int}},
	average_after   {{int}}  not null,          -- of the warehouse
	ref_type        {{text}} not null default '',
	ref_id          {{text}} not null default '',
	notes           {{text}} not null default '',
	seq             {{int}}  not null,          -- counts the entries of a level without gaps
	primary key (company, id)
){{strict}};

create unique index stock_entry_chain on stock_entry (company, item_id, warehouse, seq);
create index stock_entry_listed on stock_entry (company, at, id);
create index stock_entry_changed on stock_entry (company, changed_at);
create index stock_entry_reference on stock_entry (company, ref_id);

create table stock_batch (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}}  not null,
	created_at  {{int}}  not null,
	modified_at {{int}},
	changed_at  {{int}}  not null,
	item_id     {{text}} not null,
	item        {{text}} not null,
	number      {{text}} not null,
	number_key  {{text}} not null,
	expiry_date {{text}} not null default '',
	primary key (company, id),
	unique (company, item_id, number_key)
){{strict}};

create index stock_batch_changed on stock_batch (company, changed_at);
