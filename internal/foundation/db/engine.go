package db

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// Failure is what an engine's error means for the work that met it.
type Failure int

// The failures the house treats differently; every other error is a fault of ours.
const (
	Other     Failure = iota
	NotUnique         // a uniqueness constraint is broken
	Retry             // serialization, deadlock, busy: the same work may succeed at once
	Waited            // a lock was not given in time
	Full              // the disk is full or fails, or the file is damaged: the whole group is lost
	Lost              // the connection is gone
	TooLarge          // a number passed 64 bits
	Ruled             // a row breaks a rule of its table
)

// Engine is what a driver package provides. There are two.
type Engine struct {
	Name string // sqlite or postgres
	// OneWriter is true where one goroutine owns the write connection of a cell.
	OneWriter bool
	// Mark stands before a parameter's number: ? or $.
	Mark byte
	// Types are the schema's words that differ: {{text}}, {{int}}, {{blob}}.
	Types *strings.Replacer
	// Rewrite adapts a statement where the engines truly differ (locking reads).
	Rewrite func(query string) string
	// Classify says what an error means.
	Classify func(error) Failure
	// Open opens target (a file's path, a database's URL) for one use.
	Open func(target string, use Use) (*sql.DB, error)
	// Begin starts a transaction on a connection; nil = a plain BEGIN.
	Begin func(ctx context.Context, c *sql.Conn, b Beginning) (Begun, error)
	// Send sends what waits, and a statement behind it in the same round trip, of which it reports how many rows there
	// were; Ask answers its rows instead. That a row is taken is said of this statement alone, not of those that
	// waited. Commit is a Send that ends the transaction, and fails if the engine rolled back instead. Only for engines
	// with a server, to which all statements go so.
	Send   func(ctx context.Context, c *sql.Conn, waiting []Waiting, next *Waiting) (int64, error)
	Ask    func(ctx context.Context, c *sql.Conn, waiting []Waiting, next Waiting) (Result, error)
	Commit func(ctx context.Context, c *sql.Conn, waiting []Waiting) error
	// Clean reports whether a connection may be lent to somebody else: it is open and in no transaction, or in one
	// whose end waits. Goes with Discard, which closes one for good. Nil where connections do not break.
	Clean   func(c *sql.Conn, ended bool) bool
	Discard func(c *sql.Conn)
	// Goose is the name of the engine's dialect in the migration library.
	Goose string
	// Step runs the text of a step of the schema; nil where the engine knows every word of it.
	Step func(ctx context.Context, tx *sql.Tx, text string) error
	// Unruled is the statement that switches the rules of rows off, or on again; on PostgreSQL for the transaction.
	Unruled func(off bool) string
	// Lock keeps two nodes from migrating at once; nil where a file has one owner anyway.
	Lock func(ctx context.Context, d *sql.DB) (unlock func(), err error)
	// AsOwner is the statement by which a transaction of who reads is the tables' owner's, who alone knows of their
	// versions; "" where a cell is a file.
	AsOwner string
	// Absent says what an empty cell of a company that exists comes from, and what to do.
	Absent string
	// Protect runs after the migrations of a cell, for example to lay row-level security over its tables.
	// control are the tables that are not company data.
	Protect func(ctx context.Context, d *sql.DB, control []string) error
	// Whole says what a statement goes through as a whole; nil where the plans of an engine follow the rows.
	Whole func(ctx context.Context, c *sql.Conn, text string) (Passes, error)
	// Bare runs before them, so that a step may bring the rows of all companies up to date; Protect follows even where
	// a step fails.
	Bare func(ctx context.Context, d *sql.DB) error
	// Horizon is the moment up to which every committed change of a company is visible (PostgreSQL); nil where the
	// newest committed stamp is the horizon.
	Horizon func(ctx context.Context, c *sql.Conn, company string) (Horizon, error)
	// Tail reads the horizon and, in a snapshot that is newer, the rows of a query on a company's data, whose
	// parameters are $1 and so on; nil where all commits pass through this process.
	Tail func(ctx context.Context, c *sql.Conn, company, query string, args []any, row func(Row) error) (Time, error)
	// Ended says which transactions have ended: while it is the same nobody has committed anything. Goes with Tail.
	Ended func(ctx context.Context, c *sql.Conn) (Ended, error)
	// NamesItself is the column, behind a comma, by which a statement tells the id of its transaction, as in Ended.
	NamesItself string
	// Tell says short words to all processes on the same database that listen. Listen passes on what is said until its
	// connection breaks, and calls begun when from then on nothing is missed. Nil where there is one process. See
	// Watch.
	Tell   func(all []string) Waiting
	Listen func(ctx context.Context, target string, begun func(), heard func(said string)) error
	// Grown are the tables that have grown much since the planner looked at them, and Analyze lets it look at one in a
	// transaction that it tells of as it begins. Only for engines with many writers.
	Grown   func(ctx context.Context, c *sql.Conn) ([]string, error)
	Analyze func(ctx context.Context, c *sql.Conn, table string, begins func(id uint64) (ends func(known bool))) error
	// Columns tells the types of a table's columns where many rows are bound faster as one array for each column than
	// value by value; nil where they are not.
	Columns func(ctx context.Context, c *sql.Conn, table string) (map[string]string, error)
	// Array makes a column of such rows a value that the driver binds.
	Array func(values []any) any
	// Plan says how the following statements of a transaction are planned, PlanOnce at its beginning; nil where there
	// is but one way.
	Plan func(c *sql.Conn, how Planning) []Waiting
	// Damage reports what is damaged in a cell's file; nil where a server looks after its own.
	Damage func(ctx context.Context, c *sql.Conn, report func(string)) error
	// SetMark writes a number into a cell's file that Marked reads back, 0 where none was written: it costs one page.
	// Nil where a cell is not a file.
	SetMark func(ctx context.Context, c *sql.Conn, mark int32) error
	Marked  func(ctx context.Context, c *sql.Conn) (int32, error)
	// GiveBack gives memory back to the system that closed files have used; nil where the engine keeps none.
	GiveBack func()
	// Snapshot copies a cell into a new file, online and consistent, without what was deleted from it; nil where a cell
	// is not a file.
	Snapshot func(ctx context.Context, d *sql.DB, path string) error
	// Pages is Snapshot that leaves every page where it is, so that what did not change is the same bytes in the next
	// copy.
	Pages func(ctx context.Context, d *sql.DB, path string) error
}

