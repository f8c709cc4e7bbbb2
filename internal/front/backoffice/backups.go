package backoffice

import (
	"context"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// Backup is a place that backups of the installation go to, and what became of the last ones.
type Backup struct {
	Place                 string
	Every                 time.Duration // between two; 0 = nobody promised
	SucceededAt, FailedAt db.Time
	Failure               string
	Bytes, NewBytes       int64 // what the last takes, and what was written for it
	// Late says that the last success is older than twice the interval, Failing that the last try failed.
	Late, Failing bool
}

// state is how a place does, in a word.
func (b Backup) state() page.Value {
	switch {
	case b.Late:
		return page.Badge("Late", page.Bad)
	case b.Failing:
		return page.Badge("Failed", page.Warn)
	}
	return page.Badge("Good", page.Good)
}

// backups are the page of where backups go.
func (o Office) backups() []page.Page {
	return []page.Page{page.List[Backup]{Path: "/backups", Title: "Backups", Permission: "settings:read", Menu: true,
		Lead: "Where copies of the whole installation go. One is late when the last that succeeded is older than twice the time between two.",
		Find: func(c *page.Ctx, _ page.Query) (record.Found[Backup], error) {
			all, err := o.Backups(c.Context())
			return record.Found[Backup]{Items: all, Total: len(all)}, err
		},
		Columns: func(b Backup) []page.Column {
			return []page.Column{page.Col("Place", page.T(b.Place)), page.Col("Status", b.state()),
				page.Col("Last success", page.At(b.SucceededAt)), page.Minor("Every", interval(b.Every)),
				page.Minor("Size", size(b.Bytes)), page.Minor("Of which new", size(b.NewBytes)),
				page.Minor("Last failure", page.At(b.FailedAt)), page.Minor("Why", page.T(b.Failure))}
		},
		Empty: "No backup was made yet. Whoever runs the server names a place for them."}}
}

func interval(every time.Duration) page.Value {
	switch {
	case every == 0:
		return page.None()
	case every%time.Hour == 0:
		return page.QtyOf(dec.Int(int64(every/time.Hour)), "h")
	}
	return page.QtyOf(dec.Int(int64(every/time.Minute)), "min")
}

// size is how large something is, in kilobytes, the last of them whole.
func size(bytes int64) page.Value {
	return page.QtyOf(dec.Int((bytes+999)/1000), "kB").If(bytes != 0)
}

// Backups asks for the places; see Office.
type Backups func(context.Context) ([]Backup, error)
