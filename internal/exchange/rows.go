package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kontor/internal/business/imports"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// Options say how rows are imported.
type Options struct {
	Mapping map[string]string // target -> column, beyond what is recognised by name
	DryRun  bool              // read and check, change nothing
	Comma   bool              // numbers have a decimal comma
	Country string            // of postal codes in a file that does not name it
	Heads   *table.Reader     // of purchase orders whose lines the file has; nil = the rows of the lines name them
	Stay    bool              // what came of purchase orders lies in the warehouse still, and is not used up by now
	Close   bool              // what has not come of purchase orders is given up
	Exact   bool              // no column is read but those of Mapping, which may be recognised by their names else
	Most    int               // so many rows are read, and no more; 0 = all
	// English is what a word of another language says in English: heads and values are read in such words too; nil = in
	// English alone.
	English func(word string) []string
	// Tell says to people why a row was refused, or what they are warned of; nil = in English, as to programs.
	Tell Telling
}

// Telling says things in somebody's language.
type Telling interface {
	Refused(f *fault.Fault) string
	Said(s fault.Said) string
}

// english is how programs and the command line are told.
type english struct{}

func (english) Refused(f *fault.Fault) string { return f.Sentence() }
func (english) Said(s fault.Said) string      { return s.String() }

// What became of the rows of a table is kept in the company's books where it was imported through the office.
type (
	Report  = imports.Report
	Refused = imports.Refused
	Sum     = imports.Sum
)

const (
	perRows     = 300   // rows share a transaction
	shownRefuse = 1_000 // refused rows are listed, the others counted
)

// Import imports the rows of a table as kind. Every few hundred rows are one transaction, in which each row stands for
// itself: a refused one leaves nothing behind. A row says everything about what it names, so importing a table again
// changes nothing, and a run that was broken off is mended by the next one. A column that is missing leaves things as
// they are, an empty cell of a text clears it.
//
// The error is for what stops the whole import: a column that is missing, a file that cannot be read on. The report
// then says what became of the rows before it.
func Import(ctx context.Context, d Context, kind string, t *table.Reader, o Options) (Report, error) {
	k, ok := kindOf(kind)
	if !ok {
		return Report{}, fmt.Errorf("%q cannot be imported; what can: %s", kind, strings.Join(Kinds(), ", "))
	}
	by := k.booker()
	mapping := o.Mapping
	var err error
	switch b := by.(type) {
	case *postalCodes:
		b.country = o.Country
		nameHeadless(k, t)
	case *purchases:
		if mapping, err = b.open(t, k, o); err != nil {
			return Report{}, err
		}
	}
	s, err := openSheet(t, k, o.translated(k, t, mapping), o.Exact)
	if err != nil {
		return Report{}, err
	}
	s.comma, s.english = o.Comma, o.English
	o.Tell = cmp.Or[Telling](o.Tell, english{})
	im := &importer{Context: d, sheet: s, booker: by, first: map[string]int{}, closed: map[string]bool{},
		Options: o, report: Report{Refused: []Refused{}, Warnings: []string{}}}
	if err := d.Store.Read(ctx, d.As, func(tx *db.Tx) error { return im.booker.prepare(tx, s) }); err != nil {
		return im.report, err
	}
	if o.DryRun {
		err = im.dryRun(ctx)
	} else {
		im.write = func(fn func(*db.Tx) error) error {
			if err := ctx.Err(); err != nil { // who stops an import does not wait for its end
				return err
			}
			return d.Store.Write(ctx, d.As, fn)
		}
		if err = im.run(); err == nil {
			err = d.Store.Read(ctx, d.As, func(tx *db.Tx) (err error) {
				im.report.Sums, err = im.booker.sums(tx)
				return err
			})
		}
	}
	if r := &im.report; err != nil { // of what was read ahead nothing became
		r.Rows = r.Created + r.Updated + r.Unchanged + r.RefusedRows
	}
	for _, w := range slices.Concat(s.unused, im.booker.warnings()) {
		im.report.Warnings = append(im.report.Warnings, o.Tell.Said(w))
	}
	slices.SortStableFunc(im.report.Refused, func(a, b Refused) int { return cmp.Compare(a.Row, b.Row) })
	return im.report, err
}

// booker books the rows of one kind. There is a new one for each import.
type booker interface {
	// prepare looks once at what the columns name; its error ends the import before anything is written.
	prepare(tx *db.Tx, s *sheet) error
	// admit holds a row, once and in the order of the file, against the rows before it.
	admit(r *row) error
	// key is what a row is about; a second row about the same is refused.
	key(r *row) string
	// after is the key of a row that must be booked before this one where both stand in the file; "" for none.
	after(r *row) string
	// book writes rows and says of each what became of it. It may run several times for the same rows, in another
	// transaction each time. A refusal it returns is that of a single row; of several it is found which one it is.
	book(tx *db.Tx, rows []*row) error
	// warnings are what people should know of rows that were booked.
	warnings() []fault.Said
	// whole is the key of what several rows, which stand together, make: they are booked in one transaction, and all of
	// them refused with one. "" for a row that stands for itself.
	whole(r *row) string
	// sums are what the file adds up to, and the books that were made of it, once everything is booked.
	sums(tx *db.Tx) ([]Sum, error)
}

