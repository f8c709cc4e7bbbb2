-- +goose Up
-- Goods on their way from one warehouse to another. Quantities are in base units.
create table transfer (
	company         {{text}} not null,
	id              {{text}} not null,
	version         {{int}}  not null,
	created_at      {{int}}  not null,
	modified_at     {{int}},
	changed_at      {{int}}  not null,
	number          {{text}} not null,
	number_key      {{text}} not null,
	status          {{text}} not null,
	from_warehouse  {{text}} not null,
	to_warehouse    {{text}} not null,
	shipping_method {{text}} not null default '',
	requested_date  {{text}} not null default '',
	expected_date   {{text}} not null default '', -- told as the goods left
	notes           {{text}} not null default '',
	released_at     {{int}},
	shipped_at      {{int}},
	received_at     {{int}},                      -- the last of the goods came, or was given up
	line_count      {{int}}  not null,
	search          {{text}} not null,
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index transfer_changed on transfer (company, changed_at);
create index transfer_created on transfer (company, created_at, number_key);
create index transfer_status on transfer (company, status, number_key);
create index transfer_from on transfer (company, from_warehouse, number_key);
create index transfer_to on transfer (company, to_warehouse, number_key);

create table transfer_line (
	company     {{text}} not null,
	transfer_id {{text}} not null,
	line        {{int}}  not null,
	item_id     {{text}} not null,
	item        {{text}} not null,
	item_name   {{text}} not null default '',
	unit        {{text}} not null default '',
	decimals    {{int}}  not null,
	quantity    {{int}}  not null,
	allocated   {{int}}  not null default 0, -- at the source, from release until the goods leave
	shipped     {{int}}  not null default 0,
	received    {{int}}  not null default 0,
	written_off {{int}}  not null default 0, -- shipped, and lost on the way
	primary key (company, transfer_id, line)
){{strict}};
create index transfer_line_item on transfer_line (company, item_id, transfer_id);

-- What left: one row for each entry of the ledger at the source, so that the same batches and pieces arrive at the cost they left with.
create table transfer_parcel (
	company     {{text}} not null,
	transfer_id {{text}} not null,
	parcel      {{int}}  not null,
	line        {{int}}  not null,
	location    {{text}} not null,            -- where it lay
	batch       {{text}} not null default '',
	serial      {{text}} not null default '',
	quantity    {{int}}  not null,
	unit_cost   {{int}}  not null,            -- base currency, of one base unit
	received    {{int}}  not null default 0,
	written_off {{int}}  not null default 0,
	primary key (company, transfer_id, parcel)
){{strict}};

alter table transfer add constraint transfer_words check (status in ('Draft', 'Released', 'InTransit', 'PartiallyReceived', 'Received', 'Cancelled')) not valid;
alter table transfer_line add constraint transfer_line_signs check ({{least}}(allocated, shipped, received, written_off) >= 0) not valid;
alter table transfer_line add constraint transfer_line_above check (quantity > 0) not valid;
alter table transfer_line add constraint transfer_line_bounds check (allocated <= quantity and shipped <= quantity and received <= shipped - written_off) not valid;
alter table transfer_parcel add constraint transfer_parcel_signs check ({{least}}(unit_cost, received, written_off) >= 0) not valid;
alter table transfer_parcel add constraint transfer_parcel_above check ({{least}}(quantity, parcel) > 0) not valid;
alter table transfer_parcel add constraint transfer_parcel_bounds check (received <= quantity - written_off) not valid;
