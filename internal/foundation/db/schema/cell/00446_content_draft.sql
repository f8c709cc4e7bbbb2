-- +goose Up
-- What published pages are to say once somebody publishes it, or its moment comes: one draft a page, which visitors and other systems do
-- not see. page is what it says, as JSON; base what the page said when the draft was begun, as a digest, so that nothing that was published
-- meanwhile is replaced in silence.
create table content_draft (
	company      {{text}} not null,
	id           {{text}} not null,
	version      {{int}} not null,
	created_at   {{int}} not null,
	modified_at  {{int}},
	changed_at   {{int}} not null,
	page_id      {{text}} not null,
	saved_by     {{text}} not null,
	publishes_at {{int}},
	refused      {{text}} not null default '',
	base         {{text}} not null,
	page         {{text}} not null,
	primary key (company, id),
	unique (company, page_id)
){{strict}};
alter table content_draft add constraint content_draft_version check (version > 0) not valid;
