package app

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kontor/internal/app/archive"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/health"
	"kontor/internal/foundation/pause"
	"kontor/internal/foundation/record"
)

// BackupPlan says where backups go, how often, and how many stay.
type BackupPlan struct {
	To            string        `placeholder:"PLACE" help:"Folder, or bucket as s3://bucket/prefix?endpoint=https://host&region=name, that backups go to; each writes only what is not there yet."`
	Every         time.Duration `placeholder:"TIME" help:"Time between two backups, such as 24h."`
	Keep          int           `default:"14" placeholder:"N" help:"How many backups stay, ${default} if left out; older ones are deleted once a new one is proved."`
	AcceptMissing bool          `help:"Make backups although pictures or documents that records use are lost."`
}

// Check reports the flag that cannot be, and why.
func (p BackupPlan) Check() (flag, problem string) {
	switch {
	case p.Keep < 0 || p.Keep == 0 && p.To != "":
		return "keep", "is below 1: one good backup always stays"
	case p.To == "" && p.Every == 0:
		return "", ""
	case p.To == "":
		return "to", "is missing: say where backups go, a folder or s3://bucket/prefix"
	case p.Every < 0 || p.Every > 0 && p.Every < time.Minute:
		return "every", "is less than a minute"
	}
	if _, err := archive.OpenVault(p.To); err != nil {
		return "to", err.Error()
	}
	return "", ""
}

// shownPlace is a place without what is secret in its address.
func shownPlace(to string) string {
	if u, err := url.Parse(to); archive.IsBucket(to) && err == nil {
		u.User = nil
		return u.String()
	}
	if path, err := filepath.Abs(to); err == nil {
		return path
	}
	return to
}

// Backups are the places that backups went to, and what became of the last ones.
func (h *App) Backups(ctx context.Context) (all []BackupPlace, err error) {
	err = h.Look(ctx, func(tx *db.Tx) error { all, err = backupPlaces(tx); return err })
	return all, err
}

// BackUpTo writes a backup into a folder or bucket of many, deletes those beyond the plan, and notes what became of it.
// Of all nodes one at a time does so.
func (h *App) BackUpTo(ctx context.Context, of BackupOf, plan BackupPlan) (archive.Written, error) {
	return h.backUpUnless(ctx, of, plan, anySuccess)
}

// anySuccess says that a backup is wanted, however lately one was made.
const anySuccess db.Time = -1

// backUpUnless is BackUpTo unless a backup has succeeded since the one that was seen last.
func (h *App) backUpUnless(ctx context.Context, of BackupOf, plan BackupPlan, seen db.Time) (archive.Written, error) {
	return h.noted(ctx, claim{place: shownPlace(plan.To), every: plan.Every, seen: seen},
		func(ctx context.Context) (archive.Written, error) {
			w, err := h.backUpInto(ctx, of, plan)
			if errors.Is(err, archive.ErrBroken) {
				h.Log.Warn("parts of earlier backups were damaged; they are written again", "error", err)
				w, err = h.backUpInto(ctx, of, plan)
			}
			return w, err
		})
}

// BackUpFile is Backup that notes what became of it.
func (h *App) BackUpFile(ctx context.Context, of BackupOf, path string) (archive.Written, error) {
	return h.noted(ctx, claim{place: shownPlace(filepath.Dir(path)), seen: anySuccess},
		func(ctx context.Context) (archive.Written, error) { return h.Backup(ctx, of, path) })
}

func (h *App) backUpInto(ctx context.Context, of BackupOf, plan BackupPlan) (w archive.Written, err error) {
	v, err := archive.OpenVault(plan.To)
	if err != nil {
		return w, err
	}
	beside := plan.To
	if archive.IsBucket(plan.To) {
		beside = h.DataDir.Data
	}
	s, err := datadir.NewScratch(beside)
	if err != nil {
		return w, err
	}
	w, err = h.backUpBy(ctx, v, of, plan, s.Dir)
	return w, errors.Join(err, s.Remove())
}

func (h *App) backUpBy(ctx context.Context, v *archive.Vault, of BackupOf, plan BackupPlan,
	dir string) (w archive.Written, err error) {
	id, err := h.installation(ctx)
	if err != nil {
		return w, err
	}
	kind := "kontor"
	if of.Company != "" {
		c, err := h.Company(ctx, of.Company)
		if err != nil {
			return w, err
		}
		kind = c.Code
	}
	t, err := v.Begin(ctx, archive.NameAt(kind, h.now()), id)
	if err != nil {
		return w, err
	}
	if w, err = h.writeBackup(ctx, of, id, dir, t); err != nil {
		return w, err
	}
	backups, pieces, err := v.Keep(ctx, w.Manifest, w.Name, plan.Keep)
	if err != nil {
		h.Log.Warn("the backup stands; older ones could not be deleted", "error", err)
	}
	h.Log.Info("backup", "name", w.Name, "to", shownPlace(plan.To), "bytes", w.Bytes, "written", w.New, "deleted",
		backups, "swept", pieces)
	return w, nil
}

// errTaken is what a backup is refused with while another is being written to the same place, or was written just now.
var errTaken = errors.New("another backup is being written there; wait until it is done")

