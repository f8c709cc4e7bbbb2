-- +goose Up
-- The number of the document that caused an entry of the ledger, folded: by it the ways are found that the number is
-- written in. Entries themselves are found by the number as it is written, as before, also those that a program of before
-- writes without this while nodes are upgraded.
alter table stock_entry add column ref_key {{text}} not null default '';
update stock_entry set ref_key = fold(ref_id) where ref_id <> '';
create index stock_entry_document on stock_entry (company, ref_key);
