-- +goose Up
-- Items name their brand by its code.
create index brand_code on brand (company, code);
