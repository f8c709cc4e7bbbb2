-- +goose Up
-- People whose records were deleted and who are still in the activity log: a job takes them out, and this row goes.
create table erasure (
	company {{text}} not null,
	id      {{text}} not null, -- of the contact or customer
	person  {{text}} not null, -- JSON: what is looked for
	primary key (company, id)
){{strict}};
