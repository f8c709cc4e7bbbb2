package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"kontor/internal/bench"
)

type benchCommand struct {
	Workloads []string `arg:"" optional:"" help:"What to measure (default: all): ${workloads}; or search, by itself: how well products are found that are known to be there; or shop, alone or with some of ${shopworkloads}: a store of --products; or companies, by itself: an installation of --companies."`
	Items     int      `default:"100000" help:"Items of the company that is loaded."`
	Products  int      `default:"20000" help:"Published products of the store that shop measures, each with two variants."`
	Customers int      `default:"10000" help:"Its customers."`
	Orders    int      `default:"100000" help:"Its orders, of three lines each."`
	Few       int      `default:"10000" help:"Orders of the small company that depth compares it with."`
	Companies int      `default:"2000" help:"Companies of the installation that companies measures."`
	Asked     int      `default:"1000" help:"How many of them are asked for, one after another; each has a file of its own of 2.5 MB."`
	Small     bool     `help:"A company of 1,000 items, 100 customers and 2,000 orders, a store of 2,000 products, or 20 companies, measured for half a second each: to see that everything works."`
	Seconds   float64  `default:"5" help:"How long each side of a comparison is measured."`
	Clients   int      `default:"16" help:"Clients that ask at once, each again when it has its answer."`
	Into      string   `placeholder:"DIR|URL" help:"Folder, or PostgreSQL database, to load into and keep for the next run; a folder that is thrown away if left out. --data and --database-url are not looked at, so that nobody's books are filled by mistake."`
	URL       string   `name:"url" placeholder:"URL" help:"Measure the server running here instead, with the company of --key as it is; it places orders in it."`
	Key       string   `placeholder:"KEY" help:"API key for --url."`
	History   string   `placeholder:"FILE" help:"History of orders for the workload import."`
	Known     string   `default:"../shared/data/er-products" placeholder:"DIR" help:"Folder with the sets of known items for search: corpus.tsv, queries.tsv and qrels.tsv in a folder each."`
	Profile   string   `placeholder:"DIR" help:"Write a CPU profile of each workload into this folder."`
}

// Local keeps it here: it opens data of its own.
func (*benchCommand) Local() bool { return true }

// Run measures, and prints what it found. What falls short of what is needed is no failure: machines differ.
func (c *benchCommand) Run(ctx context.Context, env *Env) error {
	switch {
	case len(c.Workloads) > 0 && c.Workloads[0] == shopBench:
		return c.shop(ctx, env)
	case slices.Contains(c.Workloads, search):
		return c.search(env)
	case slices.Contains(c.Workloads, companiesBench):
		return c.companies(ctx, env)
	}
	o := bench.Options{Size: bench.Size{Items: c.Items, Customers: c.Customers, Orders: c.Orders}, Few: c.Few,
		Workloads: c.Workloads, URL: c.URL, Key: c.Key}
	if c.Small {
		o.Size, o.Few = bench.Size{Items: 1_000, Customers: 100, Orders: 2_000}, 500
	}
	if c.History != "" {
		o.History = env.Path(c.History)
	}
	return c.measure(ctx, env, c.check(), o, bench.Run)
}

// measure measures unless something is wrong, and shows what was, also where not everything could be.
func (c *benchCommand) measure(ctx context.Context, env *Env, wrong error, o bench.Options,
	run func(context.Context, bench.Options) (bench.Report, error)) error {
	program, err := os.Executable()
	if err = errors.Join(wrong, c.checkPace(), err); err != nil {
		return err
	}
	o.Seconds, o.Clients, o.Into, o.Program, o.Tick = c.Seconds, c.Clients, c.Into, program, ticker(env)
	o.SecretKeyFile, o.SecretKey = env.Place.SecretKeyFile, env.Place.SecretKey
	if c.Small {
		o.Seconds = 0.5
	}
	if c.Profile != "" {
		o.Profile = env.Path(c.Profile)
	}
	r, err := run(ctx, o)
	if len(r.Rows) == 0 {
		return err
	}
	if env.JSON {
		return errors.Join(env.Print(r, ""), err)
	}
	return errors.Join(r.Print(env.Stdout), err)
}

// These are measured by themselves: search needs no company, shop a store instead of one, companies many of them.
const (
	search         = "search"
	shopBench      = "shop"
	companiesBench = "companies"
)

// companies measures an installation of many.
func (c *benchCommand) companies(ctx context.Context, env *Env) error {
	switch {
	case len(c.Workloads) > 1:
		return errors.New("companies is measured by itself: give the other workloads to another call")
	case c.URL != "":
		return errors.New("companies is measured on data of its own only: leave --url out")
	case c.Asked < 1 || c.Companies < c.Asked:
		return errors.New("--asked is at least 1, and not more than there are --companies")
	}
	o := bench.Options{Companies: c.Companies, Asked: c.Asked}
	if c.Small {
		o.Companies, o.Asked = 20, 10
	}
	return c.measure(ctx, env, nil, o, bench.Companies)
}

// shop measures a store.
func (c *benchCommand) shop(ctx context.Context, env *Env) error {
	switch {
	case c.URL != "":
		return errors.New("shop is measured on data of its own only: leave --url out")
	case c.Products < 500:
		return errors.New("a store to measure has at least 500 products")
	}
	o := bench.Options{Size: bench.Size{Items: c.Products}, Workloads: c.Workloads[1:]}
	if c.Small {
		o.Items = 2_000
	}
	return c.measure(ctx, env, bench.CheckShopWorkloads(c.Workloads[1:]), o, bench.Shop)
}

func (c *benchCommand) search(env *Env) error {
	if len(c.Workloads) > 1 {
		return errors.New("search is measured by itself: it needs no company; give the other workloads to another call")
	}
	r, err := bench.Search(env.Path(c.Known), ticker(env))
	switch {
	case err != nil:
		return err
	case env.JSON:
		return env.Print(r, "")
	}
	return r.Print(env.Stdout)
}

func (c *benchCommand) check() error {
	switch {
	case c.Items < 100 || c.Customers < 10 || c.Orders < 100:
		return errors.New("a company to measure has at least 100 items, 10 customers and 100 orders")
	case (c.URL == "") != (c.Key == ""):
		return errors.New(
			"--url and --key are given together: the server's address and a key to the company to measure with")
	}
	return bench.CheckWorkloads(c.Workloads)
}

func (c *benchCommand) checkPace() error {
	switch {
	case c.Clients < 1 || c.Clients > 1_000:
		return errors.New("--clients is 1 to 1000")
	case !(c.Seconds > 0 && c.Seconds <= 3_600): // NaN is no more than any of them
		return errors.New("--seconds is above 0 and at most 3600")
	}
	return nil
}

// ticker notes on standard error how far a measurement is: a line for each step, and for loading one now and then.
func ticker(env *Env) func(what string, done, total int) {
	var last time.Time
	return func(what string, done, total int) {
		switch {
		case total == 0:
			fmt.Fprintln(env.Stderr, what)
		case done == total || time.Since(last) > 2*time.Second:
			last = time.Now()
			fmt.Fprintf(env.Stderr, "loading %s: %d of %d\n", what, done, total)
		}
	}
}
