-- +goose Up
-- The orders of whose buyers an invitation to review was asked for, so that each is invited once.
create table review_invitation (
	company  {{text}} not null,
	order_id {{text}} not null,
	asked_at {{int}}  not null,
	primary key (company, order_id)
){{strict}};
