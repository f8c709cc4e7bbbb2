-- +goose Up
-- What time alone shows or takes away is little among many: of the pages of a channel those that are published some day,
-- of its publications those with a window. Whoever shows a page asks for the next of them.
create index content_page_timed on content_page (company, channel_key, publishes_at) where publishes_at is not null;
create index publication_timed on publication (company, channel_key) where publish_from is not null or publish_to is not null;
