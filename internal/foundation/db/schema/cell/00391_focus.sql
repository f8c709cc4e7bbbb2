-- +goose Up
-- The point of a picture that stays in sight when its edges are cut off, in percent of its width and height; the middle where nobody has said.
alter table media_asset add column focus_x {{int}} not null default 50;
alter table media_asset add column focus_y {{int}} not null default 50;
alter table media_asset add constraint media_asset_focus_x check (focus_x between 0 and 100) not valid;
alter table media_asset add constraint media_asset_focus_y check (focus_y between 0 and 100) not valid;
