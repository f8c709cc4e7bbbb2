-- +goose Up
-- The newest orders of a discount code, however often it was used.
create index discount_use_code on discount_use (company, code_id, order_id) where given_back_at is null;
