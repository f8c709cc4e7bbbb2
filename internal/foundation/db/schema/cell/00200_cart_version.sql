-- +goose Up
-- Another with every change of a cart, its lines, its codes or its checkout: who worked something out of it ahead sees that it still holds.
alter table cart add column version {{int}} not null default 0;
