package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/halt"
)

// child is our program in a process of its own, as it is installed: only there do starting and memory mean anything.
type child struct {
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	errors strings.Builder
	begun  time.Time
}

// run starts the program on the data of place. What it says on standard output can be read line by line.
func run(ctx context.Context, program string, place datadir.Dir, args ...string) *child {
	args = append(args, "--data", place.Data)
	if place.DatabaseURL != "" {
		args = append(args, "--database-url", place.DatabaseURL)
	}
	if place.SecretKeyFile != "" {
		args = append(args, "--secret-key-file", place.SecretKeyFile)
	}
	c := &child{cmd: exec.CommandContext(ctx, program, args...), begun: time.Now()}
	for _, kv := range os.Environ() { // the flags alone say where and how
		if !strings.HasPrefix(kv, "KONTOR_") {
			c.cmd.Env = append(c.cmd.Env, kv)
		}
	}
	if place.SecretKey != "" { // others see the command line
		c.cmd.Env = append(c.cmd.Env, "KONTOR_SECRET_KEY="+place.SecretKey)
	}
	c.cmd.Stderr = &c.errors
	c.lines = bufio.NewScanner(halt.Must(c.cmd.StdoutPipe()))
	halt.On(c.cmd.Start())
	return c
}

// serving starts a server, does something with it where it listens, and stops it as its supervisor would.
func serving(ctx context.Context, program string, place datadir.Dir, do func(c *child, url string)) {
	c := run(ctx, program, place, "serve", "--listen", "127.0.0.1:0", "--integration-rate", "0", "--commerce-rate",
		"0", "--no-access-log")
	for c.lines.Scan() {
		if _, url, ok := strings.Cut(c.lines.Text(), "listening on "); ok {
			err := halt.Told(func() { do(c, url) })
			halt.On(errors.Join(err, c.end()))
			return
		}
	}
	halt.On(fmt.Errorf("the server did not start: %w: %s", c.cmd.Wait(), c.errors.String()))
}

func (c *child) end() error {
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	for c.lines.Scan() { // Wait asks that all be read first
	}
	return c.cmd.Wait()
}

// memory is a figure of the child's, in MB, from the Linux kernel; 0 elsewhere.
func (c *child) memory(field string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kb, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kb / 1000
		}
	}
	return 0
}

// starts is how often starting is measured.
const starts = 5

// measureStart measures from the start of the process on existing data to the first order it answers.
func measureStart(ctx context.Context, program string, place datadir.Dir, f firm) Row {
	var took []float64
	for range starts {
		serving(ctx, program, place, func(c *child, url string) {
			ask(url, f.key, "/preview/orders/"+orderNumber(0))
			took = append(took, time.Since(c.begun).Seconds()*1000)
		})
	}
	return timed(fmt.Sprintf("start to first answer, %d orders", f.Orders), took, "", nil, below(300))
}

// ask makes one request that must be answered.
func ask(url, key, path string) {
	c := newTarget(url, key).dial()
	defer c.close()
	c.read(path)
}

// idle is how long a server rests before its memory is read.
const idle = 2 * time.Second

// measureMemory measures what a server of the sample company holds when it has answered and rests.
func measureMemory(ctx context.Context, program string, place datadir.Dir, key string) (row Row) {
	serving(ctx, program, place, func(c *child, url string) {
		for page := range 3 {
			for _, list := range []string{"orders", "items", "customers", "shipments", "invoices"} {
				ask(url, key, fmt.Sprintf("/preview/%s?page=%d", list, page+1))
			}
		}
		time.Sleep(idle)
		row = c.holds("idle memory, sample company", "VmRSS", 60)
	})
	return row
}

// holds is a row of a figure of the child's memory.
func (c *child) holds(work, field string, most float64) Row {
	r := Row{Work: work, Unit: "MB", Value: c.memory(field)}
	if r.Value == 0 {
		r.Note = "only Linux tells"
		return r
	}
	r.Note = fmt.Sprintf("of what it holds now %.0f MB are the program and its files as they are mapped, and %.0f MB its own",
		c.memory("RssFile"), c.memory("RssAnon"))
	return r.judged(below(most))
}

// measureImport imports a history of orders into an empty company, in a process of its own.
func measureImport(ctx context.Context, program string, place datadir.Dir, file, company string) []Row {
	c := run(ctx, program, place, "import", "orders", file, "--company", company, "--json")
	peak := c.peak()
	c.lines.Buffer(nil, 16<<20)
	var text strings.Builder
	for c.lines.Scan() {
		text.WriteString(c.lines.Text())
	}
	err := c.cmd.Wait()
	took := time.Since(c.begun).Seconds()
	if err != nil {
		halt.On(fmt.Errorf("%w: %s", err, c.errors.String()))
	}
	var report struct {
		LinesRead int `json:"linesRead"`
		Orders    struct {
			Created int `json:"created"`
		} `json:"orders"`
	}
	halt.On(json.Unmarshal([]byte(text.String()), &report))
	whole := Row{Work: fmt.Sprintf("import of %d order lines", report.LinesRead), Value: took, Unit: "s",
		Note: fmt.Sprintf("%d orders placed, shipped and invoiced", report.Orders.Created)}.judged(below(120))
	memory := Row{Work: "the import's memory at its peak", Value: <-peak, Unit: "MB"}
	if memory.Value > 0 {
		memory = memory.judged(below(500))
	}
	return []Row{whole, memory}
}

// peak follows the child's greatest memory until it ends.
func (c *child) peak() <-chan float64 {
	out := make(chan float64, 1)
	go func() {
		most := 0.0
		for {
			now := c.memory("VmHWM")
			if now == 0 { // ended, or not on Linux
				out <- most
				return
			}
			most = now
			time.Sleep(50 * time.Millisecond)
		}
	}()
	return out
}
