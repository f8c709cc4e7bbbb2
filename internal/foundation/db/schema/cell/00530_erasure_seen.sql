-- +goose Up
-- From when on nobody who was writing as a person was deleted writes any more: a stamp taken after the deletion's
-- commit. 0 = none is taken yet.
alter table erasure add column seen_at {{int}} not null default 0;
