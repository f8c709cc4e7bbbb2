-- +goose Up
-- When a company next has work to do: nobody is opened to be asked. An entry is never later than what the company itself knows, because
-- it is written before the commit that makes it so; one that is too early costs a look. A company without an entry of kind sweep is one
-- that was never asked.
create table company_due (
	company_id {{text}} not null,
	kind       {{text}} not null,
	due_at     {{int}}  not null,
	holder     {{text}} not null default '',  -- which node looks after it
	held_until {{int}}  not null default 0,   -- and until when nobody else does
	primary key (company_id, kind)
){{strict}};

create index company_due_next on company_due (kind, due_at);

alter table company_due add constraint company_due_kind check (kind in ('jobs', 'sweep', 'equip')) not valid;
alter table company_due add constraint company_due_times check (due_at > 0 and held_until >= 0) not valid;
