-- +goose Up
-- What buyers think of items, in every store of the company. Visitors see those that are published.
create table review (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}} not null,
	created_at   {{int}} not null,
	modified_at  {{int}},
	changed_at   {{int}} not null,
	channel_code {{text}} not null,
	item_id      {{text}} not null,
	item         {{text}} not null,
	rating       {{int}} not null,
	title        {{text}} not null default '',
	body         {{text}} not null default '',
	author_name  {{text}} not null default '',
	customer_id  {{text}} not null default '',
	is_verified  {{int}} not null,
	status       {{text}} not null,
	reason       {{text}} not null default '',
	answer       {{text}} not null default '',
	answered_at  {{int}},
	search       {{text}} not null default '',
	primary key (company, id)
){{strict}};
create index review_changed on review (company, changed_at);
create index review_newest on review (company, created_at, id);
create index review_in_status on review (company, status, created_at, id);
create index review_of_item on review (company, item_id, status, created_at, id);
alter table review add constraint review_words check (status in ('Pending', 'Published', 'Rejected')) not valid;
alter table review add constraint review_rating check (rating between 1 and 5) not valid;

-- Whether a review helped: what a visitor said last.
create table review_vote (
	company    {{text}} not null,
	review_id  {{text}} not null,
	session_id {{text}} not null,
	is_helpful {{int}} not null,
	voted_at   {{int}} not null,
	primary key (company, review_id, session_id)
){{strict}};
