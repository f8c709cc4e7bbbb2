-- +goose Up
-- What visitors of stores have gathered. A cart is a visitor's own affair: it has no change rows, and ends with its session.
create table cart (
	company        {{text}} not null,
	id             {{text}} not null,
	session_id     {{text}} not null,
	reference      {{text}} not null default '',
	note           {{text}} not null default '',
	requested_date {{text}} not null default '',
	notices        {{text}} not null default '',  -- JSON: what the visitor is to be told at the next look
	misses         {{int}}  not null default 0,   -- wrong codes since missed_at
	missed_at      {{int}},
	created_at     {{int}}  not null,
	changed_at     {{int}}  not null,
	primary key (company, id),
	unique (company, session_id)
){{strict}};

create table cart_line (
	company        {{text}} not null,
	cart_id        {{text}} not null,
	id             {{text}} not null,
	item_id        {{text}} not null,
	configuration  {{text}} not null default '',
	quantity       {{int}}  not null,             -- in unit
	unit           {{text}} not null default '',
	note           {{text}} not null default '',
	seen_price     {{int}},                       -- the price last shown, NULL = none yet
	seen_inclusive {{int}}  not null default 0,
	seen_currency  {{text}} not null default '',
	primary key (company, cart_id, id),
	unique (company, cart_id, item_id, configuration)
){{clustered}};

create table cart_code (
	company    {{text}} not null,
	cart_id    {{text}} not null,
	code_key   {{text}} not null,
	applied_at {{int}}  not null,
	primary key (company, cart_id, code_key)
){{clustered}};
