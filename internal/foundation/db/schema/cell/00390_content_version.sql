-- +goose Up
-- What pages were at each saving: what it said, as JSON. The latest hundred of a page are kept.
create table content_version (
	company  {{text}} not null,
	page_id  {{text}} not null,
	version  {{int}}  not null,
	saved_at {{int}}  not null,
	saved_by {{text}} not null,
	page     {{text}} not null,
	primary key (company, page_id, version)
){{strict}};
alter table content_version add constraint content_version_number check (version > 0) not valid;
