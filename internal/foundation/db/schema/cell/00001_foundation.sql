-- +goose Up
-- What the write funnel and the cell itself need. Every table of a cell begins its primary key with the company.

create table company_state (
	company     {{text}} not null primary key,
	epoch       {{int}}  not null,              -- moves with every change of reference data
	generation  {{text}} not null,              -- changes when the data is restored, so that old cursors expire
	code        {{text}} not null,
	name        {{text}} not null,
	currency    {{text}} not null,
	country     {{text}} not null,
	time_zone   {{text}} not null,
	environment {{text}} not null
){{strict}};

create table number_series (
	company {{text}} not null,
	series  {{text}} not null,
	prefix  {{text}} not null default '',
	next    {{int}}  not null,
	width   {{int}}  not null default 0,
	primary key (company, series)
){{strict}};

-- One row a write and record: what /changes and every projection follow.
create table change (
	company      {{text}} not null,
	stamp        {{int}}  not null,
	id           {{text}} not null,
	resource     {{text}} not null,
	business_key {{text}} not null,
	kind         {{text}} not null,             -- created, changed or deleted
	primary key (company, stamp, id)
){{clustered}};

create index change_resource on change (company, resource, stamp);

create table deletion (
	company      {{text}} not null,
	deleted_at   {{int}}  not null,
	id           {{text}} not null,
	resource     {{text}} not null,
	business_key {{text}} not null,
	primary key (company, deleted_at, id)
){{strict}};

-- Who did what, when, and what it was before and after. Append-only.
create table activity (
	company      {{text}} not null,
	at           {{int}}  not null,
	id           {{text}} not null,             -- of the record
	resource     {{text}} not null,
	business_key {{text}} not null,
	action       {{text}} not null,             -- created, changed, deleted, or the verb
	actor_kind   {{text}} not null,
	actor_id     {{text}} not null,
	actor_name   {{text}} not null,
	client_name  {{text}} not null default '',
	request_id   {{text}} not null default '',
	detail       {{text}} not null default '',  -- JSON: field -> [before, after]
	primary key (company, at, id, action)
){{strict}};

create index activity_record on activity (company, resource, id, at);

create table idempotency (
	company     {{text}} not null,
	key         {{text}} not null,              -- SHA-256 of credential, method, path and Idempotency-Key
	fingerprint {{text}} not null,              -- of the request
	created_at  {{int}}  not null,
	status      {{int}}  not null default 0,
	headers     {{text}} not null default '',
	body        {{blob}},
	primary key (company, key)
){{strict}};

create index idempotency_age on idempotency (company, created_at);
