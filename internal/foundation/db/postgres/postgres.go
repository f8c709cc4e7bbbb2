// Package postgres is the engine of installations that outgrow one machine: a PostgreSQL 15 (or later) database as a
// cell that many companies share, behind row-level security.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
)

// The roles that transactions take. Neither owns anything, so that row-level security binds both, and neither may what
// the other may:
// Role reads and writes companies' data, one company's at a time, ControlRole what is not company data (people, keys,
// sign-ins).
const (
	Role        = "kontor_app"
	ControlRole = "kontor_control"
)

// roleOf is the role of a transaction: without a company it is one of the control data.
func roleOf(company string) string {
	if company == "" {
		return ControlRole
	}
	return Role
}

// writerName is the application_name of connections that write; the horizon looks for it.
const writerName = "kontor writer"

// unruled is what lets a row pass that breaks a rule: it is asked where the rule is broken alone. A function, because
// the server reads the whole text of a rule for each statement that writes, and one in PL/pgSQL, because it would read
// that of one in SQL as well.
const (
	unruled     = "kontor_unruled()"
	makeUnruled = `create or replace function kontor_unruled() returns boolean language plpgsql stable parallel safe
	as 'begin return current_setting(''kontor.unruled'', true) is not distinct from ''on''; end';`
)

// makeClock makes the clock of change stamps. A company's stamps only increase, whatever the server's clock does and
// whichever server it is: the greatest one given travels with the data, as the newest row of the change log. Nobody
// waits for it: who writes looks at what is committed as he begins, and whoever reads waits for none who might have
// looked before him (see kontor_horizon).
const makeClock = `create or replace function kontor_clock() returns bigint language sql volatile
	as 'select (extract(epoch from clock_timestamp()) * 1000000)::bigint';
create or replace function kontor_stamp(of_company text) returns bigint language plpgsql volatile as $f$
begin
	return greatest(kontor_clock(), (select stamp + 1 from change where company = $1 order by stamp desc limit 1));
end $f$;
create or replace function kontor_horizon(of_company text, out at bigint, out oldest bigint) language plpgsql volatile as $f$
begin
	perform set_config('kontor.company', of_company, true);
	at := kontor_stamp(of_company);
	oldest := coalesce((select (extract(epoch from min(xact_start)) * 1000000)::bigint from pg_stat_activity
		where datname = current_database() and application_name in ('` + writerName + `', '` + writerName + ` ' || of_company)
			and state <> 'idle' and xact_start is not null), 0);
end $f$;`

// makeDue makes what notes in the index of the control data when a company has work to do, in the company's own
// transaction and for that company alone. Until the transaction has ended nobody moves the company's entries: who wants
// to holds the same lock alone.
const makeDue = `do $make$ begin
	execute format($text$
create or replace function kontor_due(of_company text, of_kind text, wanted bigint) returns bigint
	language plpgsql volatile security definer set search_path = %I, pg_temp as $f$
declare stands bigint;
begin
	if of_company is distinct from current_setting('kontor.company', true) then
		raise exception 'the transaction is of another company';
	end if;
	perform pg_advisory_xact_lock_shared(hashtextextended('kontor due ' || of_company, 0));
	select due_at into stands from company_due where company_id = of_company and kind = of_kind;
	if stands is null or stands > wanted then
		insert into company_due (company_id, kind, due_at) values (of_company, of_kind, wanted)
		on conflict (company_id, kind) do update set due_at = least(company_due.due_at, excluded.due_at) returning due_at into stands;
	end if;
	return stands;
end $f$$text$, current_schema());
end $make$;`

// Engine is the PostgreSQL engine.
func Engine() *db.Engine {
	n := new(network)
	return &db.Engine{
		Name:  "postgres",
		Goose: "postgres",
		Mark:  '$',
		Types: strings.NewReplacer("{{text}}", `text collate "C"`, "{{int}}", "bigint", "{{blob}}", "bytea",
			"{{strict}}", "", "{{clustered}}", "", "{{least}}", "least", ") not valid;", " or "+unruled+") not valid;"),
		Rewrite:  func(q string) string { return q },
		Classify: classify,
		Open:     n.open,
		Begin:    begin,
		Send:     send,
		Ask:      ask,
		Commit:   commit,
		Clean:    clean,
		Discard:  discard,
		Lock:     lock,
		Protect:  protect,
		AsOwner:  "set local role none",
		Absent: "if the database was restored from a dump, row-level security hid the rows from the role that made it: " +
			"dump again as a superuser or a role with BYPASSRLS, or restore a backup of kontor",
		Bare:    bare,
		Horizon: horizon,
		Tail:    tail,
		Ended:   ended,
		// of one that is a transaction by itself
		NamesItself: ", pg_current_xact_id()::text::bigint",
		Tell:        tell,
		Listen:      n.listen,
		Columns:     columns,
		Unruled: func(off bool) string {
			if off {
				return "set local kontor.unruled = on"
			}
			return "set local kontor.unruled = off"
		},
		Plan:    plan,
		Array:   func(values []any) any { return array(values) },
		Grown:   grown,
		Analyze: analyze,
	}
}

