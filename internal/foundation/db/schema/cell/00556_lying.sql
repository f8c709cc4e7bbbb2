-- +goose Up
-- What lies somewhere now, of the balances of an item. Those that are empty stay as rows, one for each piece with a
-- serial number that was ever sold, and nobody who moves or shows goods is to go through them.
create index stock_balance_lying on stock_balance (company, item_id, warehouse, location, batch_key, serial_key, batch,
	serial, quantity) where quantity > 0;
