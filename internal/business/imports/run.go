// Package imports is the tables that people hand in through the office: kept for a while, tried without changing
// anything, and imported in the background. What the rows mean is the exchange's to know.
package imports

import (
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Runs is the resource of this room.
var Runs = record.Define("imports", "import_run", "Import")

// What this room refuses.
var (
	ErrNotFound      = fault.New(fault.NotFound, "Import.NotFound")
	ErrInvalidStatus = fault.New(fault.Conflict, "Import.InvalidStatus")
)

// Kind is the work of trying and importing. An attempt that is broken off is made again: importing rows twice changes
// nothing.
var Kind = jobs.Kind{Name: "import", Attempts: 5, Timeout: 10 * time.Minute, Backoff: 2 * time.Second, Parallel: 1}

// Task is what the work is told.
type Task struct {
	Import   string   `json:"import"` // id
	Actor    db.Actor `json:"actor"`
	Language string   `json:"language"` // of who reads the report
}

// What a table may be, and how long it is kept.
const (
	Largest     = 10 << 20 // bytes
	MostColumns = 500      // which people choose what to do with on one page
	TriedOf     = 1_000    // rows
	fileKept    = 30 * 24 * time.Hour
)

// Status is how far an import has come.
type Status string

// The statuses.
const (
	Trying    Status = "Trying"
	Tried     Status = "Tried"
	Importing Status = "Importing"
	Imported  Status = "Imported"
	Failed    Status = "Failed"
	Stopped   Status = "Stopped"
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Trying, Tried, Importing, Imported, Failed, Stopped} }

// Moves are what people may do with an import.
var Moves = lifecycle.Moves[Status]{
	"try":    {From: []Status{Tried, Failed, Stopped}, To: Trying, Done: "tried"},
	"import": {From: []Status{Tried}, To: Importing, Done: "imported"},
	"stop":   {From: []Status{Trying, Tried, Importing}, To: Stopped, Done: "stopped"},
}

// Columns say how a table is read.
type Columns struct {
	Of           map[string]string `json:"of,omitzero"` // target -> column, and no other is read; nil = as they are recognised by name
	DecimalComma bool              `json:"decimalComma"`
	Encoding     string            `json:"encoding"` // of CSV and TSV; "" = UTF-8
}

// Run is a table that was handed in, and what became of it.
type Run struct {
	record.Root
	Kind     string // of its rows
	FileName string
	Size     int64   // bytes
	By       string  `db:"actor"`
	Columns  Columns `db:",json" log:"-"`
	Status   Status
	Failure  string   // why it failed
	Report   Report   `db:",json" log:"-"` // of the trial, or of the import
	Read     Progress `db:"bytes_,columns" log:"-"`
	EndedAt  db.Time  `log:"-"`
}

// Progress is how much of a file was read, in bytes.
type Progress struct {
	Done  int64 `db:"read"`
	Total int64 `db:"all"`
}

// Report is what became of the rows of a table.
type Report struct {
	Rows        int       `json:"rows"`
	Created     int       `json:"created"`
	Updated     int       `json:"updated"`
	Unchanged   int       `json:"unchanged"`
	RefusedRows int       `json:"refusedRows"`
	Refused     []Refused `json:"refused"` // the first thousand
	Warnings    []string  `json:"warnings"`
	Sums        []Sum     `json:"sums,omitempty"` // of the file and of the books
}

// Refused is a row that was not imported; a bad row does not block others.
type Refused struct {
	Row    int    `json:"row"` // line of the file, the header included
	Key    string `json:"key"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Sum is what an amount adds up to in a file, and in the books that were made of it.
type Sum struct {
	Name  string  `json:"name"`
	File  dec.Dec `json:"file"`
	Books dec.Dec `json:"books"`
	Why   string  `json:"why,omitempty"` // of a difference
}

// HandIn keeps a table, and has it tried.
func HandIn(tx *db.Tx, r Run, file []byte, language string) (Run, error) {
	r.Root, r.By, r.Size, r.Status = record.New(tx), tx.Actor.Name, int64(len(file)), Trying
	if err := keep(tx, r.ID, file); err != nil {
		return r, err
	}
	if err := runs.Create(tx, &r); err != nil {
		return r, err
	}
	return r, r.begin(tx, language)
}

// Try has a table tried, read by these columns. Refusals: Import.NotFound, Import.InvalidStatus.
func Try(tx *db.Tx, id string, c Columns, language string) (Run, error) {
	return runs.Do(tx, id, "try", func(r *Run) error {
		r.Columns = c
		return r.begin(tx, language)
	})
}

// Import has a table imported as it was tried. Refusals: Import.NotFound, Import.InvalidStatus.
func Import(tx *db.Tx, id, language string) (Run, error) {
	return runs.Do(tx, id, "import", func(r *Run) error { return r.begin(tx, language) })
}

// Stop has nothing further done with a table; what was imported of it stays. Refusals: Import.NotFound,
// Import.InvalidStatus.
func Stop(tx *db.Tx, id string) (Run, error) {
	return runs.Do(tx, id, "stop", func(r *Run) error {
		r.Report, r.EndedAt = Report{}, tx.Now
		return nil
	})
}

// begin asks for the work, and forgets what came of it before.
func (r *Run) begin(tx *db.Tx, language string) error {
	r.Failure, r.Report, r.Read, r.EndedAt = "", Report{}, Progress{}, 0
	_, err := jobs.Add(tx, Kind, r.FileName, Task{r.ID, tx.Actor, language}, jobs.Options{Key: r.ID})
	return err
}

// Outcome is what came of trying or importing: the report, and why it did not get to the end.
type Outcome struct {
	IsTrial bool // nothing of it was kept
	Report  Report
	Failure string
}

// End records what came of the work. A run that somebody stopped meanwhile stays so.
func End(tx *db.Tx, id string, o Outcome) error {
	r, err := runs.Lock(tx, id)
	if err != nil {
		return err
	}
	before := r
	r.Report, r.Failure, r.EndedAt = o.Report, o.Failure, tx.Now
	if o.IsTrial && (r.Status == Stopped || o.Failure != "") {
		r.Report = Report{} // of what would have become of the rows, and never did
	}
	switch {
	case r.Status == Stopped:
	case o.Failure != "":
		r.Status = Failed
	case r.Status == Trying:
		r.Status = Tried
	case r.Status == Importing:
		r.Status = Imported
	}
	return runs.Act(tx, "ended", before, &r)
}

// Sweep lets go of files that were handed in 30 days ago.
func Sweep(tx *db.Tx, _ string) (next string, err error) {
	return drop(tx, tx.Now.Add(-fileKept))
}
