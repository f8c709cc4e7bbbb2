-- +goose Up
-- Where backups go, what became of the last ones, and who is writing one: of several nodes only one does.

create table backup_place (
	place         {{text}} not null primary key,  -- folder or address, without what is secret in it
	every_seconds {{int}}  not null default 0,    -- 0 = nobody promised to come again
	holder        {{text}} not null default '',   -- who writes a backup there now
	held_until    {{int}}  not null default 0,    -- unless they say so again
	succeeded_at  {{int}},
	name          {{text}} not null default '',   -- of the last that succeeded
	bytes         {{int}}  not null default 0,    -- that it takes, with what it shares with others
	new_bytes     {{int}}  not null default 0,    -- that were written for it
	took          {{int}}  not null default 0,    -- microseconds
	failed_at     {{int}},
	failure       {{text}} not null default ''
){{strict}};
