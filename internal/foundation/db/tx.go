// Package db is the only way to SQL: a transaction that carries everything a rule may ask of its
// surroundings (company, actor, the moment), one SQL text for both engines with named parameters,
// and the cells the data lives in. It imports no driver and knows no business.
package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/tracing"
)

// Actor is who does something, as the activity log names them.
type Actor struct {
	Kind   string // apiKey, user, contact or system
	ID     string
	Name   string // of the key, the person or the job
	Client string // name of the OAuth client, else empty
}

// Request is what a transaction is told about its surroundings.
type Request struct {
	Company   string // id; empty only on the control database
	Actor     Actor
	RequestID string
	// IfMatch is the validator the caller holds; the write funnel refuses another revision.
	IfMatch string
	// IfNoneMatch is what the caller does not want to find: a validator, or "*", which is anything at all. The
	// transaction that would write over it is refused.
	IfNoneMatch string
	// Now overrides the clock: an import books documents as of their dates.
	Now Time
	// AsksCommitted is set by readers that call Committed: what it answers is taken before their snapshot.
	AsksCommitted bool
	// AwaitsWriters is set beside it by who asks what has changed: what Committed answers waits for whoever is writing
	// as he asks, but for nobody longer than for his first second, so that it tells of all that was acknowledged
	// before.
	AwaitsWriters bool
	// Replayable says that the work is safe to run again when the connection was lost at COMMIT,
	// because an idempotency row in the same transaction tells what happened.
	Replayable bool
	// Once says that what the function does beside the transaction can be done but once, as what it writes into a file:
	// it is not run again, and what would have been is Server.Unavailable.
	Once bool

	// Caught is what Store.Catch answered to this request. Catches asks it as a transaction that writes begins, in the
	// same round trip.
	Caught  Caught
	Catches bool
	// Afresh finds nothing in the cache and leaves nothing there: what is read so is what the books say.
	Afresh bool

	// Party is who the work is for where that is not the actor: the visitor of a store. nil elsewhere.
	Party Party

	founding bool // the company's facts are about to be written for the first time
}

// Party is who a surface does the work for, as it knows them.
type Party interface {
	// Ref is what it is counted under that something becomes of them; without a key nothing is.
	Ref() Ref
}

// CompanyInfo are the facts about a company that every room may need. They live in the company's cell.
type CompanyInfo struct {
	ID, Code, Name string
	Currency       string // ISO 4217, the base currency
	Country        string // ISO 3166-1 alpha-2
	TimeZone       string // IANA name
	Environment    string // Production or Test
	Zone           *time.Location
}

// Tx is one operation's unit of work. Its clock does not move: everything done in it happened at Now.
type Tx struct {
	Request
	// Info are the company's facts; zero on the control database.
	Info CompanyInfo
	// Epoch changes whenever reference data of the company changes.
	Epoch int64
	// Control is true on the control database, whose statements need not name a company.
	Control bool

	ctx   context.Context
	asker context.Context // of a reading whose statements nothing interrupts: none is begun for who has gone
	cell  *cell
	conn  *conn
	begun bool
	light bool // its beginning goes with its first statement, and its end with what is sent next
	write bool

	planning Planning // of the statements that follow
	// Admitted is what was found out about the Party, by who admitted it to this transaction.
	Admitted any

	today   day.Date // see Today: at that moment, in that zone
	todayAt Time
	todayIn *time.Location

	clock   Time // of the change stamps
	matched bool
	target  target // what stands at the address that IfNoneMatch asks about
	dated   bool   // Now was given by the caller
	touched []touch
	last    func() error // see AtLast
	after   []func()
	counts  []counted
	written []written          // see CachePutWritten
	derived map[string]atEpoch // see FromReference
	before  committed          // the snapshot
	bumped  bool               // the epoch was moved by this transaction

	// root is the record that is changed, of several the first: the others change because of it. revision is its
	// validator.
	root, revision string

	locked     map[string]bool // names of LocksInOrder that were locked, where there are doubts
	lockedLast string          // that of them which comes last

	trying          bool           // see Try
	wrote           bool           // it has written a row, or may have
	left            bool           // it has written a row
	failed          bool           // a statement met an error that may have undone more than itself
	presumed        *known         // a reader's: the company as it stood before his snapshot, until he has confirmed it
	moved           bool           // a reader's: it stood otherwise in the snapshot
	doubtful        bool           // a reader's, run again: he takes the company from his snapshot
	seen            uint64         // a reader's: the commits before his snapshot, see Undisturbed
	party           Mark           // of the Party, before the snapshot
	answerDependsOn []Dependencies // see AnswerDependsOn
	from            Tables         // that it has read, see Read
	into            Tables         // that it has changed
	fromCache       bool           // it has used a value that was remembered
	log             []Tables       // what each statement read, where there are doubts
	reading         *reading       // it, for what is kept longer; nil while nothing is
	answering       int            // see Answering
	lag             time.Duration  // see Behind
	loud            bool           // it has changed records, not only what is touched quietly
	stirred         bool           // it has moved the company's facts or epoch
	// invalid are the counters that it will move, where it commits alone.
	invalid map[*atomic.Uint64]struct{}
	later   bool             // see Later
	ends    func(known bool) // a writer's among many, see others
}

