-- +goose Up
-- What customers ask, and what they are answered. The reply key is the part of a mail address that leads to the ticket: whoever knows
-- it was written to.
create table ticket (
	company           {{text}} not null,
	id                {{text}} not null,
	version           {{int}} not null,
	created_at        {{int}} not null,
	modified_at       {{int}},
	changed_at        {{int}} not null,
	number            {{text}} not null,
	number_key        {{text}} not null,
	subject           {{text}} not null,
	description       {{text}} not null default '',
	status            {{text}} not null,
	source            {{text}} not null,
	priority          {{text}} not null,
	category          {{text}} not null default '',
	queue             {{text}} not null default '',
	queue_key         {{text}} not null default '',
	customer_id       {{text}} not null default '',
	customer_number   {{text}} not null default '',
	customer_key      {{text}} not null default '',
	contact_name      {{text}} not null default '',
	contact_email     {{text}} not null default '',
	order_number      {{text}} not null default '',
	order_key         {{text}} not null default '',
	item              {{text}} not null default '',
	channel           {{text}} not null default '',
	language          {{text}} not null default '',
	resolution        {{text}} not null default '',
	first_response_at {{int}},
	resolved_at       {{int}},
	closed_at         {{int}},
	last_author       {{text}} not null default '',
	messages          {{int}} not null default 0,
	reply_key         {{text}} not null,
	search            {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key),
	unique (company, reply_key)
){{strict}};
create index ticket_changed on ticket (company, changed_at);
create index ticket_newest on ticket (company, created_at, id);
create index ticket_in_status on ticket (company, status, created_at, id);
create index ticket_in_queue on ticket (company, queue_key, created_at, id);
create index ticket_of_customer on ticket (company, customer_key, created_at, id);
create index ticket_of_customer_id on ticket (company, customer_id, created_at, id);
create index ticket_of_order on ticket (company, order_key) where order_key <> '';
alter table ticket add constraint ticket_words check (status in ('New', 'Triaged', 'InProgress', 'WaitingForCustomer', 'Resolved', 'Closed') and source in ('Api', 'Portal', 'Mailbox', 'Erp', 'Form') and priority in ('Low', 'Normal', 'High', 'Urgent') and last_author in ('', 'Customer', 'Agent', 'System')) not valid;
alter table ticket add constraint ticket_messages check (messages >= 0) not valid;

-- What was said on a ticket, in its order. The mail id is the Message-ID that answers name, without angle brackets.
create table ticket_message (
	company     {{text}} not null,
	ticket_id   {{text}} not null,
	seq         {{int}} not null,
	id          {{text}} not null,
	body        {{text}} not null,
	is_internal {{int}} not null,
	author_type {{text}} not null,
	author_name {{text}} not null default '',
	created_at  {{int}} not null,
	mail_id     {{text}} not null default '',
	primary key (company, ticket_id, seq),
	unique (company, id)
){{strict}};
create index ticket_message_mail on ticket_message (company, mail_id) where mail_id <> '';
alter table ticket_message add constraint ticket_message_words check (author_type in ('Customer', 'Agent', 'System')) not valid;

-- The files of a message.
create table ticket_asset (
	company      {{text}} not null,
	ticket_id    {{text}} not null,
	message_id   {{text}} not null,
	id           {{text}} not null,
	file_name    {{text}} not null,
	hash         {{text}} not null,
	content_type {{text}} not null,
	file_size    {{int}} not null,
	width        {{int}} not null default 0,
	height       {{int}} not null default 0,
	primary key (company, ticket_id, message_id, id)
){{strict}};
create index ticket_asset_hash on ticket_asset (company, hash);

-- The mails that have come in, so that the same one counts once.
create table ticket_mail (
	company   {{text}} not null,
	mail_key  {{text}} not null,
	taken_at  {{int}} not null,
	primary key (company, mail_key)
){{strict}};
create index ticket_mail_taken on ticket_mail (company, taken_at);

-- Whose mail it is.
create index customer_contact_email on customer_contact (company, email_key);
