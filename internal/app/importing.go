package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"kontor/internal/business/imports"
	"kontor/internal/business/reference"
	"kontor/internal/exchange"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/table"
	"kontor/internal/front/backoffice"
	"kontor/internal/front/page"
)

// tables tells the office what can be imported.
type tables struct{}

func (tables) Kinds() []string { return exchange.HandedIn() }

func (tables) Targets(kind string) []string { return exchange.Targets(kind) }

func (tables) Look(r imports.Run, file []byte) (b backoffice.Beginning, err error) {
	t, err := readTable(r, file)
	if err != nil {
		return b, err
	}
	defer t.Close()
	row, err := t.Next()
	var bad *table.BadRow
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &bad) {
		return b, err
	}
	taken := exchange.Recognised(r.Kind, t)
	maps.Copy(taken, exchange.Translated(r.Kind, t, InEnglish))
	return backoffice.Beginning{Columns: t.Columns(), First: row.Values, Taken: taken}, nil
}

func (tables) Write(tx *db.Tx, kind string, out io.Writer, name string) error {
	return exchange.Written(tx, kind, out, name)
}

// InEnglish is what a word of any language of the office says in English.
func InEnglish(word string) (english []string) {
	all, err := tellers()
	if err != nil {
		return nil // who is told in a language hears of it
	}
	for _, language := range slices.Sorted(maps.Keys(all)) {
		english = append(english, all[language].Means(word)...)
	}
	return english
}

func readTable(r imports.Run, file []byte) (*table.Reader, error) {
	t, err := table.Read(bytes.NewReader(file), r.FileName, table.ReadOptions{Encoding: r.Columns.Encoding})
	if err == nil && len(t.Columns()) == 0 {
		t.Close()
		err = fault.ErrInvalid.Because("its first row is empty")
	}
	return t, err
}

// tellers are the languages that reports are written in.
var tellers = sync.OnceValues(func() (map[string]page.Teller, error) {
	words, err := backoffice.Words()
	if err != nil {
		return nil, err
	}
	return page.Tellers(words, reference.MinorDigits)
})

// importing tells a runner how tables that people hand in are tried and imported.
func (h *App) importing(r *jobs.Runner) {
	jobs.Outside(r, imports.Kind, func(ctx context.Context, j jobs.Job) (out imports.Outcome, err error) {
		err = h.inside(func(s *db.Store) (err error) {
			out, err = handedIn(ctx, s, j)
			return err
		})
		return out, err
	}, func(tx *db.Tx, j jobs.Job, o imports.Outcome) error {
		var task imports.Task
		if err := j.Read(&task); err != nil {
			return err
		}
		return imports.End(tx, task.Import, o)
	})
}

// errStopped ends an import that somebody has stopped.
var errStopped = errors.New("somebody has stopped it")

// handedIn tries or imports a table. What can pass is tried again by the next attempt; what cannot is what came of it.
func handedIn(ctx context.Context, s *db.Store, j jobs.Job) (out imports.Outcome, err error) {
	var task imports.Task
	if err := j.Read(&task); err != nil {
		return out, err
	}
	as := db.Request{Company: j.Company, Actor: task.Actor}
	var run imports.Run
	var file []byte
	err = s.Read(ctx, as, func(tx *db.Tx) error {
		if run, err = imports.Find(tx, task.Import); err != nil {
			return err
		}
		file, err = imports.File(tx, task.Import)
		return err
	})
	switch {
	case err != nil:
		return out, err
	case run.Status != imports.Trying && run.Status != imports.Importing:
		return out, jobs.Drop(errStopped)
	}
	all, err := tellers()
	if err != nil {
		return out, err
	}
	tell, ok := all[task.Language]
	if !ok {
		tell = all["en"]
	}
	if file == nil {
		out.Failure = tell.Said(fault.Say("the file is not kept any more: hand it in again"))
		return out, nil
	}
	out.IsTrial = run.Status == imports.Trying
	out.Report, err = importTable(ctx, s, as, run, file, tell)
	switch f := fault.As(err); {
	case err == nil || errors.Is(err, errStopped):
	case ctx.Err() != nil, f.Kind == fault.Unavailable || isStrange(err):
		if j.Attempts < imports.Kind.Attempts {
			return out, err
		}
		out.Failure = tell.Said(fault.Say("it was broken off several times: try it again later"))
	default:
		out.Failure = tell.Refused(f)
	}
	if j.Attempts > 1 || run.Read.Done > 0 {
		out.Report.Warnings = append(out.Report.Warnings,
			tell.Said(fault.Say("it was broken off and begun again: rows of the first attempt count as unchanged")))
	}
	return out, nil
}

// isStrange reports whether an error is none that was foreseen.
func isStrange(err error) bool {
	var f *fault.Fault
	return !errors.As(err, &f) || f.Kind == fault.Internal
}

// importTable imports a table, or tries its first rows, and is told by the books every second whether to go on.
func importTable(ctx context.Context, s *db.Store, as db.Request, run imports.Run, file []byte,
	tell exchange.Telling) (imports.Report, error) {
	t, err := readTable(run, file)
	if err != nil {
		return imports.Report{}, fault.ErrInvalid.Because(
			"cannot be read as a table with the names of columns in its first row: %s", fault.As(err).Said())
	}
	defer t.Close()
	o := exchange.Options{Mapping: maps.Clone(run.Columns.Of), Exact: run.Columns.Of != nil,
		Comma: run.Columns.DecimalComma, English: InEnglish, Tell: tell}
	if run.Status == imports.Trying {
		o.DryRun, o.Most = true, imports.TriedOf
		return exchange.Import(ctx, exchange.Context{Store: s, As: as}, run.Kind, t, o)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	told := time.Now()
	desk := exchange.Context{Store: s, As: as, Tick: func(done, total int64, _ string) {
		if time.Since(told) < time.Second {
			return
		}
		told = time.Now()
		err := s.Write(ctx, as, func(tx *db.Tx) error {
			going, err := imports.Going(tx, run.ID, imports.Progress{Done: done, Total: total})
			if err == nil && !going {
				stop(errStopped)
			}
			return err
		})
		if err != nil {
			stop(err)
		}
	}}
	report, err := exchange.Import(ctx, desk, run.Kind, t, o)
	if err != nil && errors.Is(context.Cause(ctx), errStopped) {
		err = errStopped
	}
	return report, err
}