// touch is what a commit changes; quiet ones are no records, see Invalidate.
type touch struct {
	resource, key string
	quiet         bool
}

// Args are the named parameters of a statement; :company, :now and :actor are always bound.
type Args map[string]any

// Row is one row of a result.
type Row interface{ Scan(dest ...any) error }

// Context is the request's context, for work that waits.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Today is the date in the company's time zone.
func (tx *Tx) Today() day.Date {
	zone := tx.Info.Zone
	if zone == nil {
		zone = time.UTC
	}
	if tx.todayAt != tx.Now || tx.todayIn != zone {
		tx.today, tx.todayAt, tx.todayIn = day.Of(tx.Now.Time(), zone), tx.Now, zone
	}
	return tx.today
}

// DayOf is the date of a moment in the company's time zone.
func (tx *Tx) DayOf(at Time) day.Date {
	if tx.Info.Zone == nil {
		return day.Of(at.Time(), time.UTC)
	}
	if at == tx.Now {
		return tx.Today()
	}
	return day.Of(at.Time(), tx.Info.Zone)
}

// BeginningOf is the first moment of a day in the company's time zone.
func (tx *Tx) BeginningOf(d day.Date) Time { return TimeOf(d.Begins(cmp.Or(tx.Info.Zone, time.UTC))) }

// Writes reports whether this transaction may write.
func (tx *Tx) Writes() bool { return tx.write }

// OneWriter reports whether all who write the company's data do so one after another, on an engine with one writer.
func (tx *Tx) OneWriter() bool { return tx.cell.engine.OneWriter }

// Alone reports whether nobody else writes the company's data until this transaction has ended: on an engine with one
// writer.
// What it then does not find, nobody makes behind its back.
func (tx *Tx) Alone() bool { return tx.write && tx.OneWriter() }

// Engine names the engine: sqlite or postgres.
func (tx *Tx) Engine() string { return tx.cell.engine.Name }

// Damage reports what is damaged in the file that the company's data lies in, in the engine's words, without regard to
// what it says.
// A server looks after its own files.
func (tx *Tx) Damage(report func(string)) error {
	if tx.cell.engine.Damage == nil {
		return nil
	}
	return tx.cell.engine.Damage(tx.ctx, tx.conn.sql, report)
}

// Exec runs a statement and reports how many rows it touched.
func (tx *Tx) Exec(query string, a Args) (int64, error) {
	p, st, args, err := tx.prepare(query, a)
	if err != nil {
		return 0, err
	}
	end := tx.traced(query)
	n, err := st.exec(tx.ctx, args)
	end(err)
	if err != nil {
		return 0, tx.met(query, err)
	}
	if n > 0 {
		tx.did(p.into, p.moves)
		tx.left = true
	}
	return n, nil
}

// Run is Exec for who need not know how many rows there were.
func (tx *Tx) Run(query string, a Args) error {
	_, err := tx.Exec(query, a)
	return err
}

// did notes the tables that rows were written to, and whether the company's facts or its epoch were among them.
func (tx *Tx) did(into Tables, moves bool) {
	tx.wrote = true
	tx.into = tx.into.And(into)
	if moves {
		if tx.stirred = true; tx.OneWriter() {
			tx.cell.moved = true
		}
		tx.invalidates(epochs, "")
	}
}

// met is an error of the engine. A broken uniqueness constraint undoes its own statement and no more.
func (tx *Tx) met(query string, err error) error {
	if err == nil {
		return nil
	}
	failure := tx.cell.engine.Classify(err)
	if failure != NotUnique {
		tx.failed = true
	}
	switch failure {
	case TooLarge:
		err = fmt.Errorf("%w: %w", dec.ErrRange, err)
	case Ruled:
		if tx.OneWriter() { // else who runs the transaction counts it
			tx.cell.store.setback(Ruled)
		}
		err = fmt.Errorf("%w: %w", ErrRule, err)
	}
	return wrap(query, err)
}

// ErrRule is met where a row would break a rule of its table; the engine's error behind it names the rule. Rooms look
// before they write: to meet it is a fault of ours, which the rule has kept out of the books.
var ErrRule = errors.New("a rule of the data would be broken")

// Unruled runs fn without the rules of rows: what a restore puts back is taken as it was.
func (tx *Tx) Unruled(fn func() error) error {
	if err := tx.rules(true); err != nil {
		return err
	}
	return errors.Join(fn(), tx.rules(false))
}

