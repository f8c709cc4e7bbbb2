-- +goose Up
-- The day the goods of an invoice were handed over. Of older invoices it is not known.
alter table invoice add column supplied_on {{text}} not null default '';
-- Whose money or gift card a payment of an invoice is of; '' = noted by hand, and of older ones not known.
alter table invoice_payment add column order_id {{text}} not null default '';
create index invoice_payment_order on invoice_payment (company, order_id) where order_id <> '';
