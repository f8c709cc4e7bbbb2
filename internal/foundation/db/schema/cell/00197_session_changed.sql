-- +goose Up
-- When a session last changed, for processes that remember it.
alter table session add column changed_at {{int}};
create index session_changed on session (company, changed_at) where changed_at is not null;
