// Package command is the command line: its grammar, where a flag's value comes from, and one file for each family
// of commands. A command runs in this process, or in the server that has the data open; it cannot tell which.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"kontor/internal/app"
	"kontor/internal/app/archive"
	"kontor/internal/app/socket"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/pause"
)

// The exit codes.
const (
	success = 0
	failure = 1
	usage   = 2
)

// Command is one command of the grammar.
type Command interface {
	Run(ctx context.Context, env *Env) error
}

// Local is a command that opens no data, or opens it itself: it always runs in the process it was called in.
type Local interface {
	// Local reports whether it does so as it was called.
	Local() bool
}

func isLocal(c Command) bool {
	l, ok := c.(Local)
	return ok && l.Local()
}

// Exclusive is a command that exchanges the data under everybody's feet; it works alone.
type Exclusive interface{ Exclusive() }

// ReadsOnly is a command that changes nothing: it also works on a data folder that cannot be written, and refuses data
// whose schema it would have to bring forward.
type ReadsOnly interface{ ReadsOnly() }

// Begins is a command that makes the data where there is none; any other says that there is none.
type Begins interface{ Begins() }

// Looks is a command that looks at what it was given before data is opened: where it is refused then, none is begun.
type Looks interface {
	Look(ctx context.Context, env *Env) error
}

// Asks is a command that may ask a person for what is missing, before it is handed to a server.
type Asks interface {
	// Ask answers further KONTOR_ variables.
	Ask(env *Env) (map[string]string, error)
}

// Env is a command's surroundings.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal says that standard error is a person's: long work may draw a progress bar.
	Terminal bool
	// JSON asks for one JSON object on standard output.
	JSON  bool
	Place datadir.Dir
	// App is the open data; nil for Local commands.
	App *app.App
	// Alone says that the process does nothing but this command.
	Alone bool

	dir  string      // working folder of whoever called
	call socket.Call // as it came
}

// Path is a file named on the command line, wherever the command runs.
func (e *Env) Path(name string) string {
	if filepath.IsAbs(name) || e.dir == "" {
		return name
	}
	return filepath.Join(e.dir, name)
}

// Output is Path for a file that is written beside its place and then exchanged for what lies there: a device or a pipe
// would be gone.
func (e *Env) Output(name string) (string, error) {
	path := e.Path(name)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return path, fmt.Errorf("%s is there and is no file: name one to be written", name)
	}
	return path, nil
}

// Address is Path for what may also be the address of a bucket.
func (e *Env) Address(name string) string {
	if name == "" || archive.IsBucket(name) {
		return name
	}
	return e.Path(name)
}

// Print answers object with --json, else the text.
func (e *Env) Print(object any, format string, args ...any) error {
	if !e.JSON {
		_, err := fmt.Fprintf(e.Stdout, format, args...)
		return err
	}
	b, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "%s\n", b)
	return err
}

