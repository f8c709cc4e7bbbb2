package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kontor/internal/business/assistant"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/seal"
)

// keyFile is where the key of the secrets lies: where it is said, else beside the data, so that a copy of the data
// holds no key.
func (p DataDir) keyFile() (string, error) {
	if p.SecretKeyFile != "" {
		return p.SecretKeyFile, nil
	}
	dir, err := filepath.Abs(p.Data)
	return dir + ".key", err
}

// usual is the place of the key that new data of a user gets: in their configuration. So whatever one person runs on a
// machine opens there, restored, moved or on several nodes. It is no place for who has no such folder, or has said
// where the key lies.
func (p DataDir) usual() (DataDir, bool) {
	config, err := os.UserConfigDir()
	if err != nil || p.SecretKeyFile != "" || os.MkdirAll(filepath.Join(config, "kontor"), privateFolder) != nil {
		return DataDir{}, false
	}
	return DataDir{SecretKeyFile: filepath.Join(config, "kontor", "secret.key")}, true
}

// firstKeys gives data that has no key file here one: with the user's usual keys, if they hold the one that the data
// wants, or a new key where it wants none yet.
func (p DataDir) firstKeys(wanted string) ([]seal.Key, error) {
	keys := []string{seal.NewKey()}
	if usual, ok := p.usual(); ok {
		if wanted == "" {
			_ = usual.writeKeys(false, keys...) // a folder that cannot be written has no usual key
		}
		if text, err := os.ReadFile(usual.SecretKeyFile); err == nil {
			keys = slices.DeleteFunc(strings.Split(strings.TrimSpace(string(text)), "\n"),
				func(l string) bool { return strings.HasPrefix(l, "#") })
		}
	}
	known, err := seal.Parse(strings.Join(keys, "\n"))
	if err != nil {
		return nil, fmt.Errorf("the usual key cannot be used: %w; name another with --secret-key-file", err)
	}
	if wanted != "" && !slices.ContainsFunc(known, func(k seal.Key) bool { return k.ID == wanted }) {
		return nil, nil
	}
	if err := p.writeKeys(false, keys...); err != nil {
		return nil, err
	}
	return p.readKeys()
}

// keySource is how people know where the key comes from.
func (p DataDir) keySource() string {
	if p.SecretKey != "" {
		return "KONTOR_SECRET_KEY"
	}
	path, err := p.keyFile()
	if err != nil {
		return "the key file"
	}
	return path
}

// readKeys reads the keys; none and no error where there is no file.
func (p DataDir) readKeys() ([]seal.Key, error) {
	text := p.SecretKey
	if text == "" {
		path, err := p.keyFile()
		if err != nil {
			return nil, err
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the key of the secrets cannot be read: %w", err)
		}
		text = string(b)
	}
	keys, err := seal.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; a key is 32 bytes in base64, the newest first", p.keySource(), err)
	}
	return keys, nil
}

const keyNote = `# The key of the secrets in Kontor's data: of second factors and payment providers. Whoever has it and the data can read them; without
# it nobody can. Keep a copy apart from the data and its backups. The first key seals, all of them open.
`

