package app_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/exchange"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/table"
)

// shelf are those of a company whose tables come in and go out.
type shelf struct {
	*testing.T
	kontor  *app.App
	company identity.Company
}

func (b shelf) desk() exchange.Context {
	return exchange.Context{Store: b.kontor.Store(), As: db.Request{Company: b.company.ID, Actor: app.Operator()}}
}

// fresh is a company of which no table says anything yet; what no table carries is there.
func fresh(t *testing.T, kontor *app.App, code string) shelf {
	t.Helper()
	c, err := kontor.CreateCompany(t.Context(), identity.Company{Code: code, Name: "Acme AB", Country: "SE",
		Currency: "SEK", Environment: identity.Test})
	if err == nil {
		err = kontor.InCompany(t.Context(), code, func(tx *db.Tx) error {
			return reference.SaveUnits(tx, reference.Unit{Code: "BOX", Name: "Box", IsActive: true})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return shelf{t, kontor, c}
}

func (b shelf) gives(kind, name string) string {
	b.Helper()
	var out bytes.Buffer
	if _, err := exchange.Export(b.Context(), b.desk(), kind, &out, name, table.Options{}); err != nil {
		b.Fatalf("%s as %s: %v", kind, name, err)
	}
	return out.String()
}

func (b shelf) takes(kind, name, file string, o exchange.Options) exchange.Report {
	b.Helper()
	r, err := table.Read(strings.NewReader(file), name, table.ReadOptions{})
	if err != nil {
		b.Fatalf("%s as %s: %v", kind, name, err)
	}
	defer r.Close()
	report, err := exchange.Import(b.Context(), b.desk(), kind, r, o)
	if err != nil {
		b.Fatalf("%s as %s: %v", kind, name, err)
	}
	return report
}

// carried are the tables that are in a company what they were in another. Of orders, an import makes a history.
func carried() (kinds []string) {
	for _, k := range exchange.Kinds() {
		if k != "orders" {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// What goes out comes in: the tables of a company, whatever was done to it, make of another one in which nothing was
// done yet one whose tables are the same. A table that is taken in again changes nothing.
func TestWhatGoesOutComesIn(t *testing.T) {
	const few = 120
	steps, seed := longer(t, few)
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		c := clerks(t, place, 1, seed)[0]
		r := &registrar{Rand: rand.New(rand.NewPCG(seed, 7))}
		for range steps {
			c.does()
			if err := c.kontor.InCompany(t.Context(), "acme", r.writes); err != nil {
				r.refused++
			}
		}
		if r.refused > steps/2 {
			t.Errorf("%d of %d were refused", r.refused, steps)
		}
		if err := c.kontor.InCompany(t.Context(), "acme", settles); err != nil {
			t.Fatal(err)
		}
		from := shelf{t, c.kontor, c.company}
		before := from.changes()
		for _, kind := range carried() {
			from.stays(kind, "x.csv")
			if steps > few || r.IntN(3) == 0 {
				from.refuses(kind, r, steps > few)
			}
		}
		if after := from.changes(); after != before {
			t.Errorf("a company's own tables left %d changes", after-before)
		}
		formats := []string{"x.csv", "x.xlsx", "x.ndjson.gz", "x.tsv.zst"}
		for k, engine := range dbtest.Engines() {
			to := apptest.Open(t, apptest.Place(t, engine), app.Serving{KeepBytes: 1 << 20})
			for n, name := range formats {
				if steps > few || n%2 == k {
					from.comesIn(fresh(t, to, fmt.Sprint("to", n)), name)
				}
			}
		}
	})
}

// settles brings up to date what tables cannot say: prices that follow from others are those that were calculated last,
// and what lies there in finer parts than its item is counted in by now is taken in nowhere.
func settles(tx *db.Tx) error {
	for _, number := range []string{"A", "D", "B", "S", "M"} {
		_, err := catalog.Change(tx, number, func(i *catalog.Item) error { i.DecimalPlaces = dec.Scale; return nil })
		if err != nil {
			return err
		}
	}
	_, err := pricing.RecalculateAll(tx, "")
	return err
}

// comesIn takes everything of a company into another one, of some kinds in two runs, as after one that was broken off.
func (b shelf) comesIn(to shelf, name string) {
	b.Helper()
	for _, kind := range carried() {
		file := b.gives(kind, name)
		if kind != "purchase-orders" { // an order comes in whole
			to.takes(kind, name, file, exchange.Options{Most: 3})
		}
		report := to.takes(kind, name, file, exchange.Options{})
		if report.RefusedRows > 0 || len(report.Warnings) > 0 {
			b.Errorf("%s as %s: %d refused %v %q", kind, name, report.RefusedRows, report.Refused, report.Warnings)
		}
	}
	before := to.changes()
	for _, kind := range carried() {
		if was, is := b.gives(kind, "x.csv"), to.gives(kind, "x.csv"); was != is {
			b.Errorf("%s as %s: %s", kind, name, asunder(was, is))
		}
		to.stays(kind, name)
	}
	if after := to.changes(); after != before {
		b.Errorf("what changed nothing as %s left %d changes", name, after-before)
	}
}

// stays takes a table that a company gave into itself.
func (b shelf) stays(kind, name string) {
	b.Helper()
	if report := b.takes(kind, name, b.gives(kind, name), exchange.Options{}); report.Unchanged != report.Rows {
		b.Errorf("%s as %s into where it came from: %+v", kind, name, report)
	}
}

// changes is how much the company has told others of.
func (b shelf) changes() (n int) {
	b.Helper()
	err := b.kontor.InCompany(b.Context(), b.company.Code, func(tx *db.Tx) error {
		_, err := tx.One("-- test.changes\nselect count(*) from change where company = :company", nil, &n)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// refuses holds that a cell which cannot be read is refused with its row and column, and nothing else is: any cell of
// the last row, or each.
func (b shelf) refuses(kind string, r *registrar, each bool) {
	b.Helper()
	rows, err := csv.NewReader(strings.NewReader(b.gives(kind, "x.csv"))).ReadAll()
	if err != nil {
		b.Fatalf("%s: %v", kind, err)
	}
	if len(rows) < 2 { // nobody wrote any
		return
	}
	last, one := rows[len(rows)-1], r.IntN(len(rows[0]))
	for i, column := range rows[0] {
		if i != one && !each {
			continue
		}
		good := last[i]
		last[i] = "~ such \x01"
		var out strings.Builder
		err := csv.NewWriter(&out).WriteAll(rows)
		if last[i] = good; err != nil {
			b.Fatal(err)
		}
		report := b.takes(kind, "x.csv", out.String(), exchange.Options{DryRun: true})
		if report.RefusedRows == 0 { // it is written for people alone
			continue
		}
		bad := report.Refused[len(report.Refused)-1]
		wants := report.RefusedRows == 1 || kind == "purchase-orders" // which are refused whole
		if !wants || report.Refused[0].Key == "" && i > 1 || !strings.HasPrefix(bad.Detail, column) ||
			report.Created+report.Updated > 0 {
			b.Errorf("%s of %s: %+v", column, kind, report)
		}
	}
}

// asunder are the first lines in which two tables differ.
func asunder(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d was\n%s\nis\n%s", i+1, strings.Join(a[i:min(i+3, len(a))], "\n"),
				strings.Join(b[i:min(i+3, len(b))], "\n"))
		}
	}
	return fmt.Sprintf("%d lines, were %d", len(b), len(a))
}