func (tx *Tx) rules(off bool) error {
	st, err := tx.statement(tx.cell.engine.Unruled(off), tx.planning)
	if err == nil {
		_, err = st.exec(tx.ctx, nil)
	}
	return err
}

// Each calls scan for every row of the result.
func (tx *Tx) Each(query string, a Args, scan func(Row) error) (err error) {
	p, st, args, err := tx.prepare(query, a)
	if err != nil {
		return err
	}
	end := tx.traced(query)
	defer func() { end(err) }()
	rows, err := st.query(tx.ctx, args)
	if err != nil {
		return tx.met(query, err)
	}
	defer rows.Close()
	if p.writes {
		tx.did(p.into, p.moves)
	}
	more := rows.Next()
	tx.left = tx.left || more && p.writes && !p.locks
	if tx.presumed != nil && p.reads { // the first step of a statement that reads a table takes the snapshot
		if err := tx.confirm(); err != nil {
			return err
		}
	}
	for ; more; more = rows.Next() {
		if err := scan(rows); err != nil {
			return wrap(query, err)
		}
	}
	return tx.met(query, rows.Err())
}

// One scans the first row into dest and reports whether there was one.
func (tx *Tx) One(query string, a Args, dest ...any) (found bool, err error) {
	err = tx.Each(query, a, func(r Row) error {
		if found {
			return nil
		}
		found = true
		return r.Scan(dest...)
	})
	return found, err
}

// Unique reports whether err is a broken uniqueness constraint on either engine. On PostgreSQL the
// transaction is lost then: prefer `on conflict do nothing` where the answer matters.
func (tx *Tx) Unique(err error) bool {
	return err != nil && tx.cell.engine.Classify(err) == NotUnique
}

// Waited reports whether err is a lock that was not given in time (PostgreSQL, 3 seconds).
func (tx *Tx) Waited(err error) bool {
	return err != nil && tx.cell.engine.Classify(err) == Waited
}

// Stamp is the clock of change stamps: never before this transaction began, never twice the same on
// an engine with one writer.
func (tx *Tx) Stamp() Time {
	if tx.OneWriter() && tx.write {
		tx.clock = tx.cell.nextStamp()
	}
	return tx.clock
}

// Touch notes that a record changed, so that bytes kept of it are dropped with the commit.
func (tx *Tx) Touch(resource, key string) {
	tx.touched = append(tx.touched, touch{resource, key, false})
	tx.loud = true
	tx.invalidates(resource, "")
	if key != "" {
		tx.invalidates(resource, key)
	}
}

// AtLast runs fn in the transaction once its work is done, if that has written rows.
func (tx *Tx) AtLast(fn func() error) { tx.last = fn }

// finish runs what AtLast was given.
func (tx *Tx) finish() error {
	if tx.trying {
		return errTried
	}
	if tx.last == nil || !tx.left {
		return nil
	}
	return tx.last()
}

// Done runs fn after the commit, or after a reading that nothing was wrong with, before who asked is answered: once,
// however often the transaction was begun anew. In memory only: what must not be lost is a row. Others may have
// committed in between.
func (tx *Tx) Done(fn func()) { tx.after = append(tx.after, fn) }

// Match checks the caller's If-Match against a root that is about to change. A validator begins with
// the record's id, so one that names another record is met by that one, not by this. What follows a plus sign in it is
// of what was shown beside the record.
func (tx *Tx) Match(id, etag string) error {
	tx.meets(etag)
	if tx.root == "" {
		tx.root, tx.revision = id, etag
	}
	if tx.IfMatch == "*" || tx.IfMatch != "" && names(tx.IfMatch, etag) {
		tx.matched = true
	}
	return tx.Fresh(id, etag)
}

// Became notes what a change made of a root that Match was asked about.
func (tx *Tx) Became(id string, now interface{ ETag() string }) {
	if tx.root == id {
		tx.revision = now.ETag()
	}
}

// Revision is the validator, as it is now, of the record that this transaction changes; "" before it has one.
func (tx *Tx) Revision() string { return tx.revision }

// Fresh refuses an If-Match that names another revision of a root than the present one, which was read for a change:
// before anything else is said of it, since who asked saw another state.
func (tx *Tx) Fresh(id, etag string) error {
	if tx.IfMatch == "" || tx.matched || names(tx.IfMatch, etag) || !speaksOf(tx.IfMatch, id) {
		return nil
	}
	return fault.ErrStale.Because(
		"the record has changed since you read it: read it again, and repeat the change with its new ETag in If-Match")
}

// names reports whether a list of validators has that of a record's present revision.
func names(header, etag string) bool {
	own := strings.TrimPrefix(etag, "W/")
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == own || strings.HasPrefix(tag, strings.TrimSuffix(own, `"`)+"+") {
			return true
		}
	}
	return false
}