// writeKeys puts keys into the key file, the newest first, under its name only once they are on the disk. A file that
// is there is replaced only where it is wanted.
func (p DataDir) writeKeys(replace bool, keys ...string) error {
	path, err := p.keyFile()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-key-") // 0600
	if err != nil {
		return fmt.Errorf(
			"the key of the secrets cannot be made: %w; name another place with --secret-key-file, or give it as KONTOR_SECRET_KEY", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(keyNote + strings.Join(keys, "\n") + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if replace {
		return os.Rename(f.Name(), path)
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// openKeys reads the key of the secrets, making it where nothing was sealed yet, and refuses to go on without the one
// that the data was sealed with. What lies in the control data unsealed is sealed.
func (h *App) openKeys(ctx context.Context, store *db.Store) error {
	keys, err := h.DataDir.readKeys()
	if err != nil {
		return err
	}
	var wanted string
	err = store.Control(ctx, db.Request{Actor: Operator()}, false, db.Into(&wanted, identity.SecretKey))
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		if keys, err = h.DataDir.firstKeys(wanted); err != nil {
			return err
		}
	}
	h.ring.Use(keys, h.DataDir.readKeys)
	err = store.Control(ctx, db.Request{Actor: Operator()}, true, func(tx *db.Tx) (err error) {
		if wanted, err = identity.ClaimSecretKey(tx, h.ring.Current()); err != nil || !h.ring.Has(wanted) {
			return err
		}
		_, err = identity.Reseal(tx)
		return err
	})
	if err == nil && !h.ring.Has(wanted) {
		err = fmt.Errorf(
			"the secrets of this data are sealed with key %s, which is not in %s: put it there, or name its file with --secret-key-file",
			wanted, h.DataDir.keySource())
	}
	if err == nil {
		h.Log.Info("secrets are sealed; keep a copy of the key apart from the data and its backups", "key",
			h.ring.Current(), "in", h.DataDir.keySource())
	}
	return err
}

// Keys are the fingerprints of the key that secrets are sealed with, and where it comes from.
func (h *App) Keys() (id, source string) { return h.ring.Current(), h.DataDir.keySource() }

// Rotated is what came of another key.
type Rotated struct {
	Key  string // the fingerprint of the one that seals now
	In   string
	Lost int // values whose key is not here; they stay as they are
}

// RotateSecrets makes another key and seals every secret with it. Keys from before stay in the file behind it: older
// backups need them.
// A key that comes from the environment is replaced there, the old one behind it; then this seals with the first.
func (h *App) RotateSecrets(ctx context.Context) (r Rotated, err error) {
	if h.DataDir.SecretKey == "" {
		path, err := h.DataDir.keyFile()
		if err != nil {
			return r, err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return r, err
		}
		old := strings.TrimSpace(strings.TrimPrefix(string(b), keyNote))
		if err := h.DataDir.writeKeys(true, seal.NewKey(), old); err != nil {
			return r, err
		}
		keys, err := h.DataDir.readKeys()
		if err != nil {
			return r, err
		}
		h.ring.Use(keys, h.DataDir.readKeys)
	}
	r.Key, r.In = h.Keys()
	err = h.Control(ctx, func(tx *db.Tx) error {
		lost, err := identity.Reseal(tx)
		r.Lost += lost
		if err != nil {
			return err
		}
		return askAgain(tx, "", dueEquip) // where this is broken off, a server goes on with it
	})
	if err != nil {
		return r, err
	}
	companies, err := h.Companies(ctx)
	if err != nil {
		return r, err
	}
	for _, c := range companies {
		if c.Status != identity.Active {
			continue
		}
		lost, err := resealCompany(ctx, h.store, c.ID)
		if err != nil {
			return r, fmt.Errorf("company %s: %w; repeat this command", c.Code, err)
		}
		r.Lost += lost
	}
	return r, h.Control(ctx, func(tx *db.Tx) error { return identity.SetSecretKey(tx, r.Key) })
}

// resealCompany seals a company's secrets with the present key that are not.
func resealCompany(ctx context.Context, store *db.Store, company string) (lost int, err error) {
	as := db.Request{Company: company, Actor: Operator()}
	err = store.Write(ctx, as, db.Into(&lost, func(tx *db.Tx) (int, error) { return reseal(tx, "") }))
	return lost, err
}

// reseal seals what the rooms of a company keep secret with the present key; from is the company that its data was
// copied from, "" where it is its own.
func reseal(tx *db.Tx, from string) (lost int, err error) {
	for _, room := range []func(*db.Tx, string) (int, error){checkout.Reseal, assistant.Reseal, support.Reseal} {
		some, err := room(tx, from)
		if lost += some; err != nil {
			return lost, err
		}
	}
	return lost, nil
}
