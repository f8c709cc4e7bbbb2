package app_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/app"
	"kontor/internal/command"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/mail/mailtest"
	"kontor/internal/front/chat/chattest"
	"kontor/internal/front/payment/klarna/klarnatest"
	"kontor/internal/front/rest"
)

// The test binary is also the program: called as kontor it is what cmd/kontor is.
func TestMain(m *testing.M) {
	switch {
	case filepath.Base(os.Args[0]) == "kontor":
		tried := rest.Unbounded(db.Doubting(context.Background(), doubted), beyondHeader)
		ctx, stop := signal.NotifyContext(reachable(tried), os.Interrupt, syscall.SIGTERM)
		code := command.Main(ctx, command.Here())
		stop()
		os.Exit(code)
	case app.IsDoomed():
		os.Exit(m.Run())
	}
	os.Exit(runWithProgram(m))
}

// runWithProgram runs the tests with kontor in their path.
func runWithProgram(m *testing.M) int {
	bin, err := os.MkdirTemp("", "bin")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(bin)
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "kontor"))
	}
	if err != nil {
		log.Fatal(err)
	}
	os.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	// Each connection costs the server a process and plans of its own; two processors do no more with more of them.
	os.Setenv("KONTOR_CONNECTIONS", cmp.Or(os.Getenv("KONTOR_CONNECTIONS"), "8"))
	return m.Run()
}

// doubted is what a server of a story says of what it keeps in memory; the story fails by it (see scene.stop).
func doubted(text string) { fmt.Fprintln(os.Stderr, doubtMark+text) }

const doubtMark = "kept on too little: "

const storiesDir = "testdata/stories"

// Each story is told once on each engine, through the command line and over HTTP, with data of its own. README.md
// beside the stories says what may stand in one.
func TestStories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(storiesDir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	seen := newCoverage()
	var begun atomic.Int64
	t.Run("on", func(t *testing.T) {
		for _, engine := range dbtest.Engines() {
			t.Run(engine, func(t *testing.T) {
				t.Parallel()
				if engine == "postgres" {
					dbtest.DatabaseURL(t) // skips where there is none
				}
				testscript.Run(t, testscript.Params{Files: files, Cmds: language(),
					Setup: func(env *testscript.Env) error {
						begun.Add(1)
						return begin(env, engine, seen)
					}})
			})
		}
	})
	told.write(t)
	if int(begun.Load()) < len(files) || t.Failed() {
		return // only some were asked for
	}
	if seen.beyond.past < 60 {
		t.Errorf("only %d numbers were tried beyond the bound of their tag: nothing proves the rooms any more",
			seen.beyond.past)
	}
	if n := seen.beyond.mails.Load(); n < 20 {
		t.Errorf("a text that is no mail address was tried in only %d fields: nothing proves the rooms any more", n)
	}
	operations, codes := seen.missing()
	operations = slices.DeleteFunc(operations, func(o string) bool { return calledElsewhere[o] != "" })
	codes = slices.DeleteFunc(codes, func(c string) bool { return toldElsewhere[c] != "" })
	if len(operations) > 0 {
		t.Errorf("no story in which these answer well: %s", strings.Join(operations, " "))
	}
	if len(codes) > 0 {
		t.Errorf("no story in which somebody is refused with: %s", strings.Join(codes, " "))
	}
}

// Some stories are told once more behind a pooler that keeps nothing beyond a transaction.
func TestStoriesBehindAPooler(t *testing.T) {
	var files []string
	for _, name := range []string{"tour", "sync", "shop-checkout"} {
		files = append(files, filepath.Join(storiesDir, name+".txtar"))
	}
	dbtest.DatabaseURL(t) // skips where there is none
	seen := newCoverage()
	testscript.Run(t, testscript.Params{Files: files, Cmds: language(),
		Setup: func(env *testscript.Env) error { return begin(env, "pooled", seen) }})
}

// calledElsewhere are the operations that no story calls itself, and why.
var calledElsewhere = map[string]string{
	"ecom/receivePaymentCallback": "the Test provider's page calls it, and the races do with signatures of their own",
}

