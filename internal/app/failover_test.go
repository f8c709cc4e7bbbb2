package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db/dbtest"
)

// balancer sends requests to one node after the other, and keeps count of what they answer.
type balancer struct {
	nodes []*process
	next  atomic.Int64

	mu       sync.Mutex
	statuses map[int]int
	served   []time.Time // when each node last did what it was asked
}

func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	at := int(b.next.Add(1)) % len(b.nodes)
	to, err := url.Parse(b.node(at).url)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Host = to.Host
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		b.mu.Lock()
		b.statuses[answer.StatusCode]++
		if answer.StatusCode < 300 {
			b.served[at] = time.Now()
		}
		b.mu.Unlock()
	}
	return answer, err
}

func (b *balancer) node(at int) *process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.nodes[at]
}

// put replaces a node.
func (b *balancer) put(at int, p *process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes[at] = p
}

// allServeSince waits until every node has done something after a moment, and says how long that took.
func (b *balancer) allServeSince(t *testing.T, moment time.Time) time.Duration {
	t.Helper()
	for {
		b.mu.Lock()
		first := slices.MinFunc(b.served, time.Time.Compare)
		b.mu.Unlock()
		switch {
		case first.After(moment):
			return first.Sub(moment)
		case time.Since(moment) > 40*time.Second:
			t.Fatal("no service on the promoted server")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Two nodes place orders while the database's primary is killed, shut down, switched over, frozen and cut off, and its
// standby takes over: what was acknowledged is there once, what was not is placed by repeating it, and nobody is told
// anything but to try again.
// KONTOR_FAILOVERS says how often; what was measured is in the log.
func TestFailovers(t *testing.T) {
	heavy(t)
	pair := dbtest.NewPair(t)
	failures := dbtest.Failures()
	kinds := slices.Sorted(maps.Keys(failures))
	rehearse(t, failovers(t, 2), []string{pair.URL(), pair.URL()}, func(round int) (string, time.Time, func()) {
		kind := kinds[round%len(kinds)]
		failures[kind](t, pair)
		time.Sleep(time.Duration(round/len(kinds)%5) * time.Second) // until a lease has run out
		return kind, pair.Promote(t), func() { pair.Mend(t) }
	})
}

// The same with Patroni, which decides by itself who takes over: one node names all servers, the other asks HAProxy.
func TestPatroni(t *testing.T) {
	heavy(t)
	if os.Getenv("KONTOR_FAILOVERS") == "" {
		t.Skip("takes minutes: scripts/test --ha runs it")
	}
	cluster := dbtest.NewPatroni(t)
	failures := dbtest.PatroniFailures()
	kinds := slices.Sorted(maps.Keys(failures))
	urls := []string{cluster.URL(), cluster.BalancedURL()}
	rehearse(t, min(failovers(t, 3), 9), urls, func(round int) (string, time.Time, func()) {
		kind, was, begun := kinds[round%len(kinds)], cluster.Primary(""), time.Now()
		mend := failures[kind](t, cluster)
		now := cluster.Primary(was)
		for ; now == ""; now = cluster.Primary(was) {
			if time.Since(begun) > time.Minute {
				t.Fatalf("%s: nobody took over from %s", kind, was)
			}
			time.Sleep(10 * time.Millisecond)
		}
		promoted := time.Now()
		t.Logf("%s: %s takes over from %s after %s", kind, now, was, promoted.Sub(begun).Round(time.Millisecond))
		return kind, promoted, func() { mend(); cluster.Mended(t) }
	})
}

// failovers is how often to rehearse: KONTOR_FAILOVERS, or usual.
func failovers(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("KONTOR_FAILOVERS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// rehearse has nodes, one for each way to the database, place orders while its primary fails, round by round: fail
// answers how it failed, since when another takes changes, and how what failed comes back.
func rehearse(t *testing.T, rounds int, urls []string, fail func(round int) (string, time.Time, func())) {
	t.Helper()
	s := &site{TB: t, dir: t.TempDir()}
	b := &balancer{statuses: map[int]int{}, served: make([]time.Time, len(urls))}
	key := ""
	for i, url := range urls {
		node := *s
		node.env = []string{"KONTOR_DATA=" + filepath.Join(s.dir, fmt.Sprint("node", i)), "KONTOR_INTEGRATION_RATE=0",
			"KONTOR_DATABASE_URL=" + url}
		if i == 0 {
			s.env = node.env
			key = node.makeCompany("acme")
		}
		b.nodes = append(b.nodes, node.serve())
	}
	c := newClient(t, b.nodes[0].url, key)
	c.http.Transport = b
	l := newLoad(c)
	b.statuses = map[int]int{}

	var stop atomic.Bool
	var work sync.WaitGroup
	for range 12 {
		work.Go(func() {
			for !stop.Load() {
				if ok, err := l.place(); err != nil {
					t.Error(err)
				} else if !ok {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	without := map[string][]time.Duration{}
	for round := range rounds {
		b.allServeSince(t, time.Now())
		time.Sleep(500 * time.Millisecond)
		kind, promoted, mend := fail(round)
		took := b.allServeSince(t, promoted)
		without[kind] = append(without[kind], took)
		t.Logf("%s: all nodes serve %s after their server takes changes", kind, took.Round(time.Millisecond))
		mend()
	}
	stop.Store(true)
	work.Wait()
	placed, pending := len(l.answers), len(l.pending)
	l.settle(maps.Clone(l.answers))
	l.account()
	for _, kind := range slices.Sorted(maps.Keys(without)) {
		slices.Sort(without[kind])
		t.Logf("%-12s %d failovers; without service: median %s, at most %s", kind, len(without[kind]),
			without[kind][len(without[kind])/2].Round(time.Millisecond),
			without[kind][len(without[kind])-1].Round(time.Millisecond))
	}
	t.Logf("%d orders acknowledged, %d repeated until they were; answers: %v", placed, pending, fmt.Sprint(b.statuses))
	for status, n := range b.statuses {
		if status >= 500 && status != http.StatusServiceUnavailable {
			t.Errorf("%d answers %d", n, status)
		}
	}
	s.kontor("verify")
}
