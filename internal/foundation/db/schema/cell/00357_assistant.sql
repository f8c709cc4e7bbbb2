-- +goose Up
-- What visitors asked a store's assistant, what it answered, and whether that helped. Kept for thirty days.
create table assistant_message (
	company    {{text}} not null,
	id         {{text}} not null,
	session_id {{text}} not null,
	asked_at   {{int}}  not null,
	question   {{text}} not null,
	topic      {{text}} not null,             -- the words that were looked for
	answer     {{text}} not null,
	is_known   {{int}}  not null,
	is_helpful {{int}},                       -- null = nobody has said
	primary key (company, id)
){{strict}};
create index assistant_message_session on assistant_message (company, session_id, asked_at, id);
create index assistant_message_asked on assistant_message (company, asked_at);
alter table assistant_message add constraint assistant_message_flags check (is_known >= 0 and is_known <= 1 and (is_helpful is null or is_helpful >= 0 and is_helpful <= 1)) not valid;
