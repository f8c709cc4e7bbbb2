package command

import (
	"context"
	"os"
	"strings"

	"kontor/internal/app/archive"
)

type backupCommand struct {
	File    string `arg:"" help:"Archive to write, such as kontor.tar.zst; one of this name is replaced once the new one is whole."`
	Company string `help:"Code or id of the one company to copy; everything if left out."`
}

// Run writes the archive.
func (c *backupCommand) Run(ctx context.Context, env *Env) error {
	path := env.Path(c.File)
	m, err := env.House.Backup(ctx, c.Company, path)
	if err != nil {
		return err
	}
	_, source := env.House.Keys()
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return env.Print(map[string]any{"file": path, "bytes": info.Size(), "createdDate": m.CreatedDate, "companies": m.Companies, "secretKey": m.SecretKey},
		"%s: %d bytes, %s\nits secrets need key %s, which is not in it: keep a copy of %s elsewhere\n", c.File, info.Size(), codes(m.Companies), m.SecretKey, source)
}

func codes(companies []archive.Company) string {
	if len(companies) == 0 {
		return "no company"
	}
	all := make([]string, len(companies))
	for i, c := range companies {
		all[i] = c.Code
	}
	return strings.Join(all, ", ")
}

type restoreCommand struct {
	File    string `arg:"" help:"Archive that backup wrote."`
	Company string `help:"Code or id of the one company to put back; everything in the archive if left out."`
	Force   bool   `help:"Replace companies that are here already."`

	WithoutSecrets bool `help:"Restore though the backup's key is missing: second factors need a recovery code then, and payment methods their settings anew."`
}

// Exclusive keeps other commands away while the data is exchanged.
func (*restoreCommand) Exclusive() {}

// Run puts the archive back.
func (c *restoreCommand) Run(ctx context.Context, env *Env) error {
	r, err := env.House.Restore(ctx, env.Path(c.File), c.Company, c.Force, c.WithoutSecrets)
	if err != nil {
		return err
	}
	kept := ""
	if r.Kept != "" {
		kept = "what was replaced lies in " + r.Kept + "\n"
	}
	return env.Print(map[string]any{"companies": r.Companies, "kept": r.Kept},
		"restored %s\n%skeys and passwords are those of the backup: revoke again what was revoked since\n", codes(r.Companies), kept)
}
