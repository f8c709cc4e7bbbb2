-- +goose Up
-- Whoever is responsible for a document is told that its mail was not delivered.
alter table notification drop constraint notification_words;
alter table notification add constraint notification_words check (reason in ('Mentioned', 'Commented', 'Charged', 'Answered', 'Accepted', 'Declined', 'Overdue', 'Undelivered')) not valid;