// begin starts the transaction, sets the company for row-level security and, for writers, takes the transaction id
// before the clock: whoever reads the horizon afterwards sees this transaction as open.
func begin(ctx context.Context, c *sql.Conn, which db.Beginning) (b db.Begun, err error) {
	if strings.ContainsAny(which.Company, `'\`) {
		return b, fmt.Errorf("postgres: %q is no company id", which.Company)
	}
	err = direct(c, func(p *pgx.Conn) error {
		switch {
		case !isPooled(p) && !which.Write:
			b.First = reader(which.Company)
			return nil
		case !isPooled(p):
			b, err = writer(ctx, p, which, db.Waiting{Text: "begin"})
			return err
		}
		if err := told(ctx, p, beginPooled(which.Company, which.Write)); err != nil || !which.Write {
			return err
		}
		b, err = writer(ctx, p, which)
		return err
	})
	return b, err
}

// reader is the beginning of a transaction that reads.
func reader(company string) []db.Waiting {
	set := db.Waiting{Text: "select set_config('kontor.company', $1, true)", Args: []any{company}}
	if company == "" {
		set.Text += ", set_config('role', '" + ControlRole + "', true)"
	}
	return []db.Waiting{{Text: "begin"}, set}
}

// writer takes the id of a transaction, and then the moment after which nothing of the company is stamped yet, in one
// statement that follows what comes before. The connection's name says whose company is written: who reads need not
// wait for writers of others. A pooler's connections have no names of their own, and their transactions are set up
// already. What others have committed is seen as the statement begins, the newest stamp after the name is known:
// kontor_stamp looks with eyes of its own.
func writer(ctx context.Context, p *pgx.Conn, which db.Beginning, before ...db.Waiting) (b db.Begun, err error) {
	company := which.Company
	begun, from := "pg_current_xact_id()::text::bigint as id", " from begun"
	stamp, args := "kontor_stamp($1), kontor_clock()", []any{company}
	if company == "" {
		begun += ", set_config('role', '" + ControlRole + "', true)"
		stamp, args = "kontor_clock(), kontor_clock()", nil
	}
	if !isPooled(p) {
		begun += ", set_config('application_name', $2, true), set_config('kontor.company', $1, true)"
		args = []any{company, writerName + " " + cmp.Or(company, "-")}
	}
	var seen snapshot
	told := []any{&b.ID, &b.Clock, &b.Now}
	if which.Looks {
		stamp, from = stamp+", "+snapshotColumns, from+", "+fromSnapshot
		told = append(told, seen.into()...)
	}
	all, err := pipe(ctx, p, append(before, db.Waiting{Args: args,
		Text: "with begun as materialized (select " + begun + ") select id, " + stamp + from})...)
	if err != nil {
		return b, err
	}
	if err = all.skip(len(before)); err == nil {
		err = all.answers.QueryRow().Scan(told...)
	}
	b.Now = min(b.Now, b.Clock) // the same moment, unless the clock was put back
	if err == nil && which.Looks {
		b.Ended, err = seen.ended()
		b.Ended = b.Ended.Without(b.ID)
	}
	return b, all.end(err)
}

// plan sets how the transaction's statements are planned from here on. Behind a pooler each is planned for its values
// anyway.
func plan(c *sql.Conn, how db.Planning) []db.Waiting {
	loops, mode := "on", "force_custom_plan"
	if how == db.PlanJoined {
		loops = "off"
	}
	if how == db.PlanOnce {
		mode = "force_generic_plan"
	}
	all := []db.Waiting{{Text: "set local enable_nestloop = " + loops}}
	if pooled(c) {
		return all
	}
	return append(all, db.Waiting{Text: "set local plan_cache_mode = " + mode})
}

// told sends several statements as one text.
func told(ctx context.Context, p *pgx.Conn, text string) error {
	_, err := p.PgConn().Exec(ctx, text).ReadAll()
	return err
}

// lock is held by a transaction, so that it is the same server's connection that gives it back, whatever stands in
// between.
func lock(ctx context.Context, d *sql.DB) (func(), error) {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	const key = 0x6b6f6e746f72 // "kontor"
	for _, text := range []string{"set local idle_in_transaction_session_timeout = 0", "set local lock_timeout = 0",
		fmt.Sprintf("select pg_advisory_xact_lock(%d)", int64(key))} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
	}
	return func() { tx.Rollback() }, nil
}

// listed is a list of words as the server keeps it in a rule, word by word.
var (
	listed = lazy.Regexp(`ARRAY\[('(?:[^']|'')*'::text(?:, '(?:[^']|'')*'::text)*)\]`)
	word   = lazy.Regexp(`'((?:[^']|'')*)'::text`)
)

