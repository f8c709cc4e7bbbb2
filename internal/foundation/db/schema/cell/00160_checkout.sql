-- +goose Up
-- From a cart to an order: what the checkout holds, the payments, and the goods that started payments hold.

-- Goods that are promised to somebody for a while. They count in stock_level.allocated.
create table stock_hold (
	company    {{text}} not null,
	owner      {{text}} not null,
	item_id    {{text}} not null,
	warehouse  {{text}} not null,
	quantity   {{int}}  not null,
	ends_at    {{int}}  not null,
	primary key (company, owner, item_id, warehouse)
){{clustered}};
create index stock_hold_item on stock_hold (company, item_id);

create table payment_method (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}}  not null,
	created_at   {{int}}  not null,
	modified_at  {{int}},
	changed_at   {{int}}  not null,
	code         {{text}} not null,
	code_key     {{text}} not null,
	name         {{text}} not null,
	provider     {{text}} not null,
	fee          {{int}}  not null default 0,   -- in the company's currency
	fee_includes_tax {{int}} not null default 0,
	fee_tax_code {{text}} not null default '',
	payment_term {{text}} not null default '',  -- of the orders; '' = the customer's
	instructions {{text}} not null default '',  -- for the buyer, in the confirmation
	settings     {{text}} not null default '',  -- JSON; some of it secret
	channels     {{text}} not null default '',  -- JSON; '' = all
	countries    {{text}} not null default '',
	sort_order   {{int}}  not null default 0,
	is_active    {{int}}  not null default 1,
	primary key (company, id),
	unique (company, code_key)
){{strict}};
create index payment_method_changed on payment_method (company, changed_at);

-- What the buyer has said so far, one row for each cart. It goes when the cart does.
create table checkout (
	company        {{text}} not null,
	cart_id        {{text}} not null,
	contact        {{text}} not null default '',  -- JSON
	billing        {{text}} not null default '',  -- JSON
	delivery       {{text}} not null default '',  -- JSON; '' = as billing
	method         {{text}} not null default '',
	pickup_point   {{text}} not null default '',
	requested_date {{text}} not null default '',
	payment_method {{text}} not null default '',
	changed_at     {{int}}  not null,
	primary key (company, cart_id)
){{clustered}};

-- An order that was made of a cart: a cart has one at most.
create table checkout_order (
	company      {{text}} not null,
	cart_id      {{text}} not null,
	session_id   {{text}} not null,
	order_id     {{text}} not null,
	order_number {{text}} not null,
	payment_id   {{text}} not null default '',
	placed_at    {{int}}  not null,
	cards_settled {{int}} not null default 0,     -- what gift cards paid of it, as far as it has settled invoices
	receipt      {{text}} not null,               -- JSON: what the buyer was told
	primary key (company, cart_id)
){{strict}};
create index checkout_order_session on checkout_order (company, session_id, placed_at);
create index checkout_order_order on checkout_order (company, order_id);

-- The customer records that guests were given, by the address they wrote.
create table checkout_guest (
	company     {{text}} not null,
	email_key   {{text}} not null,
	customer    {{text}} not null default '',     -- number
	used_at     {{int}}  not null,
	primary key (company, email_key)
){{clustered}};

create table payment (
	company      {{text}} not null,
	id           {{text}} not null,
	cart_id      {{text}} not null,
	session_id   {{text}} not null,
	method       {{text}} not null,
	method_key   {{text}} not null,
	provider     {{text}} not null,
	ref          {{text}} not null default '',    -- the provider's name of it; '' = not started yet
	status       {{text}} not null,
	amount       {{int}}  not null,
	currency     {{text}} not null,
	digits       {{int}}  not null,
	captured     {{int}}  not null default 0,
	refunded     {{int}}  not null default 0,
	settled      {{int}}  not null default 0,     -- what of it has paid invoices
	fingerprint  {{text}} not null,               -- of the cart that it is for
	intent       {{text}} not null,               -- JSON: what it was started with
	mode         {{text}} not null default '',
	render       {{text}} not null default '',    -- what the mode shows
	public_key   {{text}} not null default '',
	is_dropped   {{int}}  not null default 0,     -- its cart goes on without it
	reason       {{text}} not null default '',    -- why no order was made, or no money came
	order_id     {{text}} not null default '',
	order_number {{text}} not null default '',
	created_at   {{int}}  not null,
	expires_at   {{int}}  not null,
	changed_at   {{int}}  not null,
	primary key (company, id)
){{strict}};
create index payment_cart on payment (company, cart_id);
create index payment_ref on payment (company, method_key, ref);
create index payment_order on payment (company, order_id) where order_id <> '';

-- Callbacks that were heard: each has its effect once.
create table payment_event (
	company    {{text}} not null,
	method_key {{text}} not null,
	event_id   {{text}} not null,
	payment_id {{text}} not null,
	status     {{text}} not null,
	heard_at   {{int}}  not null,
	primary key (company, method_key, event_id)
){{clustered}};

-- Money that is to move after the order: taken, or given back.
create table payment_transfer (
	company    {{text}} not null,
	id         {{text}} not null,
	payment_id {{text}} not null,
	kind       {{text}} not null,               -- Capture or Refund
	amount     {{int}}  not null,
	reason     {{text}} not null default '',
	invoice    {{text}} not null default '',    -- that a capture is to settle
	status     {{text}} not null,               -- Open, Done
	ref        {{text}} not null default '',
	created_at {{int}}  not null,
	done_at    {{int}},
	primary key (company, id)
){{strict}};
create index payment_transfer_payment on payment_transfer (company, payment_id);
