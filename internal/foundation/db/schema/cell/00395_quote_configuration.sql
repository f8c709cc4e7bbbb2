-- +goose Up
-- What is offered may be made to order: the choices that a line of a quote is of.
alter table quote_line add column configuration {{text}} not null default '';
create index quote_line_configuration on quote_line (company, configuration) where configuration <> '';