// toldElsewhere are the refusals that no story can bring about, and why.
var toldElsewhere = map[string]string{
	"Payment.Declined":                            "of providers that check the buyer when a payment starts",
	"Payment.Misconfigured":                       "a payment method that lacks settings is not offered",
	"Payment.CallbackStale":                       "callbacks are signed by their provider",
	"SalesOrder.NoDeliveryAddress":                "a customer's name alone counts as an address",
	"Shipment.ShipGroupOrderCannotBeConsolidated": "orders are marked as ship groups by the web shop's checkout only",
}

// scene is where a story takes place.
type scene struct {
	client
	dir    string
	env    []string
	server *process
	last   answer
	path   string    // what was asked last
	wrote  time.Time // before the last write that was taken

	office  *mailtest.Office // where its mails arrive
	klarna  *klarnatest.Server
	model   *chattest.Server
	tenant  string
	store   string // channel
	session string // token
}

type sceneKey struct{}

func begin(env *testscript.Env, engine string, seen *coverage) error {
	t := env.T().(testing.TB) // as testscript promises
	s := &scene{client: *newClient(t, "", ""), dir: env.WorkDir}
	s.seen, s.env = seen, []string{"KONTOR_DATA=" + filepath.Join(env.WorkDir, "data"), insideFolder + "=" + s.inside(),
		"XDG_CONFIG_HOME=" + filepath.Join(env.WorkDir, "config")}
	if err := os.Mkdir(s.inside(), 0o700); err != nil {
		return err
	}
	switch engine {
	case "postgres":
		// One step after another needs few connections, each of which has plans of its own to make.
		s.env = append(s.env, "KONTOR_DATABASE_URL="+dbtest.DatabaseURL(t), "KONTOR_CONNECTIONS=6")
	case "pooled":
		s.env = append(s.env, "KONTOR_DATABASE_URL="+dbtest.Pooled(t, dbtest.DatabaseURL(t)))
	default:
		dbtest.Prepare(t, filepath.Join(env.WorkDir, "data"))
	}
	env.Vars = append(env.Vars, s.env...)
	env.Values[sceneKey{}] = s
	// Whatever a story does, what lies in its data folder is its user's alone.
	env.Defer(func() {
		if open := openToOthers(t, filepath.Join(env.WorkDir, "data")); len(open) > 0 {
			t.Errorf("others may read what the story left: %s", strings.Join(open, "\n"))
		}
	})
	return nil
}

func sceneOf(ts *testscript.TestScript) *scene {
	s := ts.Value(sceneKey{}).(*scene)
	if _, ok := s.TB.(teller); !ok {
		s.TB = teller{s.TB, ts}
	}
	return s
}

// teller is the test of a story: what ends it names the story's line.
type teller struct {
	testing.TB
	ts *testscript.TestScript
}

func (t teller) Fatal(args ...any)                 { t.ts.Fatalf("%s", fmt.Sprint(args...)) }
func (t teller) Fatalf(format string, args ...any) { t.ts.Fatalf(format, args...) }

// language is what stories may say beside testscript's own commands.
func language() map[string]func(*testscript.TestScript, bool, []string) {
	words := map[string]func(*testscript.TestScript, bool, []string){
		"open": sayOpen, "serve": sayServe, "shut": sayShut, "key": sayKey, "office": sayOffice,
		"upload": sayUpload, "match": sayMatch, "like": sayLike, "header": sayHeader, "save": saySave,
		"visit": sayVisit, "storekey": sayStoreKey, "mailbox": sayMailbox, "slip": saySlip, "paper": sayPaper,
		"text": sayText, "klarna": sayKlarna, "model": sayModel, "item": sayItem, "stock": sayStock, "customer": sayCustomer,
		"order": sayOrder, "ship": sayShip, "kontor": sayKontor,
	}
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
		words[method] = func(ts *testscript.TestScript, neg bool, args []string) { ask(ts, method, neg, args) }
	}
	return words
}

// sayOpen is a company open for business: made, served, and with a key that reaches everything.
func sayOpen(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: open [flags of company create]")
	}
	sayServe(ts, false, nil)
	_, err := sceneOf(ts).kontor(append([]string{"company", "create", "--code=acme", "--name=Acme AB", "--country=SE",
		"--currency=SEK"}, args...)...)
	ts.Check(err)
	sayKey(ts, false, []string{"*"})
}