// Log is where a command that is no server notes things: warnings, on standard error.
func (e *Env) Log() *slog.Logger {
	return slog.New(slog.NewTextHandler(e.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Here is the call of this process.
func Here() socket.Call {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	env := map[string]string{}
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok && strings.HasPrefix(k, "KONTOR_") {
			env[k] = v
		}
	}
	return socket.Call{
		Args: os.Args[1:], Dir: dir, Env: env, Terminal: isatty.IsTerminal(os.Stderr.Fd()),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
}

// Main does what was called for and answers the exit code.
func Main(ctx context.Context, call socket.Call) int {
	p, env, code := parse(call)
	if p == nil {
		return code
	}
	if a, ok := p.(Asks); ok {
		more, err := a.Ask(env)
		if err != nil {
			return report(env, err)
		}
		maps.Copy(call.Env, more)
	}
	if isLocal(p) {
		return report(env, p.Run(ctx, env))
	}
	if err := env.Place.IsElsewhere(); err != nil {
		return report(env, err)
	}
	if _, begins := p.(Begins); !begins && env.Place.IsMissing() {
		return report(env, noData(env))
	}
	if l, ok := p.(Looks); ok {
		if err := l.Look(ctx, env); err != nil {
			return report(env, err)
		}
	}
	_, reads := p.(ReadsOnly)
	kontor, code, err := reach(ctx, env, call, reads)
	tidy := func() error { return nil }
	if reads && errors.Is(err, datadir.ErrReadOnly) {
		kontor, tidy, err = openCopy(ctx, env)
	}
	if kontor == nil {
		return max(code, report(env, err))
	}
	env.App, env.Alone = kontor, true
	err = p.Run(ctx, env)
	return report(env, errors.Join(err, kontor.Close(context.WithoutCancel(ctx)), tidy()))
}

func noData(env *Env) error {
	return fmt.Errorf("there is no data in %s: say with --data where it is, or begin with company create",
		env.Place.Data)
}

// within does a call of another process in the house of this one.
func within(ctx context.Context, kontor *app.App, call socket.Call) int {
	p, env, code := parse(call)
	if p == nil {
		return code
	}
	if isLocal(p) {
		return report(env, errors.New("this command does not run inside a server"))
	}
	_, alone := p.(Exclusive)
	end, err := kontor.Begin(alone)
	if err != nil {
		return report(env, err)
	}
	defer end()
	env.App = kontor
	// its crash does not take the server down
	return report(env, fault.Guard(func() error { return p.Run(ctx, env) }))
}

// patience is how long a command waits for another one to give the data free.
const (
	patience = 5 * time.Second
	again    = 50 * time.Millisecond
)

// reach hands the call to the server that has the data open, and answers its exit code; without one it
// opens the data. Who only reads does not bring its schema forward.
func reach(ctx context.Context, env *Env, call socket.Call, reads bool) (*app.App, int, error) {
	open := func() (*app.App, error) {
		if reads {
			if err := datadir.Behind(ctx, env.Place); err != nil {
				return nil, err
			}
		}
		return app.Open(ctx, env.Place, env.Log())
	}
	for start := time.Now(); ; {
		if env.Place.DatabaseURL == "" {
			code, answered, err := socket.Do(ctx, env.Place.Data, call)
			if answered {
				return nil, code, err
			}
		}
		kontor, err := open()
		if !errors.Is(err, datadir.ErrLocked) {
			return kontor, failure, err
		}
		if time.Since(start) > patience {
			return nil, failure, fmt.Errorf("%w and does not answer: wait for it to end, or end it", err)
		}
		if err := pause.For(ctx, again); err != nil {
			return nil, failure, err
		}
	}
}

// openCopy opens a copy of the data where its folder cannot be written; remove is called once the house is closed.
func openCopy(ctx context.Context, env *Env) (kontor *app.App, remove func() error, err error) {
	place, remove, err := copied(env)
	if err != nil {
		return nil, nil, err
	}
	if kontor, err = app.Open(ctx, place, env.Log()); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return kontor, remove, nil
}

// copied is a copy of the data to read.
func copied(env *Env) (place datadir.Dir, remove func() error, err error) {
	if place, remove, err = env.Place.Copy(); err == nil {
		fmt.Fprintf(env.Stderr, "kontor: %s cannot be written: a copy of its records is read, in %s\n", env.Place.Data,
			place.Data)
	}
	return place, remove, err
}

// report prints what went wrong, on one line, and answers the exit code.
func report(env *Env, err error) int {
	if err == nil {
		return success
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(env.Stderr, "kontor: interrupted")
		return failure
	}
	text := err.Error()
	if f, ok := errors.AsType[*fault.Fault](err); ok {
		said := fmt.Sprintf("%s (%s)", strings.TrimSuffix(spoken(f), "."), f.Code)
		if f.Cause != nil {
			said += ": " + f.Cause.Error()
		}
		text = strings.Replace(text, f.Error(), said, 1) // what stands around it says of which company, or row, it is
	} else if why := postgres.Why(err); why != "" && env.Place.DatabaseURL != "" {
		text = why + ": " + text
	}
	fmt.Fprintln(env.Stderr, "kontor:", oneLine(text))
	return failure
}

// placed is a place in a list that a request has and a command line has not, such as lines[0].quantity.
var placed = lazy.Regexp(`\b\w+\[\d+\](\.\w+)*: `)

// spoken is a refusal as a command line says it.
func spoken(f *fault.Fault) string { return placed().ReplaceAllString(f.Sentence(), "") }

// oneLine puts the lines of an error behind each other, each once.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}
