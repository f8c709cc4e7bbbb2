-- +goose Up
-- What agents answer to tickets often.
create table canned_answer (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}} not null,
	created_at  {{int}} not null,
	modified_at {{int}},
	changed_at  {{int}} not null,
	code        {{text}} not null,
	code_key    {{text}} not null,
	name        {{text}} not null,
	is_active   {{int}} not null default 0,
	language    {{text}} not null default '', -- ISO 639-1
	body        {{text}} not null,
	search      {{text}} not null default '',
	primary key (company, id),
	unique (company, code_key)
){{strict}};
create index canned_answer_changed on canned_answer (company, changed_at);
