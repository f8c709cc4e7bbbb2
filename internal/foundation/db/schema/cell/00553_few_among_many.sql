-- +goose Up
-- What few records are among many, and lists are narrowed to: any order of a list would be walked to its end for them.
create index customer_inactive on customer (company, number_key) where is_active = 0;
create index item_inactive on item (company, number_key) where is_active = 0;
create index item_no_stock on item (company, type, number_key) where type <> 'Stock';
create index stock_entry_of_kind on stock_entry (company, kind, at, id);
