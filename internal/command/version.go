package command

import (
	"context"
	"strings"

	"kontor/internal/app"
)

type versionCommand struct{}

// Local keeps it here: it opens no data.
func (*versionCommand) Local() bool { return true }

// Run prints what this program was made from.
func (*versionCommand) Run(_ context.Context, env *Env) error {
	v := app.Version()
	made := v.Commit
	if v.Committed != "" {
		made += " of " + v.Committed
	}
	return env.Print(v, "kontor %s\ncommit  %s\nGo      %s\nengines %s\n", v.Version, made, v.Go,
		strings.Join(v.Engines, ", "))
}

type openapiCommand struct {
	API     string `arg:"" enum:"preview,ecom" help:"Which API: ${enum}."`
	Version string `enum:"3.1,3.0" default:"3.1" help:"Version of OpenAPI: ${enum}."`
}

// Local keeps it here: it opens no data.
func (*openapiCommand) Local() bool { return true }

// Run prints the description.
func (c *openapiCommand) Run(_ context.Context, env *Env) error {
	b, err := app.Describe(c.API, c.Version)
	if err != nil {
		return err
	}
	_, err = env.Stdout.Write(append(b, '\n'))
	return err
}
