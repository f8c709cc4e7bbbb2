package imports

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var runs = record.TableOf(Runs, record.Layout[Run]{
	Fixed:    "kind, file_name, size, actor",
	Changing: "columns, status, failure, report, bytes_read, bytes_all, ended_at",
	Derived:  func(v *Run) db.Args { return db.Args{"search": record.SearchText(v.FileName, v.By)} },
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "import",
		func(r *Run) (string, *Status) { return r.FileName, &r.Status }),
	Missing: func(id string) error { return ErrNotFound.Because("there is no import %q", id) },
})

// Find is the run with this id. Import.NotFound.
func Find(tx *db.Tx, id string) (Run, error) { return runs.Find(tx, id) }

// Filter says which runs a list shows.
type Filter struct {
	Status Status
	Kinds  []string // nil = of all
	Search string   // in the name of the file, and of who handed it in
}

// List reads runs, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Run], error) {
	q := runs.Query("imports.List")
	q.Key = []string{"created_at desc", "id desc"}
	q.Given("status = :status", f.Status)
	q.Given("kind in (:kinds)", f.Kinds)
	q.Search("search", f.Search)
	return runs.List(tx, q, p)
}

// Going notes how much of the file was read, and reports whether the import is to go on.
func Going(tx *db.Tx, id string, p Progress) (bool, error) {
	n, err := tx.Exec(`-- imports.Going
		update import_run set bytes_read = :done, bytes_all = :total where company = :company and id = :id and status = 'Importing'`,
		db.Args{"id": id, "done": p.Done, "total": p.Total})
	return n > 0, err
}

func keep(tx *db.Tx, id string, file []byte) error {
	return tx.Run(`-- imports.keep
		insert into import_file (company, import_id, kept_at, body) values (:company, :id, :now, :body)`,
		db.Args{"id": id, "now": tx.Now, "body": file})
}

// File is the table as it was handed in; nothing where it is not kept any more.
func File(tx *db.Tx, id string) (body []byte, err error) {
	err = tx.Each(`-- imports.File
		select body from import_file where company = :company and import_id = :id`, db.Args{"id": id},
		func(r db.Row) error { return r.Scan(&body) })
	return body, err
}

func drop(tx *db.Tx, before db.Time) (next string, err error) {
	return tx.SweepOut("imports.drop", "import_file", "import_id", "kept_at < :before", db.Args{"before": before})
}
