package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"kontor/internal/app/socket"
	"kontor/internal/foundation/each"
)

// sources is where a flag's value comes from when it is not on the command line: the caller's variables, else the
// caller's file. They are the caller's and not this process's, which may be a server.
type sources struct {
	env  map[string]string
	file map[string]any
	path string
}

// defaultFile is read where it lies in the working folder.
const defaultFile = "kontor.toml"

func sourcesOf(call socket.Call) (*sources, error) {
	s := &sources{env: call.Env, path: configFlag(call.Args)}
	s.path = cmp.Or(s.path, call.Env["KONTOR_CONFIG"])
	asked := s.path != ""
	if !asked {
		s.path = defaultFile
	}
	name := s.path
	if !filepath.IsAbs(name) {
		name = filepath.Join(call.Dir, name)
	}
	b, err := os.ReadFile(name)
	if !asked && errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the file named by --config cannot be read: %w", err)
	}
	if err := toml.Unmarshal(b, &s.file); err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	return s, nil
}

// configFlag finds --config before the flags are parsed, since parsing them needs the file.
func configFlag(args []string) string {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--config="); ok {
			return v
		}
		if a == "--config" && i+1 < len(args) {
			return args[i+1]
		}
		if a == "--" {
			break
		}
	}
	return ""
}

// Validate refuses keys of the file that are no flags: a misspelt one would silently do nothing.
func (s *sources) Validate(app *kong.Application) error {
	return unknownKeys(s.path, "", s.file, app.Node)
}

func unknownKeys(path, section string, file map[string]any, node *kong.Node) error {
	for _, key := range slices.Sorted(maps.Keys(file)) {
		if table, ok := file[key].(map[string]any); ok {
			i := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == key })
			if i < 0 {
				return fmt.Errorf("%s: [%s%s] is no command", path, section, key)
			}
			if err := unknownKeys(path, section+key+".", table, node.Children[i]); err != nil {
				return err
			}
			continue
		}
		if !knownFlag(node, key) {
			return fmt.Errorf("%s: %s%s is no flag", path, section, key)
		}
	}
	return nil
}

// knownFlag reports whether node or a command below it takes the flag.
func knownFlag(node *kong.Node, name string) bool {
	for n := node; n != nil; n = n.Parent {
		if slices.ContainsFunc(n.Flags, func(f *kong.Flag) bool { return f.Name == name }) {
			return true
		}
	}
	return slices.ContainsFunc(node.Children, func(c *kong.Node) bool { return knownBelow(c, name) })
}

func knownBelow(node *kong.Node, name string) bool {
	return slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == name }) ||
		slices.ContainsFunc(node.Children, func(c *kong.Node) bool { return knownBelow(c, name) })
}

// Resolve answers a flag's value, or nil where no source has one. The file's table of the command wins over
// its top.
func (s *sources) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" {
		return nil, nil
	}
	if v := s.env["KONTOR_"+strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))]; v != "" {
		return v, nil
	}
	var found any
	if v, ok := s.file[flag.Name]; ok {
		found = v
	}
	table := s.file
	for _, p := range ctx.Path {
		if p.Command == nil {
			continue
		}
		next, ok := table[p.Command.Name].(map[string]any)
		if !ok {
			break
		}
		if v, ok := next[flag.Name]; ok {
			found = v
		}
		table = next
	}
	return text(flag.Name, found)
}

// text is a value of the file as it would be typed on the command line.
func text(name string, v any) (any, error) {
	switch v := v.(type) {
	case nil, string:
		return v, nil
	case []any:
		parts := each.Of(v, func(e any) string { return fmt.Sprint(e) })
		return strings.Join(parts, ","), nil
	case map[string]any:
		return nil, fmt.Errorf("%s is a flag, not a table", name)
	}
	return fmt.Sprint(v), nil
}
