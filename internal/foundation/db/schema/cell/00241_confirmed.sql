-- +goose Up
-- Contacts who have shown that they read their mails: they came in by a code, or by a password that was set after one.
create table portal_confirmed (
	company      {{text}} not null,
	contact_id   {{text}} not null,
	confirmed_at {{int}}  not null,
	primary key (company, contact_id)
){{clustered}};

insert into portal_confirmed (company, contact_id, confirmed_at)
select company, id, created_at from customer_contact where password_hash <> '';
