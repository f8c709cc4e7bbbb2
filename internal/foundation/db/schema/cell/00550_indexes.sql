-- +goose Up
-- Returns are asked for by their order.
create index sales_return_of_order on sales_return (company, order_key, number_key);

-- Stock is asked for by its batch and its serial number alone.
create index stock_balance_of_batch on stock_balance (company, batch_key) where batch_key <> '';
create index stock_balance_of_serial on stock_balance (company, serial_key) where serial_key <> '';

-- What lists are filtered by stands in the index that they are read by, so that whoever counts and skips reads no rows.
drop index sales_order_date;
create index sales_order_date on sales_order (company, order_date desc, number_key, channel_key);
drop index stock_entry_listed;
create index stock_entry_listed on stock_entry (company, at, id, kind);

-- What the home page sums up of the lines that wait.
drop index sales_order_line_waiting;
create index sales_order_line_waiting on sales_order_line (company, item_id, warehouse, waiting, wanted_on) where waiting > 0;
