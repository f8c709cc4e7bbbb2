-- +goose Up
-- A part of a line that comes back may cost a unit of currency more than its quantity at the price, where the parts
-- before it cost less than theirs: what is taken off it is below zero then, as on credit notes.
alter table sales_return_line drop constraint sales_return_line_signs;
alter table sales_return_line add constraint sales_return_line_signs check ({{least}}(registered, quantity, to_credit, unit_price, discount, tax_percent, total, vat) >= 0) not valid;
