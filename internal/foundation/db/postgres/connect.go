package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"kontor/internal/foundation/db"
)

// connectTime bounds an attempt to connect to one server, where the URL does not say connect_timeout.
const connectTime = 3 * time.Second

// A transaction that writes holds rows that others wait for. One whose client sends nothing for writerIdle (a process
// that is stopped, a machine that is paused, a network that is gone) is ended by the server, and who waits for a row is
// told to try again after rowWait.
// writerIdle is more than any transaction thinks between two statements, on a slow machine too (a plan of 100,000 items
// takes half a second).
// One that reads holds nobody up, and may rest for readerIdle. In milliseconds.
const (
	writerIdle = "5000"
	rowWait    = "3000"
	readerIdle = "30000"
)

// errStandby is met on a server that only repeats what another one writes.
var errStandby = errors.New("this server is a standby and takes no changes")

// open is a handle on the database's server that takes changes: of several hosts in the URL, the one that is no
// standby, whatever target_session_attrs says. The one found last is tried first.
func (n *network) open(target string, use db.Use) (*sql.DB, error) {
	cfg, err := n.parse(target)
	if err != nil {
		return nil, err
	}
	// statements are written for their index: planning each time costs more than it finds
	session := "set plan_cache_mode = force_generic_plan; " +
		"set jit = off; "
	switch use {
	case db.ForReading:
		cfg.RuntimeParams["application_name"] = "kontor reader"
		session += waits(rowWait, readerIdle) + "set role " + Role +
			"; set default_transaction_isolation = 'repeatable read'"
	case db.ForWriting:
		cfg.RuntimeParams["application_name"] = writerName
		session += soonerDeadlocks + "; " + waits(rowWait, writerIdle) + "set role " + Role
	default:
		cfg.RuntimeParams["application_name"] = "kontor"
		// numbers only: the documents that use them are flushed
		session += waits("60000", readerIdle) + "set synchronous_commit = off"
	}
	var last atomic.Pointer[pgconn.FallbackConfig]
	return stdlib.OpenDB(*cfg, stdlib.OptionBeforeConnect(func(_ context.Context, c *pgx.ConnConfig) error {
		if at := last.Load(); at != nil && len(c.Fallbacks) > 0 {
			first := &pgconn.FallbackConfig{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}
			c.Fallbacks = append([]*pgconn.FallbackConfig{first}, c.Fallbacks...)
			c.Host, c.Port, c.TLSConfig = at.Host, at.Port, at.TLSConfig
		}
		return nil
	}), stdlib.OptionAfterConnect(func(ctx context.Context, c *pgx.Conn) error {
		c.TypeMap().TryWrapScanPlanFuncs = append(c.TypeMap().TryWrapScanPlanFuncs, scanTruth)
		if at := place(ctx, cfg, c.PgConn().Conn()); at != nil {
			last.Store(at)
		}
		if isPooled(c) {
			return nil
		}
		_, err := c.PgConn().Exec(ctx, session).ReadAll()
		return err
	})), nil
}

// waits sets how long a session waits for a row, and how long a transaction in it may wait for its client, in
// milliseconds.
func waits(row, idle string) string {
	return "set lock_timeout = " + row + "; set idle_in_transaction_session_timeout = " + idle + "; "
}

// parse reads the URL of a database. What a session is told as it begins is only what every pooler knows.
func (n *network) parse(target string) (*pgx.ConnConfig, error) {
	cfg, err := pgx.ParseConfig(target)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = connectTime
	}
	// Rooms ask with many texts; what is prepared is kept here (see prepare).
	cfg.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	cfg.RuntimeParams["timezone"] = "UTC"
	cfg.ValidateConnect = validate
	plain := cfg.Config.Copy()
	cfg.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		return n.dial(ctx, plain, network, addr)
	}
	return cfg, nil
}

