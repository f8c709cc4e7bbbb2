-- +goose Up
-- What stores show besides their products: words that mean the same, what is searched for, and who waits for goods.

create table search_synonym (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}}  not null,
	created_at  {{int}}  not null,
	modified_at {{int}},
	changed_at  {{int}}  not null,
	language    {{text}} not null default '',   -- '' = every language
	words       {{text}} not null,              -- one a line
	means       {{text}} not null default '',   -- one a line; '' = the words mean each other
	word_key    {{text}} not null,              -- language and the folded first word
	search      {{text}} not null default '',
	primary key (company, id),
	unique (company, word_key)
){{strict}};

create index search_synonym_changed on search_synonym (company, changed_at);

-- How many visitors searched for something on a day.
create table search_count (
	company     {{text}} not null,
	channel_key {{text}} not null,
	day         {{text}} not null,
	text        {{text}} not null,
	searches    {{int}}  not null,
	primary key (company, channel_key, day, text)
){{clustered}};

-- When a session last looked at a product.
create table product_view (
	company    {{text}} not null,
	session_id {{text}} not null,
	item_id    {{text}} not null,
	viewed_at  {{int}}  not null,
	primary key (company, session_id, item_id)
){{clustered}};

create index product_view_age on product_view (company, viewed_at);

-- Who wants to be told when an item can be had again in a store.
create table stock_request (
	company     {{text}} not null,
	id          {{text}} not null,
	channel_key {{text}} not null,
	item_id     {{text}} not null,
	email       {{text}} not null,
	email_key   {{text}} not null,
	language    {{text}} not null,
	country     {{text}} not null,
	created_at  {{int}}  not null,
	told_at     {{int}},
	primary key (company, id)
){{strict}};

-- Nobody waits twice for the same.
create unique index stock_request_open on stock_request (company, channel_key, item_id, email_key) where told_at is null;
create index stock_request_item on stock_request (company, item_id) where told_at is null;
