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
	rounds := 2
	if text := os.Getenv("KONTOR_FAILOVERS"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	pair := dbtest.NewPair(t)
	s := &site{TB: t, dir: t.TempDir()}
	s.env = []string{"KONTOR_DATA=" + filepath.Join(s.dir, "data"), "KONTOR_INTEGRATION_RATE=0",
		"KONTOR_DATABASE_URL=" + pair.URL()}
	key := s.makeCompany("acme")
	b := &balancer{nodes: []*process{s.serve()}, statuses: map[int]int{}}
	second := *s
	second.env = append(slices.Clone(s.env), "KONTOR_DATA="+filepath.Join(s.dir, "second"))
	b.nodes = append(b.nodes, second.serve())
	b.served = make([]time.Time, len(b.nodes))
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
	failures := dbtest.Failures()
	kinds := slices.Sorted(maps.Keys(failures))
	for round := range rounds {
		kind := kinds[round%len(kinds)]
		b.allServeSince(t, time.Now())
		time.Sleep(500 * time.Millisecond)
		failures[kind](t, pair)
		time.Sleep(time.Duration(round/len(kinds)%5) * time.Second) // until a lease has run out
		promoted := pair.Promote(t)
		without[kind] = append(without[kind], b.allServeSince(t, promoted))
		t.Logf("%s: both nodes serve %s after their server takes changes", kind,
			without[kind][len(without[kind])-1].Round(time.Millisecond))
		pair.Mend(t)
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
