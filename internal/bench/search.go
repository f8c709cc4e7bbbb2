package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/search"
	"kontor/internal/foundation/search/known"
)

// SearchReport is how well and how fast products are found that are known to be there.
type SearchReport struct {
	CPUs int         `json:"cpus"`
	Load string      `json:"loadAverage,omitempty"` // at start and end
	Sets []SearchRow `json:"sets"`
}

// SearchRow is the measurement of one set.
type SearchRow struct {
	Set      string `json:"set"`
	Cut      string `json:"cut"` // how the set was cut: see known.Cuts
	Products int    `json:"products"`
	Queries  int    `json:"queries"`
	// First and Ten are the percentages of the queries whose product came first, and among the first ten.
	First float64 `json:"firstPercent"`
	Ten   float64 `json:"firstTenPercent"`
	MRR   float64 `json:"meanReciprocalRank"`
	// PlainFirst and PlainTen are what plain BM25 on names finds: nowhere may it find more.
	PlainFirst float64 `json:"bm25FirstPercent"`
	PlainTen   float64 `json:"bm25FirstTenPercent"`
	P50        float64 `json:"p50Milliseconds"`
	P95        float64 `json:"p95Milliseconds"`
	// IndexedIn is from nothing to an index on the disk.
	IndexedIn float64 `json:"indexSeconds"`
	Bytes     int64   `json:"indexBytes"`
	Needed    string  `json:"needed,omitempty"`
	Met       *bool   `json:"met,omitempty"`
}

// Search measures the sets of known items in a folder, or in its folder known-item.
func Search(folder string, tick func(what string, done, total int)) (r SearchReport, err error) {
	err = halt.Told(func() { r = searchAll(folder, tick) })
	return r, err
}

func searchAll(folder string, tick func(what string, done, total int)) SearchReport {
	r := SearchReport{CPUs: runtime.NumCPU(), Load: loadAverage(), Sets: []SearchRow{}}
	if inner := filepath.Join(folder, "known-item"); isFolder(inner) {
		folder = inner
	}
	names, err := known.Sets(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		halt.On(fmt.Errorf(
			"there is no folder %s with sets of known items; --known names the folder where they lie, each in a folder of its own with corpus.tsv, queries.tsv and qrels.tsv", folder))
	case err == nil && len(names) == 0:
		halt.On(fmt.Errorf(
			"no folder in %s is a set of known items: a set has corpus.tsv, queries.tsv and qrels.tsv; --known names the folder where sets lie", folder))
	}
	for _, name := range halt.Must(names, err) {
		set := halt.Must(known.Read(folder, name))
		for _, cut := range known.Cuts() {
			tick("search "+name+", "+cut.Name, 0, 0)
			r.Sets = append(r.Sets, searchSet(cut.Of(set), name, cut.Name))
		}
	}
	r.Load = strings.TrimSpace(r.Load + " to " + loadAverage())
	return r
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// searchSet makes an index of a set as a cut made it, in a folder that is thrown away, and asks it.
func searchSet(set known.Set, name, cut string) SearchRow {
	dir := halt.Must(os.MkdirTemp("", "kontor-search-"))
	defer os.RemoveAll(dir)
	start := time.Now()
	x := search.New(dir, "en")
	x.Upsert(set.Documents, 1)
	x.Compact()
	halt.On(x.Save())
	row := SearchRow{Set: name, Cut: cut, Products: len(set.Documents), Queries: len(set.Queries),
		IndexedIn: time.Since(start).Seconds()}
	for _, f := range halt.Must(os.ReadDir(dir)) {
		row.Bytes += halt.Must(f.Info()).Size()
	}
	row.found(set.Measure(x), set.MeasurePlain())
	halt.On(x.Close())
	return row
}

// found takes over a score and judges it.
func (r *SearchRow) found(s, plain known.Score) {
	r.First, r.Ten, r.MRR = 100*s.First, 100*s.Ten, s.MRR
	r.PlainFirst, r.PlainTen = 100*plain.First, 100*plain.Ten
	took := each.Of(s.Took, func(t time.Duration) float64 { return t.Seconds() * 1000 })
	r.P50, r.P95 = quantile(took, 0.5), quantile(took, 0.95)
	first, ten := plain.First, plain.Ten
	if published, among := known.Needs(r.Set); published > 0 && r.Cut == known.Cuts()[0].Name {
		first, ten = max(first, published), max(ten, among)
	}
	met := s.First >= first && s.Ten >= ten
	r.Needed, r.Met = fmt.Sprintf("first %.1f %%, ten %.1f %%", 100*first, 100*ten), &met
}

// Print writes the table.
func (r SearchReport) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d CPUs; load average %s\n\n", r.CPUs, r.Load)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t,
		"SET\tCUT\tPRODUCTS\tQUERIES\tFIRST\tFIRST TEN\tBM25 FIRST\tTEN\tMRR\tP50 / P95 MS\tINDEXED IN\tSIZE\tNEEDED\t")
	for _, s := range r.Sets {
		missed := ""
		if s.Met != nil && !*s.Met {
			missed = "MISSED"
		}
		fmt.Fprintf(t,
			"%s\t%s\t%d\t%d\t%.1f %%\t%.1f %%\t%.1f %%\t%.1f %%\t%.3f\t%.2f / %.2f\t%.2f s\t%.1f MB\t%s\t%s\n", s.Set,
			s.Cut, s.Products, s.Queries, s.First, s.Ten, s.PlainFirst, s.PlainTen, s.MRR, s.P50, s.P95, s.IndexedIn,
			float64(s.Bytes)/1e6, s.Needed, missed)
	}
	return t.Flush()
}
