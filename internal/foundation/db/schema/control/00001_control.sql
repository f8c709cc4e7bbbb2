-- What is not company data: who may come in, and where each company lives. No table here has a column
-- named company, and no name here may be that of a table of the cells: on PostgreSQL both are one schema.

-- +goose Up

create table cell (
    id          {{text}} not null primary key,
    kind        {{text}} not null,              -- sqlite or postgres
    address     {{text}} not null default '',   -- which database; '' = the one this table lies in
    created_at  {{int}}  not null
){{strict}};

create table company (
    id          {{text}} not null primary key,
    code        {{text}} not null,
    code_key    {{text}} not null unique,
    name        {{text}} not null,
    country     {{text}} not null,
    currency    {{text}} not null,
    environment {{text}} not null,              -- Production or Test
    time_zone   {{text}} not null,
    cell        {{text}} not null default '',   -- '' = the installation's own
    status      {{text}} not null,              -- Opening, Active or Closing
    created_at  {{int}}  not null,
    changed_at  {{int}}  not null
){{strict}};

create table app_user (
    id            {{text}} not null primary key,
    email         {{text}} not null,
    email_key     {{text}} not null unique,
    name          {{text}} not null default '',
    password_hash {{text}} not null,
    is_active     {{int}}  not null default 1,
    created_at    {{int}}  not null,
    changed_at    {{int}}  not null
){{strict}};

create table membership (
    user_id     {{text}} not null references app_user (id),
    company_id  {{text}} not null references company (id),
    role        {{text}} not null,
    created_at  {{int}}  not null,
    primary key (user_id, company_id)
){{strict}};

create index membership_of_company on membership (company_id);

create table api_key (
    id           {{text}} not null primary key,
    company_id   {{text}} not null references company (id),
    name         {{text}} not null,
    prefix       {{text}} not null,             -- svc_live_sk_ or svc_test_sk_ and the first characters, to recognise it by
    secret_hash  {{blob}} not null unique,      -- SHA-256 of the whole key
    scopes       {{text}} not null,             -- separated by a space; '' = unlimited (keys from before scopes)
    created_at   {{int}}  not null,
    expires_at   {{int}},
    revoked_at   {{int}},
    last_used_at {{int}}                        -- to the minute, written late
){{strict}};

create index api_key_of_company on api_key (company_id, name);

-- A host name is reserved here first, then applied to the company's channel.
create table domain (
    host         {{text}} not null primary key,
    company_id   {{text}} not null references company (id),
    channel_key  {{text}} not null default '',
    reserved_at  {{int}}  not null,
    applied_at   {{int}}
){{strict}};

create index domain_of_company on domain (company_id);

create table control_activity (
    id          {{text}} not null primary key,  -- uuid v7: in the order of time
    at          {{int}}  not null,
    actor_kind  {{text}} not null,
    actor_id    {{text}} not null,
    actor_name  {{text}} not null,
    request_id  {{text}} not null,
    company_id  {{text}} not null,              -- '' = the installation
    resource    {{text}} not null,
    record_key  {{text}} not null,
    action      {{text}} not null,
    detail      {{text}} not null
){{strict}};

create index control_activity_of_company on control_activity (company_id, id);

create table setting (
    name   {{text}} not null primary key,
    value  {{text}} not null
){{strict}};
