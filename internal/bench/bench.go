// Package bench measures the house: it loads a company of a given size, serves it, and compares the standard workloads
// with yardsticks that are measured in turns with them, because on a shared machine only ratios mean anything.
package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/demo"
	"kontor/internal/foundation/fault"
)

// Options say what is measured, on what, for how long.
type Options struct {
	// Into is the data folder or the PostgreSQL database to load into, which is kept; "" is a folder that is thrown
	// away.
	Into string
	Size
	// Few is how many orders the small company has that the large one is compared with.
	Few int
	// Companies is how many there are where many are measured, and Asked how many of them are asked for; see Companies.
	Companies, Asked int
	Workloads        []string // names of Workloads(); none = all
	Seconds          float64  // of each side of a comparison
	Clients          int
	// URL and Key name a running server to measure instead, with the company of the key as it is.
	URL, Key string
	// Program is our own executable, for what needs a process of its own; "" leaves that out.
	Program string
	// History is a file of orders to import; "" leaves that out.
	History string
	// Profile is a folder to write a CPU profile of each workload to; "" writes none.
	Profile string
	// Tick is told how far the loading is, and what is measured.
	Tick func(what string, done, total int)
}

// Workloads are the names of what can be measured.
func Workloads() []string {
	return []string{"order", "list", "place", "flow", "receive", "goods", "depth", "start", "memory", "import"}
}

// CheckWorkloads refuses a name that is none of Workloads.
func CheckWorkloads(names []string) error {
	for _, n := range names {
		if !slices.Contains(Workloads(), n) {
			return fmt.Errorf("there is no workload %q; there are %s", n, strings.Join(Workloads(), ", "))
		}
	}
	return nil
}

// measuring is one measurement on its way.
type measuring struct {
	Options
	place  app.DataDir
	report Report
	site   *site
	big    *fixture
}

// Run measures. What it could not measure it says in the report.
func Run(ctx context.Context, o Options) (Report, error) {
	if len(o.Workloads) == 0 {
		o.Workloads = Workloads()
	}
	m := &measuring{Options: o, report: Report{Clients: o.Clients, Items: o.Items, Customers: o.Customers,
		Orders: o.Orders}}
	if m.URL != "" {
		return m.measure(ctx, m.remote)
	}
	return m.measure(ctx, m.load, m.unkept, m.kept, m.processes)
}

// measure measures step by step, in a folder that is made for it, and reports what was found with what the machine was
// like.
func (m *measuring) measure(ctx context.Context, steps ...func(context.Context) error) (Report, error) {
	if m.Tick == nil {
		m.Tick = func(string, int, int) {}
	}
	m.report.CPUs, m.report.Load, m.report.Rows = runtime.NumCPU(), loadAverage(), []Row{}
	dir, forget, err := m.folder()
	if err == nil {
		defer forget()
		m.report.FsyncMS, err = fsync(dir)
	}
	for i := 0; err == nil && i < len(steps); i++ {
		err = steps[i](ctx)
	}
	if m.site != nil {
		err = errors.Join(err, m.site.close(ctx))
	}
	m.report.Load = strings.TrimSpace(m.report.Load + " to " + loadAverage())
	return m.report, err
}

// folder is where the data lies, and what is done with it at the end.
func (m *measuring) folder() (dir string, forget func(), err error) {
	if m.Into != "" && !strings.Contains(m.Into, "://") {
		m.place.Data = m.Into
		return m.Into, func() {}, os.MkdirAll(m.Into, 0o700)
	}
	dir, err = os.MkdirTemp("", "kontor-bench-")
	m.place.Data = filepath.Join(dir, "data") // its key lies beside it
	if m.Into != "" {
		m.place.DatabaseURL = m.Into
	}
	return dir, func() { os.RemoveAll(dir) }, err
}

// serve serves the data anew, keeping answers in so many bytes.
func (m *measuring) serve(ctx context.Context, keepBytes int64) (err error) {
	if m.site != nil {
		if err := m.site.close(ctx); err != nil {
			return err
		}
		m.site = nil
	}
	if m.site, err = open(ctx, m.place, keepBytes); err != nil {
		return err
	}
	if m.big != nil {
		m.big.site, m.big.url = m.site, m.site.url
	}
	// What loading left behind is not to be collected while something is measured.
	debug.FreeOSMemory()
	return nil
}

func (m *measuring) load(ctx context.Context) error {
	if err := m.serve(ctx, 0); err != nil {
		return err
	}
	start := time.Now()
	at, err := m.fixture(ctx, m.Size)
	m.report.LoadedIn = time.Since(start).Seconds()
	m.big, m.report.Engine = at, m.site.kontor.Store().EngineName()
	return err
}