// speaksOf reports whether a list of validators has one that is a revision of a root. What begins with its id and goes
// on otherwise is of something that has no row of its own yet.
func speaksOf(header, id string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		_, revision, found := strings.Cut(tag, `"`+id+"-")
		revision, _, _ = strings.Cut(revision, "+")
		if found && strings.Trim(revision, "0123456789\" ") == "" {
			return true
		}
	}
	return false
}

// target is what a transaction has found where it writes.
type target int

const (
	unseen target = iota // no record was asked for yet
	absent               // nothing: what is written is new
	other                // a record that If-None-Match does not name
	named                // one that it names
)

// meets notes the record that is about to change, of several the first: the others change because of it.
func (tx *Tx) meets(etag string) {
	switch {
	case tx.target != unseen || tx.IfNoneMatch == "":
	case tx.IfNoneMatch == "*" || names(tx.IfNoneMatch, etag):
		tx.target = named
	default:
		tx.target = other
	}
}

// Makes notes that a record was made, if it is the first that the transaction has to do with.
func (tx *Tx) Makes() {
	if tx.target == unseen {
		tx.target = absent
	}
}

// Adds says that what the transaction is asked to put is not there yet, although the record is that it is a part of.
func (tx *Tx) Adds() { tx.target = absent }

// unmet is the refusal of an If-Match that named no record this transaction changed, and of an If-None-Match that
// named one. Where nobody said what was found, there is something.
func (tx *Tx) unmet() error {
	if tx.write && (tx.target == named || tx.target == unseen && tx.IfNoneMatch == "*") {
		return fault.ErrStale.Because(
			"what If-None-Match names is there already: read it, and repeat the change without the header if you still want it")
	}
	if tx.IfMatch == "" || tx.matched || !tx.write {
		return nil
	}
	return fault.ErrStale.Because(
		"If-Match names no present revision of this record: read it again, and repeat the change with its ETag")
}

// Fire runs the hooks subscribed for event's type, in this transaction.
func (tx *Tx) Fire(event any) error {
	for _, h := range tx.cell.store.hooks[reflect.TypeOf(event)] {
		if err := h(tx, event); err != nil {
			return err
		}
	}
	return nil
}

// Try runs fn for what it refuses: the first statement that would write a row ends it, which is no error. What fn has
// done to the transaction otherwise is not undone, so nothing of the transaction is ever committed.
func (tx *Tx) Try(fn func() error) error {
	tx.trying = true
	err := guarded(fn)
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}

var errTried = errors.New("something was only tried in this transaction")

func (tx *Tx) prepare(query string, a Args) (*parsed, statement, []any, error) {
	p := tx.cell.parse(query)
	if !p.company && !tx.Control {
		panic("db: statement on company data without :company: " + query)
	}
	if tx.trying && p.writes && !p.locks {
		return nil, nil, nil, errTried
	}
	if tx.asker != nil && tx.asker.Err() != nil {
		return nil, nil, nil, tx.asker.Err()
	}
	tx.reads(p.from)
	if tx.cell.store.doubts != nil {
		tx.doubtLock(query)
	}
	text, args, how, err := p.bind(tx, a)
	if err != nil {
		return nil, nil, nil, err
	}
	st, err := tx.statement(text, how)
	return p, st, args, err
}

func (tx *Tx) statement(text string, how Planning) (statement, error) {
	if !tx.begun {
		if err := tx.begin(); err != nil {
			return nil, err
		}
	}
	if plan := tx.cell.engine.Plan; plan != nil && how != tx.planning {
		tx.conn.waiting = append(tx.conn.waiting, plan(tx.conn.sql, how)...)
		tx.planning = how
	}
	if tx.cell.store.doubts != nil {
		tx.doubtWhole(text)
	}
	if tx.later {
		return putOff{tx.conn, text}, nil
	}
	st, err := tx.conn.prepare(tx.ctx, text)
	if err != nil {
		tx.failed = true
	}
	return st, err
}

// wrap puts the statement's first line, the comment that names its function, before an error.
func wrap(query string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Fault](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", nameOf(query), err)
}

// nameOf is the name that a statement begins with.
func nameOf(query string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(query), "\n")
	return strings.TrimPrefix(line, "-- ")
}

// traced begins the span of a statement, where the request is traced.
func (tx *Tx) traced(query string) (end func(error)) {
	return tracing.Statement(tx.ctx, tx.Engine(), func() string { return nameOf(query) })
}

// Into is the work of a transaction that answers a value, which is put where v points.
func Into[T any](v *T, work func(tx *Tx) (T, error)) func(tx *Tx) error {
	return func(tx *Tx) (err error) {
		*v, err = work(tx)
		return err
	}
}
