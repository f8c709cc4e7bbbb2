-- +goose Up
-- When the next job of a kind may be begun, however many of another kind wait.
create index job_kind on job (company, kind, run_at) where status in ('Waiting', 'Running');