// lean rewrites the rules that list words, so that each list is one value. The server works out a list of single words
// anew for each statement that writes, which cost an order's head as much as writing it.
func lean(ctx context.Context, d *sql.DB) error {
	rows, err := d.QueryContext(ctx, `select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) from pg_constraint
		where contype = 'c' and connamespace = current_schema()::regnamespace and conbin::text like '%ARRAYEXPR%'`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var all strings.Builder
	for rows.Next() {
		var table, name, says string
		if err := rows.Scan(&table, &name, &says); err != nil {
			return err
		}
		short := listed().ReplaceAllStringFunc(says, oneValue)
		fmt.Fprintf(&all, "alter table %s drop constraint %s, add constraint %s %s;\n", table, name, name, short)
	}
	if err = rows.Err(); err != nil || all.Len() == 0 {
		return err
	}
	_, err = d.ExecContext(ctx, all.String())
	return err
}

// oneValue is a list of words as one array.
func oneValue(list string) string {
	var words []string
	for _, m := range word().FindAllStringSubmatch(list, -1) {
		words = append(words, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m[1])+`"`)
	}
	return "'{" + strings.Join(words, ",") + "}'::text[]"
}

// bare makes what the rules of rows ask, and lets the tables' owner see the rows of all companies again, until protect:
// the application role still sees one company alone.
func bare(ctx context.Context, d *sql.DB) error {
	_, err := d.ExecContext(ctx, `
do $$
declare t regclass;
begin
	for t in select c.oid::regclass from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relforcerowsecurity
	loop
		execute format('alter table %s no force row level security', t);
	end loop;
end $$; `+makeUnruled+makeClock+makeFold)
	return err
}

// makeFold makes fold.Key for statements, and for steps of the schema.
const makeFold = `
do $$ begin -- fold.Key, as near as the server's own tables come to it: it has lower, and no case folding
	if exists (select from pg_collation where collname = 'und-x-icu') then
		create or replace function fold(t text) returns text language sql immutable parallel safe
			as 'select replace(replace(lower(normalize(t, nfc) collate "und-x-icu"), ''ß'', ''ss''), ''ς'', ''σ'') collate "C"';
	else
		create or replace function fold(t text) returns text language sql immutable parallel safe
			as 'select replace(replace(lower(normalize(t, nfc) collate "default"), ''ß'', ''ss''), ''ς'', ''σ'') collate "C"';
	end if;
end $$;
`

// protect makes the two roles, gives each its tables, and lays row-level security over every table of company data:
// FORCE, so that it binds the tables' owner as well. number_series is left out: numbers are drawn outside a company's
// transaction.
func protect(ctx context.Context, d *sql.DB, control []string) error {
	_, err := d.ExecContext(ctx, `
do $$
declare
	t text;
	r text;
	here constant text := quote_ident(current_schema());
begin
	foreach r in array array['`+Role+`', '`+ControlRole+`'] loop
		begin
			if not exists (select from pg_roles where rolname = r) then
				execute format('create role %I nologin', r);
			end if;
		exception when duplicate_object or unique_violation then null;
		end;
		if not pg_has_role(current_user, r, 'member') then
			execute format('grant %I to %I', r, current_user);
		end if;
		execute format('grant usage on schema %s to %I', here, r);
		execute format('revoke all on all tables in schema %s from %I', here, r);
	end loop;
	for t in select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
		and relname not like 'schema\_version\_%' loop
		if t = any ('{`+strings.Join(control, ",")+`}') then
			execute format('grant select, insert, update, delete on %I to `+ControlRole+`', t);
			continue;
		end if;
		execute format('grant select, insert, update, delete on %I to `+Role+`', t);
		if t = 'number_series' then
			continue;
		end if;
		execute format('alter table %I enable row level security', t);
		execute format('alter table %I force row level security', t);
		if not exists (select from pg_policies where schemaname = current_schema() and tablename = t and policyname = 'company_only') then
			execute format('create policy company_only on %I using (company = current_setting(''kontor.company'', true))
				with check (company = current_setting(''kontor.company'', true))', t);
		end if;
	end loop;
end $$;
create or replace function instr(haystack text, needle text) returns int language sql immutable parallel safe
	as 'select strpos(haystack, needle)';
`+makeDue)
	return errors.Join(err, lean(ctx, d))
}

func classify(err error) db.Failure {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case pg.Code == "23505":
			return db.NotUnique
		case pg.Code == "22003":
			return db.TooLarge
		case pg.Code == "23514":
			return db.Ruled
		case pg.Code == "40001", pg.Code == "40P01":
			return db.Retry
		case pg.Code == "55P03", pg.Code == "57014":
			return db.Waited
		case strings.HasPrefix(pg.Code, "53"): // out of disk, memory or connections
			return db.Full
		case strings.HasPrefix(pg.Code, "08"), strings.HasPrefix(pg.Code, "57P"), pg.Code == "25P03",
			pg.Code == "25P04":
			return db.Lost
		// a server that takes no changes (any more); a transaction that it gave up
		case pg.Code == "25006", pg.Code == "25P02":
			return db.Lost
		}
		return db.Other
	}
	var netErr net.Error
	var connErr *pgconn.ConnectError
	switch {
	case errors.As(err, &connErr), errors.As(err, &netErr), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed),
		errors.Is(err, sql.ErrConnDone), err != nil && strings.Contains(err.Error(), "driver: bad connection"),
		err != nil && strings.Contains(err.Error(), "conn closed"):
		return db.Lost
	}
	return db.Other
}
