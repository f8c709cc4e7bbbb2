-- +goose Up
-- What a cart came to when it was last shown, gift cards included, beside seen_amount, which is without them: where they
-- pay for everything, nothing is left to pay whatever it costs. NULL = not known.
alter table cart add column seen_total {{int}};

-- What the payment method cost then. NULL = not known.
alter table checkout add column seen_fee {{int}};
