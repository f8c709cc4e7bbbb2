-- +goose Up
-- What visitors of a store did on a day of the company's zone, counted: no row is of anybody. The name is what was counted: nothing, a
-- path, the host somebody came from, a product's id, a category's code, an event's type, words that found nothing.
create table traffic (
	company     {{text}} not null,
	channel_key {{text}} not null,
	day         {{text}} not null,
	kind        {{text}} not null,
	name        {{text}} not null,
	times       {{int}}  not null,
	primary key (company, channel_key, day, kind, name)
){{clustered}};
alter table traffic add constraint traffic_words check (kind in ('View', 'Visit', 'Path', 'Referrer', 'Product', 'Category', 'Event', 'Miss')) not valid;
alter table traffic add constraint traffic_signs check (times >= 0) not valid;
