-- +goose Up
-- What is to come into the warehouses: what a document still expects of one of its lines. A row goes when nothing is expected any more.
create table stock_expected (
	company   {{text}} not null,
	ref_type  {{text}} not null,            -- the kind of document, as the ledger names it
	ref_id    {{text}} not null,            -- its number
	ref_line  {{int}}  not null,
	item_id   {{text}} not null,
	item      {{text}} not null,
	warehouse {{text}} not null,
	due_date  {{text}} not null default '', -- empty: nobody has said when
	quantity  {{int}}  not null,            -- base units
	primary key (company, ref_type, ref_id, ref_line)
){{clustered}};
create index stock_expected_item on stock_expected (company, item_id, warehouse, due_date);

alter table stock_expected add constraint stock_expected_above check ({{least}}(quantity, ref_line) > 0) not valid;
