package app_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// hostileTime is how long the hostile afternoon lasts: 10 s, or what KONTOR_HOSTILE says (1h).
func hostileTime(t testing.TB) time.Duration {
	t.Helper()
	text := os.Getenv("KONTOR_HOSTILE")
	if text == "" {
		return 10 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("KONTOR_HOSTILE: %v", err)
	}
	return d
}

// afternoon is a store with the usual limits, real people who work and buy there, and the worst guests.
type afternoon struct {
	*market
	storeKey string
	until    context.Context

	visits  atomic.Int64 // of real visitors
	orders  sync.Map     // number -> true
	bought  atomic.Int64
	mu      sync.Mutex
	signIns []time.Duration
	buys    []time.Duration
	heard   map[string]int // guests' answers by deed and status
}

// While the worst guests do what they can think of, everybody else goes on: who buys is never refused, the office signs
// in, an integration reads, and in the end the books are right and neither memory nor disk has grown with what the
// guests did.
func TestHostileAfternoon(t *testing.T) {
	heavy(t)
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			a := openAfternoon(t, engine)
			before := a.measure()
			var half figuresOfServer
			until, stop := context.WithTimeout(t.Context(), hostileTime(t))
			defer stop()
			a.until = until
			var all sync.WaitGroup
			for range 3 {
				all.Go(a.realVisitor)
			}
			all.Go(a.office)
			all.Go(a.integration)
			for n := range 8 {
				all.Go(func() { newGuest(a, n).harass() })
			}
			all.Go(func() {
				for n := range looks {
					select {
					case <-time.After(hostileTime(t) / looks):
					case <-until.Done():
						return
					}
					now := a.measure()
					t.Logf("after %d of %d: %s", n+1, looks, now)
					if n+1 == looks/2 {
						half = now
					}
				}
			})
			all.Wait()
			a.reckon(before, half)
		})
	}
}

// looks are how often the server is weighed over the afternoon.
const looks = 10

func openAfternoon(t *testing.T, engine string) *afternoon {
	t.Helper()
	m := &market{site: newSite(t, engine), items: map[string]string{}}
	// the usual limits
	m.env = slices.DeleteFunc(m.env, func(v string) bool { return strings.HasPrefix(v, "KONTOR_INTEGRATION_RATE=") })
	m.env = append(m.env, "KONTOR_METRICS_LISTEN=main", fmt.Sprint("KONTOR_MEMORY=", memoryOfAfternoon))
	m.key = m.makeCompany("acme")
	a := &afternoon{market: m, heard: map[string]int{}}
	a.storeKey = strings.Fields(m.kontor("store-key", "create", "--company=acme", "--channel=WEB", "--name=shop"))[0]
	kontor := m.open()
	hash, err := kontor.Hasher.Hash(t.Context(), rightPassword)
	if err == nil {
		err = kontor.InCompany(t.Context(), "acme", func(tx *db.Tx) error {
			m.tenant = tx.Company
			c, err := party.Create(tx, party.Customer{Name: "Ida", IsActive: true})
			if err == nil {
				_, err = party.CreateContact(tx, c.Number, party.Contact{Name: "Ida", Email: "ida@example.com",
					HasPortalAccess: true, IsActive: true, PasswordHash: hash})
			}
			if err != nil {
				return err
			}
			return stocked(tx, 1_000) // nobody buys as much in an hour
		})
	}
	if err == nil {
		err = kontor.Control(t.Context(), func(tx *db.Tx) error {
			_, err := identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", Name: "Anna",
				PasswordHash: hash, CompanyID: m.tenant, Role: identity.Admin})
			return err
		})
	}
	if err := errors.Join(err, kontor.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	m.nodes = []*process{m.serve()}
	m.crowd = newClient(t, "", m.key)
	c := m.at(0)
	for from := 0; from < 400; from += 200 {
		var rows []string
		for k := from; k < from+200; k++ {
			rows = append(rows,
				fmt.Sprintf(`{"itemNumber": "P-%d", "channelCode": "WEB", "isPublished": true, "slug": "p-%d"}`, k, k))
		}
		c.must(200, "POST", "/preview/item-channels/batch", `{"itemChannels": [`+strings.Join(rows, ", ")+`]}`)
	}
	return a
}

