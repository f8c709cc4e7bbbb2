-- +goose Up
-- What has gone out of an item since a day, for who orders it: a few entries of many.
create index stock_entry_issued on stock_entry (company, item_id, at) where kind = 'Issue';
