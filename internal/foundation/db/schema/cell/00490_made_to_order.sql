-- +goose Up
-- What is made for a line waits for no other stock.
update sales_order_line set waiting = 0 where waiting > 0 and configuration <> '';
