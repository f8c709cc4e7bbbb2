-- +goose Up
-- An attachment is fetched by its id.
create unique index ticket_asset_id on ticket_asset (company, id);
