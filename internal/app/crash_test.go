package app_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kontor/internal/foundation/db/dbtest"
)

// site is a folder, and on PostgreSQL a database, where kontor is run as an operator runs it.
type site struct {
	testing.TB
	dir string
	env []string
}

func newSite(t *testing.T, engine string) *site {
	t.Helper()
	s := &site{TB: t, dir: t.TempDir()}
	s.env = []string{"KONTOR_DATA=" + filepath.Join(s.dir, "data"), "KONTOR_INTEGRATION_RATE=0"}
	if engine == "postgres" {
		s.env = append(s.env, "KONTOR_DATABASE_URL="+dbtest.DatabaseURL(t))
	} else {
		dbtest.Prepare(t, filepath.Join(s.dir, "data"))
	}
	return s
}

func (s *site) command(args ...string) *exec.Cmd {
	cmd := exec.Command("kontor", args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	return cmd
}

// kontor runs a command that succeeds, and answers what it printed.
func (s *site) kontor(args ...string) string {
	s.Helper()
	var errs bytes.Buffer
	cmd := s.command(args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		s.Fatalf("kontor %s: %v: %s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// makeCompany makes a company and answers a key of it.
func (s *site) makeCompany(code string) (key string) {
	s.Helper()
	s.kontor("company", "create", "--code="+code, "--name="+code, "--country=SE", "--currency=SEK")
	return s.kontor("api-key", "create", "--company="+code, "--name=k", "--scopes=*")
}

func (s *site) serve() *process {
	s.Helper()
	p, err := startProcess(s.dir, s.env)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		p.kill()
		if s.Failed() {
			s.Logf("the server's log ended with:\n%s", tail(p.log.String()))
		}
	})
	return p
}

// tail is the end of a log.
func tail(log string) string { return log[max(0, len(log)-4000):] }

// load is the traffic of another system that places orders and never gives up on one: it repeats a request under its
// key until it is answered, and every answer has to be 201.
type load struct {
	*client
	next atomic.Int64

	mu      sync.Mutex
	answers map[string][]byte // by key: what was acknowledged
	pending map[string]bool   // keys that were sent and not answered
}

func newLoad(c *client) *load {
	c.must(201, "POST", "/preview/items", `{"itemNumber": "A-1", "name": "A", "salesPrice": 10}`)
	c.must(201, "POST", "/preview/customers",
		`{"customerNumber": "C-1", "name": "C", "city": "Lund", "countryCode": "SE"}`)
	c.must(201, "POST", "/preview/inventory/adjustments",
		`{"warehouseCode": "MAIN", "locationCode": "A-01", "itemNumber": "A-1", "quantity": 100000}`)
	return &load{client: c, answers: map[string][]byte{}, pending: map[string]bool{}}
}

func orderBody(key string) string {
	return fmt.Sprintf(
		`{"customerNumber": "C-1", "orderTypeCode": "AUTO", "externalOrderNumber": %q, "lines": [{"itemNumber": "A-1", "quantity": 2}, {"description": "Greeting", "quantity": 1, "unitPrice": 1}]}`, key)
}

// place places the next order and reports whether it was acknowledged.
func (l *load) place() (bool, error) {
	key := fmt.Sprintf("order-%d", l.next.Add(1))
	l.mu.Lock()
	l.pending[key] = true
	l.mu.Unlock()
	a, err := l.try("POST", "/preview/orders", orderBody(key), "Idempotency-Key: "+key)
	if err == nil && a.status == 201 {
		l.acknowledge(key, a)
		return true, nil
	}
	var wrong errNotPromised
	if errors.As(err, &wrong) || err == nil && a.status != 503 {
		return false, fmt.Errorf("%s: %v %s", key, err, a)
	}
	return false, nil
}

func (l *load) acknowledge(key string, a answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, key)
	l.answers[key] = a.raw
}

// run lets workers place orders until so many more are acknowledged, or the server is gone.
func (l *load) run(workers, acknowledged int, enough func()) {
	l.Helper()
	var count atomic.Int64
	var once sync.Once
	var stop atomic.Bool
	together(workers, workers, func(int) {
		for !stop.Load() {
			ok, err := l.place()
			if err != nil {
				l.Error(err)
			}
			if ok && count.Add(1) >= int64(acknowledged) {
				once.Do(func() { enough(); stop.Store(true) })
			}
			if !ok && count.Load() >= int64(acknowledged) {
				return
			}
		}
	})
}

// settle repeats what was not answered, and what was: the first answers 201, the second what it answered first.
func (l *load) settle(acknowledged map[string][]byte) {
	l.Helper()
	for _, key := range slices.Sorted(maps.Keys(l.pending)) {
		a := l.patiently("POST", "/preview/orders", orderBody(key), "Idempotency-Key: "+key)
		if a.status != 201 {
			l.Fatalf("%s, which was not answered: %s", key, a)
		}
		l.acknowledge(key, a)
	}
	for key, first := range acknowledged {
		a := l.patiently("POST", "/preview/orders", orderBody(key), "Idempotency-Key: "+key)
		if a.status != 201 || !bytes.Equal(a.raw, first) || a.header.Get("Idempotent-Replayed") != "true" {
			l.Errorf("%s was acknowledged with %s, and now %v %s", key, first, a.header, a)
		}
	}
}

// account compares the orders that are there with those that were placed: each once, and whole.
func (l *load) account() {
	l.Helper()
	times := map[string]int{}
	for _, row := range l.all("/preview/orders") {
		times[fmt.Sprint(dig(row, "externalOrderNumber"))]++
		if got := fmt.Sprint(dig(row, "totalAmount"), dig(row, "lineCount")); got != "21.002" {
			l.Errorf("an order is not whole: %v", row)
		}
	}
	for key := range l.answers {
		if times[key] != 1 {
			l.Errorf("%s is there %d times", key, times[key])
		}
	}
	if len(times) != len(l.answers) {
		l.Errorf("%d orders are there, %d were placed", len(times), len(l.answers))
	}
}

func heavy(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out of -short: it starts and kills servers over and over; run it without -short")
	}
	t.Parallel()
}

