-- +goose Up
-- People: what they sign in with, where they are signed in, and who was asked to come. Of every secret that is handed
-- out only the SHA-256 is kept: each has 256 random bits, so a slow hash would add nothing.

alter table app_user add column language {{text}} not null default '';
alter table app_user add column signed_in_at {{int}};
alter table app_user add column totp_secret {{text}} not null default '';   -- base32; '' = no second factor
alter table app_user add column totp_pending {{text}} not null default '';  -- offered, not confirmed yet
alter table app_user add column totp_step {{int}} not null default 0;       -- newest step a code was taken of: none is taken twice
alter table app_user add column recovery {{text}} not null default '';      -- SHA-256 of the recovery codes left, separated by a space

alter table membership add column is_active {{int}} not null default 1;

create table user_session (
    hash        {{blob}} not null primary key,
    id          {{text}} not null unique,
    user_id     {{text}} not null references app_user (id) on delete cascade,
    company_id  {{text}} not null default '',   -- the one worked in; '' = none chosen
    created_at  {{int}}  not null,
    seen_at     {{int}}  not null,              -- to the minute, written late
    expires_at  {{int}}  not null,
    address     {{text}} not null default '',
    agent       {{text}} not null default ''
){{strict}};

create index user_session_of_user on user_session (user_id, created_at);

-- A browser somebody signed in from before: strangers who fail under the same name do not count against it.
create table user_device (
    hash        {{blob}} not null primary key,
    user_id     {{text}} not null references app_user (id) on delete cascade,
    created_at  {{int}}  not null,
    expires_at  {{int}}  not null
){{strict}};

create index user_device_of_user on user_device (user_id);

-- What serves one purpose, once, for a while: an invitation, a new password, the second step of signing in, consent.
create table user_ticket (
    hash        {{blob}} not null primary key,
    id          {{text}} not null unique,
    purpose     {{text}} not null,
    user_id     {{text}} not null default '',
    company_id  {{text}} not null default '',
    email       {{text}} not null default '',
    email_key   {{text}} not null default '',
    name        {{text}} not null default '',
    role        {{text}} not null default '',
    detail      {{text}} not null default '',
    attempts    {{int}}  not null default 0,
    created_at  {{int}}  not null,
    expires_at  {{int}}  not null
){{strict}};

create index user_ticket_of_company on user_ticket (company_id, purpose);
create index user_ticket_of_user on user_ticket (user_id, purpose);
create index user_ticket_age on user_ticket (expires_at);

-- Attempts at the door, counted by who makes them (an address with a name, an address, a known browser).
create table entry_count (
    key         {{text}} not null primary key,
    count       {{int}}  not null,
    since       {{int}}  not null
){{strict}};

create index entry_count_age on entry_count (since);
