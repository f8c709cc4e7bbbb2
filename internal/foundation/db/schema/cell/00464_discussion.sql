-- +goose Up
-- What the company's own people say to each other about records. It is no part of a record: neither its version nor its changes tell of it,
-- and no API shows it. resource is the kind of the record, as the activity log names it.
create table record_comment (
	company      {{text}} not null,
	id           {{text}} not null,
	resource     {{text}} not null,
	record_id    {{text}} not null,
	author_id    {{text}} not null,
	author_name  {{text}} not null,
	body         {{text}} not null,             -- '' once it is withdrawn
	said_at      {{int}}  not null,
	withdrawn_at {{int}},
	primary key (company, id)
){{strict}};
create index record_comment_of_record on record_comment (company, resource, record_id, said_at, id);

create table comment_asset (
	company      {{text}} not null,
	comment_id   {{text}} not null,
	id           {{text}} not null,
	file_name    {{text}} not null,
	hash         {{text}} not null,
	content_type {{text}} not null,
	file_size    {{int}}  not null,
	width        {{int}}  not null default 0,
	height       {{int}}  not null default 0,
	primary key (company, id)
){{strict}};
create index comment_asset_of_comment on comment_asset (company, comment_id, id);

-- Who of the company's people is responsible for a record.
create table responsibility (
	company   {{text}} not null,
	resource  {{text}} not null,
	record_id {{text}} not null,
	user_id   {{text}} not null,
	user_name {{text}} not null,
	language  {{text}} not null default '',
	since_at  {{int}}  not null,
	primary key (company, resource, record_id)
){{strict}};

-- What people are told of it. path and title are those of the record's page, in the language of the reader.
create table notification (
	company   {{text}} not null,
	id        {{text}} not null,
	user_id   {{text}} not null,
	reason    {{text}} not null,
	resource  {{text}} not null,
	record_id {{text}} not null,
	comment_id {{text}} not null default '',
	path      {{text}} not null,
	title     {{text}} not null,
	by_name   {{text}} not null,
	excerpt   {{text}} not null,
	told_at   {{int}}  not null,
	read_at   {{int}},
	primary key (company, id)
){{strict}};
create index notification_of_person on notification (company, user_id, told_at, id);
create index notification_unread on notification (company, user_id, resource, record_id) where read_at is null;
create index notification_of_comment on notification (company, comment_id) where comment_id <> '';

alter table notification add constraint notification_words check (reason in ('Mentioned', 'Commented', 'Charged', 'Answered')) not valid;