// sayServe starts kontor serve and tells the story where it listens.
func sayServe(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	if s.server != nil {
		ts.Fatalf("the server runs already")
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--integration-rate") }) {
		args = append(args, "--integration-rate=0")
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--commerce-rate") }) {
		args = append(args, "--commerce-rate=0")
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--smtp-url") }) {
		args = append(args, "--smtp-url="+s.mailServer().URL)
	}
	p, err := startProcess(s.dir, s.env, args...)
	if neg != (err != nil) {
		ts.Fatalf("serve: %v", err)
	}
	if neg {
		return
	}
	s.server, s.url = p, p.url
	ts.Setenv("URL", p.url)
	ts.Defer(func() { s.stop() })
}

// sayShut ends the server as an operator does. (testscript has a word stop of its own, which ends the story.)
func sayShut(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	if neg || len(args) > 0 || s.server == nil {
		ts.Fatalf("usage: shut, while the server runs")
	}
	s.stop()
}

func (s *scene) stop() {
	if s.server == nil {
		return
	}
	if err := s.server.stop(); err != nil {
		s.Errorf("the server ended with %v", err)
	}
	for line := range strings.Lines(s.server.log.String()) {
		if strings.HasPrefix(line, doubtMark) {
			s.Errorf("%s", line)
		}
		if !strings.Contains(line, "level=INFO") {
			s.Logf("the server said: %s", line)
		}
	}
	s.server = nil
}

// sayKey makes a key with these scopes and uses it from here on; "key use NAME" goes back to one that was
// kept in a variable; $KEY is the newest.
func sayKey(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	if neg || len(args) == 0 {
		ts.Fatalf("usage: key [--company=CODE] SCOPE... | key use NAME")
	}
	if args[0] == "use" && len(args) == 2 {
		s.key = ts.Getenv(args[1])
		return
	}
	company := "--company=acme"
	if strings.HasPrefix(args[0], "--company=") {
		company, args = args[0], args[1:]
	}
	out, err := s.kontor("api-key", "create", company, "--name="+newKey(), "--scopes="+strings.Join(args, " "))
	ts.Check(err)
	s.key = strings.TrimSpace(out)
	ts.Setenv("KEY", s.key)
}

var (
	isHeader = regexp.MustCompile(`^[A-Za-z][A-Za-z-]*:(\s|$)`)
	isCode   = regexp.MustCompile(`^[A-Z][A-Za-z]+\.[A-Za-z.]+$`)
)

// ask sends a request: METHOD PATH STATUS [Code] ['Name: value'...] ['{...}' | <file]
func ask(ts *testscript.TestScript, method string, neg bool, args []string) {
	s := sceneOf(ts)
	if neg || len(args) < 2 {
		ts.Fatalf("usage: %s PATH STATUS [Area.Code] ['Name: value'...] ['{...}' | <file]", method)
	}
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	var headers []string
	var code, body string
	for _, a := range args[2:] {
		file, isFile := strings.CutPrefix(a, "<")
		switch {
		case isFile:
			body = ts.ReadFile(file)
		case isHeader.MatchString(a):
			headers = append(headers, os.Expand(a, ts.Getenv)) // the story's word is the last
		case isCode.MatchString(a):
			code = a
		default:
			body = os.Expand(a, ts.Getenv)
		}
	}
	path := os.Expand(args[0], ts.Getenv)
	if strings.HasPrefix(path, "/ecom/") {
		headers = append(s.visitor(), headers...)
	}
	if status < 300 {
		s.beyond(method, path, body, headers)
	}
	begun := time.Now().Truncate(time.Microsecond)
	a, err := s.settled(method, path, body, headers...)
	ts.Check(err)
	s.path, s.last = path, a
	if method != "GET" && a.status < 300 {
		s.wrote = begun
	}
	// what every internal note of a story begins with
	if strings.HasPrefix(path, "/ecom/") && strings.Contains(a.String(), "INTERNAL") {
		ts.Fatalf("a store tells an internal note: %s", a)
	}
	if a.status != status || a.code() != code && (code != "" || status >= 400) {
		ts.Fatalf("want %d %s, got %s", status, code, a)
	}
	s.isStillSo(ts, method, path, headers)
}

