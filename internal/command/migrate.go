package command

import (
	"context"
	"errors"

	"kontor/internal/app/socket"
	"kontor/internal/foundation/datadir"
)

type migrateCommand struct {
	Status bool  `xor:"what" help:"Only print how far each database has come; nothing is changed."`
	To     int64 `xor:"what" placeholder:"VERSION" help:"Bring the companies' schema to this version and no further; the newest if left out."`
}

// Local keeps it here: it opens the data itself, or finds that a server has, which has migrated it then.
func (*migrateCommand) Local() bool { return true }

// Run migrates, or prints the state.
func (c *migrateCommand) Run(ctx context.Context, env *Env) error {
	if env.Place.IsMissing() {
		return noData(env)
	}
	if !c.Status {
		err := datadir.Migrate(ctx, env.Place, env.Log(), c.To)
		if err != nil && !(errors.Is(err, datadir.ErrLocked) && socket.Answers(env.Place.Data)) {
			return err
		}
	}
	place, tidy, err := c.seen(env)
	if err != nil {
		return err
	}
	states, err := datadir.SchemaStates(ctx, place)
	if err = errors.Join(err, tidy()); err != nil {
		return err
	}
	rows := tableOf("DATABASE\tSCHEMA\tVERSION\tNEWEST\tPENDING", states, func(s datadir.SchemaState) []any {
		return []any{s.Target, s.Schema, s.Version, s.Newest, len(s.Pending)}
	})
	return env.Print(map[string]any{"databases": states}, "%s", rows)
}

// seen is where the state is read: a copy where the folder cannot be written. tidy is called once it was.
func (c *migrateCommand) seen(env *Env) (place datadir.Dir, tidy func() error, err error) {
	if tidy = func() error { return nil }; !c.Status || env.Place.DatabaseURL != "" {
		return env.Place, tidy, nil
	}
	lock, err := datadir.TakeLock(env.Place.Data)
	if errors.Is(err, datadir.ErrReadOnly) {
		return copied(env)
	}
	return env.Place, tidy, errors.Join(err, lock.Release())
}
