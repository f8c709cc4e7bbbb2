-- +goose Up
-- What people were told of a record goes with it.
create index notification_of_record on notification (company, resource, record_id);
