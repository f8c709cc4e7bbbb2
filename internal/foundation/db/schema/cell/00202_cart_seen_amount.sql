-- +goose Up
-- What a cart with codes or a delivery came to when it was last shown, NULL = not known: who orders without a provider that compares amounts
-- pays no other one unasked.
alter table cart add column seen_amount {{int}};
