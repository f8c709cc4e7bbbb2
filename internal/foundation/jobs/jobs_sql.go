package jobs

import (
	"time"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

func insert(tx *db.Tx, j Job, remains string) (id string, at db.Time, err error) {
	_, err = tx.One(`-- jobs.insert
		insert into job (company, id, kind, subject, unique_key, payload, remains, status, run_at, last_error, actor,
			search, created_at)
		values (:company, :id, :kind, :subject, :key, :payload, :remains, 'Waiting', :at, :error, :name, :search, :now)
		on conflict (company, kind, unique_key) where unique_key <> '' and status in ('Waiting', 'Running') do update
		set payload = excluded.payload, remains = excluded.remains, subject = excluded.subject, search = excluded.search,
			again = case when job.status = 'Running' then 1 else 0 end,
			run_at = case when job.status = 'Waiting' and job.attempts = 0 and excluded.run_at < job.run_at
			then excluded.run_at else job.run_at end
		returning id, run_at`,
		db.Args{"id": record.NewID(), "kind": j.Kind, "subject": j.Subject, "key": j.Key, "payload": string(j.Payload),
			"remains": remains, "at": j.RunAt, "error": j.LastError, "name": tx.Actor.Name, "search": j.searchText()},
		&id, &at)
	return id, at, err
}

func (j Job) searchText() string { return record.SearchText(j.Subject, j.Kind, j.LastError) }

const columns = "id, kind, subject, unique_key, status, attempts, run_at, last_error, actor, created_at, done_at, claim"

func (j *Job) scan() []any {
	return []any{&j.ID, &j.Kind, &j.Subject, &j.Key, &j.Status, &j.Attempts, &j.RunAt, &j.LastError, &j.Actor,
		&j.CreatedAt, &j.DoneAt, &j.claim}
}

// Find reads a job whole. Its payload may hold secrets. Refuses with Job.NotFound.
func Find(tx *db.Tx, id string) (Job, error) { return find(tx, id, "") }

// lock is Find for a change.
func lock(tx *db.Tx, id string) (Job, error) { return find(tx, id, db.ForUpdate) }

func find(tx *db.Tx, id, lock string) (Job, error) {
	j := Job{Company: tx.Company}
	ok, err := tx.One(`-- jobs.find
		select `+columns+`, payload from job where company = :company and id = :id`+lock, db.Args{"id": id},
		append(j.scan(), &j.Payload)...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no job has the id %q; jobs that ended are kept for a while only", id)
	}
	return j, err
}

// List reads a page of jobs, the newest first, without their payloads.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Job], error) {
	q := record.Query{
		Name: "jobs.List", Select: columns, From: "job j",
		Key:   []string{"j.id desc"},
		Sorts: map[string][]string{"made": {"j.id"}},
	}
	q.Given("j.status = :status", f.Status)
	q.Given("j.kind = :kind", f.Kind)
	q.Search("j.search", f.Search)
	return record.ListOf(tx, q, p, reading(tx))
}

// reading reads the columns of a company's jobs.
func reading(tx *db.Tx) func(db.Row, *Job) error {
	return func(r db.Row, j *Job) error {
		j.Company = tx.Company
		return r.Scan(j.scan()...)
	}
}

// Counts are how many jobs of each kind are in each status.
func Counts(tx *db.Tx) (all []Count, err error) {
	return db.Rows(tx, `-- jobs.Counts
		select kind, status, count(*) from job where company = :company group by kind, status order by kind, status`,
		nil, func(r db.Row, c *Count) error {
			return r.Scan(&c.Kind, &c.Status, &c.Jobs)
		})
}

// openWith is the id of another open job with the same key; empty where there is none.
func openWith(tx *db.Tx, j Job) (string, error) {
	if j.Key == "" {
		return "", nil
	}
	return db.Value[string](tx, `-- jobs.openWith
		select id from job where company = :company and kind = :kind and unique_key = :key and unique_key <> ''
			and status in ('Waiting', 'Running') and id <> :id`,
		db.Args{"kind": j.Kind, "key": j.Key, "id": j.ID})
}

