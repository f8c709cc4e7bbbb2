package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/record"
)

// Companies measures an installation of many companies: what a new one costs, how fast a server starts beside them,
// what it takes while nobody asks for any, and what after many of them were asked for, one after another.
func Companies(ctx context.Context, o Options) (Report, error) {
	m := &measuring{Options: o, report: Report{Companies: o.Companies}}
	return m.measure(ctx, m.companies)
}

func (m *measuring) companies(ctx context.Context) {
	begun := time.Now()
	keys := m.profiled(func() []string { return m.found(ctx) })
	m.report.LoadedIn = time.Since(begun).Seconds()
	if m.Program == "" {
		m.report.Omitted = append(m.report.Omitted, "starting, resting and asking: need a process of their own")
		return
	}
	m.Tick("measuring the start", 0, 0)
	m.startBeside(ctx)
	m.askEach(ctx, keys)
}

// profiled makes companies, and writes a profile of that if one is wanted.
func (m *measuring) profiled(found func() []string) []string {
	if m.Profile != "" {
		defer profile(m.Profile, "companies")()
	}
	return found()
}

// found makes companies until there are as many as are wanted, and answers keys to those that are asked for.
func (m *measuring) found(ctx context.Context) (keys []string) {
	kontor := halt.Must(app.Open(ctx, m.place, slog.New(slog.DiscardHandler)))
	err := halt.Told(func() { keys = m.foundIn(ctx, kontor) })
	halt.On(errors.Join(err, kontor.Close(ctx)))
	return keys
}

func (m *measuring) foundIn(ctx context.Context, kontor *app.App) (keys []string) {
	m.report.Engine = kontor.Store().EngineName()
	s := &site{kontor: kontor}
	var took []float64
	computed, asked := cpuTime(), m.Asked
	for n := range asked {
		c := oneOfMany(n)
		there, err := kontor.Company(ctx, c.Code)
		if fault.Is(err, identity.ErrCompanyNotFound) {
			begun := time.Now()
			there, err = kontor.CreateCompany(ctx, c)
			took = append(took, time.Since(begun).Seconds()*1000)
			m.Tick("companies", n+1, asked)
		}
		keys = append(keys, s.key(ctx, halt.Must(there, err)))
	}
	if len(took) > 0 {
		r := timed(fmt.Sprintf("a new company, of %d", len(took)), took, "", nil, below(50))
		r.Note = fmt.Sprintf("%.1f ms of computing each, with a key to it", (cpuTime()-computed)/1000/float64(len(took)))
		m.report.Rows = append(m.report.Rows, r)
	}
	for n := asked; n < m.Options.Companies; n += entered {
		m.enter(ctx, kontor, n, min(entered, m.Options.Companies-n))
	}
	return keys
}

func oneOfMany(n int) identity.Company {
	return identity.Company{Code: fmt.Sprintf("many-%06d", n), Name: "One of many", Country: "SE", Currency: "SEK",
		Environment: identity.Test}
}

// entered is how many companies are entered in one transaction.
const entered = 500

// enter makes companies that nobody will ask for, and that are therefore never opened: entries in the control data, as
// of companies that were looked after just now, and another name for the file that new companies begin with.
func (m *measuring) enter(ctx context.Context, kontor *app.App, from, many int) {
	var fresh []string
	halt.On(kontor.Control(ctx, func(tx *db.Tx) error {
		fresh = nil
		for n := range many {
			c, err := identity.Register(tx, oneOfMany(from+n))
			if fault.Is(err, identity.ErrCompanyExists) {
				continue
			}
			if err == nil {
				err = identity.Activate(tx, c.ID)
			}
			if err != nil {
				return err
			}
			fresh = append(fresh, c.ID)
		}
		return lookedAfter(tx)
	}))
	cells := filepath.Join(m.place.Data, "cells")
	for _, id := range fresh {
		if kontor.Embedded() {
			halt.On(os.Link(filepath.Join(m.place.Data, db.TemplateFile), filepath.Join(cells, id+".db")))
		}
	}
	m.Tick("entries", from+many, m.Options.Companies)
}

