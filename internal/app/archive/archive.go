// Package archive is the form of a backup: a manifest that names every file with its checksum, and the files.
// control/*.ndjson are rows of the control database; a company's books are cells/{id}.db where they were a file, and
// cells/{id}/*.ndjson where they were rows of a shared database; media/ are the media as they lay. Every backup can be
// restored on every engine.
//
// It lies in one of two ways. An archive is one tar file, compressed with zstd, the manifest first, and behind it a
// seal over every byte. A vault is a folder or a bucket of many backups, which share what they have in common: their
// files are cut where their content says so, and each piece lies under the hash of its bytes, once.
package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kontor/internal/foundation/db"
)

// format is the version of this form. A reader refuses what it does not know; form 1 had no seal, form 2 no steps and
// counts.
const format = 3

const manifestName = "manifest.json"

// controlFile is the one file that every backup has: the companies in it, even if there are none.
const controlFile = "control/001_company.ndjson"

// Manifest says what a backup holds.
type Manifest struct {
	Format      int              `json:"format"`
	Kontor      string           `json:"kontor"` // version of the program that wrote it
	CreatedDate string           `json:"createdDate"`
	Engine      string           `json:"engine"`
	Schema      map[string]int64 `json:"schema"` // control, cell
	// Steps are the steps that made the two schemas. Files know theirs better: here they matter for rows.
	Steps map[string][]int64 `json:"steps,omitempty"`
	Whole bool               `json:"whole"` // the installation, and not one company of it
	// Installation tells the backups of one installation from those of others in the same vault.
	Installation string `json:"installation,omitempty"`
	// SecretKey is the fingerprint of the key that the secrets in it are sealed with. The key is not in it.
	SecretKey string    `json:"secretKey,omitempty"`
	Companies []Company `json:"companies"`
	Files     []File    `json:"files"`
}

// Company is a company in a backup.
type Company struct {
	ID          string `json:"companyId"`
	Code        string `json:"code"`
	Name        string `json:"name"`
	Environment string `json:"environment"`
	Rows        int64  `json:"rows,omitempty"`  // of its books; 0 in backups from before they were counted
	Media       int    `json:"media,omitempty"` // files that its records use
	// Missing are such files, by their hashes, that were lost before the backup, which was made all the same.
	Missing []string `json:"missing,omitempty"`
}

// File is one file in a backup.
type File struct {
	Name   string  `json:"name"`
	Size   int64   `json:"size"`
	SHA256 string  `json:"sha256"`
	Pieces []piece `json:"pieces,omitempty"` // in a vault
}

// Target takes the files of a backup. It is a backup only once Finish has returned.
type Target interface {
	// ByPage says that copies of databases should leave every page where it was.
	ByPage() bool
	// Has reports whether a file that never changes under its name is here already; then it counts as taken.
	Has(name string) bool
	// Take takes the file at path, which is gone from there afterwards.
	Take(ctx context.Context, name, path string) error
	// Stream takes a file as it is read.
	Stream(ctx context.Context, name string, r io.Reader) error
	// Finish writes the manifest, reads everything back, and only then gives the backup its name.
	Finish(ctx context.Context, m Manifest) (Written, error)
}

// Written is what a backup became.
type Written struct {
	Manifest
	Name  string // of the file, or within the vault
	Bytes int64  // that the backup takes, with what it shares with others
	New   int64  // bytes of them that were not there yet
}

// Source is a backup to read.
type Source interface {
	Manifest() Manifest
	// Each hands out every file once, in any order. What take leaves unread was not looked at.
	Each(ctx context.Context, take func(f File, r io.Reader) error) error
	Close() error
}

// complete fills in what every manifest has.
func (m *Manifest) complete(files []File) {
	m.Format, m.Files = format, files
	if m.CreatedDate == "" {
		m.CreatedDate = time.Now().UTC().Format(time.RFC3339)
	}
}

