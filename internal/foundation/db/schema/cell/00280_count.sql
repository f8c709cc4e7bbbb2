-- +goose Up
-- Physical counts. A line is one stock row; expected is what the books said when the count began, and from the moment the line was
-- recorded what they said then. counted is null until somebody has counted. cost is the average cost that a difference was booked at.
create table inventory_count (
	company       {{text}} not null,
	id            {{text}} not null,
	version       {{int}}  not null,
	created_at    {{int}}  not null,
	modified_at   {{int}},
	changed_at    {{int}}  not null,
	number        {{text}} not null,
	number_key    {{text}} not null,
	status        {{text}} not null,
	warehouse     {{text}} not null,
	locations     {{text}} not null default '',  -- what was asked for, a code a line; '' = all
	items         {{text}} not null default '',  -- likewise
	is_blind      {{int}}  not null default 0,
	posted_at     {{int}},
	line_count    {{int}}  not null default 0,
	counted_count {{int}}  not null default 0,
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index inventory_count_changed on inventory_count (company, changed_at);
create index inventory_count_status on inventory_count (company, status, number_key);
create index inventory_count_warehouse on inventory_count (company, warehouse, number_key);

create table inventory_count_line (
	company     {{text}} not null,
	count_id    {{text}} not null,
	line        {{int}}  not null,
	item_id     {{text}} not null,
	item        {{text}} not null,
	item_name   {{text}} not null default '',
	warehouse   {{text}} not null,
	location    {{text}} not null,
	batch       {{text}} not null default '',
	serial      {{text}} not null default '',
	batch_key   {{text}} not null default '',
	serial_key  {{text}} not null default '',
	expected    {{int}}  not null,
	counted     {{int}},
	recorded_at {{int}},
	cost        {{int}},
	is_open     {{int}}  not null default 1,
	primary key (company, count_id, line)
){{clustered}};

-- A stock row is counted by one open count at most.
create unique index inventory_count_line_open on inventory_count_line (company, item_id, warehouse, location, batch_key, serial_key) where is_open = 1;

-- What lies at a location, for who counts it.
create index stock_balance_place on stock_balance (company, warehouse, location);

alter table inventory_count add constraint inventory_count_words check (status in ('Open', 'Posted', 'Cancelled')) not valid;
alter table inventory_count add constraint inventory_count_signs check (counted_count >= 0) not valid;
alter table inventory_count add constraint inventory_count_bounds check (counted_count <= line_count) not valid;
alter table inventory_count_line add constraint inventory_count_line_signs check (expected >= 0) not valid;
alter table inventory_count_line add constraint inventory_count_line_counted check (counted >= 0) not valid;
alter table inventory_count_line add constraint inventory_count_line_cost check (cost >= 0) not valid;
alter table inventory_count_line add constraint inventory_count_line_bounds check (is_open = 0 or cost is null) not valid;
