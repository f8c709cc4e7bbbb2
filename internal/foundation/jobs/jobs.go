// Package jobs is work after the commit: a row that the transaction leaves behind, and a runner that does what it says,
// again until it succeeds or is given up aloud. Nothing is lost when a process is killed; at worst it is done once
// more.
package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
)

// Kind is a kind of work. Rooms declare theirs as values; what is done for it is given to a Runner.
type Kind struct {
	Name string
	// Attempts are made before the job counts as failed; 0 = 12.
	Attempts int
	// Timeout bounds one attempt outside a transaction; 0 = a minute. A job that was taken and not ended is taken by
	// somebody else a while after it.
	Timeout time.Duration
	// Backoff is the pause before the second attempt; it doubles with each, up to an hour; 0 = 10 s.
	Backoff time.Duration
	// Counted says that RunAt lies so long after the moment at which the job was asked for, and is none that somebody
	// named: it moves with a clock that was ahead at that moment.
	Counted bool
	// Parallel is how many jobs of the kind one process runs at once for a company; 0 = 2.
	Parallel int
	// Blind says that nobody out there knows the same work again when it comes twice: a mail is two mails then. While a
	// job's time lasts nobody else begins it, even where its worker seems to be gone: one that only stood still goes
	// on with what it had in hand.
	Blind bool
	// Remains is what takes the payload's place once the job is done or cancelled, so that a secret does not outlive
	// its use; nil keeps the payload.
	Remains func(payload any) any
}

const (
	usualAttempts = 12
	usualTimeout  = time.Minute
	usualBackoff  = 10 * time.Second
	usualParallel = 2
	longestPause  = time.Hour
	mostPaused    = longestPause * 3 / 2 // as luck spreads it
	grace         = 30 * time.Second     // beyond its timeout before a job counts as abandoned
)

func (k Kind) attempts() int { return cmp.Or(k.Attempts, usualAttempts) }

func (k Kind) timeout() time.Duration { return cmp.Or(k.Timeout, usualTimeout) }

func (k Kind) lease() time.Duration { return k.timeout() + grace }

// lately is when an open job is to be looked at by a clock that may have been put back since it was written. What lies
// farther ahead than the job could lie by this clock comes from the other.
func (k Kind) lately(j Job, now db.Time) db.Time {
	switch {
	case j.Status == Running:
		return min(j.RunAt, now.Add(k.lease()))
	case j.LastError != "":
		if j.RunAt > now.Add(mostPaused) {
			return now
		}
	case j.CreatedAt > now && (k.Counted || j.RunAt <= j.CreatedAt):
		return j.RunAt - (j.CreatedAt - now)
	}
	return j.RunAt
}

func (k Kind) parallel() int { return cmp.Or(k.Parallel, usualParallel) }

// pause is how long to wait after so many attempts, spread by luck (0 to 1) over half to one and a half of it: jobs
// that failed together do not come back together.
func (k Kind) pause(attempts int, luck float64) time.Duration {
	wait := float64(cmp.Or(k.Backoff, usualBackoff)) * math.Pow(2, float64(min(attempts, 30)-1))
	return time.Duration(min(wait, float64(longestPause)) * (0.5 + luck))
}

// Status is where a job is.
type Status string

// The statuses of a job.
const (
	Waiting   Status = "Waiting"
	Running   Status = "Running"
	Done      Status = "Done"
	Failed    Status = "Failed"    // given up; somebody must look
	Cancelled Status = "Cancelled" // by somebody, or found to be needless
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Waiting, Running, Done, Failed, Cancelled} }

// Moves are what people may do with a job.
var Moves = lifecycle.Moves[Status]{
	"retry":  {From: []Status{Waiting, Failed}, To: Waiting, Done: "tried again"},
	"cancel": {From: []Status{Waiting, Failed}, To: Cancelled, Done: "cancelled"},
}

// Faults of jobs.
var (
	ErrNotFound      = fault.New(fault.NotFound, "Job.NotFound")
	ErrInvalidStatus = fault.New(fault.Conflict, "Job.InvalidStatus")
	ErrAlreadyOpen   = fault.New(fault.Conflict, "Job.AlreadyOpen")
)

// Job is a piece of work that was asked for.
type Job struct {
	Company   string
	ID        string
	Kind      string
	Subject   string // business key of what it is about
	Key       string // see Options
	Payload   []byte // JSON; empty in lists
	Status    Status
	Attempts  int
	RunAt     db.Time // not before; of a running one, when it counts as abandoned
	LastError string
	Actor     string // name of who asked for it
	CreatedAt db.Time
	DoneAt    db.Time

	claim int64
	until time.Time // of a running one, by this process's own clock: nothing is done outside after it
}

// Read decodes the payload. What does not fit will not fit the next time either.
func (j Job) Read(into any) error {
	if err := json.Unmarshal(j.Payload, into); err != nil {
		return Permanent(fmt.Errorf("the payload cannot be read: %w", err))
	}
	return nil
}

// Options are what a job may be asked for with.
type Options struct {
	// RunAt is the moment before which it is not begun; 0 = at once.
	RunAt db.Time
	// Key keeps a job from being asked for twice: while one of the kind with this key waits, it takes the new payload
	// over instead; while one runs, it runs once more afterwards. Empty = always a new job.
	Key string
}

// DueKind names jobs in the index of companies that have work to do.
const DueKind = "jobs"

