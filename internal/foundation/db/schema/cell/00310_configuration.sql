-- +goose Up
-- What can be chosen of an item that is made to order, and what goes together: JSON, read whole. A change of it is a change of the item.
create table item_configuration (
	company   {{text}} not null,
	item_id   {{text}} not null,
	features  {{text}} not null,
	rules     {{text}} not null default '',
	primary key (company, item_id)
){{strict}};

-- Choices that were saved. They keep the names they were made with, and what they add to a base unit: of an open one as it was last
-- saved, of an ordered one as it was ordered. price_impact is of the whole quantity, in the base currency.
create table configuration (
	company        {{text}} not null,
	id             {{text}} not null,
	version        {{int}} not null,
	created_at     {{int}} not null,
	modified_at    {{int}},
	changed_at     {{int}} not null,
	number         {{text}} not null,
	number_key     {{text}} not null,
	title          {{text}} not null default '',
	description    {{text}} not null default '',
	customer       {{text}} not null default '',
	customer_key   {{text}} not null default '',
	customer_name  {{text}} not null default '',
	item_id        {{text}} not null,
	item           {{text}} not null,
	item_key       {{text}} not null,
	item_name      {{text}} not null default '',
	quantity       {{int}} not null,
	warehouse      {{text}} not null default '',
	price_impact   {{int}} not null default 0,
	choices        {{text}} not null default '',
	impacts        {{text}} not null default '',
	components     {{text}} not null default '',
	order_number   {{text}} not null default '',
	search         {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index configuration_changed on configuration (company, changed_at);
create index configuration_open on configuration (company, order_number, number_key);
create index configuration_item on configuration (company, item_key, number_key);
create index configuration_customer on configuration (company, customer_key, number_key);

alter table configuration add constraint configuration_above check (quantity > 0) not valid;
