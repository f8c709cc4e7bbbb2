-- +goose Up
-- Tables that people hand in to be imported, and what became of them.
create table import_run (
	company     {{text}} not null,
	id          {{text}} not null,
	version     {{int}} not null,
	created_at  {{int}} not null,
	modified_at {{int}},
	changed_at  {{int}} not null,
	kind        {{text}} not null,             -- of the rows
	file_name   {{text}} not null,
	size        {{int}}  not null,             -- bytes
	actor       {{text}} not null,             -- name of who handed it in
	columns     {{text}} not null,             -- JSON: how the table is read
	status      {{text}} not null,
	failure     {{text}} not null default '',
	report      {{text}} not null,             -- JSON: what became of the rows
	bytes_read  {{int}}  not null default 0,
	bytes_all   {{int}}  not null default 0,
	ended_at    {{int}},
	search      {{text}} not null default '',
	primary key (company, id)
){{strict}};
create index import_run_changed on import_run (company, changed_at);
create index import_run_created on import_run (company, created_at, id);

-- The tables as they were handed in, for as long as they are kept.
create table import_file (
	company   {{text}} not null,
	import_id {{text}} not null,
	kept_at   {{int}}  not null,
	body      {{blob}} not null,
	primary key (company, import_id)
){{strict}};
create index import_file_kept on import_file (company, kept_at);

alter table import_run add constraint import_run_statuses check (status in ('Trying', 'Tried', 'Importing', 'Imported', 'Failed', 'Stopped')) not valid;
alter table import_run add constraint import_run_signs check ({{least}}(size, bytes_read, bytes_all) >= 0) not valid;
