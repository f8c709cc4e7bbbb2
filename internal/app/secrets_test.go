package app

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"kontor/internal/app/archive"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
)

// providerSecret is one that a company keeps of its account with a provider.
const providerSecret = "whsec_plain_0123456789abcdef"

// secretive is a house whose secrets are looked for.
type secretive struct {
	*testing.T
	*App
	company identity.Company
	totp    string
	shut    bool
}

// keeps opens a house with a company that keeps a provider's secret, and a person with a second factor.
func keeps(t *testing.T, engine string) *secretive {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	place := datadir.Dir{Data: data, SecretKeyFile: data + ".key"}
	if engine == "postgres" {
		place.DatabaseURL = dbtest.DatabaseURL(t)
	}
	s := &secretive{T: t, App: openApp(t, place)}
	t.Cleanup(s.close)
	var err error
	if s.company, err = s.CreateCompany(t.Context(), acme()); err != nil {
		t.Fatal(err)
	}
	hash, err := s.Hasher.Hash(t.Context(), "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	var u identity.User
	err = s.Control(t.Context(), func(tx *db.Tx) (err error) {
		u, err = identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", PasswordHash: hash,
			CompanyID: s.company.ID, Role: identity.Admin})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	offer, _, err := s.entrance.OfferTOTP(t.Context(), identity.Attempt{}, identity.Session{ID: "s", UserID: u.ID},
		"correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	s.totp = offer.Secret
	s.write(func(tx *db.Tx) error {
		_, err := checkout.Save(tx, s.payments.Providers(), checkout.Method{Code: "P", Name: "P", Provider: "Test",
			Settings: payment.Settings{"secret": providerSecret}})
		return err
	})
	return s
}

func (s *secretive) close() {
	if s.shut {
		return
	}
	s.shut = true
	if err := s.Close(context.Background()); err != nil {
		s.Error(err)
	}
}

func (s *secretive) write(fn func(*db.Tx) error) {
	s.Helper()
	if err := s.store.Write(s.Context(), db.Request{Company: s.company.ID, Actor: Operator()}, fn); err != nil {
		s.Fatal(err)
	}
}

// readable fails the test unless a company's provider has its secret.
func (s *secretive) readable(h *App, company, want, when string) {
	s.Helper()
	err := h.store.Read(s.Context(), db.Request{Company: company, Actor: Operator()}, func(tx *db.Tx) error {
		m, err := checkout.FindMethod(tx, "P")
		if m.Settings["secret"] != want {
			s.Errorf("%s the provider's secret is %q, want %q", when, m.Settings["secret"], want)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// hidden fails the test where a secret stands in a byte of the data, or of a backup of it.
func (s *secretive) hidden(when string) {
	s.Helper()
	dir := filepath.Join(s.TempDir(), "unpacked")
	file := filepath.Join(s.TempDir(), "backup")
	if _, err := s.Backup(s.Context(), BackupOf{}, file); err != nil {
		s.Fatal(err)
	}
	src, err := archive.OpenFile(file)
	if err != nil {
		s.Fatal(err)
	}
	if err := archive.Unpack(s.Context(), src, dir); err != nil {
		s.Fatal(err)
	}
	looked := 0
	look := func(name string, b []byte) {
		looked += len(b)
		for _, secret := range []string{providerSecret, s.totp} {
			if bytes.Contains(b, []byte(secret)) {
				s.Errorf("%s %s holds %s", when, name, secret)
			}
		}
	}
	for _, root := range []string{dir, s.DataDir.Data} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(path)
			look(path, b)
			return err
		})
		if err != nil {
			s.Fatal(err)
		}
	}
	if s.DataDir.DatabaseURL != "" {
		s.tables(look)
	}
	if looked < 10_000 {
		s.Errorf("%s only %d bytes were looked at", when, looked)
	}
}

// tables shows every row of a PostgreSQL database.
func (s *secretive) tables(look func(string, []byte)) {
	s.Helper()
	d := dbtest.Beside(s.T, s.DataDir.DatabaseURL)
	if _, err := d.ExecContext(s.Context(), "set kontor.company = '"+s.company.ID+"'"); err != nil {
		s.Fatal(err)
	}
	rows, err := d.QueryContext(s.Context(), `select relname, query_to_xml(format('select * from %I', relname), true, true, '')::text
		from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`)
	if err != nil {
		s.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			s.Fatal(err)
		}
		look("table "+name, []byte(text))
	}
	if err := rows.Err(); err != nil {
		s.Fatal(err)
	}
}

// No secret that is kept to be read again stands in the data or in a backup; its key can be replaced, and data does not
// open without it.
func TestSecretsAreSealed(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := keeps(t, engine)
			s.hidden("at first")
			s.readable(s.App, s.company.ID, providerSecret, "at first")
			copied, err := s.CloneCompany(t.Context(), s.company, "copy", "Copy")
			if err != nil {
				t.Fatal(err)
			}
			s.readable(s.App, copied.ID, providerSecret, "in a clone")
			before, _ := s.Keys()
			r, err := s.RotateSecrets(t.Context())
			if err != nil || r.Key == before || r.Lost != 0 {
				t.Fatalf("rotated from %s: %+v, %v", before, r, err)
			}
			s.readable(s.App, s.company.ID, providerSecret, "after another key")
			s.hidden("after another key")

			key := s.DataDir.Data + ".key"
			b, err := os.ReadFile(key)
			if err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the key's file: %v %v", info, err)
			}
			lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(b)), "\n"),
				func(l string) bool { return strings.HasPrefix(l, "#") })
			if len(lines) != 2 {
				t.Fatalf("%d keys after one was replaced", len(lines))
			}
			s.reopen(t, key, lines[1], before)
			s.reopen(t, key, lines[0], "")
			s.readable(s.App, s.company.ID, providerSecret, "without the old key")
		})
	}
}

