package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"

	"kontor/internal/exchange"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/spool"
	"kontor/internal/foundation/table"
)

type exportCommand struct {
	Kind    string `arg:"" enum:"${kinds}" help:"What the rows are: ${kinds}."`
	File    string `arg:"" optional:"" help:"Where to write; the name says the format: .csv, .tsv, .xlsx or .ndjson, also with .gz or .zst. Standard output if left out, or -."`
	Company string `required:"" help:"Code or id of the company."`
	Format  string `placeholder:"EXT" help:"Format as a file's name would end, such as csv or ndjson.gz; csv for standard output."`
	Raw     bool   `help:"Write values that begin like a formula as they are, for programs; else CSV and TSV put an apostrophe before them, which import takes off."`
	BOM     bool   `name:"bom" help:"Begin CSV and TSV with a byte order mark, by which some spreadsheets know UTF-8."`
}

func (c *exportCommand) options() table.Options { return table.Options{Raw: c.Raw, BOM: c.BOM} }

// ReadsOnly says that it changes nothing.
func (*exportCommand) ReadsOnly() {}

// Run writes the table. A file appears under its name once it is whole.
func (c *exportCommand) Run(ctx context.Context, env *Env) error {
	company, err := env.App.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	p := newProgress(env)
	defer p.done()
	desk := exchange.Context{Store: env.App.Store(), Tick: p.tick,
		As: db.Request{Company: company.ID, Actor: db.Actor{Kind: "system", ID: "export", Name: "kontor export"}}}
	if c.File == "" || c.File == "-" {
		return c.show(ctx, env, desk)
	}
	path, err := env.Output(c.File)
	if err != nil {
		return err
	}
	rows, err := c.write(ctx, path, desk)
	p.done()
	if err != nil {
		return err
	}
	return env.Print(map[string]any{"rows": rows, "file": c.File}, "%d rows\n", rows)
}

// show writes to standard output, once the table is whole: a reader who takes his time must not keep a snapshot of the
// data open.
func (c *exportCommand) show(ctx context.Context, env *Env, desk exchange.Context) error {
	f, err := spool.New()
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = exchange.Export(ctx, desk, c.Kind, f, "standard output."+cmp.Or(c.Format, "csv"),
		c.options()); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = io.Copy(env.Stdout, f)
	}
	return err
}

func (c *exportCommand) write(ctx context.Context, path string, desk exchange.Context) (rows int, err error) {
	name := path
	if c.Format != "" {
		name += "." + c.Format
	}
	f, err := os.Create(path + ".partial")
	if err != nil {
		return 0, err
	}
	rows, err = exchange.Export(ctx, desk, c.Kind, f, name, c.options())
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = durable.Rename(f.Name(), path)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(f.Name()))
	}
	return rows, nil
}
