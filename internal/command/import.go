package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"

	"kontor/internal/app"
	"kontor/internal/exchange"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/table"
)

// importMemory is from where on an import collects garbage as often as it must; the database's own cache comes on top.
const importMemory = 300 << 20

type importCommand struct {
	Kind     string            `arg:"" enum:"${kinds}" help:"What the rows are: ${kinds}."`
	File     string            `arg:"" help:"CSV, TSV, XLSX or NDJSON, also with .gz or .zst; - is standard input."`
	Format   string            `placeholder:"EXT" help:"Format of the file, as its name would end: csv, tsv, xlsx, ndjson, also with .gz or .zst; what its name says if left out, csv of standard input."`
	Company  string            `required:"" help:"Code or id of the company."`
	Map      map[string]string `placeholder:"TARGET=COLUMN" help:"Which column holds what, where its name does not say; may be repeated."`
	DryRun   bool              `help:"Read and check everything, change nothing."`
	TaxCode  string            `default:"ZERO" help:"orders: the tax code of lines that name none."`
	Scope    string            `default:"import" help:"orders: their externalOrderScope."`
	Country  string            `placeholder:"CODE" help:"postal-codes: the country of rows that name none."`
	Missing  string            `default:"NA" help:"orders: the text that stands for a value that is not there."`
	Encoding string            `placeholder:"NAME" help:"How CSV and TSV are written: utf-8 (the default), cp1252 as older spreadsheets of Western Europe do, iso-8859-15, macintosh. UTF-16 is known by its mark."`
	Comma    bool              `name:"decimal-comma" help:"Numbers have a decimal comma, as 1234,50 or 1.234,50."`
	Delim    string            `name:"delimiter" placeholder:"SIGN" help:"What stands between two values of a CSV file, such as ; or |, or the word tab; found in its first line if left out."`
	Heads    string            `placeholder:"FILE" help:"purchase-orders: the file of their heads, where FILE has the lines alone; --map is of both."`
	Stay     bool              `help:"purchase-orders: what came lies in the warehouse still. Else it is booked out again: it was used up before the books began."`
	Close    bool              `help:"purchase-orders: what has not come is given up."`
	Services string            `placeholder:"REGEX" help:"orders: item codes that are services, whole code (default: letters alone, or shorter than three)."`
}

// Run imports the file and prints what became of it.
func (c *importCommand) Run(ctx context.Context, env *Env) error {
	company, err := env.App.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	t, err := c.read(env, c.File)
	if err != nil {
		return err
	}
	defer t.Close()
	if env.Alone {
		// Millions of short-lived rows: collecting them less often is worth some memory. A server's memory is not ours
		// to limit.
		defer debug.SetGCPercent(debug.SetGCPercent(150))
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
	}
	p := newProgress(env)
	defer p.done()
	desk := exchange.Context{Store: env.App.Store(), Tick: p.tick,
		As: db.Request{Company: company.ID, Actor: db.Actor{Kind: "system", ID: "import", Name: "kontor import"}}}
	if c.Kind != "orders" {
		o := exchange.Options{Mapping: c.Map, DryRun: c.DryRun, Country: c.Country, Comma: c.Comma, Stay: c.Stay,
			Close: c.Close, English: app.InEnglish}
		if c.Heads != "" {
			if o.Heads, err = c.read(env, c.Heads); err != nil {
				return err
			}
			defer o.Heads.Close()
		}
		r, err := exchange.Import(ctx, desk, c.Kind, t, o)
		p.done()
		switch {
		case err == nil:
			return printRows(env, c.DryRun, r)
		case r.Rows == 0:
			return err
		}
		return errors.Join(err, printReport(env, c.DryRun, r)) // of the rows before it went wrong
	}
	r, err := exchange.ImportOrders(ctx, desk, t, exchange.OrderOptions{Mapping: c.Map, TaxCode: c.TaxCode,
		Scope: c.Scope, Missing: c.Missing, Services: c.Services, DryRun: c.DryRun, Comma: c.Comma})
	p.done()
	if err != nil {
		return err
	}
	return printOrders(env, r)
}

// read opens a file, or standard input.
func (c *importCommand) read(env *Env, file string) (*table.Reader, error) {
	// A dry run holds what it tries until its end: it does not wait meanwhile for who is still sending the file.
	o := table.ReadOptions{Encoding: c.Encoding, AtHand: c.DryRun, Format: c.Format}
	switch sign := []rune(c.Delim); {
	case c.Delim == "tab":
		o.Delimiter = '\t'
	case len(sign) == 1 && !strings.ContainsAny(c.Delim, "\"\r\n"):
		o.Delimiter = sign[0]
	case c.Delim != "":
		return nil, fmt.Errorf("--delimiter: %q is not one sign such as ; or |, nor the word tab", c.Delim)
	}
	if file == "-" {
		o.Format = cmp.Or(c.Format, "csv")
		return table.Read(env.Stdin, "standard input", o)
	}
	return table.Open(env.Path(file), o)
}

