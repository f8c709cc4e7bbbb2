-- +goose Up
-- What lies somewhere now, of the balances. Those that are empty stay as rows, one for each piece with a serial number
-- that was ever sold, and nobody who moves, shows, lists or counts goods is to go through them.
create index stock_balance_lying on stock_balance (company, item_id, warehouse, location, batch_key, serial_key, batch,
	serial, quantity) where quantity > 0;
drop index stock_balance_listed;
create index stock_balance_listed on stock_balance (company, item_key, warehouse, location, batch_key, serial_key)
	where quantity > 0;
drop index stock_balance_place;
create index stock_balance_place on stock_balance (company, warehouse, location) where quantity > 0;
