-- +goose Up
-- Goods that came in against a purchase order or a transfer. A receipt is booked whole; one that was keyed wrongly is reversed by
-- counter-entries and is Cancelled from then on.
create table goods_receipt (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}}  not null,
	created_at  {{int}}  not null,
	modified_at {{int}},
	changed_at  {{int}}  not null,
	number      {{text}} not null,
	number_key  {{text}} not null,
	status      {{text}} not null,
	warehouse   {{text}} not null,
	received_at {{int}}  not null,               -- the business moment
	notes       {{text}} not null default '',
	search      {{text}} not null default '',    -- the numbers of the receipt and of its document
	primary key (company, id),
	unique (company, number_key)
){{strict}};
create index goods_receipt_changed on goods_receipt (company, changed_at);
create index goods_receipt_date on goods_receipt (company, received_at, number_key);
create index goods_receipt_status on goods_receipt (company, status, number_key);

-- One line is one entry of the ledger: pieces with serial numbers have a line each. Quantities are in base units, costs in the base currency.
create table goods_receipt_line (
	company        {{text}} not null,
	receipt_id     {{text}} not null,
	line           {{int}}  not null,
	item_id        {{text}} not null,
	item           {{text}} not null,
	item_name      {{text}} not null default '',
	quantity       {{int}}  not null,
	unit_cost      {{int}}  not null,
	location       {{text}} not null,
	batch          {{text}} not null default '',
	serial         {{text}} not null default '',
	purchase_order {{text}} not null default '', -- number of the document the goods came of, one of the two
	transfer_order {{text}} not null default '',
	source_key     {{text}} not null,            -- that number folded
	source_line    {{int}}  not null,            -- its line
	notes          {{text}} not null default '',
	entry_id       {{text}} not null,            -- in the ledger
	counter_id     {{text}} not null default '', -- the entry that took the goods out again
	primary key (company, receipt_id, line)
){{strict}};
create index goods_receipt_line_source on goods_receipt_line (company, source_key, source_line);

alter table goods_receipt add constraint goods_receipt_words check (status in ('Draft', 'InProgress', 'Completed', 'Cancelled')) not valid;
alter table goods_receipt_line add constraint goods_receipt_line_signs check (unit_cost >= 0) not valid;
alter table goods_receipt_line add constraint goods_receipt_line_above check ({{least}}(quantity, source_line) > 0) not valid;
