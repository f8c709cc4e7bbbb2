-- +goose Up
-- PostgreSQL has functions from here on for the stamps of changes, which are made with each migration (internal/db/postgres).
select 1;
