-- +goose Up
-- How customers come into a store, and what their portal keeps of its own.

-- A code that was asked for. There is a row whether anybody has the address or not.
create table portal_code (
	company    {{text}} not null,
	address    {{text}} not null,             -- SHA-256 of the e-mail: strangers type all sorts of things
	purpose    {{text}} not null,
	code_hash  {{text}} not null,
	tries      {{int}}  not null default 0,   -- wrong ones
	expires_at {{int}}  not null,
	primary key (company, address, purpose)
){{clustered}};

-- How often something was tried since its window of time began.
create table portal_attempt (
	company {{text}} not null,
	key     {{text}} not null,
	count   {{int}}  not null,
	since   {{int}}  not null,
	primary key (company, key)
){{clustered}};

-- Somebody who wants an account and has not shown yet that the address is theirs.
create table portal_registration (
	company       {{text}} not null,
	address       {{text}} not null,
	session_id    {{text}} not null,            -- only there does the password become theirs
	email         {{text}} not null,
	password_hash {{text}} not null,
	details       {{text}} not null,            -- JSON
	contact_id    {{text}} not null default '', -- of the account that waits until the company lets it in
	expires_at    {{int}}  not null,
	primary key (company, address)
){{strict}};

create table portal_favourite (
	company    {{text}} not null,
	contact_id {{text}} not null,
	item_id    {{text}} not null,
	added_at   {{int}}  not null,
	primary key (company, contact_id, item_id)
){{clustered}};

-- Orders that are not released before a colleague has approved them.
create table order_approval (
	company      {{text}} not null,
	order_id     {{text}} not null,
	customer_id  {{text}} not null,
	order_number {{text}} not null,
	asked_by     {{text}} not null,             -- contact
	asked_name   {{text}} not null,
	status       {{text}} not null,             -- Waiting, Approved, Rejected
	reason       {{text}} not null default '',
	asked_at     {{int}}  not null,
	decided_by   {{text}} not null default '',
	decided_at   {{int}},
	primary key (company, order_id)
){{strict}};
create index order_approval_waiting on order_approval (company, customer_id, order_id) where status = 'Waiting';

-- A customer's own documents, newest first.
create index shipment_customer on shipment (company, customer_id, id);
create index sales_return_customer_id on sales_return (company, customer_id, id);
