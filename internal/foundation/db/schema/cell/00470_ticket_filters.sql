-- +goose Up
-- What a list of tickets is narrowed by besides its queue, and by priority alone: its count reads these and no ticket.
create index ticket_in_queue_status on ticket (company, queue_key, status, created_at, id, priority);
create index ticket_of_priority on ticket (company, priority, created_at, id, status);
-- Those that somebody has to do something about, few among all that ever were.
create index ticket_open on ticket (company, created_at, id)
	where status in ('New', 'Triaged', 'InProgress', 'WaitingForCustomer');
