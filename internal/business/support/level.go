package support

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kontor/internal/engine/hours"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// ServiceLevels is the resource of what the company promises whoever asks.
var ServiceLevels = record.Define("service-levels", "service_level", "ServiceLevel")

// ErrLevelInvalid refuses a service level that breaks a rule.
var ErrLevelInvalid = fault.New(fault.Invalid, "ServiceLevel.Invalid")

// ServiceLevel is what the company promises whoever asks: how soon they are answered and helped, in hours in which
// somebody is there.
type ServiceLevel struct {
	record.Root
	Hours   []string // of each day, by time.Weekday, such as 08:00-17:00; empty = nobody is there
	DaysOff []string // days off, such as 2026-12-25
	Goals   []Goal   // by Priority's values
}

// Goal is what is promised of tickets of a priority, in working hours; 0 promises nothing.
type Goal struct{ Answer, Solve dec.Dec }

// maxGoal is the most hours that can be promised.
const maxGoal = 2000

// SaveLevel edits the company's service level. Tickets that there are keep the times they have. ServiceLevel.Invalid
// names everything that is wrong.
func SaveLevel(tx *db.Tx, edit func(*ServiceLevel) error) error {
	before, err := readLevel(tx, db.ForUpdate)
	if err != nil {
		return err
	}
	l := before
	l.Hours, l.DaysOff, l.Goals = slices.Clone(l.Hours), slices.Clone(l.DaysOff), slices.Clone(l.Goals)
	if err := edit(&l); err != nil {
		return err
	}
	if len(l.DaysOff) == 0 {
		l.DaysOff = nil // as it is read
	}
	if _, err := l.week(); err != nil {
		return err
	}
	l.Root = before.Root
	if l.ID == "" {
		l.Root = record.New(tx)
		err = ServiceLevels.Created(tx, l.Root, "service-level", l)
	} else {
		err = ServiceLevels.Changed(tx, &l.Root, "service-level", before, l)
	}
	if err != nil || l.Root == before.Root {
		return err
	}
	return writeLevel(tx, l)
}

// week is when somebody is there, or everything that is wrong with the level.
func (l *ServiceLevel) week() (w hours.Week, err error) {
	var wrong fault.List
	isThere, promises := false, false
	for d, text := range l.Hours {
		spans, ok := hours.Parse(text)
		wrong.If(!ok, ErrLevelInvalid, dayFields[d],
			"%q are no hours: write them as 08:00-12:00, 13:00-17:00, or nothing where nobody is there", text)
		w.Days[d], isThere = spans, isThere || len(spans) > 0
	}
	for _, text := range l.DaysOff {
		d, err := day.Parse(text)
		wrong.If(err != nil, ErrLevelInvalid, "closed", "%q is no day: write it as 2026-12-25", text)
		w.Closed = append(w.Closed, d)
	}
	for i, g := range l.Goals {
		at := strings.ToLower(string(Priority("").Values()[i]))
		promises = promises || g.Answer > 0 || g.Solve > 0
		wrong.If(g.Answer < 0 || g.Answer > dec.Int(maxGoal), ErrLevelInvalid, at+"Answer",
			"must be between 0 and %d hours", maxGoal)
		wrong.If(g.Solve < 0 || g.Solve > dec.Int(maxGoal), ErrLevelInvalid, at+"Solve",
			"must be between 0 and %d hours", maxGoal)
		wrong.If(g.Solve > 0 && g.Solve < g.Answer, ErrLevelInvalid, at+"Solve",
			"is before the answer: nobody is helped before they are answered")
	}
	wrong.If(promises && !isThere, ErrLevelInvalid, dayFields[time.Monday],
		"say when somebody is there: the hours are counted by that")
	return w, wrong.Err()
}

// dayFields are the names of the hours of each day, by time.Weekday.
var dayFields = [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// OverdueKind is the job that says aloud that a ticket has not been answered or solved in time.
var OverdueKind = jobs.Kind{Name: "ticket-overdue"}

// Overdue is fired once for each time that a ticket has not kept.
type Overdue struct{ Ticket *Ticket }

// TellOverdue does the job: unless something happened to the ticket meanwhile.
func TellOverdue(tx *db.Tx, j jobs.Job) error {
	var due db.Time
	if err := j.Read(&due); err != nil {
		return err
	}
	t, err := Find(tx, j.Subject)
	if fault.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || t.DueAt != due {
		return err
	}
	return tx.Fire(Overdue{&t})
}

// clock settles by when the ticket is to be answered and solved, after whatever a verb has changed: it stands still
// while the customer is waited for, and while the ticket is solved.
func (t *Ticket) clock(tx *db.Tx, before Ticket) error {
	stands := t.Status == Resolved || t.Status == WaitingForCustomer && t.LastAuthor == Agent
	goes := !stands && t.PausedAt > 0
	if stands && t.PausedAt == 0 {
		t.PausedAt = tx.Now
	}
	if goes || t.Priority != before.Priority {
		if err := t.promise(tx, goes); err != nil {
			return err
		}
	}
	if t.DueAt = t.due(); t.DueAt == 0 || t.DueAt == before.DueAt {
		return nil
	}
	_, err := jobs.Add(tx, OverdueKind, t.Number, t.DueAt, jobs.Options{Key: t.ID, RunAt: t.DueAt})
	return err
}

// promise works out the times that the company promises for the ticket's priority. goes ends a pause.
func (t *Ticket) promise(tx *db.Tx, goes bool) error {
	l, err := readLevel(tx, "")
	if err != nil {
		return err
	}
	week, err := l.week()
	if err != nil {
		return err
	}
	at := func(m db.Time) time.Time { return m.Time().In(cmp.Or(tx.Info.Zone, time.UTC)) }
	if goes {
		t.Waited += int(week.Between(at(t.PausedAt), at(tx.Now)).Seconds())
		t.PausedAt = 0
	}
	g := l.Goals[slices.Index(Priority("").Values(), t.Priority)]
	by := func(promised dec.Dec, more int) db.Time {
		if promised == 0 {
			return 0
		}
		seconds, _ := promised.MulRound(dec.Int(3600), 0).Units(0) // rounded, so exact
		m, ok := week.After(at(t.CreatedAt), time.Duration(seconds+int64(more))*time.Second)
		if !ok {
			return 0
		}
		return db.TimeOf(m)
	}
	t.AnswerBy, t.SolveBy = by(g.Answer, 0), by(g.Solve, t.Waited)
	return nil
}

// due is when the ticket is late: unless it is answered, then unless it is solved; 0 where nothing is promised, or the
// customer is waited for.
func (t *Ticket) due() db.Time {
	switch {
	case t.Status == Resolved || t.Status == Closed:
		return 0
	case t.FirstResponseAt == 0 && t.AnswerBy > 0:
		return t.AnswerBy
	case t.PausedAt > 0:
		return 0
	}
	return t.SolveBy
}

// IsOverdue reports whether the ticket is late at a moment.
func (t *Ticket) IsOverdue(now db.Time) bool { return t.DueAt > 0 && t.DueAt < now }