// rounds is how often a test kills: on PostgreSQL, where what was committed is the server's and a kill loses answers
// alone, a third of what it is where the process that is killed writes the file.
func rounds(engine string, n int) int {
	if engine == "sqlite" {
		return n
	}
	return n / 3
}

// The process is killed 20 times under load (6 on PostgreSQL). What was acknowledged is there, what is repeated answers
// the same.
func TestKilledUnderLoad(t *testing.T) {
	heavy(t)
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, engine)
			key := s.makeCompany("acme")
			p := s.serve()
			l := newLoad(newClient(t, p.url, key))
			for round := range rounds(engine, 20) {
				before := maps.Clone(l.answers)
				l.run(6, 5+round%4*7, p.kill)
				p = s.serve()
				l.url = p.url
				fresh := maps.Clone(l.answers)
				maps.DeleteFunc(fresh, func(k string, _ []byte) bool { return before[k] != nil })
				l.settle(fresh)
			}
			l.account()
			if err := p.stop(); err != nil {
				t.Errorf("the server ended with %v: %s", err, &p.log)
			}
			s.kontor("verify")
		})
	}
}

// history is a file of orders and cancellations as another system exports them: about 5 lines each.
func history(t *testing.T, path string, lines int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	w.Write([]string{"InvoiceNo", "StockCode", "Description", "Quantity", "InvoiceDate", "UnitPrice", "CustomerID",
		"Country"})
	for i := range lines {
		document, line := i/5, i%5
		number, sign := fmt.Sprint(100000+document), ""
		if document%10 == 9 { // takes back what the document before has sold
			number, sign, line = fmt.Sprint("C", 100000+document), "-", line+5
		}
		code := fmt.Sprint(10000 + (document-document%10)%70 + line%5)
		w.Write([]string{number, code, "Thing " + code, fmt.Sprint(sign, 1+line%3),
			fmt.Sprintf("2011-%02d-%02d 10:%02d:00", 1+document%12, 1+document%28, document%60),
			fmt.Sprintf("%d.%02d", 1+i%9, i%100), fmt.Sprint(12000 + document%10*0 + document/10%20),
			[]string{"United Kingdom", "EIRE", "Sweden"}[document/10%3]})
	}
	w.Flush()
	if err := errors.Join(w.Error(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// realHistory is the beginning of a shop's real year, where the data set is here.
func realHistory(t *testing.T, path string, lines int) {
	t.Helper()
	const set = "../../../shared/data/onlineretail/onlineretail.csv.zst"
	f, err := os.Open(set)
	if err != nil {
		t.Skip("the data set of a real year is not here:", err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	in := bufio.NewReader(z)
	var out bytes.Buffer
	for range lines + 1 {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(line)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// books is what an import has left: documents, what they are worth, and the stock.
func books(c *client) (lines []string) {
	for _, o := range c.all("/preview/orders") {
		lines = append(lines, fmt.Sprint("order ", dig(o, "externalOrderNumber"), dig(o, "status"),
			dig(o, "totalAmount"), dig(o, "lineCount"), dig(o, "orderDate")))
	}
	for _, i := range c.all("/preview/invoices") {
		lines = append(lines, fmt.Sprint("invoice ", dig(i, "externalDocumentNumber"), dig(i, "type"), dig(i, "status"),
			dig(i, "totalAmount"), dig(i, "invoiceDate"), dig(i, "balance")))
	}
	for _, r := range c.all("/preview/inventory/stock") {
		lines = append(lines, fmt.Sprint("stock ", dig(r, "itemNumber"), dig(r, "locationCode"),
			dig(r, "quantityOnHand")))
	}
	slices.Sort(lines)
	return lines
}

// An import that is killed in the middle, again and again, and run once more ends in the same books as one that is not.
func TestKilledImport(t *testing.T) {
	heavy(t)
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, engine)
			file := filepath.Join(s.dir, "history.csv")
			history(t, file, 2000)
			killImports(s, engine, file)
		})
	}
}

// The same with the beginning of a real year.
func TestKilledRealImport(t *testing.T) {
	heavy(t)
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, engine)
			file := filepath.Join(s.dir, "year.csv")
			realHistory(t, file, rounds(engine, 10_000))
			killImports(s, engine, file)
		})
	}
}

