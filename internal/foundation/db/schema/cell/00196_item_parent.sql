-- +goose Up
-- Where most items have no parent PostgreSQL takes item_variant for useless: this one holds the variants alone.
create index item_parent on item (company, variant_of, number_key) where variant_of <> '';
