package app_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/app"
	"kontor/internal/app/socket"
	"kontor/internal/command"
	"kontor/internal/foundation/db"
)

// A story reaches into its server: most of what it says at the command line, and what the office does, is done there,
// so that nothing is restarted for it and what the server keeps must bear it. The server takes calls in the folder
// that insideFolder names.
const insideFolder = "STORY_INSIDE"

// reachable makes what is served with the context take a story's calls.
func reachable(ctx context.Context) context.Context {
	dir := os.Getenv(insideFolder)
	if dir == "" {
		return ctx
	}
	return command.Beside(ctx, dir, func(kontor *app.App, usual socket.Run) socket.Run {
		return func(ctx context.Context, c socket.Call) int {
			if len(c.Args) < 2 || c.Args[0] != "office" {
				return usual(ctx, c)
			}
			if err := inOffice(ctx, kontor, c.Args[1:]); err != nil {
				fmt.Fprint(c.Stderr, err)
				return 1
			}
			return 0
		}
	})
}

func inOffice(ctx context.Context, kontor *app.App, args []string) error {
	return kontor.InCompany(ctx, "acme", func(tx *db.Tx) error { return office[args[0]](tx, args[1:]) })
}

// run does a command line, inside the server where one runs.
func (s *scene) run(out, errs io.Writer, args []string) error {
	if s.server == nil {
		cmd := exec.Command("kontor", args...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, append(os.Environ(), s.env...), out, errs
		return cmd.Run()
	}
	code, _, err := socket.Do(s.Context(), s.inside(), socket.Call{Args: args, Dir: s.dir, Stdout: out, Stderr: errs})
	if err == nil && code != 0 {
		err = fmt.Errorf("exit status %d", code)
	}
	return err
}

// kontor does a command and answers what it printed.
func (s *scene) kontor(args ...string) (string, error) {
	var out, errs bytes.Buffer
	if err := s.run(&out, &errs, args); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// inside is the folder where the story's server takes calls.
func (s *scene) inside() string { return filepath.Join(s.dir, "inside") }

// sayKontor is a command line. "exec kontor" does it in a process of its own even beside a server.
func sayKontor(ts *testscript.TestScript, neg bool, args []string) {
	if err := sceneOf(ts).run(ts.Stdout(), ts.Stderr(), args); neg != (err != nil) {
		ts.Fatalf("kontor: %v", err)
	}
}
