-- +goose Up
-- Who wants a store's newsletter: an address once in each store. Nobody is sent one before the address was confirmed. A confirmation is
-- of the round that it was mailed in; mailed counts those mails since the last one that was answered.
create table newsletter_subscriber (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}} not null,
	created_at   {{int}} not null,
	modified_at  {{int}},
	changed_at   {{int}} not null,
	channel_code {{text}} not null,
	channel_key  {{text}} not null,
	email        {{text}} not null,
	email_key    {{text}} not null,
	name         {{text}} not null default '',
	language     {{text}} not null default '',
	source       {{text}} not null default '',
	status       {{text}} not null,
	reason       {{text}} not null default '',
	round        {{int}} not null,
	mailed       {{int}} not null,
	mailed_at    {{int}},
	confirmed_at {{int}},
	ended_at     {{int}},
	search       {{text}} not null default '',
	primary key (company, id),
	unique (company, channel_key, email_key)
){{strict}};
create index newsletter_subscriber_changed on newsletter_subscriber (company, changed_at);
create index newsletter_subscriber_newest on newsletter_subscriber (company, created_at, id);
create index newsletter_subscriber_in_status on newsletter_subscriber (company, status, created_at, id);
create index newsletter_subscriber_email on newsletter_subscriber (company, email_key);
alter table newsletter_subscriber add constraint newsletter_subscriber_words check (status in ('Pending', 'Confirmed', 'Unsubscribed', 'Stopped')) not valid;
alter table newsletter_subscriber add constraint newsletter_subscriber_signs check (round >= 0 and mailed >= 0) not valid;