// asShop is what the merchant's server sends for a visitor.
func (a *afternoon) asShop(visitor, token string) []string {
	h := []string{"X-Api-Key:", "X-Store-Key: " + a.storeKey, "X-Visitor-IP: " + visitor, "X-Tenant-Id: " + a.tenant,
		"X-Channel: WEB"}
	if token != "" {
		h = append(h, "Authorization: Bearer "+token)
	}
	return h
}

func (a *afternoon) over() bool { return a.until.Err() != nil }

// realVisitor buys one time after the other, from a search to the order, which is asked for twice under one key.
func (a *afternoon) realVisitor() {
	for !a.over() && !a.Failed() {
		start := time.Now()
		if err := a.buy(); err != nil {
			a.Errorf("a real visitor: %v", err)
			return
		}
		a.mu.Lock()
		a.buys = append(a.buys, time.Since(start))
		a.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
	}
}

func (a *afternoon) buy() error {
	n := a.visits.Add(1)
	visitor := fmt.Sprintf("203.0.%d.%d", 112+n/250%8, 1+n%250)
	c, token := a.at(0), ""
	ask := func(want int, method, path, body string, more ...string) (answer, error) {
		got, err := c.try(method, path, body, append(a.asShop(visitor, token), more...)...)
		if err == nil && got.status != want {
			err = fmt.Errorf("%s %s: want %d, got %s", method, path, want, got)
		}
		return got, err
	}
	got, err := ask(200, "GET", "/ecom/session", "")
	if err != nil {
		return err
	}
	token = c.one(got, "sessionToken")
	if got, err = ask(200, "GET", fmt.Sprintf("/ecom/catalog/search?q=thing+%d", n%400), ""); err != nil {
		return err
	}
	ids := got.at("items[*].id")
	if len(ids) == 0 {
		return fmt.Errorf("a search found nothing: %s", got)
	}
	for _, s := range [][3]string{
		{"GET", "/ecom/catalog/products/" + ids[0], ""},
		{"POST", "/ecom/cart/items/batch", fmt.Sprintf(`{"items": [{"itemId": %q, "quantity": 1}]}`, ids[0])},
		{"PUT", "/ecom/checkout/contact",
			fmt.Sprintf(`{"email": "buyer-%d@example.com", "firstName": "Eva", "lastName": "Ek"}`, n)},
		{"PUT", "/ecom/checkout/addresses",
			`{"billing": {"name": "Eva Ek", "street1": "Storgatan 1", "postalCode": "111 22", "city": "Stockholm", "countryCode": "SE"}}`},
		{"PUT", "/ecom/checkout/delivery", `{"shippingMethodCode": "PICKUP"}`},
		{"PUT", "/ecom/checkout/payment", `{"paymentMethodCode": "PREPAYMENT"}`},
	} {
		if _, err := ask(200, s[0], s[1], s[2]); err != nil {
			return err
		}
	}
	key := "Idempotency-Key: " + newKey()
	var numbers []string
	for range 2 {
		if got, err = ask(201, "POST", "/ecom/checkout/place", `{"termsAccepted": true}`, key); err != nil {
			return err
		}
		numbers = append(numbers, c.one(got, "orderNumber"))
	}
	if _, twice := a.orders.LoadOrStore(numbers[0], true); twice || numbers[0] != numbers[1] {
		return fmt.Errorf("one order under one key is %v, told to another before: %t", numbers, twice)
	}
	a.bought.Add(1)
	return nil
}