// startBeside measures from the start of the process until it is ready.
func (m *measuring) startBeside(ctx context.Context) {
	var took []float64
	for range starts {
		serving(ctx, m.Program, m.place, func(c *child, url string) {
			ask(url, "", "/readyz")
			took = append(took, time.Since(c.begun).Seconds()*1000)
		})
	}
	m.report.Rows = append(m.report.Rows,
		timed(fmt.Sprintf("start until ready, %d companies", m.Options.Companies), took, "", nil, below(1_000)))
}

// askEach measures a server at rest, then one that is asked for a list of each company of the keys and given a record
// to it, one after another, and then at rest again.
func (m *measuring) askEach(ctx context.Context, keys []string) {
	serving(ctx, m.Program, m.place, func(c *child, url string) {
		m.rest(ctx, c, "nobody asked for", 150)
		m.touch(c, url, keys)
		m.rest(ctx, c, "after that", 400)
	})
}

// settling is how long a server is left alone before it is said to rest, for what it does as it starts, or for what
// was asked of it.
const settling = 30 * time.Second

// rest measures what a server takes that nobody asks for anything.
func (m *measuring) rest(ctx context.Context, c *child, when string, most float64) {
	m.Tick("measuring rest, "+when, 0, 0)
	time.Sleep(min(settling, 6*m.time()))
	before := m.database(ctx)
	computed, from := c.computed(), time.Now()
	time.Sleep(6 * m.time())
	seconds := time.Since(from).Seconds()
	cpu := Row{Work: "computing at rest, " + when, Unit: "ms/s", Value: (c.computed() - computed) * 1000 / seconds}
	if memory := c.memory("VmRSS"); memory > 0 {
		m.report.Rows = append(m.report.Rows,
			Row{Work: "memory at rest, " + when, Unit: "MB", Value: memory}.judged(below(most)), cpu)
	}
	if m.place.DatabaseURL == "" {
		m.report.Rows = append(m.report.Rows, Row{Work: "open files, " + when, Unit: "files", Value: c.files()})
		return
	}
	after := m.database(ctx)
	m.report.Rows = append(m.report.Rows,
		// The look itself is one transaction.
		Row{Work: "transactions at rest, " + when, Unit: "/s",
			Value: float64(after.transactions-before.transactions-1) / seconds}.judged(below(1)),
		Row{Work: "connections, " + when, Unit: "", Value: float64(after.connections)}.judged(below(12)))
}

// touch asks for a list of each company and gives it a record.
func (m *measuring) touch(c *child, url string, keys []string) {
	var took []float64
	for n, key := range keys {
		m.Tick("asked", n+1, len(keys))
		begun := time.Now()
		ask(url, key, "/preview/items?pageSize=10")
		give(url, key, "/preview/brands", `{"code": "`+record.NewID()+`", "name": "Nord"}`)
		took = append(took, time.Since(begun).Seconds()*1000)
	}
	m.report.Rows = append(m.report.Rows,
		timed(fmt.Sprintf("a list and a new record of each of %d companies, in turn", len(keys)), took, "", nil, need{}))
	if most := c.memory("VmHWM"); most > 0 {
		m.report.Rows = append(m.report.Rows,
			Row{Work: "the server's memory at its peak until then", Unit: "MB", Value: most}.judged(below(400)))
	}
}

// give makes one record.
func give(url, key, path, body string) {
	c := newTarget(url, key).dial()
	defer c.close()
	c.want(http.StatusCreated, http.MethodPost, path, record.NewID(), body)
}

func (m *measuring) time() time.Duration { return time.Duration(m.Seconds * float64(time.Second)) }

// computed is what the child has computed so far, in seconds, from the Linux kernel; 0 elsewhere.
func (c *child) computed() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // ticks of which Linux tells 100 a second
}

// files are how many the child has open, from the Linux kernel; 0 elsewhere.
func (c *child) files() float64 {
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", c.cmd.Process.Pid))
	return float64(len(open))
}
