// Package dbtest gives tests a store of each engine, with one company in it: every story runs on SQLite and on
// PostgreSQL. The PostgreSQL cluster is thrown away with the test process; KONTOR_TEST_POSTGRES names a running one
// instead (a URL of a superuser).
package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/db/sqlite"
	"kontor/internal/foundation/fault/faulttest"
	"kontor/internal/foundation/seal"
)

// Company is the id of the company that every test store has.
const Company = "00000000-0000-7000-8000-000000000001"

// Other is the id of a second company, for what must not be seen.
const Other = "00000000-0000-7000-8000-000000000002"

// Info are the facts of Company.
func Info() db.CompanyInfo {
	return db.CompanyInfo{ID: Company, Code: "acme", Name: "Acme AB", Currency: "SEK", Country: "SE",
		TimeZone: "Europe/Stockholm", Environment: "Test"}
}

// Actor is who tests act as.
var actor = db.Actor{Kind: "apiKey", ID: "test-key", Name: "test"}

// Request is a request of Company.
func Request() db.Request { return db.Request{Company: Company, Actor: actor, RequestID: "test"} }

// Engines are the names of the engines stores can be made of, or the one that KONTOR_TEST_ENGINE names.
func Engines() []string {
	if one := os.Getenv("KONTOR_TEST_ENGINE"); one != "" {
		return []string{one}
	}
	return []string{"sqlite", "postgres"}
}

// Each runs fn as a subtest on each engine, with a store of its own.
func Each(t *testing.T, fn func(t *testing.T, s *db.Store)) {
	t.Helper()
	for _, e := range Engines() {
		t.Run(e, func(t *testing.T) {
			t.Parallel()
			fn(t, Store(t, e))
		})
	}
}

// Store is a fresh store of the named engine with Company and Other in it.
func Store(t testing.TB, engine string) *db.Store {
	t.Helper()
	return Open(t, Options(t, engine))
}

// Open is a store as the options say, with Company and Other in it.
func Open(t testing.TB, o db.Options) *db.Store {
	t.Helper()
	ctx := context.Background()
	s, err := db.Open(ctx, o)
	faulttest.None(t, err)
	t.Cleanup(func() { s.Close() })
	info := Info()
	faulttest.None(t, s.CreateCell(ctx, info))
	info.ID, info.Code, info.Name = Other, "other", "Other Ltd"
	faulttest.None(t, s.CreateCell(ctx, info))
	return s
}

// Beside is a way to a database past the store that uses it.
func Beside(t testing.TB, url string) *sql.DB {
	t.Helper()
	d, err := sql.Open("pgx", url)
	faulttest.None(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// Options are those of a fresh, empty installation of the named engine.
func Options(t testing.TB, engine string) db.Options {
	t.Helper()
	keys, err := seal.Parse(seal.NewKey())
	faulttest.None(t, err)
	o := db.Options{Dir: t.TempDir(), Memory: 1 << 24, Seal: new(seal.Ring)}
	o.Seal.Use(keys, nil)
	if o.Engine = sqlite.Engine(); engine != "sqlite" {
		o.Engine, o.URL, o.Connections = postgres.Engine(), DatabaseURL(t), 20
	} else {
		Prepare(t, o.Dir)
	}
	return o
}

// Write runs fn in a transaction of Company and fails the test on an error.
func Write(t testing.TB, s *db.Store, fn func(tx *db.Tx) error) {
	t.Helper()
	faulttest.None(t, s.Write(context.Background(), Request(), fn))
}

// Read runs fn in a snapshot of Company and fails the test on an error.
func Read(t testing.TB, s *db.Store, fn func(tx *db.Tx) error) {
	t.Helper()
	faulttest.None(t, s.Read(context.Background(), Request(), fn))
}

// cluster is the process's PostgreSQL, with a migrated database to copy.
type cluster struct {
	once   sync.Once
	url    string
	own    *sql.DB // of the database that is nobody's: connections cost more than what is asked on them
	copies string  // says in `create database` how to copy a template
	err    error
	next   atomic.Int64
	mu     sync.Mutex // one copy at a time: a template must not be in use
}

var shared cluster

// DatabaseURL is a new database on the process's PostgreSQL, migrated already. The test is skipped, saying so, where
// no PostgreSQL is installed.
func DatabaseURL(t testing.TB) string {
	t.Helper()
	return database(t, templateName)
}

// EmptyDatabaseURL is a new database with no tables yet.
func EmptyDatabaseURL(t testing.TB) string {
	t.Helper()
	return database(t, func() string { return "template0" })
}

func database(t testing.TB, template func() string) string {
	t.Helper()
	shared.once.Do(shared.start)
	if shared.err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(shared.err)
		}
		t.Skip("PostgreSQL is needed for this test: " + shared.err.Error())
	}
	name := fmt.Sprintf("kontor_test_%d_%d", os.Getpid(), shared.next.Add(1))
	shared.mu.Lock()
	err := shared.admin(fmt.Sprintf("create database %s template %s%s", name, template(), shared.copies))
	shared.mu.Unlock()
	faulttest.None(t, err)
	t.Cleanup(func() { shared.admin("drop database if exists " + name + " with (force)") })
	return withDatabase(shared.url, name)
}

// templateName is that of the migrated database, on a server of this process or one that many may use.
func templateName() string {
	if os.Getenv(serverEnv) != "" {
		return fmt.Sprintf("kontor_template_%d", os.Getpid())
	}
	return "kontor_template"
}

// serverEnv names a server to use instead of one of this process.
const serverEnv = "KONTOR_TEST_POSTGRES"

func (c *cluster) start() {
	var s *Server
	if c.url = os.Getenv(serverEnv); c.url == "" {
		if s, c.err = startServer(); c.err != nil {
			return
		}
		c.url = s.URL()
	}
	if c.own, c.err = sql.Open("pgx", c.url); c.err != nil {
		return
	}
	c.own.SetMaxIdleConns(0) // the server may be stopped once, to be kept
	defer c.own.SetMaxIdleConns(4)
	if c.err = c.look(); c.err != nil || s != nil && s.isMigrated {
		return
	}
	c.err = c.migrate()
	if kept := os.Getenv(keptEnv); kept != "" && s != nil && c.err == nil {
		c.err = s.keep(kept)
	}
}

// migrate makes the template.
func (c *cluster) migrate() error {
	if err := c.admin("create database " + templateName()); err != nil {
		return err
	}
	target := withDatabase(c.url, templateName())
	ctx := context.Background()
	return db.Migrate(ctx, postgres.Engine(), target, db.ControlSchema, db.CellSchema)
}

// look finds out whether the server must be told how to copy: file by file, not through its log.
func (c *cluster) look() error {
	return c.own.QueryRow(`select case when current_setting('server_version_num')::int >= 150000
		then ' strategy file_copy' else '' end`).Scan(&c.copies)
}

func (c *cluster) admin(statement string) error {
	if _, err := c.own.Exec(statement); err != nil {
		return fmt.Errorf("%s: %w", strings.SplitN(statement, " template", 2)[0], err)
	}
	return nil
}

func withDatabase(target, name string) string {
	u, err := url.Parse(target)
	if err != nil {
		return target
	}
	u.Path = "/" + name
	return u.String()
}

// Corrupt runs a statement on Company's data past every rule, as somebody with a tool of his own might have done.
func Corrupt(t testing.TB, s *db.Store, statement string) {
	t.Helper()
	Write(t, s, func(tx *db.Tx) error {
		return tx.Unruled(func() error {
			_, err := tx.Exec("-- dbtest.Corrupt\n"+statement, nil)
			return err
		})
	})
}
