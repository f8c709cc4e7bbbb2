-- +goose Up
-- The document number of the invoice that a credit note takes back: what people outside know it by.
alter table invoice add column credits_document {{text}} not null default '';
update invoice set credits_document = coalesce((select c.document_number from invoice c
	where c.company = invoice.company and c.number = invoice.credits_invoice), '') where credits_invoice <> '';
