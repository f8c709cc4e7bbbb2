-- +goose Up
-- What the company promises whoever asks: when somebody is there, and within how many hours of that they are answered and helped, by
-- priority; 0 promises nothing. hours has a line for each day from Sunday on, closed one for each day off.
create table service_level (
	company        {{text}} not null,
	id             {{text}} not null,
	version        {{int}}  not null,
	created_at     {{int}}  not null,
	modified_at    {{int}},
	changed_at     {{int}}  not null,
	hours          {{text}} not null,
	closed         {{text}} not null default '',
	low_answer     {{int}}  not null default 0,
	low_solve      {{int}}  not null default 0,
	normal_answer  {{int}}  not null default 0,
	normal_solve   {{int}}  not null default 0,
	high_answer    {{int}}  not null default 0,
	high_solve     {{int}}  not null default 0,
	urgent_answer  {{int}}  not null default 0,
	urgent_solve   {{int}}  not null default 0,
	primary key (company)
){{strict}};

alter table service_level add constraint service_level_low_answer check (low_answer between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_low_solve check (low_solve between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_normal_answer check (normal_answer between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_normal_solve check (normal_solve between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_high_answer check (high_answer between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_high_solve check (high_solve between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_urgent_answer check (urgent_answer between 0 and 2000000000) not valid;
alter table service_level add constraint service_level_urgent_solve check (urgent_solve between 0 and 2000000000) not valid;

-- By when a ticket is to be answered and solved; while paused_at is set the customer is waited for. due_at is the next of these.
alter table ticket add column answer_by {{int}};
alter table ticket add column solve_by {{int}};
alter table ticket add column due_at {{int}};
alter table ticket add column paused_at {{int}};
alter table ticket add column waited {{int}} not null default 0; -- seconds of working time
alter table ticket add constraint ticket_waited check (waited >= 0) not valid;
create index ticket_due on ticket (company, due_at, id);

-- Whoever may not see the record any more does not read what was said of it either.
alter table notification add column permission {{text}} not null default '';
alter table notification drop constraint notification_words;
alter table notification add constraint notification_words check (reason in ('Mentioned', 'Commented', 'Charged', 'Answered', 'Accepted', 'Declined', 'Overdue')) not valid;
