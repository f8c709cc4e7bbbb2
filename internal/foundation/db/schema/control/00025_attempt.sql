-- +goose Up
-- Attempts by who makes them, each row within one window of time; and places that accounts were let in from, until they are
-- forgotten. Keys are digests: what strangers type may be a password.
create table attempt (
    key        {{text}} not null primary key,
    count      {{int}}  not null,
    ends_at    {{int}}  not null,
    counted_at {{int}}  not null
){{strict}};

create index attempt_age on attempt (ends_at);

drop table entry_count;
