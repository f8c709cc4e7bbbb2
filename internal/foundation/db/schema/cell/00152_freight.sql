-- +goose Up
-- What delivery costs, and which town has which postal code.
create table freight_rate (
	company        {{text}} not null,
	id             {{text}} not null,
	version        {{int}}  not null,
	created_at     {{int}}  not null,
	modified_at    {{int}},
	changed_at     {{int}}  not null,
	method_code    {{text}} not null,
	channel_code   {{text}} not null default '',  -- '' = every channel
	country        {{text}} not null default '',  -- '' = every country
	postal_from    {{text}} not null default '',  -- normalised; '' = every postal code
	postal_to      {{text}} not null default '',
	currency       {{text}} not null,
	is_inclusive   {{int}}  not null default 0,   -- prices include tax
	basis          {{text}} not null,             -- Value or Weight
	steps          {{text}} not null,             -- JSON: freight.Step
	up_to          {{int}},                       -- above it the rate does not apply
	free_from      {{int}},                       -- order value from which delivery is free
	tax_code       {{text}} not null default '',
	estimated_days {{int}},
	is_active      {{int}}  not null default 1,
	search         {{text}} not null default '',
	primary key (company, id)
){{strict}};
create index freight_rate_changed on freight_rate (company, changed_at);
create index freight_rate_method on freight_rate (company, method_code, id);

create table postal_code (
	company {{text}} not null,
	country {{text}} not null,
	code    {{text}} not null,            -- normalised: see freight.Normal
	city    {{text}} not null,
	region  {{text}} not null default '',
	place   {{int}}  not null default 0,  -- in which order its cities are named
	primary key (company, country, code, city)
){{clustered}};
