-- +goose Up
-- What a customer may owe at most, in the company's currency, NULL = no limit. credit_turn moves with every order that is placed on
-- invoice against a limit, so that two at once cannot both stand on what they saw.
alter table customer add column credit_limit {{int}};
alter table customer add column credit_turn {{int}} not null default 0;