// fixture loads a company of a size, with a key to it.
func (m *measuring) fixture(ctx context.Context, s Size) (*fixture, error) {
	f, err := load(ctx, m.site.kontor, s, m.Tick)
	if err != nil {
		return nil, err
	}
	f.key, err = m.site.key(ctx, f.Company)
	return &fixture{firm: f, site: m.site, url: m.site.url, orderType: orderType}, err
}

func (m *measuring) wants(name string) bool { return slices.Contains(m.Workloads, name) }

func (m *measuring) omit(why string) { m.report.Omitted = append(m.report.Omitted, why) }

// pace is that of the comparison called name.
func (m *measuring) pace(name string) pace {
	const rounds = 10 // short ones, so that both sides of a round meet the same neighbours
	p := pace{clients: m.Clients, rounds: rounds, round: time.Duration(m.Seconds / rounds * float64(time.Second)),
		units: 10_000_000}
	if m.Profile != "" {
		p.profile = func() (func() error, error) { return profile(m.Profile, name) }
	}
	return p
}

// row measures one row of a workload, if it is wanted.
func (m *measuring) row(ctx context.Context, name, variant string, measure func(context.Context) (Row, error)) error {
	return m.rows(ctx, name, variant, func(ctx context.Context) ([]Row, error) {
		r, err := measure(ctx)
		return []Row{r}, err
	})
}

func (m *measuring) rows(ctx context.Context, name, variant string,
	measure func(context.Context) ([]Row, error)) error {
	if !m.wants(name) {
		return nil
	}
	m.Tick("measuring "+name+" "+variant, 0, 0)
	rows, err := measure(ctx)
	if err != nil {
		return fmt.Errorf("measuring %s: %w", name, err)
	}
	m.report.Rows = append(m.report.Rows, rows...)
	return nil
}

// unkept measures with no answers kept: every read comes from SQL.
func (m *measuring) unkept(ctx context.Context) error {
	const how = "every read from SQL"
	reads := []struct {
		reading
		need
	}{{orderReads(m.big), m.ofFiles(atLeast(0.30))}, {pageReads(m.big), m.ofFiles(atLeast(0.08))},
		{orderPageReads(m.big), need{}}}
	for _, r := range reads {
		err := m.row(ctx, r.workload, r.of+"-sql", func(ctx context.Context) (Row, error) {
			return r.measure(ctx, m.big, m.pace(r.of+"-sql"), how, nil, r.need)
		})
		if err != nil {
			return err
		}
	}
	err := m.row(ctx, "place", "",
		func(ctx context.Context) (Row, error) { return measurePlacing(ctx, m.big, m.pace("place")) })
	if err == nil {
		err = m.row(ctx, "place", "of published items", m.measurePublished)
	}
	if err == nil {
		err = m.row(ctx, "flow", "to its release",
			func(ctx context.Context) (Row, error) { return measureReleasing(ctx, m.big, m.pace("release")) })
	}
	if err == nil {
		err = m.row(ctx, "flow", "",
			func(ctx context.Context) (Row, error) { return measureFlow(ctx, m.big, m.pace("flow")) })
	}
	if err == nil {
		err = m.goods(ctx)
	}
	if err != nil || !m.wants("depth") {
		return err
	}
	few := Size{Items: min(m.Items, 1_000), Customers: min(m.Customers, 1_000), Orders: min(m.Few, m.Orders)}
	small, err := m.fixture(ctx, few)
	if err != nil {
		return err
	}
	looks := min(100, max(10, int(m.Seconds*20)))
	return m.rows(ctx, "depth", "",
		func(ctx context.Context) ([]Row, error) { return measureDepth(ctx, m.big, small, looks) })
}

// goods measures what a warehouse does beside selling.
func (m *measuring) goods(ctx context.Context) error {
	least := atLeast(0.40)
	if m.place.DatabaseURL != "" {
		least = atLeast(0.35)
	}
	err := m.row(ctx, "receive", "", func(ctx context.Context) (Row, error) {
		return measureReceiving(ctx, m.big, m.pace("receive"), least)
	})
	if err == nil {
		err = m.row(ctx, "goods", "transfer",
			func(ctx context.Context) (Row, error) { return measureTransfer(ctx, m.big, max(3, int(m.Seconds*4))) })
	}
	if err == nil {
		err = m.row(ctx, "goods", "count",
			func(ctx context.Context) (Row, error) { return measureCount(ctx, m.big) })
	}
	return err
}

// ofFiles is a need of the embedded engine alone.
func (m *measuring) ofFiles(n need) need {
	if m.place.DatabaseURL != "" {
		return need{}
	}
	return n
}

// keepBytes is what a server keeps unless it is told otherwise.
const keepBytes = 32 << 20

