-- +goose Up
-- OAuth 2.1: programs that act for a person. Codes and tokens are kept as their SHA-256 alone.

create table oauth_client (
    id             {{text}} not null primary key,
    name           {{text}} not null,
    redirect_uris  {{text}} not null,              -- JSON array
    metadata       {{text}} not null default '{}', -- the rest of what was registered and is answered
    created_at     {{int}}  not null,
    used_at        {{int}}                         -- when last somebody let it in
){{strict}};

create index oauth_client_age on oauth_client (created_at);

-- A connection: what a person lets a program do in one company.
create table oauth_grant (
    id            {{text}} not null primary key,
    client_id     {{text}} not null references oauth_client (id),
    user_id       {{text}} not null references app_user (id) on delete cascade,
    company_id    {{text}} not null references company (id) on delete cascade,
    scopes        {{text}} not null,
    resource      {{text}} not null,               -- the address of the API it is bound to (RFC 8707)
    created_at    {{int}}  not null,
    redeemed_at   {{int}},                         -- when its code was exchanged; until then there is nothing to see
    revoked_at    {{int}},
    last_used_at  {{int}}                          -- to the minute, written late
){{strict}};

create index oauth_grant_of_company on oauth_grant (company_id, created_at);
create index oauth_grant_of_user on oauth_grant (user_id, created_at);
create index oauth_grant_of_client on oauth_grant (client_id);

create table oauth_code (
    hash          {{blob}} not null primary key,
    grant_id      {{text}} not null references oauth_grant (id) on delete cascade,
    redirect_uri  {{text}} not null,
    challenge     {{text}} not null,               -- BASE64URL(SHA256(verifier))
    expires_at    {{int}}  not null,
    used_at       {{int}}
){{strict}};

create index oauth_code_of_grant on oauth_code (grant_id);

create table oauth_token (
    hash          {{blob}} not null primary key,
    grant_id      {{text}} not null references oauth_grant (id) on delete cascade,
    kind          {{text}} not null,               -- access or refresh
    scopes        {{text}} not null default '',    -- '' = the connection's
    created_at    {{int}}  not null,
    expires_at    {{int}}  not null,
    spent_at      {{int}}                          -- of a refresh token that was exchanged, or a token that was revoked
){{strict}};

create index oauth_token_of_grant on oauth_token (grant_id, expires_at);
create index oauth_token_age on oauth_token (expires_at);
