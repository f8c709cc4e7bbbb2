package command

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kontor/internal/app/socket"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/db/sqlite"
)

// onEach runs a story on each engine.
func onEach(t *testing.T, story func(t *testing.T, at site)) {
	t.Run("sqlite", func(t *testing.T) { story(t, site{dir: t.TempDir()}) })
	t.Run("postgres", func(t *testing.T) { story(t, site{dir: t.TempDir(), url: dbtest.DatabaseURL(t)}) })
}

// server is a running `kontor serve`.
type server struct {
	url  string
	stop func() int
}

// serve starts `kontor serve` there and waits until it listens.
func (at site) serve(t *testing.T, args ...string) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, out := io.Pipe()
	var log bytes.Buffer
	exit := make(chan int, 1)
	go func() {
		exit <- Main(ctx, socket.Call{Args: append([]string{"serve", "--listen=127.0.0.1:0"}, args...), Dir: at.dir,
			Env: at.env(), Stdout: out, Stderr: &log})
		out.Close()
	}()
	line, err := bufio.NewReader(read).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		cancel()
		t.Fatalf("serve printed %q, exit %d, log %s", line, <-exit, log.String())
	}
	s := &server{url: url}
	s.stop = func() int { cancel(); code := <-exit; exit <- code; return code }
	t.Cleanup(func() {
		if code := s.stop(); code != success {
			t.Errorf("serve ended with %d: %s", code, log.String())
		}
	})
	return s
}

// get answers the status and the decoded body.
func (s *server) get(t *testing.T, path, key string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	body := map[string]any{}
	_ = json.Unmarshal(b, &body)
	return resp.StatusCode, body
}

// must runs a command with --json and answers what it printed.
func (at site) must(t *testing.T, args ...string) map[string]any {
	t.Helper()
	got := at.run(t, append(args, "--json")...)
	answer := map[string]any{}
	if err := json.Unmarshal([]byte(got.out), &answer); got.code != success || err != nil {
		t.Fatalf("kontor %s: exit %d, %q, %q", strings.Join(args, " "), got.code, got.out, got.err)
	}
	return answer
}

func (at site) createAcme(t *testing.T) (key string) {
	t.Helper()
	at.must(t, "company", "create", "--code=acme", "--name=Acme AB", "--country=SE", "--currency=SEK")
	return at.must(t, "api-key", "create", "--company=acme", "--name=k", "--scopes=*")["key"].(string)
}

// Who mistypes the data's folder is told so, and no folder is made; the first company makes it.
func TestWhereNoDataIsNoneIsMade(t *testing.T) {
	at := site{dir: t.TempDir()}
	for _, args := range []string{"company list", "verify", "api-key list --company=acme", "backup all.zst",
		"export items --company=acme", "import items x.csv --company=acme", "search rebuild --company=acme",
		"migrate", "migrate --status"} {
		got := at.run(t, append(strings.Fields(args), "--data=mistyped")...)
		if got.code != failure || !strings.Contains(got.err, "mistyped: say with --data where it is") {
			t.Errorf("kontor %s: exit %d, %q", args, got.code, got.err)
		}
	}
	if left, err := os.ReadDir(at.dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left: %v", left, err)
	}
	at.createAcme(t)
}

func TestMetricsAnswerWhereTheyAreAskedFor(t *testing.T) {
	dir := t.TempDir()
	s := site{dir: dir}.serve(t, "--data="+dir, "--metrics-listen=main", "--public-url=https://erp.example.com")
	for path, want := range map[string]string{"/metrics": "kontor_build_info", "/healthz": "ok"} {
		r, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("GET %s = %d without %s, %v", path, r.StatusCode, want, err)
		}
		if r.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("GET %s says nothing of https, by which the server is reached", path)
		}
	}
}

const warehouses = "/preview/reference/warehouses"

func codesAt(body map[string]any) (codes []string) {
	items, _ := body["items"].([]any)
	for _, i := range items {
		row := i.(map[string]any)
		for _, name := range []string{"code", "locationCode", "channelCode"} {
			if code, ok := row[name].(string); ok {
				codes = append(codes, code)
				break
			}
		}
	}
	return codes
}