// kept measures with answers kept in memory, without and with writes beside.
func (m *measuring) kept(ctx context.Context) error {
	if !m.wants("order") && !m.wants("list") {
		return nil
	}
	if err := m.serve(ctx, keepBytes); err != nil {
		return err
	}
	reads := []struct {
		reading
		write       writing
		quiet, busy need
	}{
		{orderReads(m.big), changeOrder, atLeast(0.60), atLeast(0.50)},
		{pageReads(m.big), changeItem, atLeast(0.60), atLeast(0.30)},
		{orderPageReads(m.big), changeOrder, need{}, need{}},
	}
	if m.place.DatabaseURL != "" { // each request asks the server first what others have committed
		reads[0].quiet, reads[0].busy = atLeast(0.30), need{}
		reads[1].quiet, reads[1].busy = atLeast(0.10), need{}
	}
	for _, r := range reads {
		err := m.row(ctx, r.workload, r.of+"-kept", func(ctx context.Context) (Row, error) {
			return r.measure(ctx, m.big, m.pace(r.of+"-kept"), "kept", nil, r.quiet)
		})
		if err == nil {
			err = m.row(ctx, r.workload, r.of+"-written", func(ctx context.Context) (Row, error) {
				return r.measure(ctx, m.big, m.pace(r.of+"-written"), "kept, 5 % writes beside", r.write, r.busy)
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// processes measures what needs a process of its own.
func (m *measuring) processes(ctx context.Context) error {
	wanted := slices.DeleteFunc([]string{"start", "memory", "import"}, func(n string) bool { return !m.wants(n) })
	if m.Program == "" {
		for _, n := range wanted {
			m.omit(n + ": needs a process of its own")
		}
		return nil
	}
	if m.wants("import") && m.History == "" {
		m.omit("import: no file was named")
	}
	sample, empty, err := m.others(ctx)
	if err == nil {
		err = m.site.close(ctx) // the processes want the data to themselves
		m.site = nil
	}
	if err == nil {
		err = m.row(ctx, "start", "", func(ctx context.Context) (Row,
			error) {
			return measureStart(ctx, m.Program, m.place, m.big.firm)
		})
	}
	if err == nil {
		err = m.row(ctx, "memory", "",
			func(ctx context.Context) (Row, error) { return measureMemory(ctx, m.Program, m.place, sample) })
	}
	if err != nil || m.History == "" {
		return err
	}
	return m.rows(ctx, "import", "", func(ctx context.Context) ([]Row, error) {
		return measureImport(ctx, m.Program, m.place, m.History, empty)
	})
}

// others makes the further companies that processes are measured with: the sample company, of which a key is answered,
// and an empty one.
func (m *measuring) others(ctx context.Context) (sample, empty string, err error) {
	kontor := m.site.kontor
	if m.wants("memory") {
		c, err := kontor.Company(ctx, demo.Company().Code)
		if fault.Is(err, identity.ErrCompanyNotFound) {
			c, err = kontor.CreateFilled(ctx, demo.Company(), func(c identity.Company) error {
				return demo.Fill(ctx, kontor.Store(), c.ID, time.Now(), func(string) {})
			})
		}
		if err != nil {
			return "", "", err
		}
		if sample, err = m.site.key(ctx, c); err != nil {
			return "", "", err
		}
	}
	if m.wants("import") && m.History != "" {
		empty = "bench-import-" + strconv.FormatInt(time.Now().Unix(), 36)
		_, err = kontor.CreateCompany(ctx, identity.Company{Code: empty, Name: "Imported company", Country: "GB",
			Currency: "GBP", Environment: identity.Test})
	}
	return sample, empty, err
}

// remote measures a running server with what its company has.
func (m *measuring) remote(ctx context.Context) error {
	at, err := visit(m.URL, m.Key)
	if err != nil {
		return err
	}
	m.big, m.report.Engine = at, "server at "+m.URL
	m.report.Items, m.report.Customers, m.report.Orders = at.Items, at.Customers, at.Orders
	for _, r := range []reading{orderReads(at), pageReads(at), orderPageReads(at)} {
		err := m.row(ctx, r.workload, r.of, func(ctx context.Context) (Row, error) {
			return r.measure(ctx, at, m.pace(r.of), "as it is set up", nil, need{})
		})
		if err != nil {
			return err
		}
	}
	for _, n := range []string{"flow", "receive", "goods", "depth", "start", "memory", "import"} {
		if m.wants(n) {
			m.omit(n + ": is measured on data of our own only")
		}
	}
	return m.row(ctx, "place", "",
		func(ctx context.Context) (Row, error) { return measurePlacing(ctx, at, m.pace("place")) })
}
