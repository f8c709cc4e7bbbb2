package db

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kontor/internal/foundation/lazy"
)

// Doubting makes a store that is opened with the context tell fn, which may be called by several at once, where a value
// is remembered or an answer kept on less than was read for it; and run some transactions twice, which must come to the
// same. Tests open every store so: what is told is a fault of ours.
func Doubting(ctx context.Context, fn func(text string)) context.Context {
	return context.WithValue(ctx, doubting{}, fn)
}

// Doubted reports whether there is somebody to be told of doubts.
func (s *Store) Doubted() bool { return s.doubts != nil }

// Doubt is told of what is wrong, where there are doubts.
func (s *Store) Doubt(text string) {
	if s.doubts != nil {
		s.doubts(text)
	}
}

type doubting struct{}

// repeats says, where there are doubts, of every third transaction that went well, a reader's or that of a group of
// writers, that it is run again, as after a failure of the engine. (Writers of an engine that has many draw numbers
// beside their transactions, which would be others.)
func (s *Store) repeats() bool { return s.doubts != nil && s.wentWell.Add(1)%3 == 0 }

func doubtsOf(ctx context.Context) func(string) {
	fn, _ := ctx.Value(doubting{}).(func(string))
	return fn
}

// seen is what is known, where there are doubts, of how dependencies came to be.
type seen struct {
	names []string // of the resources it stands on
	in    *reading // that it was taken in
	since int      // statements of that before it was taken
}

// reading stands for a transaction: what is remembered of one for long must not keep all of it alive.
type reading byte

// sees begins to watch what is read for dependencies on these.
func (tx *Tx) sees(refs []Ref) *seen {
	if tx.cell.store.doubts == nil {
		return nil
	}
	if tx.reading == nil {
		tx.reading = new(reading)
	}
	return (&seen{in: tx.reading, since: len(tx.log)}).with(refs)
}

func (s *seen) with(refs []Ref) *seen {
	if s == nil {
		return nil
	}
	more := *s
	more.names = slices.Clone(s.names)
	for _, r := range refs {
		more.names = append(more.names, r.Resource)
	}
	return &more
}

func (s *seen) and(other *seen) *seen {
	if s == nil || other == nil {
		return s
	}
	more := *s
	more.names = append(slices.Clone(s.names), other.names...)
	return &more
}

// From are the dependencies of what is made of readings from here on: what was read before was for something else.
func (g Dependencies) From(tx *Tx) Dependencies {
	if g.seen != nil && g.seen.in == tx.reading {
		later := *g.seen
		later.since = len(tx.log)
		g.seen = &later
	}
	return g
}

// reads notes the tables of a statement, or those that a remembered value stands on.
func (tx *Tx) reads(t Tables) {
	tx.from = tx.from.And(t)
	if tx.cell.store.doubts != nil {
		tx.log = append(tx.log, t)
	}
}

// Apart runs fn, which reads for something that many share and that follows the records by itself: what stands on that
// counts its revisions, and not what fn reads.
func (tx *Tx) Apart(fn func()) {
	from, log := tx.from, len(tx.log)
	fn()
	tx.from, tx.log = from, tx.log[:log]
}

// Answering says that what was read until now is no part of the answer: who asks was let in.
func (tx *Tx) Answering() { tx.answering = len(tx.log) }

// doubt tells of tables that were read for a value, and that nothing it stands on covers.
func (tx *Tx) doubt(what string, s *seen) {
	if s == nil || s.in != tx.reading {
		return
	}
	var read Tables
	for _, t := range tx.log[s.since:] {
		read = read.And(t)
	}
	if more := read.Without(tx.cell.store.covered(s.names)); more != (Tables{}) {
		tx.cell.store.doubts(fmt.Sprintf("%q is kept on %s, and was read from %s as well",
			strings.ToValidUTF8(what, "?"), strings.Join(slices.Compact(slices.Sorted(slices.Values(s.names))), ", "),
			more))
	}
}

// doubtAnswer does so for an answer that is kept with the dependencies of all it was made of.
func (tx *Tx) doubtAnswer() {
	if tx.cell.store.doubts == nil {
		return
	}
	all := &seen{in: tx.reading, since: tx.answering}
	for _, g := range tx.answerDependsOn {
		all = all.and(g.seen)
	}
	tx.doubt("an answer by view", all)
}

// HasFew says that a company has few rows of some tables, however much it sells: whoever goes through all of one need
// not say so. It is called while the house is put together.
func (s *Store) HasFew(tables ...string) { s.few = append(s.few, tables...) }

// whole is the word, behind the name of a statement, that says that all rows of a company are wanted. Those of a total
// are, unless it is given what tells few of them from the others, and of whatever verifies and copies, which is foreign
// to all this.
var (
	foreign = lazy.Regexp(`^-- (db\.|archive\.|[^\n]*[vV]erify)`)
	whole   = lazy.Regexp(`^-- [^\n]* whole( [^\n]*)?\n`)
	totals  = lazy.Regexp(`^-- [^\n]* total( [^\n]*)?\n`)
)

// doubtWhole tells of a statement that goes through all rows of a table that grows with the company, and does not say
// so.
func (tx *Tx) doubtWhole(text string) {
	s := tx.cell.store
	if tx.Control || s.opt.Engine.Whole == nil || foreign().MatchString(text) {
		return
	}
	if _, known := s.looked.LoadOrStore(text, true); known {
		return
	}
	passes, err := s.opt.Engine.Whole(tx.ctx, tx.conn.sql, text)
	if err != nil {
		s.doubts(fmt.Sprintf("%q has no plan: %v", text, err))
	}
	for _, names := range passes.Again {
		if tables := s.growing(text, names); len(tables) > 1 {
			s.doubts(fmt.Sprintf("the statement goes through all rows of %s for each row of %s: join by a key\n%s",
				tables[1], tables[0], text))
		}
	}
	tables, total := s.growing(text, passes.Names), totals().MatchString(text)
	switch {
	case len(tables) == 0 || whole().MatchString(text) && !total || total && len(passes.Told) == 0:
	case total:
		s.doubts(fmt.Sprintf("the total goes through all rows of %s though it is given %s: give that an index\n%s",
			tables[0], passes.Told[0], text))
	default:
		s.doubts(fmt.Sprintf("the statement goes through all rows of %s: give it an index, or the word whole "+
			"behind its name\n%s", tables[0], text))
	}
}

// growing are the tables that go by names in a statement and grow with the company.
func (s *Store) growing(text string, names []string) (tables []string) {
	for _, name := range names {
		if table := tableOf(text, name); table != "" && !slices.Contains(s.few, table) {
			tables = append(tables, table)
		}
	}
	return tables
}

// tableOf is the table that goes by a name in a statement; "" where that is something else.
func tableOf(text, name string) string {
	if _, ok := tableNumbers()[name]; ok {
		return name
	}
	for _, m := range regexp.MustCompile(`(\w+)(?: as)? `+name+`\b`).FindAllStringSubmatch(text, -1) {
		if _, ok := tableNumbers()[m[1]]; ok {
			return m[1]
		}
	}
	return ""
}

// covered are the tables whose changes move dependencies on these resources. The company's facts and reference data
// move all dependencies.
func (s *Store) covered(names []string) (t Tables) {
	for _, o := range s.owned {
		if o.resource == Reference || slices.Contains(names, o.resource) {
			t = t.And(o.tables)
		}
	}
	return t
}

// Reference is the resource under which Own is told of the tables whose change moves the company's epoch.
const Reference = epochs

// String names the tables.
func (t Tables) String() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(tableNumbers())) {
		if !TablesNamed(name).Within(t) {
			continue
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
