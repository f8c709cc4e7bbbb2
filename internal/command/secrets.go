package command

import (
	"context"
	"fmt"
)

// secretsCommand is about the key that secrets are sealed with.
type secretsCommand struct {
	Rotate rotateCommand `cmd:"" help:"Make another key and seal every secret with it; keys from before stay in the file, for older backups."`
}

type rotateCommand struct{}

// Run replaces the key.
func (*rotateCommand) Run(ctx context.Context, env *Env) error {
	r, err := env.App.RotateSecrets(ctx)
	if err != nil {
		return err
	}
	lost := ""
	if r.Lost > 0 {
		lost = fmt.Sprintf("%d secrets could not be read, since their key is not here; they stay as they are\n", r.Lost)
	}
	return env.Print(map[string]any{"key": r.Key, "in": r.In, "lost": r.Lost},
		"secrets are sealed with key %s, in %s\n%s", r.Key, r.In, lost)
}