// sayUpload sends a file, or so many bytes, beside a body or alone: upload PATH STATUS [Code] ['{body}'] FILE|BYTES
func sayUpload(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: upload PATH STATUS [Area.Code] ['{body}'] FILE|BYTES")
	}
	var content string
	name := args[len(args)-1]
	if size, err := strconv.Atoi(name); err == nil {
		content, name = "\x89PNG\r\n\x1a\n"+strings.Repeat("x", size), "large.png"
	} else {
		content = ts.ReadFile(name)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	rest := args[:len(args)-1]
	if last := rest[len(rest)-1]; strings.HasPrefix(last, "{") {
		rest = rest[:len(rest)-1]
		ts.Check(form.WriteField("json", os.Expand(last, ts.Getenv)))
	}
	part, err := form.CreateFormFile("file", name)
	ts.Check(err)
	_, err = io.WriteString(part, content)
	ts.Check(errors.Join(err, form.Close()))
	file := filepath.Join(sceneOf(ts).dir, "upload")
	ts.Check(os.WriteFile(file, body.Bytes(), 0o600))
	ask(ts, "POST", false, append(slices.Clone(rest), "Content-Type: "+form.FormDataContentType(), "<"+file))
}

// sayMatch compares what the last answer holds at a path with the rest of the line.
func sayMatch(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: match PATH VALUE...")
	}
	s := sceneOf(ts)
	if found := s.last.at(args[0]); slices.Equal(found, args[1:]) == neg {
		ts.Fatalf("%s is %q in %s", args[0], found, s.last)
	}
}

// sayLike compares what the last answer holds at a path with a regular expression.
func sayLike(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: like PATH REGEXP")
	}
	s := sceneOf(ts)
	found := strings.Join(s.last.at(args[0]), " ")
	if ok, err := regexp.MatchString(args[1], found); err != nil || ok == neg {
		ts.Fatalf("%s is %q in %s", args[0], found, s.last)
	}
}

// sayHeader compares a header of the last answer with a regular expression; none is the empty text.
func sayHeader(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: header NAME REGEXP")
	}
	got := sceneOf(ts).last.header.Get(args[0])
	if ok, err := regexp.MatchString("^(?:"+args[1]+")$", got); err != nil || ok == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

// saySave keeps a value of the last answer: save NAME PATH, or save NAME header:Name.
func saySave(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: save NAME PATH | save NAME header:Name")
	}
	s := sceneOf(ts)
	if name, ok := strings.CutPrefix(args[1], "header:"); ok {
		value := s.last.header.Get(name)
		if name == "Sync-Watermark" {
			value = s.watermark(ts)
		}
		ts.Setenv(args[0], value)
		return
	}
	found := s.last.at(args[1])
	if len(found) != 1 {
		ts.Fatalf("%s is %q in %s", args[1], found, s.last)
	}
	ts.Setenv(args[0], found[0])
}

