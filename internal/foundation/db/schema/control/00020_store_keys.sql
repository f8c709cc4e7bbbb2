-- +goose Up
-- A key with a channel is a store key: it names the merchant's server to the commerce API, and reaches nothing by itself.
alter table api_key add column channel_key {{text}} not null default '';  -- '' = an API key
