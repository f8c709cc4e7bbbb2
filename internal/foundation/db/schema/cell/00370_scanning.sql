-- +goose Up
-- What a scanner reads names an item by its GTIN, or by that of one of its units.
create index item_gtin on item (company, gtin) where gtin <> '';
create index item_units on item (company, id) where units <> '';
