package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/seal"
)

// keyFile is where the key of the secrets lies: where it is said, else beside the data, so that a copy of the data
// holds no key.
func (p Dir) keyFile() (string, error) {
	if p.SecretKeyFile != "" {
		return p.SecretKeyFile, nil
	}
	dir, err := filepath.Abs(p.Data)
	return dir + ".key", err
}

// usual is the place of the key that new data of a user gets: in their configuration. So whatever one person runs on a
// machine opens there, restored, moved or on several nodes. It is no place for who has no such folder, or has said
// where the key lies.
func (p Dir) usual() (Dir, bool) {
	config, err := os.UserConfigDir()
	if err != nil || p.SecretKeyFile != "" || durable.MakeFolder(filepath.Join(config, "kontor")) != nil {
		return Dir{}, false
	}
	return Dir{SecretKeyFile: filepath.Join(config, "kontor", "secret.key")}, true
}

// FirstKeys gives data that has no key file here one: with the user's usual keys, if they hold the one that the data
// wants, or a new key where it wants none yet.
func (p Dir) FirstKeys(wanted string) ([]seal.Key, error) {
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
	return p.ReadKeys()
}

// KeySource is how people know where the key comes from.
func (p Dir) KeySource() string {
	if p.SecretKey != "" {
		return "KONTOR_SECRET_KEY"
	}
	path, err := p.keyFile()
	if err != nil {
		return "the key file"
	}
	return path
}

// ReadKeys reads the keys; none and no error where there is no file.
func (p Dir) ReadKeys() ([]seal.Key, error) {
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
		return nil, fmt.Errorf("%s: %w; a key is 32 bytes in base64, the newest first", p.KeySource(), err)
	}
	return keys, nil
}

// KnownKeys are the keys of the data, or of its user where it has none yet.
func (p Dir) KnownKeys() ([]seal.Key, error) {
	keys, err := p.ReadKeys()
	if usual, ok := p.usual(); err == nil && len(keys) == 0 && ok {
		keys, err = usual.ReadKeys()
	}
	return keys, err
}

// AddKey puts a new key into the key file, before those that are in it: older backups need them.
func (p Dir) AddKey() error {
	path, err := p.keyFile()
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return p.writeKeys(true, seal.NewKey(), strings.TrimSpace(strings.TrimPrefix(string(b), keyNote)))
}

const keyNote = `# The key of the secrets in Kontor's data: of second factors and payment providers. Whoever has it and the data can read them; without
# it nobody can. Keep a copy apart from the data and its backups. The first key seals, all of them open.
`

// writeKeys puts keys into the key file, the newest first, under its name only once they are on the disk. A file that
// is there is replaced only where it is wanted.
func (p Dir) writeKeys(replace bool, keys ...string) error {
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
		return durable.Rename(f.Name(), path)
	}
	if err := durable.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
