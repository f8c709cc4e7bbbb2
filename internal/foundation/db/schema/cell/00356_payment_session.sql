-- +goose Up
-- A visitor's latest payment, which is looked for by the visit alone.
create index payment_session on payment (company, session_id, created_at, id);