// move writes what a person did to a job that nobody runs.
func move(tx *db.Tx, j Job) error {
	_, err := tx.Exec(`-- jobs.move
		update job set status = :status, attempts = :attempts, run_at = :at, done_at = :done
		where company = :company and id = :id`,
		db.Args{"id": j.ID, "status": j.Status, "attempts": j.Attempts, "at": j.RunAt, "done": j.DoneAt})
	if err == nil && j.Status == Cancelled {
		err = strip(tx, j)
	}
	return err
}

// bringForward lets jobs of a kind run at once that wait because of an error which begins so.
func bringForward(tx *db.Tx, kind, waited string) error {
	return tx.Run(`-- jobs.bringForward
		update job set run_at = :now where company = :company and kind = :kind and status = 'Waiting' and run_at > :now
		and substr(last_error, 1, :length) = :error`,
		db.Args{"kind": kind, "error": waited, "length": utf8.RuneCountInString(waited)})
}

// setRight brings jobs forward that wait by a clock which has been put back since: see Kind.lately.
func (r *Runner) setRight(tx *db.Tx) error {
	open, err := db.Rows(tx, `-- jobs.setRight
		select `+columns+` from job where company = :company and status in ('Waiting', 'Running') and run_at > :now
		and (created_at > :now or last_error <> '' or status = 'Running')`, nil,
		reading(tx))
	for _, j := range open {
		at := r.handlers[j.Kind].kind.lately(j, tx.Now)
		if at == j.RunAt || err != nil {
			continue
		}
		err = tx.Run(`-- jobs.setRight write
			update job set run_at = :at where company = :company and id = :id and run_at = :was
			and status in ('Waiting', 'Running')`, db.Args{"id": j.ID, "at": at, "was": j.RunAt})
	}
	return err
}

// strip puts what remains of an ended job's payload in its place.
func strip(tx *db.Tx, j Job) error {
	return tx.Run(`-- jobs.strip
		update job set payload = remains where company = :company and id = :id and remains <> ''`, db.Args{"id": j.ID})
}

// free are the jobs that may be begun now, those that waited longest first, without their payloads: most are left to
// others. They are locked where several nodes might take them.
func free(tx *db.Tx, kinds []string, most int) (due []Job, err error) {
	lock := ""
	if tx.Engine() == "postgres" {
		lock = " for update skip locked"
	}
	return db.Rows(tx, `-- jobs.free
		select `+columns+` from job
		where company = :company and status in ('Waiting', 'Running') and run_at <= :now and kind in (:kinds)
		order by run_at, id limit :most`+lock, db.Args{"kinds": kinds, "most": most}, reading(tx))
}

// take makes a job this worker's until its lease ends, and reads its payload.
func take(tx *db.Tx, j *Job, worker string, lease time.Duration) error {
	j.Status, j.Attempts, j.claim, j.RunAt = Running, j.Attempts+1, j.claim+1, tx.Now.Add(lease)
	_, err := tx.One(`-- jobs.take
		update job set status = 'Running', attempts = :attempts, claim = :claim, run_at = :at, worker = :worker, again = 0
		where company = :company and id = :id returning payload`,
		db.Args{"id": j.ID, "attempts": j.Attempts, "claim": j.claim, "at": j.RunAt, "worker": worker}, &j.Payload)
	return err
}

// whose says which workers' jobs are meant.
type whose string

const (
	theirs whose = "worker = :worker"
	others whose = "worker <> :worker"
)

// anyRunning reports whether a worker, or the others, have jobs in hand.
func anyRunning(tx *db.Tx, of whose, worker string) (any bool, err error) {
	return tx.One(`-- jobs.anyRunning
		select 1 from job where company = :company and status in ('Waiting', 'Running') and status = 'Running'
		and `+string(of)+` limit 1`, db.Args{"worker": worker}, new(int))
}

// release lets jobs be begun at once that a worker, or the others, had taken, but for those of some kinds and those
// that are held. Only who knows that nobody works on them, or that it does no harm, may call it.
func release(tx *db.Tx, of whose, worker string, kept, held []string) error {
	return tx.Run(`-- jobs.release
		update job set run_at = :now where company = :company and status = 'Running' and `+string(of)+` and run_at > :now
		and id not in (:held) and kind not in (:kept)`,
		db.Args{"worker": worker, "held": append(held, ""), "kept": append(kept, "")})
}

