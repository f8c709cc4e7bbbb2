-- +goose Up
-- Payments as a list: what changed since it was counted, and the few that ended without money.
create index payment_changed on payment (company, changed_at);
create index payment_unheld on payment (company, id) where order_id <> '' and status in ('Cancelled', 'Expired', 'Failed');
