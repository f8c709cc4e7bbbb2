-- +goose Up
-- What is offered to a customer, or to somebody who is none yet: at these prices, until that day. A later version replaces an earlier one.
create table quote (
	company          {{text}} not null,
	id               {{text}} not null,
	version          {{int}} not null,
	created_at       {{int}} not null,
	modified_at      {{int}},
	changed_at       {{int}} not null,
	number           {{text}} not null,
	number_key       {{text}} not null,
	first_number     {{text}} not null,            -- of the first version
	issue            {{int}} not null default 1,    -- 1, 2, … of the versions
	replaced_by      {{text}} not null default '', -- the number of the next version
	status           {{text}} not null,
	title            {{text}} not null default '',
	description      {{text}} not null default '',
	customer_id      {{text}} not null default '', -- empty for a prospect
	customer_number  {{text}} not null default '',
	customer_key     {{text}} not null default '',
	customer_name    {{text}} not null default '',
	contact_name     {{text}} not null default '',
	contact_email    {{text}} not null default '',
	is_requested     {{int}} not null default 0,   -- by the customer, who sees the draft
	customer_message {{text}} not null default '',
	quote_date       {{text}} not null,
	valid_until      {{text}} not null,
	currency         {{text}} not null,
	digits           {{int}} not null default 2,
	total            {{int}} not null default 0,
	vat              {{int}} not null default 0,
	sent_at          {{int}},
	accepted_at      {{int}},
	declined_at      {{int}},
	declined_reason  {{text}} not null default '',
	order_number     {{text}} not null default '',
	order_key        {{text}} not null default '',
	search           {{text}} not null default '',
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index quote_changed on quote (company, changed_at);
create index quote_customer on quote (company, customer_key, number_key);
create index quote_customer_id on quote (company, customer_id, id);
create index quote_order on quote (company, order_key) where order_key <> '';
create index quote_due on quote (company, valid_until, id) where status = 'Sent';
create index quote_date on quote (company, quote_date, number_key);
create index quote_valid on quote (company, valid_until, number_key);
create index quote_customer_name on quote (company, lower(customer_name), number_key);
create index quote_status on quote (company, status, number_key);
create index quote_total on quote (company, total, number_key);

-- Quantities are in the line's unit.
create table quote_line (
	company         {{text}} not null,
	quote_id        {{text}} not null,
	line            {{int}} not null,
	id              {{text}} not null,
	item_id         {{text}} not null default '', -- empty on a free-text line
	item            {{text}} not null default '',
	description     {{text}} not null default '',
	quantity        {{int}} not null,
	unit            {{text}} not null default '',
	unit_price      {{int}} not null,
	is_manual_price {{int}} not null default 0,
	is_manual_discount {{int}} not null default 0,
	gross_price     {{int}} not null default 0,   -- with tax
	discount        {{int}} not null default 0,   -- percent
	tax_code        {{text}} not null default '',
	tax_percent     {{int}} not null default 0,
	total           {{int}} not null default 0,
	vat             {{int}} not null default 0,
	notes           {{text}} not null default '', -- the customer's, who asked for it
	primary key (company, quote_id, line)
){{strict}};
create index quote_line_item on quote_line (company, item_id);

alter table quote add constraint quote_words check (status in ('Draft', 'Sent', 'Accepted', 'Declined', 'Expired', 'Converted')) not valid;
alter table quote add constraint quote_signs check ({{least}}(total, vat, digits) >= 0) not valid;
alter table quote add constraint quote_above check (issue > 0) not valid;
alter table quote add constraint quote_bounds check ((status = 'Accepted' or status = 'Converted') = (order_number <> '')) not valid;

alter table quote_line add constraint quote_line_signs check ({{least}}(unit_price, discount, tax_percent, total, vat) >= 0) not valid;
alter table quote_line add constraint quote_line_above check ({{least}}(quantity, line) > 0) not valid;
alter table quote_line add constraint quote_line_bounds check (discount <= 100000000 and tax_percent <= 100000000) not valid;
