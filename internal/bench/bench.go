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

	"kontor/internal/business/identity"
	"kontor/internal/demo"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/halt"
)

// Options say what is measured, on what, for how long.
type Options struct {
	// Into is the data folder or the PostgreSQL database to load into, which is kept; "" is a folder that is thrown
	// away.
	Into string
	// SecretKeyFile and SecretKey are the key of what Into holds, as commands are told of it; "" = beside the data.
	SecretKeyFile, SecretKey string
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
func CheckWorkloads(names []string) error { return checkNames(names, Workloads(), "") }

// checkNames refuses a name that is none of all, the workloads of something.
func checkNames(names, all []string, of string) error {
	return each.Do(names, func(n string) error {
		if slices.Contains(all, n) {
			return nil
		}
		return fmt.Errorf("there is no workload %q%s; there are %s", n, of, strings.Join(all, ", "))
	})
}

// measuring is one measurement on its way.
type measuring struct {
	Options
	place  datadir.Dir
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
func (m *measuring) measure(ctx context.Context, steps ...func(context.Context)) (Report, error) {
	if m.Tick == nil {
		m.Tick = func(string, int, int) {}
	}
	m.report.CPUs, m.report.Load, m.report.Rows = runtime.NumCPU(), loadAverage(), []Row{}
	err := halt.Told(func() {
		dir, forget := m.folder()
		defer forget()
		m.report.FsyncMS = fsync(dir)
		for _, step := range steps {
			step(ctx)
		}
	})
	if m.site != nil {
		err = errors.Join(err, m.site.close(ctx))
	}
	m.report.Load = strings.TrimSpace(m.report.Load + " to " + loadAverage())
	return m.report, err
}

// folder is where the data lies, and what is done with it at the end.
func (m *measuring) folder() (dir string, forget func()) {
	m.place.SecretKeyFile, m.place.SecretKey = m.SecretKeyFile, m.SecretKey
	if m.Into != "" && !strings.Contains(m.Into, "://") {
		m.place.Data = m.Into
		halt.On(os.MkdirAll(m.Into, 0o700))
		return m.Into, func() {}
	}
	dir = halt.Must(os.MkdirTemp("", "kontor-bench-"))
	m.place.Data = filepath.Join(dir, "data") // its key lies beside it
	if m.Into != "" {
		m.place.DatabaseURL = m.Into
	}
	return dir, func() { os.RemoveAll(dir) }
}

// serve serves the data anew, keeping answers in so many bytes.
func (m *measuring) serve(ctx context.Context, keepBytes int64) {
	m.leave(ctx)
	m.site = open(ctx, m.place, keepBytes)
	if m.big != nil {
		m.big.site, m.big.url = m.site, m.site.url
	}
	// What loading left behind is not to be collected while something is measured.
	debug.FreeOSMemory()
}

// leave serves no more, if it did.
func (m *measuring) leave(ctx context.Context) {
	if served := m.site; served != nil {
		m.site = nil
		halt.On(served.close(ctx))
	}
}

func (m *measuring) load(ctx context.Context) {
	m.serve(ctx, 0)
	start := time.Now()
	m.big = m.fixture(ctx, m.Size)
	m.report.LoadedIn, m.report.Engine = time.Since(start).Seconds(), m.site.kontor.Store().EngineName()
}

// fixture loads a company of a size, with a key to it.
func (m *measuring) fixture(ctx context.Context, s Size) *fixture {
	f := load(ctx, m.site.kontor, s, m.Tick)
	f.key = m.site.key(ctx, f.Company)
	return &fixture{firm: f, site: m.site, url: m.site.url, orderType: orderType}
}

func (m *measuring) wants(name string) bool { return slices.Contains(m.Workloads, name) }

func (m *measuring) omit(why string) { m.report.Omitted = append(m.report.Omitted, why) }

// pace is that of the comparison called name.
func (m *measuring) pace(name string) pace {
	const rounds = 10 // short ones, so that both sides of a round meet the same neighbours
	p := pace{clients: m.Clients, rounds: rounds, round: time.Duration(m.Seconds / rounds * float64(time.Second)),
		units: 10_000_000}
	if m.Profile != "" {
		p.profile = func() func() { return profile(m.Profile, name) }
	}
	return p
}

// row measures one row of a workload, if it is wanted.
func (m *measuring) row(name, variant string, measure func() Row) {
	m.rows(name, variant, func() []Row { return []Row{measure()} })
}

func (m *measuring) rows(name, variant string, measure func() []Row) {
	if !m.wants(name) {
		return
	}
	m.Tick("measuring "+name+" "+variant, 0, 0)
	if err := halt.Told(func() { m.report.Rows = append(m.report.Rows, measure()...) }); err != nil {
		halt.On(fmt.Errorf("measuring %s: %w", strings.TrimSpace(name+" "+variant), err))
	}
}

// unkept measures with no answers kept: every read comes from SQL.
func (m *measuring) unkept(ctx context.Context) {
	const how = "every read from SQL"
	reads := []struct {
		reading
		need
	}{{orderReads(m.big), m.ofFiles(atLeast(0.30))}, {pageReads(m.big), m.ofFiles(atLeast(0.08))},
		{orderPageReads(m.big), need{}}}
	for _, r := range reads {
		m.row(r.workload, r.of+"-sql",
			func() Row { return r.measure(ctx, m.big, m.pace(r.of+"-sql"), how, nil, r.need) })
	}
	m.row("place", "", func() Row { return measurePlacing(ctx, m.big, m.pace("place")) })
	m.row("place", "of published items", func() Row { return m.measurePublished(ctx) })
	m.row("flow", "to its release", func() Row { return measureReleasing(ctx, m.big, m.pace("release")) })
	m.row("flow", "", func() Row { return measureFlow(ctx, m.big, m.pace("flow")) })
	m.goods(ctx)
	if !m.wants("depth") {
		return
	}
	few := Size{Items: min(m.Items, 1_000), Customers: min(m.Customers, 1_000), Orders: min(m.Few, m.Orders)}
	small := m.fixture(ctx, few)
	looks := min(100, max(10, int(m.Seconds*20)))
	m.rows("depth", "", func() []Row { return measureDepth(ctx, m.big, small, looks) })
}

// goods measures what a warehouse does beside selling.
func (m *measuring) goods(ctx context.Context) {
	least := atLeast(0.40)
	if m.place.DatabaseURL != "" {
		least = atLeast(0.35)
	}
	m.row("receive", "", func() Row { return measureReceiving(ctx, m.big, m.pace("receive"), least) })
	m.row("goods", "transfer", func() Row { return measureTransfer(ctx, m.big, max(3, int(m.Seconds*4))) })
	m.row("goods", "count", func() Row { return measureCount(m.big) })
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
func (m *measuring) kept(ctx context.Context) {
	if !m.wants("order") && !m.wants("list") {
		return
	}
	m.serve(ctx, keepBytes)
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
		m.row(r.workload, r.of+"-kept",
			func() Row { return r.measure(ctx, m.big, m.pace(r.of+"-kept"), "kept", nil, r.quiet) })
		m.row(r.workload, r.of+"-written", func() Row {
			return r.measure(ctx, m.big, m.pace(r.of+"-written"), "kept, 5 % writes beside", r.write, r.busy)
		})
	}
}

// processes measures what needs a process of its own.
func (m *measuring) processes(ctx context.Context) {
	wanted := slices.DeleteFunc([]string{"start", "memory", "import"}, func(n string) bool { return !m.wants(n) })
	if m.Program == "" {
		for _, n := range wanted {
			m.omit(n + ": needs a process of its own")
		}
		return
	}
	if m.wants("import") && m.History == "" {
		m.omit("import: no file was named")
	}
	sample, empty := m.others(ctx)
	m.leave(ctx) // the processes want the data to themselves
	m.row("start", "", func() Row { return measureStart(ctx, m.Program, m.place, m.big.firm) })
	m.row("memory", "", func() Row { return measureMemory(ctx, m.Program, m.place, sample) })
	if m.History != "" {
		m.rows("import", "", func() []Row { return measureImport(ctx, m.Program, m.place, m.History, empty) })
	}
}

// others makes the further companies that processes are measured with: the sample company, of which a key is answered,
// and an empty one.
func (m *measuring) others(ctx context.Context) (sample, empty string) {
	kontor := m.site.kontor
	if m.wants("memory") {
		c, err := kontor.Company(ctx, demo.Company().Code)
		if fault.Is(err, identity.ErrCompanyNotFound) {
			c, err = kontor.CreateFilled(ctx, demo.Company(), func(c identity.Company) error {
				return demo.Fill(ctx, kontor.Store(), c.ID, time.Now(), func(string) {})
			})
		}
		sample = m.site.key(ctx, halt.Must(c, err))
	}
	if m.wants("import") && m.History != "" {
		empty = "bench-import-" + strconv.FormatInt(time.Now().Unix(), 36)
		halt.Must(kontor.CreateCompany(ctx, identity.Company{Code: empty, Name: "Imported company", Country: "GB",
			Currency: "GBP", Environment: identity.Test}))
	}
	return sample, empty
}

// remote measures a running server with what its company has.
func (m *measuring) remote(ctx context.Context) {
	at := visit(m.URL, m.Key)
	m.big, m.report.Engine = at, "server at "+m.URL
	m.report.Items, m.report.Customers, m.report.Orders = at.Items, at.Customers, at.Orders
	for _, r := range []reading{orderReads(at), pageReads(at), orderPageReads(at)} {
		m.row(r.workload, r.of,
			func() Row { return r.measure(ctx, at, m.pace(r.of), "as it is set up", nil, need{}) })
	}
	for _, n := range []string{"flow", "receive", "goods", "depth", "start", "memory", "import"} {
		if m.wants(n) {
			m.omit(n + ": is measured on data of our own only")
		}
	}
	m.row("place", "", func() Row { return measurePlacing(ctx, at, m.pace("place")) })
}
