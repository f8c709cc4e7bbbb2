-- +goose Up
-- Programs that registered themselves and that nobody has let in: whose they are is known until somebody does, and they are
-- found by their age.

alter table oauth_client add column peer {{text}} not null default '';
create index oauth_client_unused on oauth_client (created_at) where used_at is null;