// office signs in every now and then, as somebody at a desk of his own does.
func (a *afternoon) office() {
	form := url.Values{"email": {"anna@example.com"}, "password": {rightPassword}}.Encode()
	// Its browser is known from the first time on: what strangers guess meanwhile is counted apart.
	jar, err := cookiejar.New(nil)
	if err != nil {
		a.Error(err)
		return
	}
	desk := &http.Client{Transport: from("127.99.0.1"), Timeout: time.Minute, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for !a.over() {
		req, err := http.NewRequest("POST", a.at(0).url+"/sign-in", strings.NewReader(form))
		if err != nil {
			a.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", a.at(0).url)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		start := time.Now()
		resp, err := desk.Do(req)
		if err != nil {
			a.Errorf("the office cannot sign in: %v", err)
			return
		}
		took := time.Since(start)
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusSeeOther {
			a.Errorf("the office signs in: %d %.300s", resp.StatusCode, body)
			return
		}
		a.mu.Lock()
		a.signIns = append(a.signIns, took)
		a.mu.Unlock()
		time.Sleep(max(2*time.Second, hostileTime(a)/400)) // who signs in more often than that is guessing
	}
}

// integration follows the changes, as another system does.
func (a *afternoon) integration() {
	for !a.over() {
		if got, err := a.at(0).try("GET", "/preview/orders?pageSize=50", ""); err != nil || got.status != 200 {
			a.Errorf("an integration: %v %s", err, got)
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// from is a transport whose connections come from an address of this machine.
func from(address string) *http.Transport {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 10 * time.Second}
	return &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: 2, DisableCompression: true}
}

// figuresOfServer is what the server weighs.
type figuresOfServer struct {
	heap, resident, goroutines, files, disk float64
}

// measure reads the server's metrics, and how large its data has become. The heap is what lived after the last
// collection: the next one comes when so much more is there as the pace of the server says. It may be of the time under
// load: then what was being worked on counts too.
func (a *afternoon) measure() figuresOfServer {
	var f figuresOfServer
	resp, err := http.Get(a.at(0).url + "/metrics")
	if err != nil {
		a.Errorf("metrics: %v", err)
		return f
	}
	defer resp.Body.Close()
	var next, percent float64
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue
		}
		switch name {
		case "go_memstats_next_gc_bytes":
			next = n
		case "go_gc_gogc_percent":
			percent = n
		case "process_resident_memory_bytes":
			f.resident = n
		case "go_goroutines":
			f.goroutines = n
		case "process_open_fds":
			f.files = n
		}
	}
	f.heap = next / (1 + percent/100)
	filepath.WalkDir(filepath.Join(a.dir, "data"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				f.disk += float64(info.Size())
			}
		}
		return nil
	})
	return f
}

func (f figuresOfServer) String() string {
	return fmt.Sprintf("%.0f MB live heap, %.0f MB resident, %.0f goroutines, %.0f open files, %.0f MB of data",
		f.heap/1e6, f.resident/1e6, f.goroutines, f.files, f.disk/1e6)
}

// memoryOfAfternoon is the budget of the server, in bytes.
const memoryOfAfternoon = 512 << 20

// What may be kept of an afternoon. An order with its checkout, session, letters and indexes takes some 40 KB where
// data lies in files; besides, the write-ahead log and what guests may have written within their limits. Answers and
// values in memory have budgets of
// 64 MB (KeepBytes), and a heap that has just been collected may hold both.
const (
	diskOfOrder  = 100_000
	diskBesides  = 96e6
	heapBesides  = 160e6
	filesBesides = 60
	goneBesides  = 60 // goroutines: idle connections of those who are still there
	// The program itself lies in memory as its file does: the system takes that back when it wants.
	programInMemory = 100e6
)

