-- +goose Up
-- Work after the commit: what a transaction leaves to be done is a row of it.

create table job (
	company    {{text}} not null,
	id         {{text}} not null,
	kind       {{text}} not null,
	subject    {{text}} not null default '',    -- business key, shown to people
	unique_key {{text}} not null default '',    -- while a job with it is open there is no second one
	payload    {{text}} not null,               -- JSON
	remains    {{text}} not null default '',    -- what takes the payload's place when the job has ended; empty = nothing does
	status     {{text}} not null,               -- Waiting, Running, Done, Failed or Cancelled
	attempts   {{int}}  not null default 0,
	claim      {{int}}  not null default 0,     -- moves with every taking: who took it before can no longer end it
	worker     {{text}} not null default '',    -- process that took it last
	again      {{int}}  not null default 0,     -- was asked for once more while it ran
	run_at     {{int}}  not null,               -- not before; of a running one, when it counts as abandoned
	last_error {{text}} not null default '',
	actor      {{text}} not null default '',    -- name of who asked for it
	search     {{text}} not null default '',
	created_at {{int}}  not null,
	done_at    {{int}},
	primary key (company, id)
){{strict}};

create index job_open on job (company, run_at) where status in ('Waiting', 'Running');
create index job_status on job (company, status, kind, id);
create unique index job_key on job (company, kind, unique_key) where unique_key <> '' and status in ('Waiting', 'Running');
