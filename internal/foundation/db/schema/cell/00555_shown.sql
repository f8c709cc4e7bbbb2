-- +goose Up
-- What a cart came to when it was last shown, gift cards included, beside seen_amount, which is without them: where they
-- pay for everything, nothing is left to pay whatever it costs. NULL = not known.
alter table cart add column seen_total {{int}};
alter table cart add constraint cart_seen_total check (seen_total >= 0) not valid;

-- What the payment method cost then. NULL = not known.
alter table checkout add column seen_fee {{int}};
alter table checkout add constraint checkout_seen_fee check (seen_fee >= 0) not valid;