// Due keeps that index: whatever makes a job wait changes the table.
func Due() db.DueSource {
	return db.DueSource{Kind: DueKind, Tables: db.TablesNamed("job"), Next: nextOpen}
}

// asking is fired before a job is written: who knows that nothing of its kind can be done here lets it wait from the
// first.
type asking struct{ job *Job }

// Added tells the runner that a job may be due. It is fired by whatever makes one wait.
type Added struct{ RunAt db.Time }

// Add asks for a job in the caller's transaction: it will be done if and only if that commits. subject is the business
// key that people know it by.
func Add(tx *db.Tx, k Kind, subject string, payload any, o Options) (id string, err error) {
	text, err := json.Marshal(payload, json.Deterministic(true))
	if err != nil {
		return "", fmt.Errorf("jobs: payload of %s %s: %w", k.Name, subject, err)
	}
	var remains []byte
	if k.Remains != nil {
		if remains, err = json.Marshal(k.Remains(payload), json.Deterministic(true)); err != nil {
			return "", fmt.Errorf("jobs: remains of %s %s: %w", k.Name, subject, err)
		}
	}
	j := Job{Kind: k.Name, Subject: subject, Key: o.Key, Payload: text, RunAt: max(o.RunAt, tx.Now)}
	if err := tx.Fire(asking{&j}); err != nil {
		return "", err
	}
	id, at, err := insert(tx, j, string(remains))
	if err != nil {
		return "", err
	}
	return id, tx.Fire(Added{at})
}

// IsOpen reports whether a job of a kind with this key waits or runs.
func IsOpen(tx *db.Tx, k Kind, key string) (bool, error) {
	id, err := openWith(tx, Job{Kind: k.Name, Key: key})
	return id != "", err
}

// Retry makes a job wait that has failed, or lets one that waits run at once. It refuses with Job.NotFound,
// Job.InvalidStatus and, where another job does the same already, Job.AlreadyOpen.
func Retry(tx *db.Tx, id string) (Job, error) {
	j, err := lock(tx, id)
	if err != nil {
		return j, err
	}
	if _, err := Moves.Check(ErrInvalidStatus, "job", j.ID, j.Status, "retry"); err != nil {
		return j, err
	}
	other, err := openWith(tx, j)
	if err == nil && other != "" {
		err = ErrAlreadyOpen.Because("the job %s does the same and is still open: wait for it, or cancel it first",
			other)
	}
	if err != nil {
		return j, err
	}
	j.Status, j.Attempts, j.RunAt, j.DoneAt = Waiting, 0, tx.Now, 0
	if err := move(tx, j); err != nil {
		return j, err
	}
	return j, tx.Fire(Added{j.RunAt})
}

// Cancel gives a job up. It refuses with Job.NotFound and Job.InvalidStatus.
func Cancel(tx *db.Tx, id string) (Job, error) {
	j, err := lock(tx, id)
	if err != nil {
		return j, err
	}
	if j.Status, err = Moves.Check(ErrInvalidStatus, "job", j.ID, j.Status, "cancel"); err != nil {
		return j, err
	}
	j.DoneAt = tx.Now
	if err := move(tx, j); err != nil {
		return j, err
	}
	return Find(tx, id)
}

// Filter chooses jobs of a list.
type Filter struct {
	Status Status
	Kind   string
	Search string // words of the subject, the kind or the last error
}

// Count is how many jobs of a kind are in a status.
type Count struct {
	Kind   string
	Status Status
	Jobs   int
}

// How long jobs that have ended are kept.
const (
	keptDone   = 14 * 24 * time.Hour
	keptFailed = 90 * 24 * time.Hour
)

// verdict is a handler's error that says what is to become of the job.
type verdict struct {
	error
	status Status        // Failed, Cancelled, or Waiting for one that is put off
	pause  time.Duration // of one put off
}

func (v verdict) Unwrap() error { return v.error }

// Permanent is err with the word that no further attempt will help: the job fails at once.
func Permanent(err error) error { return verdict{error: err, status: Failed} }

// IsPermanent reports whether an error says that no further attempt will help.
func IsPermanent(err error) bool {
	var v verdict
	return errors.As(err, &v) && v.status == Failed
}

// Postpone is err with the word to try again after d, or an hour, which is as far ahead as who begins to work looks for
// jobs that wait for what is there now. It counts as no attempt.
func Postpone(err error, d time.Duration) error {
	return verdict{error: err, status: Waiting, pause: d}
}

// Drop is err as the reason why the job has become needless: it is cancelled.
func Drop(err error) error { return verdict{error: err, status: Cancelled} }

// fate is what becomes of a job whose attempt ended with err.
func (k Kind) fate(j Job, err error, now db.Time, luck float64) Job {
	j.LastError, j.DoneAt = brief(err), now
	var v verdict
	switch {
	case errors.As(err, &v) && v.status == Waiting:
		j.Status, j.Attempts, j.RunAt, j.DoneAt = Waiting, j.Attempts-1, now.Add(min(v.pause, longestPause)), 0
	case errors.As(err, &v):
		j.Status = v.status
	case j.Attempts >= k.attempts():
		j.Status = Failed
	default:
		j.Status, j.RunAt, j.DoneAt = Waiting, now.Add(k.pause(j.Attempts, luck)), 0
	}
	return j
}

// longestError is how much of an error people are shown.
const longestError = 1_000

// brief is the first line of an error, without the stack of a panic.
func brief(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	for i := range text {
		if i >= longestError {
			return text[:i]
		}
	}
	return text
}
