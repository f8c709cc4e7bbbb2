-- +goose Up
-- How a customer wants to get invoices by mail; '' = those of a store's orders as PDF, others not.
alter table customer add column invoice_delivery {{text}} not null default '';
alter table customer add constraint customer_words check (invoice_delivery in ('', 'None', 'Pdf', 'PdfAndXml')) not valid;
