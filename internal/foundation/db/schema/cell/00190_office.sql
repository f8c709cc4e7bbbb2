-- +goose Up
-- What the office asks for every time somebody looks in: the invoices that are still to be paid, by the day they are due.
create index invoice_due on invoice (company, due_date, number_key) where status = 'Booked' and payment_status in ('Unpaid', 'PartiallyPaid');
