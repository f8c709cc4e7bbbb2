-- +goose Up
-- Pages show the items of a group.
create index item_group on item (company, group_key) where group_key <> '';