func TestFromNothingToAnAnswer(t *testing.T) { onEach(t, fromNothingToAnAnswer) }

func fromNothingToAnAnswer(t *testing.T, at site) {
	key := at.createAcme(t)
	s := at.serve(t)
	for _, path := range []string{"/healthz", "/readyz", "/docs/", "/preview/swagger.json",
		"/problems/request-invalid"} {
		if status, _ := s.get(t, path, ""); status != http.StatusOK {
			t.Errorf("GET %s = %d", path, status)
		}
	}
	if status, _ := s.get(t, "/metrics", ""); status != http.StatusNotFound {
		t.Errorf("GET /metrics where nobody asked for it = %d", status)
	}
	if status, body := s.get(t, warehouses, key); status != http.StatusOK ||
		strings.Join(codesAt(body), " ") != "MAIN" {
		t.Errorf("warehouses: %d %v", status, body)
	}
	if status, body := s.get(t, warehouses, ""); status != http.StatusUnauthorized ||
		body["code"] != "Auth.MissingCredential" {
		t.Errorf("without a key: %d %v", status, body)
	}
	if status, body := s.get(t, "/nowhere", key); status != http.StatusNotFound || body["code"] != "Route.NotFound" {
		t.Errorf("an unknown path: %d %v", status, body)
	}
}

func TestCommandsGoThroughTheServer(t *testing.T) {
	at := site{dir: t.TempDir()}
	s := at.serve(t)
	key := at.createAcme(t) // the data is locked: only the server can have done it
	if status, body := s.get(t, warehouses, key); status != http.StatusOK {
		t.Errorf("warehouses: %d %v", status, body)
	}
	if got := at.run(t, "api-key", "list", "--company=nobody"); got.code != failure ||
		!strings.Contains(got.err, "Company.NotFound") {
		t.Errorf("a refusal did not come back: %+v", got)
	}
	at.must(t, "api-key", "revoke", "--company=acme", "k")
	if status, _ := s.get(t, warehouses, key); status != http.StatusUnauthorized {
		t.Errorf("the revoked key still works: %d", status)
	}
	if code := s.stop(); code != success {
		t.Fatalf("serve ended with %d", code)
	}
	if got := at.must(t, "company", "list"); len(got["companies"].([]any)) != 1 {
		t.Errorf("after the server stopped: %v", got)
	}
}

func TestASecondServerIsRefused(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.serve(t)
	if got := at.run(t, "serve", "--listen=127.0.0.1:0"); got.code != failure || !strings.Contains(got.err, "in use") {
		t.Errorf("two servers on one folder: %+v", got)
	}
}

func TestABusyAddressIsNamed(t *testing.T) {
	first := site{dir: t.TempDir()}.serve(t)
	addr := strings.TrimPrefix(first.url, "http://")
	got := site{dir: t.TempDir()}.run(t, "serve", "--listen="+addr)
	if got.code != failure || !strings.Contains(got.err, addr) || !strings.Contains(got.err, "--listen") {
		t.Errorf("%+v", got)
	}
}

func TestBackupAndRestore(t *testing.T) { onEach(t, backupAndRestore) }

func backupAndRestore(t *testing.T, at site) {
	key := at.createAcme(t)
	s := at.serve(t)
	at.must(t, "backup", "all.tar.zst")
	at.must(t, "backup", "acme.tar.zst", "--company=acme")
	at.must(t, "company", "clone", "--company=acme", "--code=copy")
	at.must(t, "company", "delete", "acme", "--confirm=acme")
	if status, _ := s.get(t, warehouses, key); status != http.StatusUnauthorized {
		t.Fatalf("the company is gone, its key answers %d", status)
	}
	at.must(t, "restore", "acme.tar.zst", "--company=acme")
	if status, body := s.get(t, warehouses, key); status != http.StatusOK || len(codesAt(body)) != 1 {
		t.Errorf("one company put back: %d %v", status, body)
	}
	if got := at.run(t, "restore", "all.tar.zst"); got.code != failure ||
		!strings.Contains(got.err, "Restore.WouldOverwrite") {
		t.Errorf("restored over what is there: %+v", got)
	}
	at.must(t, "restore", "all.tar.zst", "--force")
	if status, body := s.get(t, warehouses, key); status != http.StatusOK || len(codesAt(body)) != 1 {
		t.Errorf("everything put back: %d %v", status, body)
	}
	if got := at.must(t, "company", "list"); len(got["companies"].([]any)) != 1 {
		t.Errorf("the clone, made after the backup, is still there: %v", got)
	}
	if got := at.run(t, "verify"); got.code != success {
		t.Errorf("verify: %+v", got)
	}
}

