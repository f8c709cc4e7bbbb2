-- +goose Up
-- Discount codes with what was granted by them, and gift cards with their ledgers.
create table discount_code (
	company        {{text}} not null,
	id             {{text}} not null,
	version        {{int}}  not null,
	created_at     {{int}}  not null,
	modified_at    {{int}},
	changed_at     {{int}}  not null,
	code           {{text}} not null,
	code_key       {{text}} not null,
	description    {{text}} not null default '',
	percent        {{int}}  not null default 0,
	amount         {{int}}  not null default 0,
	currency       {{text}} not null default '',  -- of amount and min_value
	min_value      {{int}}  not null default 0,
	free_freight   {{int}}  not null default 0,
	is_combinable  {{int}}  not null default 0,
	valid_from     {{text}} not null default '',
	valid_to       {{text}} not null default '',
	limit_total    {{int}}  not null default 0,   -- 0 = none
	limit_customer {{int}}  not null default 0,
	scope          {{text}} not null default '',  -- JSON: promotion.Scope
	is_active      {{int}}  not null default 1,
	used           {{int}}  not null default 0,   -- derived from discount_use
	search         {{text}} not null default '',
	primary key (company, id),
	unique (company, code_key)
){{strict}};
create index discount_code_changed on discount_code (company, changed_at);

-- An order that a code was used for. One given back counts no more.
create table discount_use (
	company       {{text}} not null,
	code_id       {{text}} not null,
	order_id      {{text}} not null,
	order_number  {{text}} not null default '',
	customer_id   {{text}} not null default '',
	email_key     {{text}} not null default '',
	amount        {{int}}  not null,
	currency      {{text}} not null,
	used_at       {{int}}  not null,
	given_back_at {{int}},
	primary key (company, code_id, order_id)
){{clustered}};
create index discount_use_order on discount_use (company, order_id);
create index discount_use_customer on discount_use (company, code_id, customer_id);
create index discount_use_email on discount_use (company, code_id, email_key);

create table gift_card (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}}  not null,
	created_at  {{int}}  not null,
	modified_at {{int}},
	changed_at  {{int}}  not null,
	code        {{text}} not null,
	code_key    {{text}} not null,
	currency    {{text}} not null,
	initial     {{int}}  not null,
	expires_on  {{text}} not null default '',  -- the last day; '' = never
	recipient   {{text}} not null default '',
	note        {{text}} not null default '',
	is_active   {{int}}  not null default 1,
	balance     {{int}}  not null,             -- the sum of its movements
	search      {{text}} not null default '',
	primary key (company, id),
	unique (company, code_key),
	check (balance >= 0)
){{strict}};
create index gift_card_changed on gift_card (company, changed_at);

-- The ledger of gift cards: append-only.
create table gift_card_movement (
	company      {{text}} not null,
	card_id      {{text}} not null,
	seq          {{int}}  not null,
	kind         {{text}} not null,  -- Issued, Spent, GivenBack, Corrected
	amount       {{int}}  not null,  -- signed
	balance      {{int}}  not null,  -- afterwards
	order_id     {{text}} not null default '',
	order_number {{text}} not null default '',
	note         {{text}} not null default '',
	at           {{int}}  not null,
	primary key (company, card_id, seq)
){{clustered}};
create index gift_card_movement_order on gift_card_movement (company, order_id) where order_id <> '';
