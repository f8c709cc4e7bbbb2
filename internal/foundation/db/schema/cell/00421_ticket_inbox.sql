-- +goose Up
-- Mailboxes at mail servers of others whose mails become tickets. password is sealed.
create table ticket_inbox (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}} not null,
	created_at  {{int}} not null,
	modified_at {{int}},
	changed_at  {{int}} not null,
	code        {{text}} not null,
	code_key    {{text}} not null,
	address     {{text}} not null,
	host        {{text}} not null,
	port        {{int}} not null,
	security    {{text}} not null,
	user_name   {{text}} not null,
	password    {{text}} not null,
	folder      {{text}} not null,
	done_folder {{text}} not null default '',
	queue       {{text}} not null default '',
	is_used     {{int}} not null default 0,
	primary key (company, id),
	unique (company, code_key)
){{strict}};
create index ticket_inbox_changed on ticket_inbox (company, changed_at);
alter table ticket_inbox add constraint ticket_inbox_words check (security in ('TLS', 'StartTLS', 'None')) not valid;
alter table ticket_inbox add constraint ticket_inbox_port check (port between 1 and 65535) not valid;

-- How far a mailbox was read, which the mail that was taken and this row say in one commit: last_uid is the newest mail that was met under
-- uid_validity, unmarked one that was taken and is not known to be marked in the mailbox, 0 = none. Of mails up to unread_to only those
-- that nobody has read are taken.
create table ticket_inbox_reading (
	company      {{text}} not null,
	inbox_id     {{text}} not null,
	uid_validity {{int}} not null default 0,
	unread_to    {{int}} not null default 0,
	last_uid     {{int}} not null default 0,
	unmarked     {{int}} not null default 0,
	asked_at     {{int}},
	taken_at     {{int}},
	failing_at   {{int}},
	fails        {{int}} not null default 0,
	reason       {{text}} not null default '',
	taken        {{int}} not null default 0,
	left_lying   {{int}} not null default 0,
	left_reason  {{text}} not null default '',
	primary key (company, inbox_id)
){{strict}};
alter table ticket_inbox_reading add constraint ticket_inbox_reading_signs check (uid_validity >= 0 and unread_to >= 0 and last_uid >= 0 and unmarked >= 0 and fails >= 0 and taken >= 0 and left_lying >= 0) not valid;