func printOrders(env *Env, r exchange.OrderReport) error {
	if env.JSON {
		return env.Print(r, "")
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tdocuments\tlines\tnet amount\tcreated\tunchanged\t")
	for _, row := range []struct {
		name string
		t    exchange.Totals
	}{{"orders", r.Orders}, {"credit notes", r.CreditNotes}} {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t\n", row.name, row.t.Documents, row.t.Lines, row.t.NetAmount.Fixed(2),
			row.t.Created, row.t.Unchanged)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout,
		"%d lines read; %d credit lines name the sale they cancel; created %d items, %d customers; opening stock of %d items\n",
		r.LinesRead, r.MatchedLines, r.ItemsCreated, r.CustomersCreated, r.OpeningItems)
	for _, s := range r.Skipped {
		rows := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(s.Rows)), ", "), "[]")
		fmt.Fprintf(env.Stdout, "skipped %d lines: %s (%s), for example rows %s\n", s.Lines, s.Reason, s.Code, rows)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(env.Stdout, "warning:", warning)
	}
	return nil
}

// printRows prints what became of the rows. Refused ones are a failure, so that a script notices.
func printRows(env *Env, dry bool, r exchange.Report) error {
	if err := printReport(env, dry, r); err != nil || r.RefusedRows == 0 {
		return err
	}
	return fmt.Errorf(
		"%d of %d rows were refused; mend them and import the file again, the other rows stay as they are",
		r.RefusedRows, r.Rows)
}

func printReport(env *Env, dry bool, r exchange.Report) error {
	if env.JSON {
		return env.Print(r, "")
	}
	for _, row := range r.Refused {
		name := strings.TrimSpace(fmt.Sprintf("row %d %s", row.Row, row.Key))
		fmt.Fprintf(env.Stdout, "%s: %s (%s)\n", name, strings.TrimSuffix(row.Detail, "."), row.Code)
	}
	if more := r.RefusedRows - len(r.Refused); more > 0 {
		fmt.Fprintf(env.Stdout, "and %d more rows\n", more)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(env.Stdout, "warning:", warning)
	}
	for _, sum := range r.Sums {
		fmt.Fprintf(env.Stdout, "%s: %s in the file, %s in the books", sum.Name, sum.File, sum.Books)
		if sum.Why != "" {
			fmt.Fprintf(env.Stdout, " (%s: %s)", sum.Why, sum.Books.Sub(sum.File))
		}
		fmt.Fprintln(env.Stdout)
	}
	would := ""
	if dry {
		would = " (dry run: nothing was changed)"
	}
	_, err := fmt.Fprintf(env.Stdout, "%d rows read: %d created, %d updated, %d unchanged, %d refused%s\n", r.Rows,
		r.Created, r.Updated, r.Unchanged, r.RefusedRows, would)
	return err
}

// progress is a bar on a terminal, and a plain line every few seconds elsewhere.
type progress struct {
	env  *Env
	bar  *progressbar.ProgressBar
	what string
	last time.Time
}

func newProgress(env *Env) *progress { return &progress{env: env, last: time.Now()} }

// everySoOften is the pause between plain progress lines.
const everySoOften = 10 * time.Second

func (p *progress) tick(done, total int64, what string) {
	if !p.env.Terminal {
		if time.Since(p.last) > everySoOften {
			p.last = time.Now()
			fmt.Fprintf(p.env.Stderr, "%s: %s\n", what, soFar(done, total))
		}
		return
	}
	if p.bar == nil || p.what != what {
		p.done()
		p.what = what
		options := []progressbar.Option{progressbar.OptionSetWriter(p.env.Stderr),
			progressbar.OptionSetDescription(what), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100 * time.Millisecond), progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish()}
		if total <= 0 {
			total, options = -1, append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts())
		}
		p.bar = progressbar.NewOptions64(total, options...)
	}
	p.bar.Set64(done)
}

// soFar is the part of a whole that is done, which may be measured in bytes; of an unknown whole, how many rows.
func soFar(done, total int64) string {
	if total > 0 {
		return fmt.Sprintf("%d %%", 100*done/total)
	}
	return fmt.Sprintf("%d rows", done)
}

func (p *progress) done() {
	if p.bar != nil {
		p.bar.Finish()
		p.bar = nil
	}
}