// plain is a booker's answer to what does not concern it. A row is about what its first columns name.
type plain struct{}

func (plain) key(r *row) string {
	return record.Fold(strings.Join(each.Of(r.kind.shownKey, r.get), "\x00"))
}
func (plain) prepare(*db.Tx, *sheet) error { return nil }
func (plain) admit(*row) error             { return nil }
func (plain) after(*row) string            { return "" }
func (plain) warnings() []fault.Said       { return nil }
func (plain) whole(*row) string            { return "" }
func (plain) sums(*db.Tx) ([]Sum, error)   { return nil, nil }

// single is a booker of rows that each stand for themselves.
type single struct {
	plain
	one func(tx *db.Tx, r *row) error
}

func eachAlone(one func(tx *db.Tx, r *row) error) func() booker {
	return func() booker { return single{one: one} }
}

func (b single) book(tx *db.Tx, rows []*row) error {
	return each.Do(rows, func(r *row) error { return b.one(tx, r) })
}

// put lays a row over the record that it names, or over fresh where that is missing, and saves it.
func put[T any](tx *db.Tx, r *row, fresh T, missing fault.Code, find func(tx *db.Tx, key string) (T, error),
	save func(*db.Tx, T) (T, error)) error {
	t, err := find(tx, r.get(r.kind.shownKey[0]))
	if fault.Is(err, missing) {
		t, err = fresh, nil
	}
	if err != nil {
		return err
	}
	before := record.RootOf(&t).Version
	if err := r.lay(&t); err != nil {
		return err
	}
	if t, err = save(tx, t); err != nil {
		return err
	}
	r.became(revised(before, record.RootOf(&t).Version))
	return nil
}

// upsert changes the record that a row names, or makes it of fresh where it is missing.
func upsert[T any](tx *db.Tx, r *row, fresh T, missing fault.Code,
	change func(tx *db.Tx, key string, edit func(*T) error) (T, error), create func(*db.Tx, T) (T, error)) error {
	var before int64
	after, err := change(tx, r.get(r.kind.shownKey[0]), func(t *T) error {
		before = record.RootOf(t).Version
		return r.lay(t)
	})
	if fault.Is(err, missing) {
		if err = r.lay(&fresh); err == nil {
			after, err = create(tx, fresh)
		}
	}
	if err == nil {
		r.became(revised(before, record.RootOf(&after).Version))
	}
	return err
}

// errWithout is answered by a booker that made something for a row which was refused after all: its transaction is
// given up, and the other rows are booked without the refused ones.
var errWithout = errors.New("exchange: book again without the refused rows")

// importer is an import on its way.
type importer struct {
	Context
	booker booker
	sheet  *sheet
	write  func(fn func(*db.Tx) error) error
	first  map[string]int  // key -> line of the row that is about it
	closed map[string]bool // wholes that were booked
	report Report

	Options
	trying bool // in a transaction that will be undone
}

// dryRun runs the whole import in one transaction that is undone, so that rows find what rows before them made.
func (im *importer) dryRun(ctx context.Context) error {
	as := im.As
	as.Once = true // the file is not read from its beginning again
	im.trying = true
	return im.Store.DryRun(ctx, as, func(tx *db.Tx) error {
		im.write = func(fn func(*db.Tx) error) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return fault.Guard(func() error { return fn(tx) })
		}
		return im.run()
	})
}