// watermark is where a copy goes on that is taken now: it asks what has changed, which is nothing so late, until what
// the story wrote last is behind the mark. While somebody still writes, a job of the server's for one, the mark lies
// before that, and a kept answer keeps its own: nothing is lost then, only told twice, and stories say what is told
// once.
func (s *scene) watermark(ts *testscript.TestScript) string {
	for range 200 {
		a, err := s.settled("GET", s.path+"?modifiedSince=9999-12-31", "")
		ts.Check(err)
		mark := a.header.Get("Sync-Watermark")
		at, err := time.Parse(time.RFC3339Nano, mark)
		ts.Check(err)
		if !at.Before(s.wrote) {
			return mark
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("somebody has been writing for long, or the last write changed nothing: %s", s.last)
	return ""
}

// The words below say what stories begin with, in one line each. What they may leave out is what a story is not about.

// sayItem creates an item: item NUMBER PRICE ['"field": value, ...']
func sayItem(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf(`usage: item NUMBER PRICE ['"field": value, ...']`)
	}
	more := strings.Join(append([]string{""}, args[2:]...), ", ")
	sceneOf(ts).post("/preview/items", `{"itemNumber": %q, "name": %q, "salesPrice": %q, "baseUnitCode": "PCS"%s}`,
		args[0], "Item "+args[0], args[1], more)
}

// sayStock puts goods on the shelf: stock NUMBER QUANTITY [LOCATION]
func sayStock(ts *testscript.TestScript, _ bool, args []string) {
	location := "A-01"
	if len(args) == 3 {
		location = args[2]
	}
	sceneOf(ts).post("/preview/inventory/adjustments",
		`{"warehouseCode": "MAIN", "locationCode": %q, "itemNumber": %q, "quantity": %q}`, location, args[0], args[1])
}

// sayCustomer creates a customer with an address: customer NUMBER ['"field": value, ...']
func sayCustomer(ts *testscript.TestScript, _ bool, args []string) {
	more := strings.Join(append([]string{""}, args[1:]...), ", ")
	sceneOf(ts).post("/preview/customers",
		`{"customerNumber": %q, "name": %q, "street1": "High Street 1", "postalCode": "111 22", "city": "Stockholm", "countryCode": "SE"%s}`,
		args[0], "Customer "+args[0], more)
}

// sayOrder places and releases an order and keeps its number as $order: order CUSTOMER ITEM=QUANTITY... ['"field":
// value, ...']
func sayOrder(ts *testscript.TestScript, _ bool, args []string) {
	var lines []string
	more := ""
	for _, a := range args[1:] {
		if strings.HasPrefix(a, `"`) {
			more = ", " + a
			continue
		}
		item, quantity, _ := strings.Cut(a, "=")
		lines = append(lines, fmt.Sprintf(`{"itemNumber": %q, "quantity": %q}`, item, quantity))
	}
	s := sceneOf(ts)
	a := s.post("/preview/orders", `{"customerNumber": %q, "lines": [%s]%s}`, args[0], strings.Join(lines, ", "), more)
	number := s.one(a, "orderNumber")
	if s.one(a, "status") == "Placed" {
		s.last = s.must(200, "POST", "/preview/orders/"+number+"/release", "")
	}
	ts.Setenv("order", number)
}

// sayShip ships what is allocated to orders, picked whole and handed over, and keeps the shipment's number as
// $shipment.
func sayShip(ts *testscript.TestScript, _ bool, args []string) {
	s := sceneOf(ts)
	a := s.post("/preview/shipments", `{"orderNumbers": ["%s"]}`, strings.Join(args, `", "`))
	number := s.one(a, "shipmentNumber")
	s.must(200, "POST", "/preview/shipments/"+number+"/pick", "")
	s.last = s.must(200, "POST", "/preview/shipments/"+number+"/hand-over", "")
	ts.Setenv("shipment", number)
}

// post creates something that is not refused.
func (s *scene) post(path, body string, args ...any) answer {
	s.last = s.must(201, "POST", path, fmt.Sprintf(body, args...))
	return s.last
}

// process is a kontor serve of its own, as an operator starts it.
type process struct {
	url  string
	cmd  *exec.Cmd
	done chan struct{} // closed once it has ended
	err  error         // how, afterwards
	log  dbtest.Log
}

// startProcess starts kontor serve on a free port and waits until it listens.
func startProcess(dir string, env []string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command("kontor", append([]string{"serve", "--listen=127.0.0.1:0"}, args...)...),
		done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = dir, append(os.Environ(), env...), &p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	line, readErr := lines.ReadString('\n')
	go func() {
		io.Copy(io.Discard, lines)
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		p.cmd.Process.Kill()
		<-p.done
		return nil, fmt.Errorf("kontor serve printed %q (%v) and ended with %v: %s", line, readErr, p.err, &p.log)
	}
	p.url = url
	return p, nil
}

// Write takes what the process logs.
// stop ends the process as an operator does.
func (p *process) stop() error {
	select {
	case <-p.done:
		return fmt.Errorf("%v, by itself", p.err)
	default:
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.done
	return p.err
}

// kill ends it as a power failure does.
func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.done
}
