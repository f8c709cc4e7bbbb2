-- +goose Up
-- What an item is made of: one bill of materials an item, a line for each component and the day from which it holds.
create table bom (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}} not null,
	created_at   {{int}} not null,
	modified_at  {{int}},
	changed_at   {{int}} not null,
	item_id      {{text}} not null,
	item         {{text}} not null,
	item_key     {{text}} not null,
	search       {{text}} not null default '',
	primary key (company, id),
	unique (company, item_id)
){{strict}};
create index bom_changed on bom (company, changed_at);
create index bom_key on bom (company, item_key);

-- quantity is in the component's base unit, for one of the item.
create table bom_line (
	company       {{text}} not null,
	bom_id        {{text}} not null,
	line          {{int}} not null,
	item_id       {{text}} not null,
	item          {{text}} not null,
	quantity      {{int}} not null,
	scrap_percent {{int}} not null default 0,
	valid_from    {{text}} not null default '',
	valid_to      {{text}} not null default '',
	primary key (company, bom_id, line)
){{strict}};
create index bom_line_item on bom_line (company, item_id);
alter table bom_line add constraint bom_line_above check (quantity > 0) not valid;
alter table bom_line add constraint bom_line_signs check (scrap_percent >= 0) not valid;

create table work_order (
	company         {{text}} not null,
	id              {{text}} not null,
	version         {{int}} not null,
	created_at      {{int}} not null,
	modified_at     {{int}},
	changed_at      {{int}} not null,
	number          {{text}} not null,
	number_key      {{text}} not null,
	title           {{text}} not null default '',
	description     {{text}} not null default '',
	type            {{text}} not null,
	status          {{text}} not null,
	priority        {{text}} not null,
	item_id         {{text}} not null default '',
	item            {{text}} not null default '',
	item_key        {{text}} not null default '',
	unit            {{text}} not null default '',
	planned         {{int}} not null default 0,
	produced        {{int}} not null default 0,
	scrapped        {{int}} not null default 0,
	cost            {{int}} not null default 0,
	planned_from_at {{int}},
	planned_to_at   {{int}},
	began_at        {{int}},
	ended_at        {{int}},
	customer_number {{text}} not null default '',
	order_id        {{text}} not null default '',
	order_number    {{text}} not null default '',
	order_line      {{int}} not null default 0,
	configuration   {{text}} not null default '',
	warehouse       {{text}} not null default '',
	location        {{text}} not null default '',
	search          {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index work_order_changed on work_order (company, changed_at);
create index work_order_item on work_order (company, item_id, status);
create index work_order_status on work_order (company, status, number_key);
create index work_order_order on work_order (company, order_id);
alter table work_order add constraint work_order_words check (type in ('Manufacturing', 'Project', 'Service', 'Maintenance') and status in ('Draft', 'Planned', 'Waiting', 'Active', 'Paused', 'Completed', 'Closed', 'Cancelled', 'Estimate') and priority in ('Low', 'Normal', 'High', 'Urgent')) not valid;
alter table work_order add constraint work_order_signs check ({{least}}(planned, produced, scrapped, cost) >= 0) not valid;
alter table work_order add constraint work_order_bounds check (produced + scrapped <= planned) not valid;

-- Quantities are in the component's base unit. issued left the stock at issued_cost in all; used of it went into what was completed, at
-- used_cost. waiting is what a waiting order lacks, 0 of every other.
create table work_order_line (
	company       {{text}} not null,
	work_order_id {{text}} not null,
	line          {{int}} not null,
	item_id       {{text}} not null,
	item          {{text}} not null,
	item_name     {{text}} not null default '',
	unit          {{text}} not null default '',
	decimals      {{int}} not null default 6,
	is_stocked    {{int}} not null default 1,
	per_unit      {{int}} not null,
	scrap_percent {{int}} not null default 0,
	required      {{int}} not null default 0,
	reserved      {{int}} not null default 0,
	issued        {{int}} not null default 0,
	issued_cost   {{int}} not null default 0,
	used          {{int}} not null default 0,
	used_cost     {{int}} not null default 0,
	waiting       {{int}} not null default 0,
	primary key (company, work_order_id, line)
){{strict}};
create index work_order_line_item on work_order_line (company, item_id, waiting);
alter table work_order_line add constraint work_order_line_signs check ({{least}}(scrap_percent, required, reserved, issued, issued_cost, used, used_cost, waiting) >= 0) not valid;
alter table work_order_line add constraint work_order_line_above check (per_unit > 0) not valid;
alter table work_order_line add constraint work_order_line_bounds check (used <= issued and used_cost <= issued_cost) not valid;

-- A part of a work order that was completed: quantity good pieces and scrapped ones, at cost in all.
create table work_order_completion (
	company       {{text}} not null,
	work_order_id {{text}} not null,
	completion    {{int}} not null,
	completed_at  {{int}} not null,
	quantity      {{int}} not null,
	scrapped      {{int}} not null,
	cost          {{int}} not null,
	primary key (company, work_order_id, completion)
){{strict}};
alter table work_order_completion add constraint work_order_completion_signs check ({{least}}(quantity, scrapped, cost) >= 0) not valid;

-- What moved for a work order: components in (line from 1), output out of it (line 0). completion is the part it belongs to, 0 for components
-- that were issued ahead.
create table work_order_move (
	company       {{text}} not null,
	work_order_id {{text}} not null,
	seq           {{int}} not null,
	completion    {{int}} not null,
	line          {{int}} not null,
	item_id       {{text}} not null,
	item          {{text}} not null,
	batch         {{text}} not null default '',
	batch_key     {{text}} not null default '',
	serial        {{text}} not null default '',
	serial_key    {{text}} not null default '',
	quantity      {{int}} not null,
	unit_cost     {{int}} not null default 0,
	primary key (company, work_order_id, seq)
){{strict}};
create index work_order_move_piece on work_order_move (company, item_id, batch_key, serial_key);
alter table work_order_move add constraint work_order_move_signs check (unit_cost >= 0) not valid;