// readable refuses what this program cannot restore.
func (m *Manifest) readable(name string) error {
	if m.Format < 1 || m.Format > format {
		return fmt.Errorf("%s has form %d, this program knows 1 to %d: use Kontor %s or a later one", name, m.Format,
			format, m.Kontor)
	}
	for _, schema := range []db.Schema{db.ControlSchema, db.CellSchema} {
		known := db.StepNumbers(schema)
		have := m.Steps[string(schema)]
		if len(have) == 0 && m.Schema[string(schema)] > 0 {
			have = []int64{m.Schema[string(schema)]}
		}
		for _, step := range have {
			if step > known[len(known)-1] || m.Format >= format && !slices.Contains(known, step) {
				return fmt.Errorf("%s, of Kontor %s, has step %d of its %s schema, which this program does not know: %w",
					name, m.Kontor, step, schema, db.ErrNewer)
			}
		}
	}
	return nil
}

// StepsOf are the steps that made a schema.
func (m *Manifest) StepsOf(schema db.Schema) []int64 {
	if steps := m.Steps[string(schema)]; len(steps) > 0 {
		return steps
	}
	newest := m.Schema[string(schema)]
	return slices.DeleteFunc(db.StepNumbers(schema), func(step int64) bool { return step > newest })
}

// Unpack writes the files of a backup below dir and proves it as Prove does.
func Unpack(ctx context.Context, s Source, dir string) error {
	return prove(ctx, s, func(f File) (io.WriteCloser, error) {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return nil, fmt.Errorf("%q leads out of the folder", f.Name)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return synced{out}, err
	})
}

// synced is a file that is on the disk once it is closed.
type synced struct{ *os.File }

func (f synced) Close() error { return errors.Join(f.Sync(), f.File.Close()) }

// Prove reads a backup from end to end: every file against its checksum, and the companies against the backup's own
// control data.
// Every company whose doors are open must have its books there, and books that are rows as many as were counted when
// they were written.
func Prove(ctx context.Context, s Source) error {
	return prove(ctx, s, func(File) (io.WriteCloser, error) { return nowhere{io.Discard}, nil })
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

func prove(ctx context.Context, s Source, place func(File) (io.WriteCloser, error)) error {
	m := s.Manifest()
	p := prover{rows: map[string]int64{}, files: map[string]bool{}}
	for _, f := range m.Files {
		p.files[f.Name] = true
	}
	err := s.Each(ctx, func(f File, r io.Reader) error {
		out, err := place(f)
		if err != nil {
			return err
		}
		return errors.Join(p.file(f, io.TeeReader(r, out)), out.Close())
	})
	if err != nil {
		return err
	}
	for _, c := range m.Companies {
		switch rows, ok := p.rows[c.ID]; {
		case !ok && !p.files["cells/"+c.ID+".db"]:
			return fmt.Errorf("the books of company %s are missing", c.Code)
		case ok && c.Rows > 0 && rows != c.Rows:
			return fmt.Errorf("the books of company %s have %d rows, and %d were written", c.Code, rows, c.Rows)
		}
	}
	for _, code := range p.open {
		if !slices.ContainsFunc(m.Companies, func(c Company) bool { return c.Code == code }) {
			return fmt.Errorf("company %s is in the control data, and its books are missing", code)
		}
	}
	if m.Format > 2 && !p.files[controlFile] {
		return errors.New("the control data is missing")
	}
	return nil
}

// prover is what was seen of a backup while it was read.
type prover struct {
	open  []string         // codes of companies that are open, by the control data
	rows  map[string]int64 // by company, of books that are rows
	files map[string]bool  // by name
}

func (p *prover) file(f File, r io.Reader) error {
	h := sha256.New()
	read := io.TeeReader(r, h)
	dir := path.Dir(f.Name) + "/"
	var err error
	switch {
	case dir == "control/":
		err = readRows(f.Name, read, p.company)
	case dir != "cells/" && strings.HasPrefix(dir, "cells/"):
		company := strings.Trim(strings.TrimPrefix(dir, "cells/"), "/")
		p.rows[company] += 0
		err = readRows(f.Name, read, func(_ Table, rows Rows) error { p.rows[company] += int64(len(rows)); return nil })
	}
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, read); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s does not match its checksum", f.Name)
	}
	return nil
}

func (p *prover) company(t Table, rows Rows) error {
	code, status := slices.Index(t.Columns, "code"), slices.Index(t.Columns, "status")
	for _, r := range rows {
		if t.Name == "company" && r[status] == "Active" {
			p.open = append(p.open, r[code].(string))
		}
	}
	return nil
}

// encode is the manifest as it lies in a backup.
func (m Manifest) encode() ([]byte, error) { return json.MarshalIndent(m, "", "  ") }