// reckon compares what is there with what was bought, and what the server weighs with what it weighed before.
func (a *afternoon) reckon(before, half figuresOfServer) {
	a.Helper()
	bought := int(a.bought.Load())
	slices.Sort(a.signIns)
	slices.Sort(a.buys)
	if bought == 0 || len(a.signIns) == 0 {
		a.Fatalf("%d real visitors bought something, the office signed in %d times", bought, len(a.signIns))
	}
	median := a.signIns[len(a.signIns)/2]
	a.Logf(
		"%d bought, in %s at the median and %s at most; the office signed in %d times, in %s at the median and %s at most",
		bought, a.buys[len(a.buys)/2].Round(time.Millisecond), a.buys[len(a.buys)-1].Round(time.Millisecond),
		len(a.signIns), median.Round(time.Millisecond), a.signIns[len(a.signIns)-1].Round(time.Millisecond))
	if os.Getenv("KONTOR_HOSTILE") != "" && median > time.Second { // other tests slow a short afternoon down
		a.Errorf("the office signs in in %s", median)
	}
	a.tellHeard()
	var after figuresOfServer
	for range 60 { // connections end, and a collection comes
		if after = a.measure(); after.goroutines < before.goroutines+goneBesides && after.files < before.files+
			filesBesides {
			break
		}
		time.Sleep(time.Second)
	}
	a.Logf("before %s; half-way %s; after %s", before, half, after)
	if after.goroutines > before.goroutines+goneBesides || after.files > before.files+filesBesides {
		a.Errorf("goroutines or open files are left: before %s, after %s", before, after)
	}
	if after.heap > max(before.heap, half.heap)+heapBesides {
		a.Errorf("the heap has grown: %s, half-way %s", after, half)
	}
	if after.resident > memoryOfAfternoon+programInMemory {
		a.Errorf("of %d MB of memory allowed: %s", memoryOfAfternoon>>20, after)
	}
	if after.disk > before.disk+float64(bought)*diskOfOrder+diskBesides {
		a.Errorf("the data has grown by more than %d orders: before %s, after %s", bought, before, after)
	}
	total := a.at(0).one(a.at(0).must(200, "GET", "/preview/orders?pageSize=1", ""), "totalCount")
	if total != strconv.Itoa(bought) {
		a.Errorf("%s orders are there, %d were placed", total, bought)
	}
	a.settle()
}

// tellHeard logs what guests were answered.
func (a *afternoon) tellHeard() {
	a.Helper()
	var lines []string
	for what, n := range a.heard {
		lines = append(lines, fmt.Sprintf("%s %d", what, n))
	}
	slices.Sort(lines)
	a.Logf("the guests heard: %s", strings.Join(lines, ", "))
}

// guest is somebody who means no good, from an address of his own.
type guest struct {
	*afternoon
	n      int
	random *rand.Rand
	http   *http.Client
	peer   string
	token  string
	deed   string
}

func newGuest(a *afternoon, n int) *guest {
	peer := fmt.Sprintf("127.66.%d.%d", n/250, 1+n%250)
	return &guest{afternoon: a, n: n, random: rand.New(rand.NewPCG(uint64(n), 7)), peer: peer,
		http: &http.Client{Transport: from(peer), Timeout: 20 * time.Second}}
}

// note counts an answer. None may be a fault of ours.
func (g *guest) note(status int, what string, body []byte) {
	g.mu.Lock()
	g.heard[fmt.Sprint(g.deed, " ", status)]++
	g.mu.Unlock()
	if status == 500 || status > 500 && status != 503 {
		g.Errorf("%s: %.200s was answered %d %.400s", g.deed, what, status, body)
	}
}

// send sends a request; that nobody answers is no fault.
func (g *guest) send(method, path, body string, headers ...string) (int, []byte) {
	req, err := http.NewRequestWithContext(g.until, method, g.at(0).url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range append([]string{"X-Tenant-Id: " + g.tenant, "X-Channel: WEB", "X-Visitor-IP: 198.51.100." +
		strconv.Itoa(g.random.IntN(250)), "X-Forwarded-For: 198.51.100." + strconv.Itoa(g.random.IntN(250)),
		"Idempotency-Key: guest-" +
			strconv.Itoa(g.random.IntN(50))}, headers...) {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := g.http.Do(req)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	g.note(resp.StatusCode, method+" "+path+" "+body[:min(len(body), 200)], text)
	return resp.StatusCode, text
}

// harass does one deed after the other until the afternoon is over.
func (g *guest) harass() {
	deeds := g.deeds()
	names := make([]string, 0, len(deeds))
	for name := range deeds {
		names = append(names, name)
	}
	slices.Sort(names)
	for !g.over() {
		g.deed = names[g.random.IntN(len(names))]
		deeds[g.deed]()
	}
	g.http.CloseIdleConnections()
}

// visit has a session if one is given.
func (g *guest) visit() string {
	if g.token == "" || g.random.IntN(20) == 0 {
		status, body := g.send("GET", "/ecom/session", "")
		if _, rest, ok := bytes.Cut(body, []byte(`"sessionToken":"`)); status == 200 && ok {
			g.token = string(rest[:bytes.IndexByte(rest, '"')])
		}
	}
	return "Authorization: Bearer " + g.token
}

func (g *guest) junk(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + g.random.IntN(26))
	}
	return string(b)
}
