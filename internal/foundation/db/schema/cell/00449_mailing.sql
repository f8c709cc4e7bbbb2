-- +goose Up
-- Letters to the readers of a store's newsletter. body is sanitised HTML; what follows it says whom the letter is for. The counts are those
-- of the recipients' statuses, changed with them; next_at is when the next letters may leave.
create table mailing (
	company         {{text}} not null,
	id              {{text}} not null,
	version         {{int}}  not null,
	created_at      {{int}}  not null,
	modified_at     {{int}},
	changed_at      {{int}}  not null,
	channel_code    {{text}} not null,
	channel_key     {{text}} not null,
	subject         {{text}} not null,
	body            {{text}} not null,
	language        {{text}} not null,
	is_same_language   {{int}}  not null default 0,
	group_code      {{text}} not null default '',
	bought_days     {{int}}  not null default 0,
	item            {{text}} not null default '',
	category        {{text}} not null default '',
	pace            {{int}}  not null,             -- letters a minute
	actor           {{text}} not null default '',  -- name of who wrote it
	status          {{text}} not null,
	began_at        {{int}},
	ended_at        {{int}},
	next_at         {{int}},
	waiting         {{int}}  not null default 0,
	sent            {{int}}  not null default 0,
	skipped         {{int}}  not null default 0,
	bounced         {{int}}  not null default 0,
	search          {{text}} not null default '',
	primary key (company, id)
){{strict}};
create index mailing_changed on mailing (company, changed_at);
create index mailing_created on mailing (company, created_at, id);

-- Who a mailing goes to, frozen when it begins: a subscriber once, and so each address once. The address itself stays with the subscriber,
-- so that whoever is erased leaves none here. letter is the name of the mail, which nobody can guess: what comes back is known by it.
create table mailing_recipient (
	company       {{text}} not null,
	mailing_id    {{text}} not null,
	subscriber_id {{text}} not null,
	status        {{text}} not null,
	letter        {{text}} not null default '',
	reason        {{text}} not null default '',
	moved_at      {{int}},
	primary key (company, mailing_id, subscriber_id)
){{strict}};
create index mailing_recipient_in_status on mailing_recipient (company, mailing_id, status, subscriber_id);
create unique index mailing_recipient_letter on mailing_recipient (company, letter) where letter <> '';

alter table mailing add constraint mailing_words check (status in ('Draft', 'Sending', 'Stopped', 'Sent')) not valid;
alter table mailing add constraint mailing_signs check (pace >= 0 and bought_days >= 0 and waiting >= 0 and sent >= 0 and skipped >= 0 and bounced >= 0) not valid;
alter table mailing_recipient add constraint mailing_recipient_words check (status in ('Waiting', 'Sent', 'Skipped', 'Bounced')) not valid;