func TestADamagedBackupChangesNothing(t *testing.T) { onEach(t, aDamagedBackupChangesNothing) }

func aDamagedBackupChangesNothing(t *testing.T, at site) {
	at.createAcme(t)
	at.must(t, "backup", "all.tar.zst")
	path := filepath.Join(at.dir, "all.tar.zst")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{b[:len(b)/2], append(append(bytes.Clone(b[:len(b)/2]), b[len(b)/2]^1),
		b[len(b)/2+1:]...), []byte("no archive")} {
		write(t, path, string(damaged))
		if got := at.run(t, "restore", "all.tar.zst", "--force"); got.code != failure {
			t.Errorf("a damaged archive was restored: %+v", got)
		}
	}
	if got := at.must(t, "company", "list"); len(got["companies"].([]any)) != 1 {
		t.Errorf("the company is gone: %v", got)
	}
}

// A disk that loses a page is found by looking through the file: nothing else may ever read that page.
func TestVerifyFindsADamagedFile(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	found, err := filepath.Glob(filepath.Join(at.dir, "kontor-data", "cells", "*.db"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	d, err := sqlite.Engine().Open(found[0], db.ForOwning)
	if err != nil {
		t.Fatal(err)
	}
	var page, size int
	err = errors.Join(d.QueryRow("select rootpage from sqlite_schema where name = 'cart'").Scan(&page),
		d.QueryRow("pragma page_size").Scan(&size), d.Close())
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	copy(b[(page-1)*size:page*size], bytes.Repeat([]byte{0xff}, size))
	write(t, found[0], string(b))
	if got := at.run(t, "verify"); got.code != failure || !strings.Contains(got.out, "the file is damaged") {
		t.Errorf("%+v", got)
	}
}

// A company whose rows are hidden or gone (a dump made by a role that row-level security binds) is a difference with a
// remedy, and keeps nobody from looking at the others.
func TestVerifyNamesACompanyWithoutData(t *testing.T) { onEach(t, verifyAbsent) }

func verifyAbsent(t *testing.T, at site) {
	at.createAcme(t)
	d := dbtest.Beside
	if at.url == "" {
		d = func(t testing.TB, _ string) *sql.DB {
			found, _ := filepath.Glob(filepath.Join(at.dir, "kontor-data", "cells", "*.db"))
			d, err := sqlite.Engine().Open(found[0], db.ForOwning)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { d.Close() })
			return d
		}
	}
	if _, err := d(t, at.url).Exec("delete from company_state"); err != nil {
		t.Fatal(err)
	}
	at.must(t, "company", "create", "--code=other", "--name=Other AB", "--country=SE", "--currency=SEK")
	got := at.run(t, "verify")
	if got.code != failure || !strings.Contains(got.out, "acme: none of its data is here") ||
		!strings.Contains(got.out, "other: no differences") {
		t.Errorf("%+v", got)
	}
	if at.url == "" { // a file is opened when somebody asks for its company
		return
	}
	s := at.serve(t)
	var said []byte
	for range 100 {
		resp, err := http.Get(s.url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		said, err = io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || strings.Contains(string(said), "row-level security") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("a server whose companies have no rows says %s", said)
}

// The starter set of every company, code for code: tests and tutorials rely on it.
func TestStarterSet(t *testing.T) { onEach(t, starterSet) }

func starterSet(t *testing.T, at site) {
	key := at.createAcme(t)
	s := at.serve(t)
	for path, want := range map[string]string{
		"warehouses": "MAIN", "warehouses/MAIN/locations": "A-01 A-02 RETURNS", "currencies": "DKK EUR GBP NOK SEK USD",
		"order-types": "AUTO STANDARD WEB", "shipping-methods": "PARCEL PICKUP", "payment-terms": "NET30 PREPAID",
		"delivery-terms": "DAP EXW", "units": "H KG M PCS", "tax-codes": "RED STD ZERO",
		"customer-groups": "RETAIL WHOLESALE", "ticket-queues": "RETURNS SALES SUPPORT",
	} {
		status, body := s.get(t, "/preview/reference/"+path, key)
		if got := strings.Join(codesAt(body), " "); status != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %s", path, status, got, want)
		}
	}
	for path, want := range map[string]string{"/preview/channels": "WEB", "/preview/price-lists": "BASE"} {
		if status, body := s.get(t, path, key); status == http.StatusOK && strings.Join(codesAt(body), " ") != want {
			t.Errorf("%s: %v", path, body)
		}
	}
}

// A backup of one engine is restored on the other.
func TestABackupMovesBetweenEngines(t *testing.T) {
	small := site{dir: t.TempDir()}
	large := site{dir: t.TempDir(), url: dbtest.DatabaseURL(t)}
	key := small.createAcme(t)
	small.must(t, "user", "create", "--email=a@example.com", "--password=long enough for it", "--company=acme",
		"--role=admin")
	small.must(t, "backup", filepath.Join(large.dir, "small.tar.zst"))
	large.must(t, "restore", "small.tar.zst")
	large.must(t, "backup", filepath.Join(small.dir, "large.tar.zst"))
	small.must(t, "restore", "large.tar.zst", "--force")
	for _, at := range []site{small, large} {
		s := at.serve(t)
		if status, body := s.get(t, "/preview/reference/currencies", key); status != http.StatusOK ||
			len(codesAt(body)) != 6 {
			t.Errorf("%+v: %d %v", at, status, body)
		}
		if got := at.run(t, "verify"); got.code != success {
			t.Errorf("verify: %+v", got)
		}
		if got := at.run(t, "user", "create", "--email=A@example.com", "--company=acme",
			"--role=sales"); !strings.Contains(got.err, "User.AlreadyExists") {
			t.Errorf("the user did not move: %+v", got)
		}
	}
}

func TestPeopleAndPapersFromTheShell(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	for _, c := range []struct{ args, code string }{
		{"user create --email=a@example.com --password=short --company=acme --role=admin", "User.Invalid"},
		{"user create --email=a@example.com --company=acme --role=admin", "User.Invalid"},
		{"user create --email=a@example.com --company=none --role=admin", "Company.NotFound"},
		{"contact create --company=acme --customer=1 --name=N --email=a@example.com --password=0123456789",
			"Customer.NotFound"},
		{"invoice book --company=acme 1", "Invoice.NotFound"},
		{"invoice credit --company=acme 1 --line=x", "Request.Invalid"},
		{"invoice pay --company=acme 1 --amount=1,5 --date=tomorrow", "Request.Invalid"},
		{"api-key create --company=acme --name=k --scopes=nothing:read", "ApiKey.Invalid"},
		{"api-key create --company=acme --name=k --scopes=* --expires=2001-01-01", "ApiKey.Invalid"},
		{"api-key revoke --company=acme nobody", "ApiKey.NotFound"},
		{"company delete acme", "Company.NotConfirmed"},
		{"company create --code=ACME --name=A --country=SE --currency=SEK", "Company.AlreadyExists"},
	} {
		if got := at.run(t, strings.Fields(c.args)...); got.code != failure || !strings.Contains(got.err, c.code) ||
			strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
	if got := at.must(t, "migrate", "--status"); len(got["databases"].([]any)) != 2 {
		t.Errorf("migrate --status: %v", got)
	}
	if got := at.run(t, "migrate", "--to=99999"); got.code != failure ||
		!strings.Contains(got.err, "Configuration.Invalid") {
		t.Errorf("migrate to a version that is not: %+v", got)
	}
	if got := at.must(t, "migrate"); len(got["databases"].([]any)) != 2 {
		t.Errorf("migrate: %v", got)
	}
	if got := at.must(t, "version"); got["go"] == "" {
		t.Errorf("version: %v", got)
	}
	if got := at.run(t, "openapi", "preview"); got.code != success || !json.Valid([]byte(got.out)) {
		t.Errorf("openapi preview: exit %d, %s", got.code, got.err)
	}
}
