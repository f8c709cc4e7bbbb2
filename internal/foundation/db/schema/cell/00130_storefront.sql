-- +goose Up
-- What makes a channel a store, and the visitors of stores.

alter table channel add column store {{text}} not null default '';  -- JSON: the settings of channel.Store; '' = the defaults

-- A visitor of a store. The token itself is shown once, when the session is opened.
create table session (
	company      {{text}} not null,
	id           {{text}} not null,
	token_hash   {{text}} not null,             -- SHA-256 in hexadecimal
	channel_key  {{text}} not null,
	created_at   {{int}}  not null,
	expires_at   {{int}}  not null,
	ended_at     {{int}},
	customer_id  {{text}} not null default '',  -- '' = not signed in
	contact_id   {{text}} not null default '',
	signed_in_at {{int}},
	language     {{text}} not null default '',  -- '' = the store's default
	country      {{text}} not null default '',
	includes_tax {{int}},                       -- NULL = the store's default
	primary key (company, id),
	unique (company, token_hash)
){{strict}};

create index session_expiry on session (company, expires_at);
create index session_contact on session (company, contact_id) where contact_id <> '';