// killImports imports a file into one company in peace and into another one while being killed, and compares them.
func killImports(s *site, engine, file string) {
	s.Helper()
	undisturbed := s.makeCompany("calm")
	killed := s.makeCompany("acme")
	s.kontor("import", "orders", file, "--company=calm")
	p := s.serve()
	want := books(newClient(s, p.url, undisturbed))
	if len(want) < 100 {
		s.Fatalf("the import made only %d documents and rows", len(want))
	}
	c := newClient(s, p.url, killed)
	for _, enough := range []string{"/preview/items", "/preview/inventory/stock", "/preview/orders"} {
		run := s.command("import", "orders", file, "--company=acme")
		if err := run.Start(); err != nil {
			s.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- run.Wait() }()
		early := waitForSome(c, enough, ended)
		if engine == "sqlite" && !early {
			p.kill() // the import runs inside the server, which has the data
			<-ended
			p = s.serve()
			c.url = p.url
		} else if !early {
			run.Process.Kill()
			<-ended
		}
		s.Logf("killed with %d documents of %d; had ended before: %v", len(books(c)), len(want), early)
	}
	s.kontor("import", "orders", file, "--company=acme")
	if got := books(c); !slices.Equal(got, want) {
		s.Errorf("the books differ: %d entries, want %d\n%s", len(got), len(want), firstDifference(got, want))
	}
	var again struct {
		Orders, CreditNotes struct{ Created, Unchanged int }
		ItemsCreated        int
		CustomersCreated    int
	}
	if err := json.Unmarshal([]byte(s.kontor("import", "orders", file, "--company=acme", "--json")),
		&again); err != nil {
		s.Fatal(err)
	}
	if again.Orders.Created+again.CreditNotes.Created+again.ItemsCreated+again.CustomersCreated > 0 ||
		again.Orders.Unchanged == 0 {
		s.Errorf("run again it changed something: %+v", again)
	}
	s.kontor("verify")
}

// waitForSome waits until a list has rows, or the command has ended, and reports the latter.
func waitForSome(c *client, list string, ended chan error) (early bool) {
	for {
		select {
		case err := <-ended:
			ended <- err
			return true
		default:
		}
		if a := c.must(200, "GET", list, ""); c.one(a, "totalCount") != "0" {
			return false
		}
	}
}

func firstDifference(got, want []string) string {
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			return fmt.Sprintf("%q instead of %q", append(got, "nothing")[min(i, len(got))], want[i])
		}
	}
	return fmt.Sprintf("%q and more", got[len(want)])
}

// A disk that is full refuses writes with 503 and Retry-After. Nothing is half written, what can be read is read, and
// when there is room again everything goes on by itself.
func TestFullDisk(t *testing.T) {
	heavy(t)
	s := newSite(t, "sqlite")
	data := filepath.Join(s.dir, "data")
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=12m", "none", data).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be made here, it takes root: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", data).Run() })
	key := s.makeCompany("acme")
	p := s.serve()
	l := newLoad(newClient(t, p.url, key))
	var refused answer
	var line bytes.Buffer
	for range 150 {
		line.WriteString(`, {"description": "` + strings.Repeat("x", 200) + `", "quantity": 1, "unitPrice": 1}`)
	}
	big := func(n int) (string, string) {
		return fmt.Sprintf(
				`{"customerNumber": "C-1", "externalOrderNumber": "big-%d", "lines": [{"itemNumber": "A-1", "quantity": 1}%s]}`,
				n, line.String()),
			fmt.Sprintf("Idempotency-Key: big-%d", n)
	}
	n := 0
	for ; refused.status == 0 && n < 2000; n++ {
		body, key := big(n)
		if a := l.send("POST", "/preview/orders", body, key); a.status != 201 {
			refused = a
		}
	}
	if refused.status != 503 || refused.header.Get("Retry-After") == "" || refused.code() != "Server.Unavailable" {
		t.Fatalf("after %d orders: %v %s", n, refused.header, refused)
	}
	present := func() int { return len(l.all("/preview/orders?search=SO")) }
	if got := present(); got != n-1 {
		t.Errorf("%d orders are there, %d were acknowledged", got, n-1)
	}
	// Many at once: each is answered, with 201 or 503, and the small ones do not suffer from the big ones for ever.
	together(20, 20, func(i int) {
		body, key := big(n + i)
		if a, err := l.try("POST", "/preview/orders", body, key); err != nil || a.status != 503 && a.status != 201 {
			t.Errorf("on a full disk: %v %s", err, a)
		}
	})
	// Who wants to save what there is does it now, on another disk.
	exec.Command("sh", "-c", `cat /dev/zero > "$0"`, filepath.Join(data, "filler")).Run()
	s.kontor("backup", filepath.Join(s.dir, "full.tar.zst"))
	s.kontor("restore", "--check", filepath.Join(s.dir, "full.tar.zst"))
	if err := os.Remove(filepath.Join(data, "filler")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "remount,size=200m", data).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for i := range 21 {
		body, key := big(n - 1 + i)
		if a := l.patiently("POST", "/preview/orders", body, key); a.status != 201 {
			t.Errorf("with room again: %s", a)
		}
	}
	l.run(4, 20, func() {})
	if got, want := present(), n+20+len(l.answers); got != want {
		t.Errorf("%d orders are there, want %d", got, want)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
	s.kontor("verify")
}

