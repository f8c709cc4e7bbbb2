-- +goose Up
-- The language model that writes the answers of a store's assistant, where it is used. api_key is sealed.
create table assistant_model (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}}  not null,
	created_at   {{int}}  not null,
	modified_at  {{int}},
	changed_at   {{int}}  not null,
	channel_code {{text}} not null,
	channel_key  {{text}} not null,
	address      {{text}} not null,
	name         {{text}} not null,
	api_key      {{text}} not null,
	is_used      {{int}}  not null,
	primary key (company, id),
	unique (company, channel_key)
){{strict}};
create index assistant_model_changed on assistant_model (company, changed_at);
alter table assistant_model add constraint assistant_model_flags check (is_used >= 0 and is_used <= 1) not valid;
