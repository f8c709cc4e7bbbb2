-- +goose Up
-- The processes that serve this installation at the moment; they share the rate limits.

create table node (
	id      {{text}} not null primary key,
	seen_at {{int}}  not null
){{strict}};
