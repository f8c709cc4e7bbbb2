-- +goose Up
-- What visitors configure lies in their carts, and goes when it lies in none any more.
alter table configuration add column is_from_cart {{int}} not null default 0;
create index configuration_from_cart on configuration (company, changed_at) where is_from_cart = 1 and order_number = '';
create index cart_line_configuration on cart_line (company, configuration) where configuration <> '';
