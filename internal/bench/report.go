package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Report is what a measurement found, with what is needed to judge it.
type Report struct {
	Engine    string   `json:"engine"`
	CPUs      int      `json:"cpus"`
	Load      string   `json:"loadAverage,omitempty"` // at start and end
	FsyncMS   float64  `json:"fsyncMilliseconds"`     // median of 4 KiB appended and flushed
	Items     int      `json:"items"`
	Customers int      `json:"customers"`
	Orders    int      `json:"orders"`
	Companies int      `json:"companies,omitempty"`
	Clients   int      `json:"clients"`
	LoadedIn  float64  `json:"loadSeconds"`
	Rows      []Row    `json:"rows"`
	Omitted   []string `json:"omitted,omitempty"`
}

// Row is one measurement beside its yardstick.
type Row struct {
	Work  string  `json:"work"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	P50   float64 `json:"p50Milliseconds,omitempty"`
	P99   float64 `json:"p99Milliseconds,omitempty"`
	// Against names the yardstick, measured in turns with the work; Yardstick is its value in the same unit.
	Against   string  `json:"against,omitempty"`
	Yardstick float64 `json:"yardstick,omitempty"`
	// Ratio is the median of the ratios of the rounds, Low and High the least and the greatest of them.
	Ratio float64 `json:"ratio,omitempty"`
	// CPU is the computing of one unit, clients included, and YardstickCPU that of the yardstick's, in microseconds.
	// Where others use the machine they are steadier than rates.
	CPU          float64 `json:"cpuMicroseconds,omitempty"`
	YardstickCPU float64 `json:"yardstickCpuMicroseconds,omitempty"`
	Low          float64 `json:"ratioLow,omitempty"`
	High         float64 `json:"ratioHigh,omitempty"`
	// Needed is what is asked of Ratio, or of Value where there is no yardstick.
	Needed string `json:"needed,omitempty"`
	Met    *bool  `json:"met,omitempty"`
	Note   string `json:"note,omitempty"`
}

// need is what is asked of a row. The zero value asks nothing.
type need struct {
	least, most float64
	absolute    bool // of the value, not of the ratio
}

func atLeast(ratio float64) need { return need{least: ratio} }
func atMost(ratio float64) need  { return need{most: ratio} }
func below(value float64) need   { return need{most: value, absolute: true} }

// judged is the row with what is needed of it, and whether that is met.
func (r Row) judged(n need) Row {
	if n == (need{}) {
		return r
	}
	v := r.Ratio
	if n.absolute {
		v = r.Value
	}
	met := v >= n.least && (n.most == 0 || v <= n.most)
	r.Met = &met
	switch {
	case n.absolute:
		r.Needed = fmt.Sprintf("at most %g %s", n.most, r.Unit)
	case n.most > 0:
		r.Needed = fmt.Sprintf("at most %gx", n.most)
	default:
		r.Needed = fmt.Sprintf("at least %g %%", n.least*100)
	}
	return r
}

// rated is a row of requests a second beside a yardstick's.
func rated(work, unit string, ours measured, against string, theirs measured, n need) Row {
	all := ratios(ours, theirs)
	r := Row{Work: work, Unit: unit, Value: ours.rate(), P50: quantile(ours.took, 0.5), P99: quantile(ours.took, 0.99),
		Against: against, Yardstick: theirs.rate(), Ratio: median(all), Low: quantile(all, 0), High: quantile(all, 1),
		CPU: median(ours.cpu), YardstickCPU: median(theirs.cpu)}
	return r.judged(n)
}

// computing is a row of what a unit costs of computing, in milliseconds, the client's part included.
func computing(work string, ours measured, n need) Row {
	return Row{Work: work, Unit: "ms of CPU", Value: median(ours.cpu) / 1000, P50: quantile(ours.took, 0.5),
		P99: quantile(ours.took, 0.99), CPU: median(ours.cpu), Note: fmt.Sprintf("%.0f a second", ours.rate())}.judged(n)
}

// timed is a row of milliseconds beside a yardstick's.
func timed(work string, ours []float64, against string, theirs []float64, n need) Row {
	r := Row{Work: work, Unit: "ms", Value: median(ours), P99: quantile(ours, 0.99)}
	if len(theirs) > 0 {
		r.Against, r.Yardstick = against, median(theirs)
		r.Ratio = r.Value / r.Yardstick
	}
	return r.judged(n)
}

// Print writes the table.
func (r *Report) Print(w io.Writer) error {
	what := fmt.Sprintf("%d items, %d customers, %d orders, loaded in %.1f s; %d clients", r.Items, r.Customers,
		r.Orders, r.LoadedIn, r.Clients)
	if r.Companies > 0 {
		what = fmt.Sprintf("%d companies, made in %.1f s", r.Companies, r.LoadedIn)
	}
	fmt.Fprintf(w, "%s; %s; %d CPUs; load average %s; one fsync %.2f ms\n\n", r.Engine, what, r.CPUs, r.Load, r.FsyncMS)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WORK\tMEASURED\tP50 / P99 MS\tYARDSTICK\tRATIO (LOW-HIGH)\tCPU US\tNEEDED\t")
	for _, row := range r.Rows {
		fmt.Fprintln(t, strings.Join(row.cells(), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, row := range r.Rows {
		if row.Note != "" {
			fmt.Fprintf(w, "\n%s: %s", row.Work, row.Note)
		}
	}
	for _, o := range r.Omitted {
		fmt.Fprintf(w, "\nnot measured: %s", o)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (r Row) cells() []string {
	cells := []string{r.Work, figure(r.Value, r.Unit), "", "", "", "", r.Needed, ""}
	if r.P99 > 0 && r.P50 > 0 {
		cells[2] = fmt.Sprintf("%.2f / %.2f", r.P50, r.P99)
	} else if r.P99 > 0 {
		cells[2] = fmt.Sprintf("%.2f / %.2f", r.Value, r.P99)
	}
	if r.Against != "" {
		cells[3] = figure(r.Yardstick, r.Unit) + " " + r.Against
		cells[4] = fmt.Sprintf("%.2f", r.Ratio)
		if r.High > 0 {
			cells[4] += fmt.Sprintf(" (%.2f-%.2f)", r.Low, r.High)
		}
	}
	if r.CPU > 0 {
		cells[5] = fmt.Sprintf("%.0f", r.CPU)
	}
	if r.YardstickCPU > 0 {
		cells[5] += fmt.Sprintf(" / %.0f", r.YardstickCPU)
	}
	if r.Met != nil && !*r.Met {
		cells[7] = "MISSED"
	}
	return cells
}

func figure(v float64, unit string) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f %s", v, unit)
	case v >= 1:
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.3f %s", v, unit)
}