// reopen opens the data anew with one key; refused, where it is the fingerprint of one with which it does not open.
func (s *secretive) reopen(t *testing.T, path, key, refused string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	wanted, _ := s.Keys()
	s.close()
	h, err := Open(t.Context(), s.DataDir, s.Log)
	if refused != "" {
		if err == nil || !strings.Contains(err.Error(), wanted) {
			t.Fatalf("with key %s alone: %v", refused, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	s.App, s.shut = h, false
}

// Secrets from before there was a key are sealed as the data is opened.
func TestOldSecretsAreSealed(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := keeps(t, engine)
			err := s.Control(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("-- test\nupdate app_user set totp_secret = 'JBSWY3DPEHPK3PXP'", nil)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			s.write(func(tx *db.Tx) error {
				_, err := tx.Exec(
					"-- test\nupdate payment_method set settings = '{\"secret\":\"old\"}' where company = :company and code = 'P'", nil)
				return err
			})
			s.readable(s.App, s.company.ID, "old", "before it is sealed")
			if err := s.Exchange(t.Context(), func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			equipEach(t, s.App)
			s.readable(s.App, s.company.ID, "old", "sealed")
			var totp, settings string
			err = s.Look(t.Context(), func(tx *db.Tx) error {
				_, err := tx.One("-- test\nselect totp_secret from app_user", nil, &totp)
				return err
			})
			s.write(func(tx *db.Tx) error {
				_, err := tx.One("-- test\nselect settings from payment_method where company = :company and code = 'P'",
					nil, &settings)
				return err
			})
			if err != nil || !strings.HasPrefix(totp, "sealed:") || !strings.HasPrefix(settings, "sealed:") {
				t.Errorf("%q and %q are not sealed, %v", totp, settings, err)
			}
		})
	}
}

// A backup tells which key it needs; an installation that has another refuses it, and takes it once the key is there.
func TestABackupNeedsItsKey(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := keeps(t, engine)
			file := filepath.Join(t.TempDir(), "backup")
			m, err := s.Backup(t.Context(), BackupOf{}, file)
			if err != nil {
				t.Fatal(err)
			}
			if id, _ := s.Keys(); m.SecretKey != id {
				t.Errorf("the backup names key %q, it is %q", m.SecretKey, id)
			}
			data := filepath.Join(t.TempDir(), "other")
			place := datadir.Dir{Data: data, SecretKeyFile: data + ".key"}
			other := openApp(t, place)
			defer func() { other.Close(context.Background()) }()
			_, err = other.Restore(t.Context(), file, "", false, false)
			if !fault.Is(err, ErrNoKey) || !strings.Contains(err.Error(), m.SecretKey) {
				t.Fatalf("without its key: %v", err)
			}
			if all, err := other.Companies(t.Context()); err != nil || len(all) != 0 {
				t.Errorf("refused, and yet there are %d companies, %v", len(all), err)
			}
			theirs, err1 := os.ReadFile(s.DataDir.Data + ".key")
			mine, err2 := os.ReadFile(place.Data + ".key")
			if err := errors.Join(err1, err2, os.WriteFile(place.Data+".key", append(mine, theirs...),
				0o600)); err != nil {
				t.Fatal(err)
			}
			if err := other.Exchange(t.Context(), func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			if _, err := other.Restore(t.Context(), file, "", false, false); err != nil {
				t.Fatal(err)
			}
			s.readable(other, s.company.ID, providerSecret, "restored")
			_, err = other.entrance.SignIn(t.Context(), identity.Attempt{Address: "192.0.2.1"}, "anna@example.com",
				"correct horse battery")
			if err != nil {
				t.Errorf("after the restore: %v", err)
			}
		})
	}
}
