package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor/internal/app/socket"
)

// called is what a command line printed and answered.
type called struct {
	out, err string
	code     int
}

// site is where kontor is called: a folder, and on PostgreSQL a database.
type site struct {
	dir string
	url string
}

// env are the variables that name the database.
func (s site) env() map[string]string {
	if s.url == "" {
		return map[string]string{}
	}
	return map[string]string{"KONTOR_DATABASE_URL": s.url}
}

// run calls kontor there.
func (s site) run(t *testing.T, args ...string) called {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(context.Background(), socket.Call{Args: args, Dir: s.dir, Env: s.env(), Stdin: strings.NewReader(""),
		Stdout: &out, Stderr: &errs})
	return called{out.String(), errs.String(), code}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFlagsWinOverVariablesOverTheFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kontor.toml"), `
listen = "top:1"
integration-rate = 7
trusted-proxy = ["10.0.0.0/8", "::1"]
[serve]
listen = "table:1"
`)
	for _, c := range []struct {
		name   string
		env    map[string]string
		args   []string
		listen string
	}{
		{"file", nil, nil, "table:1"},
		{"variable", map[string]string{"KONTOR_LISTEN": "variable:1"}, nil, "variable:1"},
		{"flag", map[string]string{"KONTOR_LISTEN": "variable:1"}, []string{"--listen", "flag:1"}, "flag:1"},
	} {
		var errs bytes.Buffer
		cmd, env, code := parse(socket.Call{Args: append([]string{"serve"}, c.args...), Dir: dir, Env: c.env,
			Stderr: &errs})
		if cmd == nil {
			t.Fatalf("%s: exit %d: %s", c.name, code, errs.String())
		}
		s := cmd.(*serveCommand)
		if s.Listen != c.listen || s.IntegrationRate != 7 || strings.Join(s.TrustedProxy, " ") != "10.0.0.0/8 ::1" {
			t.Errorf("%s: %+v", c.name, s.Serving)
		}
		if want := filepath.Join(dir, "kontor-data"); env.Place.Data != want {
			t.Errorf("%s: data in %s, want %s", c.name, env.Place.Data, want)
		}
	}
}

func TestMistakesAreUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "misspelt.toml"), "lisen = \"x\"\n")
	write(t, filepath.Join(dir, "nocommand.toml"), "[server]\nlisten = \"x\"\n")
	write(t, filepath.Join(dir, "notoml.toml"), "listen =\n")
	for _, args := range [][]string{
		{"sell"}, {"serve", "--lisen=x"}, {"company", "create"}, {"company"}, {"openapi", "other"},
		{"import", "--company=acme", "other", "x.csv"}, {"export", "--company=acme", "other"},
		{"company", "create", "--code=a", "--name=A", "--country=SE", "--currency=SEK", "--environment=demo"},
		{"version", "--config=misspelt.toml"}, {"version", "--config", "nocommand.toml"},
		{"version", "--config=notoml.toml"}, {"version", "--config=missing.toml"},
	} {
		got := site{dir: dir}.run(t, args...)
		if got.code != usage || strings.Count(got.err, "\n") != 1 || got.out != "" {
			t.Errorf("%v: exit %d, %q, %q", args, got.code, got.out, got.err)
		}
	}
}

func TestHelpEverywhere(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"serve", "--help"}, {"company", "--help"},
		{"company", "create", "--help"}, {"api-key", "revoke", "--help"}, {"help"}, {"help", "company", "create"}} {
		got := site{dir: t.TempDir()}.run(t, args...)
		if got.code != success || !strings.Contains(got.out, "Usage: kontor") || got.err != "" {
			t.Errorf("%v: exit %d, %q, %q", args, got.code, got.out, got.err)
		}
	}
}

func TestFailuresAreOneLine(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"api-key", "list", "--company=nobody"},
		{"company", "create", "--code=a b", "--name=A", "--country=XX", "--currency=SEK"},
		{"restore", "missing.tar.zst"},
		{"company", "delete", "nobody"},
	} {
		got := site{dir: dir}.run(t, args...)
		if got.code != failure || strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "kontor: ") {
			t.Errorf("%v: exit %d, %q, %q", args, got.code, got.out, got.err)
		}
	}
}

// Without a file the grammar is that of the command alone that was called, and nobody can tell.
func TestACommandIsTheSameWithAFileAndWithout(t *testing.T) {
	bare, filed := site{dir: t.TempDir()}, site{dir: t.TempDir()}
	write(t, filepath.Join(filed.dir, "kontor.toml"), `listen = "127.0.0.1:1"`)
	_, list, _ := strings.Cut(bare.run(t).out, "\nCommands:\n")
	commands := map[string]bool{}
	for line := range strings.Lines(list) {
		if name, ok := strings.CutPrefix(line, "  "); ok && name[0] != ' ' {
			commands[strings.Fields(name)[0]] = true
		}
	}
	if !commands["serve"] || !commands["api-key"] || !commands["version"] {
		t.Fatalf("the help lists %v", commands)
	}
	for command := range commands {
		for _, flag := range []string{"--help", "--nonsense"} {
			got, want := bare.run(t, command, flag), filed.run(t, command, flag)
			if got != want || want.out+want.err == "" {
				t.Errorf("%s %s: %+v, and with a file %+v", command, flag, got, want)
			}
		}
	}
}