// The database goes away: 503 with Retry-After, never half a write; it comes back, and everything goes on by itself.
func TestLostDatabase(t *testing.T) {
	heavy(t)
	s := newSite(t, "postgres")
	key := s.makeCompany("acme")
	lossy, through := newProxy(t, strings.TrimPrefix(s.env[2], "KONTOR_DATABASE_URL="))
	s.env[2] = "KONTOR_DATABASE_URL=" + through
	p := s.serve()
	l := newLoad(newClient(t, p.url, key))
	l.run(4, 20, func() {})

	l.withoutDatabase(lossy)
	l.pending["lost"] = true
	l.settle(nil)

	// Connections break under load.
	for range 10 {
		l.run(6, 15, func() { lossy.cut(false) })
	}
	l.settle(nil)

	l.lostAtCommit(lossy, lostBefore)
	l.lostAtCommit(lossy, lostAfter)
	l.account()
	if err := p.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	s.kontor("verify")
}

// withoutDatabase is refused everything while the database is away, and goes on when it is back.
func (l *load) withoutDatabase(lossy *proxy) {
	l.Helper()
	lossy.cut(true)
	for _, a := range []answer{
		l.send("GET", "/preview/orders", ""),
		l.send("POST", "/preview/orders", orderBody("lost"), "Idempotency-Key: lost"),
		l.send("PATCH", "/preview/items/A-1", `{"name": "Changed"}`),
	} {
		if a.status != 503 || a.header.Get("Retry-After") == "" || a.code() != "Server.Unavailable" {
			l.Errorf("without a database: %v %s", a.header, a)
		}
	}
	if a := l.send("GET", "/readyz", ""); a.status != 503 {
		l.Errorf("without a database it says it is ready: %s", a)
	}
	if a := l.send("GET", "/healthz", ""); a.status != 200 {
		l.Errorf("without a database the process is healthy all the same: %s", a)
	}
	lossy.cut(false)
	if a := l.patiently("GET", "/preview/items/A-1", ""); l.one(a, "name") != "A" {
		l.Errorf("a refused change is there: %s", a)
	}
}

// lostAtCommit places and releases orders while the connection breaks exactly at the commit: before the database sees
// it, or before its answer is back.
func (l *load) lostAtCommit(lossy *proxy, what loss) {
	l.Helper()
	losing := func(do func()) {
		lost := lossy.once(commitMessage(), what)
		if do(); !lost.Load() {
			l.Fatal("no commit was lost")
		}
	}
	for i := range 5 {
		key := fmt.Sprintf("sealed-%d-%d", what, i)
		losing(func() {
			a := l.patiently("POST", "/preview/orders", orderBody(key), "Idempotency-Key: "+key)
			if a.status != 201 {
				l.Fatalf("%s: %s", key, a)
			}
			l.acknowledge(key, a)
		})
	}
	o := l.one(l.must(201, "POST", "/preview/orders", strings.Replace(orderBody(fmt.Sprint("release-", what)), "AUTO",
		"STANDARD", 1)), "orderNumber")
	l.answers[fmt.Sprint("release-", what)] = nil
	losing(func() {
		if a := l.patiently("POST", "/preview/orders/"+o+"/release", ""); a.status != 200 &&
			a.code() != "SalesOrder.InvalidStatus" {
			l.Errorf("released: %s", a)
		}
	})
	if a := l.patiently("GET", "/preview/orders/"+o, ""); l.one(a, "status") != "Released" {
		l.Errorf("not released: %s", a)
	}
}
