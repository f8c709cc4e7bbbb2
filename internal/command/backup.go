package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/app/archive"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/pause"
)

type backupCommand struct {
	File    string `arg:"" optional:"" help:"Archive to write, such as kontor.tar.zst; one of this name is replaced once the new one is proved."`
	Company string `help:"Code or id of the one company to copy; everything if left out."`
	app.BackupPlan

	Round bool `hidden:"" help:"One of many: the interval is noted, not waited for."`
}

// leftOut says what no backup holds, and why.
const leftOut = "not in it: who is signed in to the office (they sign in again), search indexes and smaller pictures (they are made again)"

// Validate refuses what cannot be, before anything is done.
func (c *backupCommand) Validate() error {
	if (c.File == "") == (c.To == "") {
		return errors.New("name either an archive to write, or with --to a folder or bucket of many backups")
	}
	if flag, problem := c.Check(); flag != "" {
		return fmt.Errorf("--%s %s", flag, problem)
	}
	return nil
}

// Local keeps a command here that comes again and again: every single backup is a command of its own.
func (c *backupCommand) Local() bool { return c.Every > 0 && !c.Round }

// ReadsOnly says that it changes nothing.
func (*backupCommand) ReadsOnly() {}

// Run writes the backup.
func (c *backupCommand) Run(ctx context.Context, env *Env) error {
	if c.Local() {
		return c.repeat(ctx, env)
	}
	var w archive.Written
	var err error
	of := app.BackupOf{Company: c.Company, AcceptMissing: c.AcceptMissing}
	where := c.File
	if c.To == "" {
		if info, err := os.Stat(env.Path(c.File)); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder: name a file, or write into a folder of many backups with --to %[1]s", c.File)
		}
		path, unfit := env.Output(c.File)
		if unfit != nil {
			return unfit
		}
		w, err = env.App.BackUpFile(ctx, of, path)
	} else {
		plan := c.BackupPlan
		plan.To = env.Address(c.To)
		w, err = env.App.BackUpTo(ctx, of, plan)
		where = w.Name
	}
	if err != nil {
		return err
	}
	_, source := env.App.Keys()
	return env.Print(map[string]any{"file": where, "bytes": w.Bytes, "newBytes": w.New, "createdDate": w.CreatedDate,
		"companies": w.Companies, "secretKey": w.SecretKey},
		"%s: %d bytes, %s%s\n%s\nits secrets need key %s, which is not in it: keep a copy of %s elsewhere\n",
		where, w.Bytes, codes(w.Companies), written(w), leftOut, w.SecretKey, source)
}

func written(w archive.Written) string {
	if w.New == w.Bytes {
		return ""
	}
	return fmt.Sprintf("; %d bytes of it are new", w.New)
}

// repeat writes a backup now and then every so often, until it is interrupted. One that failed is tried again sooner.
func (c *backupCommand) repeat(ctx context.Context, env *Env) error {
	call := env.call
	call.Args = append(slices.Clone(call.Args), "--round")
	for {
		wait := c.Every
		if Main(ctx, call) != success {
			wait = min(c.Every, max(time.Minute, c.Every/24))
		}
		if pause.For(ctx, wait) != nil {
			return nil
		}
	}
}

func codes(companies []archive.Company) string {
	if len(companies) == 0 {
		return "no company"
	}
	all := each.Of(companies, func(c archive.Company) string { return c.Code })
	return strings.Join(all, ", ")
}

type restoreCommand struct {
	File    string `arg:"" help:"Archive that backup wrote, or a folder or bucket of many backups (its newest), or one of them, as PLACE/backups/NAME.backup."`
	Company string `help:"Code or id of the one company to put back; everything in the archive if left out."`
	Force   bool   `help:"Replace companies that are here already."`
	Check   bool   `help:"Prove the archive without restoring it: read all of it, make it into data that opens, count what is in it, and take that away again."`

	WithoutSecrets bool `help:"Restore though the backup's key is missing: second factors need a recovery code then, and payment methods their settings anew."`
}

// Exclusive keeps other commands away while the data is exchanged.
func (*restoreCommand) Exclusive() {}

// Begins says that it may be the first to be called.
func (*restoreCommand) Begins() {}

// Look refuses what is no backup, or does not hold what is asked for, before data is begun. Where there is data in
// files, whoever opens it, or has it open, has its key.
func (c *restoreCommand) Look(ctx context.Context, env *Env) error {
	if env.Place.DatabaseURL == "" && !env.Place.IsMissing() {
		return nil
	}
	return app.Restorable(ctx, env.Place, env.Address(c.File), c.Company, c.WithoutSecrets)
}

// Local keeps a check here: it needs no data.
func (c *restoreCommand) Local() bool { return c.Check }

// Run puts the archive back.
func (c *restoreCommand) Run(ctx context.Context, env *Env) error {
	if c.Check {
		return c.check(ctx, env)
	}
	r, err := env.App.Restore(ctx, env.Address(c.File), c.Company, c.Force, c.WithoutSecrets)
	if err != nil {
		return err
	}
	kept := ""
	if r.Kept != "" {
		kept = "what was replaced lies in " + r.Kept + "\n"
	}
	return env.Print(map[string]any{"companies": r.Companies, "kept": r.Kept, "again": r.Again},
		"restored %s\n%skeys and passwords are those of the backup: revoke again what was revoked since\n%s",
		codes(r.Companies), kept, thereAgain(r.Again))
}

// thereAgain names people who were deleted since the backup, all of them: nobody can be asked later.
func thereAgain(people []string) string {
	if len(people) == 0 {
		return ""
	}
	return "deleted since the backup and there again, also in the activity log: delete again who is to stay erased\n  " +
		strings.Join(people, "\n  ") + "\n"
}

func (c *restoreCommand) check(ctx context.Context, env *Env) error {
	m, err := app.CheckBackup(ctx, env.Address(c.File))
	if err != nil {
		return err
	}
	var size int64
	for _, f := range m.Files {
		size += f.Size
	}
	what := "one company"
	if m.Whole {
		what = "a whole installation"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s is good: %s of %s, made by Kontor %s on %s, %d files of %d bytes\n", c.File, what,
		m.CreatedDate, m.Kontor, m.Engine, len(m.Files), size)
	for _, o := range m.Companies {
		fmt.Fprintf(&b, "%s: %d rows, %d pictures and documents", o.Code, o.Rows, o.Media)
		if len(o.Missing) > 0 {
			fmt.Fprintf(&b, ", of which %d were lost before", len(o.Missing))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n", leftOut)
	if m.SecretKey != "" {
		fmt.Fprintf(&b, "its secrets need key %s, which is not in it\n", m.SecretKey)
	}
	return env.Print(map[string]any{"createdDate": m.CreatedDate, "kontor": m.Kontor, "engine": m.Engine,
		"whole": m.Whole, "companies": m.Companies, "files": len(m.Files), "bytes": size, "secretKey": m.SecretKey},
		"%s", b.String())
}
