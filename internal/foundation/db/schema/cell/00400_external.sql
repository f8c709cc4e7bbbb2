-- +goose Up
-- The numbers that other systems give orders are looked for by number, whoever gave it, and by order.
create index sales_order_external_number on sales_order_external (company, number_key);
create index sales_order_external_order on sales_order_external (company, order_id);