// place is the host among those of cfg that a connection leads to, nil where there is one alone or it cannot be told.
func place(ctx context.Context, cfg *pgx.ConnConfig, c net.Conn) *pgconn.FallbackConfig {
	hosts := append([]*pgconn.FallbackConfig{{Host: cfg.Host, Port: cfg.Port, TLSConfig: cfg.TLSConfig}},
		cfg.Fallbacks...)
	if !slices.ContainsFunc(hosts,
		func(f *pgconn.FallbackConfig) bool { return f.Host != cfg.Host || f.Port != cfg.Port }) {
		return nil
	}
	at := c.RemoteAddr().String()
	for _, f := range hosts {
		if _, addr := pgconn.NetworkAddress(f.Host, f.Port); addr == at {
			return f
		}
		ips, _ := net.DefaultResolver.LookupHost(ctx, f.Host)
		for _, ip := range ips {
			if _, addr := pgconn.NetworkAddress(ip, f.Port); addr == at {
				return f
			}
		}
	}
	return nil
}

// validate refuses a standby, and notes whether a pooler answers in the server's place: it names another process than
// the one that works.
func validate(ctx context.Context, c *pgconn.PgConn) error {
	results, err := c.Exec(ctx, "select pg_backend_pid(), pg_is_in_recovery()").ReadAll()
	if err != nil {
		return err
	}
	row := results[0].Rows[0]
	if string(row[1]) == "t" {
		return errStandby
	}
	c.CustomData()[poolerKey] = string(row[0]) != fmt.Sprint(c.PID())
	return nil
}

// poolerKey is where a connection notes that it leads to a pooler, such as PgBouncer. One that lends a server's
// connection for the length of a transaction keeps nothing beyond that: no settings, no prepared statements. So nothing
// beyond it is used.
const poolerKey = "kontor.pooled"

func isPooled(c *pgx.Conn) bool {
	is, _ := c.PgConn().CustomData()[poolerKey].(bool)
	return is
}

func pooled(c *sql.Conn) (is bool) {
	err := direct(c, func(p *pgx.Conn) error { is = isPooled(p); return nil })
	return err == nil && is
}

// beginPooled begins a transaction that brings its own settings.
func beginPooled(company string, write bool) string {
	text, idle := "begin isolation level repeatable read; select ", readerIdle
	if write {
		text, idle = "begin isolation level read committed; select ", writerIdle
	}
	return text + "set_config('role', '" + roleOf(company) + "', true), set_config('kontor.company', '" + company +
		"', true), set_config('jit', 'off', true), " +
		"set_config('lock_timeout', '" + rowWait + "', true), set_config('idle_in_transaction_session_timeout', '" +
		idle + "', true)"
}

// clean reports whether a connection may be lent again: it is open, and in no transaction, or in one whose end waits.
func clean(c *sql.Conn, ended bool) (is bool) {
	err := direct(c, func(p *pgx.Conn) error {
		is = !p.IsClosed() && (ended || p.PgConn().TxStatus() == 'I')
		return nil
	})
	return err == nil && is
}

// discard closes a connection for good, without waiting for a server that may be silent.
func discard(c *sql.Conn) {
	direct(c, func(p *pgx.Conn) error {
		ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer stop()
		return p.Close(ctx)
	})
}

// soonerDeadlocks notices a deadlock after a tenth of a second instead of a whole one, where the user may say so: the
// store runs the loser of such a meeting again, and whoever waits should not wait for it.
const soonerDeadlocks = `do $$ begin perform set_config('deadlock_timeout', '100ms', false);
	exception when insufficient_privilege then null; end $$`

// Pooler reports whether a connection pooler, such as PgBouncer, answers at target instead of the server.
func Pooler(ctx context.Context, target string) (bool, error) {
	cfg, err := new(network).parse(target)
	if err != nil {
		return false, err
	}
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return false, err
	}
	defer c.Close(ctx)
	return isPooled(c), nil
}
