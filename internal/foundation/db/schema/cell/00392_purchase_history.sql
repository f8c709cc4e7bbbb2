-- +goose Up
-- What a supplier charged on top of an order's net amount, in the order's currency, as a history says it; and that an order was bought and paid
-- before the books began, so that no invoice is waited for.
alter table purchase_order add column charged_tax {{int}} not null default 0;
alter table purchase_order add column charged_freight {{int}} not null default 0;
alter table purchase_order add column is_settled {{int}} not null default 0;

alter table purchase_order add constraint purchase_order_charges check ({{least}}(charged_tax, charged_freight) >= 0) not valid;
