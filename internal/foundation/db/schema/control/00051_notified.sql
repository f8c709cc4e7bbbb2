-- +goose Up
-- Who does not want to be mailed what they are notified of in the office.
alter table app_user add column is_quiet {{int}} not null default 0;