// Horizon is the moment up to which every committed change of a company is visible.
type Horizon struct {
	At      Time
	Asked   Time          // where it would be if nobody were writing
	Writing time.Duration // since when the oldest of those who are has been
	Beyond
}

// Beyond is how far stamps have come, where they go on beyond a clock that was put back and somebody writes; else zero.
type Beyond struct {
	Next Time // all that is stamped before has begun
	// ID is that of a transaction after all of those, and Oldest that of one before which all have ended.
	ID, Oldest uint64
}

// Use is what a connection is opened for.
type Use int

// The uses of a database handle.
const (
	ForReading Use = iota
	ForWriting
	ForOwning // migrations, numbers outside a transaction, the horizon
)

// Beginning says which transaction begins.
type Beginning struct {
	Company string // "" on the control database
	Write   bool
	Looks   bool // a writer's: it is asked what has ended, after it has its id
}

// Begun is what an engine learns as it begins a transaction.
type Begun struct {
	Clock Time   // of change stamps; 0 = the machine's
	Now   Time   // by the server's clock; 0 = the machine's
	ID    uint64 // of a writer's transaction, as in Ended; 0 where there are none
	// First are the statements that begin it, where they go with its first one.
	First []Waiting
	Ended Ended // where it Looks
}

// Result are the rows of a statement as they are read.
type Result interface {
	Row
	Next() bool
	Err() error
	Close() error
}

// Planning is how statements find their way to the rows.
type Planning int

const (
	// PlanOnce keeps one plan for whatever values come: statements are written for their index.
	PlanOnce Planning = iota
	// PlanEach plans for the values at hand, such as a long list.
	PlanEach
	// PlanJoined is PlanEach for what joins many rows of a table to as many that were sent, and never looks through all
	// of one side for each of the other.
	PlanJoined
)

// Passes are what a statement goes through as a whole: tables, under the names that it has for them, of which all rows
// of a company are looked at.
type Passes struct {
	Names []string
	Again [][]string // of these the later ones for each row of the first
	Told  []string   // columns that it gives a value of, which tells few rows from all others
}