// noted runs a backup to a place while nobody else writes one there, and notes what became of it.
func (h *App) noted(ctx context.Context, c claim, work func(context.Context) (archive.Written, error)) (
	w archive.Written, err error) {
	c.holder = fmt.Sprintf("%s process %d %s", datadir.HostName(), os.Getpid(), record.NewID())
	place, holder, free := c.place, c.holder, false
	// Files have one process: whoever is noted there and is not at work in it is gone.
	_, isWriting := h.backups.Load(place)
	c.alone = h.Embedded() && !isWriting
	err = h.Control(ctx, func(tx *db.Tx) (err error) { free, err = claimPlace(tx, c); return err })
	if err == nil && !free {
		err = fmt.Errorf("%s: %w", place, errTaken)
	}
	isNoted := err == nil
	if !isNoted && !h.goesUnnoted(c, err) {
		return w, err
	}
	h.backups.Store(place, true)
	defer h.backups.Delete(place)
	if !isNoted {
		return work(ctx)
	}
	held, enough := context.WithCancelCause(ctx)
	defer enough(nil)
	go h.hold(held, enough, place, holder)
	begun := time.Now()
	w, err = work(held)
	if cause := context.Cause(held); err != nil && cause != nil && ctx.Err() == nil {
		err = cause
	}
	p := BackupPlace{Place: place, Name: w.Name, Bytes: w.Bytes, NewBytes: w.New, Took: time.Since(begun)}
	if err != nil {
		p.Failure = strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	left := h.Control(context.WithoutCancel(ctx), func(tx *db.Tx) error { return leavePlace(tx, holder, p) })
	if h.goesUnnoted(c, left) {
		left = nil
	}
	return w, errors.Join(err, left)
}

// goesUnnoted reports whether a backup counts although the data folder takes no note of it: whose disk is full wants
// one elsewhere more than ever. One that was asked for, that is: one that is due would be due again at once.
func (h *App) goesUnnoted(c claim, err error) bool {
	if !c.alone || c.seen != anySuccess || !h.store.IsFull(err) {
		return false
	}
	h.Log.Warn("nothing can be written to the data folder: no note is made of the backup", "error", err)
	return true
}

// hold says every now and then that the holder of a place is alive, and ends the work where the place is somebody
// else's by now.
func (h *App) hold(ctx context.Context, enough context.CancelCauseFunc, place, holder string) {
	for last := time.Now(); pause.For(ctx, leaseTime/4) == nil; {
		ours := false
		err := h.Control(ctx, func(tx *db.Tx) (err error) { ours, err = holdPlace(tx, place, holder); return err })
		switch {
		case err == nil && ours:
			last = time.Now()
		case err == nil || time.Since(last) > leaseTime:
			enough(errors.New("the backup took a pause that was too long, and another node may be writing one by now"))
			return
		}
	}
}

// lookAtBackups is how long a node waits before it looks again whether a backup is due, which another one may have
// made.
const lookAtBackups = 5 * time.Minute

// keepBackups makes backups as the server was told to, until ctx ends.
func (h *App) keepBackups(ctx context.Context) {
	plan := h.serving.Backup
	if plan.To == "" || plan.Every == 0 {
		return
	}
	if inside, err := filepath.Rel(h.DataDir.Data, plan.To); err == nil && !archive.IsBucket(plan.To) &&
		filepath.IsLocal(inside) {
		h.Log.Warn("backups go into the data folder: whoever loses one loses both", "to", plan.To)
	}
	for {
		wait, err := h.backUpWhenDue(ctx, plan)
		if err != nil && ctx.Err() == nil && !errors.Is(err, errTaken) {
			h.Log.Error("backup", "to", shownPlace(plan.To), "error", err)
		}
		wait = min(wait, lookAtBackups) + rand.N(time.Second) // of several nodes one comes first
		if pause.For(ctx, wait) != nil {
			return
		}
	}
}

// backUpWhenDue makes a backup if it is time, and answers how long it is until then.
func (h *App) backUpWhenDue(ctx context.Context, plan BackupPlan) (wait time.Duration, err error) {
	end, err := h.Begin(false)
	if err != nil { // a restore is at work
		return time.Minute, nil
	}
	defer end()
	all, err := h.Backups(ctx)
	if err != nil {
		return time.Minute, err
	}
	p := BackupPlace{Place: shownPlace(plan.To)}
	if at := slices.IndexFunc(all, func(o BackupPlace) bool { return o.Place == p.Place }); at >= 0 {
		p = all[at]
	}
	p.Every = plan.Every
	// Longer than it may be is since the clock was put back: the last was made later than now.
	if wait = p.due().Sub(h.now()); wait > 0 && wait <= max(p.Every, time.Hour) {
		return wait, nil
	}
	_, err = h.backUpUnless(ctx, BackupOf{AcceptMissing: plan.AcceptMissing}, plan, p.SucceededAt)
	if err != nil {
		return time.Minute, err
	}
	return 0, nil
}

// sayBackups says of each place that backups go to when the last succeeded; late ones and failures are amiss.
func (h *App) sayBackups(ctx context.Context) (said string, err error) {
	all, err := h.Backups(ctx)
	if err != nil {
		return "", err
	}
	var good, bad []string
	for _, p := range all {
		last := "none yet"
		if p.SucceededAt != 0 {
			last = p.SucceededAt.Time().UTC().Format("2006-01-02 15:04:05Z")
		}
		switch {
		case p.Late(h.now()):
			bad = append(bad, fmt.Sprintf("the last to %s is late (%s): see the server's log", p.Place, last))
		case p.Failing():
			bad = append(bad, fmt.Sprintf("the last try to %s failed (the last success: %s): see the server's log",
				p.Place, last))
		case p.SucceededAt != 0:
			good = append(good, fmt.Sprintf("%s: %s", p.Place, last))
		}
	}
	if h.serving.Backup.To != "" && len(all) == 0 {
		good = append(good, "none yet")
	}
	if len(bad) > 0 {
		return "", health.Amiss(nil, "%s", strings.Join(append(bad, good...), "; "))
	}
	return strings.Join(good, "; "), nil
}