// endJob writes what became of a job that this worker has taken. It answers errTaken where somebody else took it since.
func endJob(tx *db.Tx, j Job) error {
	var again bool
	ok, err := tx.One(`-- jobs.endJob
		select again from job where company = :company and id = :id and status = 'Running' and claim = :claim for update`,
		db.Args{"id": j.ID, "claim": j.claim}, &again)
	if err == nil && !ok {
		err = errTaken
	}
	if err != nil {
		return err
	}
	if again && j.Status != Waiting {
		j.Status, j.Attempts, j.RunAt, j.DoneAt = Waiting, 0, tx.Now, 0
	}
	_, err = tx.Exec(`-- jobs.endJob write
		update job set status = :status, attempts = :attempts, run_at = :at, last_error = :error, done_at = :done,
		again = 0, search = :search
		where company = :company and id = :id`,
		db.Args{"id": j.ID, "status": j.Status, "attempts": j.Attempts, "at": j.RunAt, "error": j.LastError,
			"done": j.DoneAt, "search": j.searchText()})
	if err == nil && (j.Status == Done || j.Status == Cancelled) {
		err = strip(tx, j)
	}
	return err
}

// nextDue is when the next job of these kinds may be begun; 0 where none is open.
func nextDue(tx *db.Tx, kinds []string) (db.Time, error) {
	if len(kinds) == 0 {
		return 0, nil
	}
	args := db.Args{}
	first := db.HeadsOf("select run_at from job where company = :company and status in ('Waiting', 'Running')", "kind",
		kinds, "kind, run_at", args)
	return db.Value[db.Time](tx, `-- jobs.nextDue
		select min(run_at) from (`+first+`) as first`, args)
}

// nextOpen is when the next job of any kind may be begun; 0 where none is open.
func nextOpen(tx *db.Tx) (db.Time, error) {
	return db.Value[db.Time](tx, `-- jobs.nextOpen
		select run_at from job where company = :company and status in ('Waiting', 'Running') order by run_at limit 1`,
		nil)
}

// standing is what waits and has failed of a company's jobs.
type standing struct {
	waiting, failed int
	oldest          map[string]db.Time // waiting since, by kind
	at              time.Time          // when that was so
	took            time.Duration      // to count
}

// tally counts the jobs that wait and that have failed.
func tally(tx *db.Tx) (s standing, err error) {
	s.oldest = map[string]db.Time{}
	err = tx.Each(`-- jobs.tally
		select status, kind, count(*), min(created_at) from job where company = :company and status in (:statuses) group by status, kind`,
		db.Args{"statuses": []string{string(Waiting), string(Failed)}}, func(r db.Row) error {
			var (
				status Status
				kind   string
				n      int
				since  db.Time
			)
			if err := r.Scan(&status, &kind, &n, &since); err != nil {
				return err
			}
			if status == Waiting {
				s.waiting += n
				s.oldest[kind] = since
			} else {
				s.failed += n
			}
			return nil
		})
	return s, err
}

// Sweep drops jobs that were done or cancelled 14 days ago, and failed ones after 90.
func Sweep(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("jobs.Sweep", "job", "id", from,
		"status in (:ended) and done_at < :ended_before or status = :failed and done_at < :failed_before",
		db.Args{"ended": []Status{Done, Cancelled}, "ended_before": tx.Now.Add(-keptDone),
			"failed": Failed, "failed_before": tx.Now.Add(-keptFailed)})
}

// Clear drops every job but those of some kinds that are still to be done: a copy of a company's books must not do
// again what the original does outside of them.
func Clear(tx *db.Tx, keep ...Kind) error {
	kinds := append([]string{""}, each.Of(keep, func(k Kind) string { return k.Name })...)
	return tx.Run(`-- jobs.Clear whole
		delete from job where company = :company and not (kind in (:kept) and status in (:open))`,
		db.Args{"kept": kinds, "open": []Status{Waiting, Running}})
}

// Kinds are the kinds of the jobs that there are, by name.
func Kinds(tx *db.Tx) (all []string, err error) {
	return db.Column[string](tx, `-- jobs.Kinds
		select distinct kind from job where company = :company order by kind`, nil)
}
