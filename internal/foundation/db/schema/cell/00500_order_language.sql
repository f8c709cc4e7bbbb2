-- +goose Up
-- The language in which an order was placed in a store: letters and papers about it speak it; '' = not known.
alter table sales_order add column language {{text}} not null default '';
