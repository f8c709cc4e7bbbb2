-- +goose Up
-- Attempts are counted in the control database, for all nodes and doors alike.
drop table portal_attempt;
alter table cart drop column misses;
alter table cart drop column missed_at;

-- A code belongs to the session that asked for it: wrong ones from elsewhere do not use it up there.
drop table portal_code;
create table portal_code (
	company    {{text}} not null,
	address    {{text}} not null,             -- SHA-256 of the e-mail: strangers type all sorts of things
	purpose    {{text}} not null,
	session_id {{text}} not null,             -- that asked for it
	code_hash  {{text}} not null,
	tries      {{int}}  not null default 0,   -- wrong ones, of that session
	elsewhere  {{int}}  not null default 0,   -- wrong ones, of all others
	expires_at {{int}}  not null,
	primary key (company, address, purpose, session_id)
){{clustered}};
