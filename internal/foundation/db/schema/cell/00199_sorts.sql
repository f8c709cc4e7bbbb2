-- +goose Up
-- The orders that people put the office's lists into. Each is read from either end, so one index serves up and down.
create index sales_order_customer_name on sales_order (company, lower(customer_name), number_key);
create index sales_order_total on sales_order (company, total_amount, number_key);
create index invoice_due_date on invoice (company, due_date, number_key);
create index invoice_customer_name on invoice (company, lower(customer_name), number_key);
create index invoice_total on invoice (company, (total + vat), number_key);
create index invoice_status on invoice (company, status, payment_status, number_key);
create index customer_name on customer (company, lower(name), number_key);
create index item_name on item (company, lower(name), number_key);
create index item_price on item (company, coalesce(sales_price, -1), number_key);
create index sales_return_date on sales_return (company, return_date, number_key);
create index sales_return_status on sales_return (company, status, number_key);
create index price_list_name on price_list (company, lower(name), code_key);
create index brand_name on brand (company, lower(name), code_key);
create index discount_code_valid on discount_code (company, valid_to, code_key);
create index gift_card_balance on gift_card (company, balance, id);
create index gift_card_expires on gift_card (company, expires_on, id);
