package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/app/socket"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/pause"
)

// serveCommand serves until it is told to stop.
type serveCommand struct {
	app.Serving
	// The plan of backups by the names that the command backup has for it.
	To    string         `hidden:"" placeholder:"PLACE" help:"The same as --backup-to."`
	Every *time.Duration `hidden:"" placeholder:"TIME" help:"The same as --backup-every."`
	Keep  *int           `hidden:"" placeholder:"N" help:"The same as --backup-keep."`
}

// planned are the settings with the plan of backups, whichever names it was given by.
func (c *serveCommand) planned() app.Serving {
	s := c.Serving
	s.Backup.To = cmp.Or(c.To, s.Backup.To)
	if c.Every != nil {
		s.Backup.Every = *c.Every
	}
	if c.Keep != nil {
		s.Backup.Keep = *c.Keep
	}
	return s
}

// Validate refuses what cannot be, before anything is done.
func (c *serveCommand) Validate() error { return valid(c.planned()) }

func valid(s app.Serving) error {
	err := s.Check()
	if err == nil {
		return nil
	}
	f := fault.As(err)
	return fmt.Errorf("%s (%s)", strings.TrimSuffix(f.Sentence(), "."), f.Code)
}

func validPlace(flag, address string) error {
	if !app.IsPlace(address) {
		return fmt.Errorf("%s: %q is no address to serve on such as 127.0.0.1:8081", flag, address)
	}
	return nil
}

// Local keeps it here: it is the server.
func (*serveCommand) Local() bool { return true }

// Run serves.
func (c *serveCommand) Run(ctx context.Context, env *Env) error {
	return serve(ctx, env, c.planned(), func(*app.App, string) error { return nil })
}

// serve opens the data, takes the addresses, lets prepare lay things out, and serves until ctx ends.
func serve(ctx context.Context, env *Env, s app.Serving, prepare func(h *app.App, url string) error) error {
	if err := s.Check(); err != nil {
		return err
	}
	s.Backup.To = env.Address(s.Backup.To)
	kontor, err := openServing(ctx, env, s)
	if err != nil {
		return err
	}
	err = serveApp(ctx, env, kontor, s, prepare)
	return errors.Join(err, kontor.Close(context.WithoutCancel(ctx)))
}

// openServing waits for a command that has the data for a moment, but not for another server.
func openServing(ctx context.Context, env *Env, s app.Serving) (*app.App, error) {
	for start := time.Now(); ; {
		kontor, err := app.OpenServing(ctx, env.Place, s, logger(env, s))
		switch {
		case !errors.Is(err, datadir.ErrLocked):
			return kontor, err
		case socket.Answers(env.Place.Data):
			return nil, fmt.Errorf("%w as a server: stop that one first, or choose another folder with --data", err)
		case time.Since(start) > patience:
			return nil, err
		}
		if err := pause.For(ctx, again); err != nil {
			return nil, err
		}
	}
}

func serveApp(ctx context.Context, env *Env, kontor *app.App, s app.Serving,
	prepare func(*app.App, string) error) error {
	srv, err := app.Listen(kontor, s)
	if err != nil {
		return err
	}
	usual := func(ctx context.Context, c socket.Call) int { return within(ctx, kontor, c) }
	calls := map[string]socket.Run{}
	if kontor.Embedded() { // other processes open a database themselves
		calls[env.Place.Data] = usual
	}
	if b, ok := ctx.Value(besideKey{}).(beside); ok {
		calls[b.dir] = b.run(kontor, usual)
	}
	for dir, run := range calls {
		stop, err := takeCalls(ctx, kontor.Log, dir, run)
		if err != nil {
			return err
		}
		defer stop()
	}
	if err := prepare(kontor, srv.URL()); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(env.Stdout, "listening on %s\n", srv.URL()); err != nil {
		return err
	}
	return srv.Run(ctx)
}

type besideKey struct{}

// beside is what Beside asked for.
type beside struct {
	dir string
	run func(kontor *app.App, usual socket.Run) socket.Run
}

// Beside makes a server that is served with the context take calls at the socket of one more folder, on any engine. run
// is what does them there; usual does commands. Tests reach so into the server they try.
func Beside(ctx context.Context, dir string, run func(kontor *app.App, usual socket.Run) socket.Run) context.Context {
	return context.WithValue(ctx, besideKey{}, beside{dir, run})
}

// takeCalls does what other processes call for at the socket of a folder, until it is stopped. Calls under way may
// finish while requests do; what is left then is cut off.
func takeCalls(ctx context.Context, log *slog.Logger, dir string, run socket.Run) (stop func(), err error) {
	calls, err := socket.Listen(dir)
	if err != nil {
		return nil, err
	}
	ctx, cut := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		if err := calls.Serve(ctx, run); err != nil {
			log.Error("commands of other processes are not taken any more", "error", err)
		}
	}()
	return func() { cut(); calls.Close() }, nil
}

func logger(env *Env, s app.Serving) *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindDuration { // with its unit, in every format
			a.Value = slog.StringValue(a.Value.Duration().String())
		}
		return a
	}}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(env.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(env.Stderr, options))
}
