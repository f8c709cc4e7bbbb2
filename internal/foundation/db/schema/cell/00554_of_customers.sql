-- +goose Up
-- What a customer's documents are narrowed to and counted by stands in the indexes that they are read by: of a customer
-- with many, whoever counts and skips reads no rows.
drop index sales_order_customer;
create index sales_order_customer on sales_order (company, customer_key, order_date desc, number_key, status, channel_key, invoiced_status);
drop index invoice_customer;
create index invoice_customer on invoice (company, customer_key, invoice_date, number_key, status, payment_status, type);
drop index shipment_customer;
create index shipment_customer on shipment (company, customer_id, id, status);

-- What is open of a customer's invoices.
create index invoice_open on invoice (company, customer_id) where paid <> total + vat;