// run reads the rows and books them batch by batch. Rows that wait for others of the file come last.
func (im *importer) run() error {
	var batch, waiting []*row
	var broken error
	for im.Most == 0 || im.report.Rows < im.Most {
		r, err := im.sheet.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil { // what came before it is imported all the same
			broken = fault.ErrInvalid.Because("the file cannot be read on after %d rows: %s", im.report.Rows,
				fault.As(err).Said())
			batch = im.torn(batch)
			break
		}
		im.report.Rows++
		if err := im.admit(r); err != nil {
			r.refuse(err)
			im.count(r)
			continue
		}
		if im.booker.after(r) != "" {
			waiting = append(waiting, r)
			continue
		}
		if len(batch) >= perRows && !im.together(batch[len(batch)-1], r) {
			for _, done := range batch {
				im.closed[im.booker.whole(done)] = true
			}
			if err := im.saveBatch(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
		batch = append(batch, r)
	}
	if err := im.saveBatch(batch); err != nil {
		return err
	}
	if err := im.inTurn(waiting); err != nil {
		return err
	}
	return broken
}

// admit refuses a row that cannot be read, or is about the same as a row before it.
func (im *importer) admit(r *row) error {
	if r.err != nil {
		return r.err
	}
	for _, f := range im.sheet.kind.fields {
		if f.required && r.get(f.name) == "" {
			return fault.ErrInvalid.At(f.name, "is empty: every row must have it")
		}
	}
	if err := im.booker.admit(r); err != nil {
		return err
	}
	if w := im.booker.whole(r); w != "" && im.closed[w] {
		return fault.ErrInvalid.Because("the rows of %s do not stand together: sort the file by %s first",
			r.get(im.sheet.kind.shownKey[0]), im.sheet.kind.shownKey[0])
	}
	key := im.booker.key(r)
	if line, twice := im.first[key]; twice {
		return im.sheet.kind.duplicate.Because("row %d is about the same as row %d: name each once", r.line, line)
	}
	im.first[key] = r.line
	return nil
}

// inTurn books rows after those they wait for. Rows that wait for each other in a circle come last, to be refused.
func (im *importer) inTurn(waiting []*row) error {
	for len(waiting) > 0 {
		open := make(map[string]bool, len(waiting))
		for _, r := range waiting {
			open[im.booker.key(r)] = true
		}
		var ready, rest []*row
		for _, r := range waiting {
			if open[im.booker.after(r)] {
				rest = append(rest, r)
			} else {
				ready = append(ready, r)
			}
		}
		if len(ready) == 0 {
			ready, rest = rest, nil
		}
		for batch := range slices.Chunk(ready, perRows) {
			if err := im.saveBatch(batch); err != nil {
				return err
			}
		}
		waiting = rest
	}
	return nil
}

// saveBatch books a batch, counts its rows and says how far the import is.
func (im *importer) saveBatch(batch []*row) error {
	err := im.book(batch)
	for _, r := range batch {
		im.count(r)
	}
	done, total := im.sheet.Progress()
	im.tick(done, total, "importing "+im.sheet.kind.name)
	return err
}

// book writes rows in one transaction. Where a rule that only all of them together meet refuses it, the rows are halved
// until the one that breaks it stands alone.
func (im *importer) book(rows []*row) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.err != nil })
	if len(rows) == 0 {
		return nil
	}
	err := im.attempt(rows)
	if err == nil {
		return nil
	}
	if errors.Is(err, errWithout) {
		return im.book(rows)
	}
	for _, r := range rows {
		r.err = nil
	}
	switch f := fault.As(err); {
	case f.Kind == fault.Internal || f.Kind == fault.Unavailable:
		for _, r := range rows { // of which nothing was kept
			r.outcome = unbooked
		}
		return err
	}
	half := im.half(rows)
	if half == 0 {
		for _, r := range rows {
			r.refuse(err)
		}
		return nil
	}
	if err := im.book(rows[:half]); err != nil {
		return err
	}
	return im.book(rows[half:])
}

// together reports whether two rows that follow one another are of one whole.
func (im *importer) together(a, b *row) bool {
	w := im.booker.whole(a)
	return w != "" && w == im.booker.whole(b)
}

// torn refuses the rows of the last whole where the file breaks off, perhaps within it, and answers the rows before.
func (im *importer) torn(rows []*row) []*row {
	n := len(rows)
	for n > 0 && im.together(rows[n-1], rows[len(rows)-1]) {
		n--
		rows[n].refuse(fault.ErrInvalid.Because("the file breaks off here, and more rows of the same may be missing"))
		im.count(rows[n])
	}
	return rows[:n]
}

// half is where rows are parted, as near to their middle as no whole is torn; 0 where they are one whole.
func (im *importer) half(rows []*row) int {
	best := 0
	for n := 1; n < len(rows); n++ {
		if !im.together(rows[n-1], rows[n]) && abs(len(rows)-2*n) < abs(len(rows)-2*best) {
			best = n
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// attempt books rows in one transaction. A dry run has but one: what became of a row in an attempt that was given up
// would become of it in the next one, had the first left nothing behind.
func (im *importer) attempt(rows []*row) error {
	before := each.Of(rows, func(r *row) outcome { return r.outcome })
	err := im.write(func(tx *db.Tx) error {
		for _, r := range rows {
			r.outcome, r.err = unbooked, nil
		}
		return im.booker.book(tx, rows)
	})
	for n, r := range rows {
		switch {
		case im.trying && before[n] != unbooked:
			r.outcome = before[n]
		case err != nil && !im.trying:
			r.outcome = unbooked
		}
	}
	return err
}

// count puts what became of a row into the report.
func (im *importer) count(r *row) {
	switch {
	case r.err != nil:
		f := fault.As(r.err)
		if im.report.RefusedRows++; im.report.RefusedRows <= shownRefuse {
			im.report.Refused = append(im.report.Refused, Refused{Row: r.line, Key: r.key(), Code: f.Code,
				Detail: im.Tell.Refused(f)})
		}
	case r.outcome == created:
		im.report.Created++
	case r.outcome == updated:
		im.report.Updated++
	case r.outcome == unchanged:
		im.report.Unchanged++
	}
}

// without is errWithout where a booker made something on behalf of rows of which one was refused.
func without(made bool, rows []*row) error {
	if made && slices.ContainsFunc(rows, func(r *row) bool { return r.err != nil }) {
		return errWithout
	}
	return nil
}
