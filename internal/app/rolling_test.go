package app_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/db/dbtest"
)

// Two nodes of an older program are replaced by this one, one after the other, while orders are placed: nobody is told
// anything but to try again, and what was acknowledged is there once. Then the older one refuses the data.
// KONTOR_OLD is a folder with the older program, which scripts/test --ha builds.
func TestRollingUpgrade(t *testing.T) {
	older := os.Getenv("KONTOR_OLD")
	if older == "" {
		t.Skip("KONTOR_OLD names no folder with an older program: scripts/test --ha builds one")
	}
	present := os.Getenv("PATH")
	use := func(folder string) { t.Setenv("PATH", folder+string(os.PathListSeparator)+present) }
	use(older)
	s := &site{TB: t, dir: t.TempDir()}
	s.env = []string{"KONTOR_DATA=" + filepath.Join(s.dir, "data"), "KONTOR_INTEGRATION_RATE=0",
		"KONTOR_DATABASE_URL=" + dbtest.NewServer(t).URL()}
	second := *s
	second.env = append(slices.Clone(s.env), "KONTOR_DATA="+filepath.Join(s.dir, "second"))
	sites := []*site{s, &second}
	t.Logf("from %s", s.kontor("version"))
	key := s.makeCompany("acme")
	b := &balancer{nodes: []*process{s.serve(), second.serve()}, statuses: map[int]int{}, served: make([]time.Time, 2)}
	c := newClient(t, b.nodes[0].url, key)
	c.http.Transport = b
	c.docs = nil // the older program answers by its own documents
	l := newLoad(c)
	l.run(6, 150, func() {})
	for node, at := range sites {
		before := maps.Clone(l.answers)
		gone := b.node(node)
		t.Setenv("PATH", present)
		ended := make(chan struct{})
		var begun time.Time
		go func() {
			defer close(ended)
			if err := gone.stop(); err != nil {
				t.Errorf("the older node ended with %v: %s", err, tail(gone.log.String()))
			}
			begun = time.Now()
			b.put(node, at.serve())
			b.allServeSince(t, time.Now())
		}()
		for going := true; going; {
			l.run(6, 40, func() {})
			select {
			case <-ended:
				going = false
			default:
			}
		}
		t.Logf("node %d is replaced: %d orders were acknowledged meanwhile, and both serve after %s", node+1,
			len(l.answers)-len(before), time.Since(begun).Round(time.Millisecond))
	}
	l.settle(maps.Clone(l.answers))
	l.account()
	t.Logf("%d orders acknowledged; answers: %v", len(l.answers), b.statuses)
	for status, n := range b.statuses {
		if status >= 500 && status != http.StatusServiceUnavailable {
			t.Errorf("%d answers %d", n, status)
		}
	}
	s.kontor("verify")
	use(older)
	if p, err := startProcess(s.dir, s.env); err == nil {
		p.kill()
		t.Error("the older program starts on data of the newer one")
	} else if !strings.Contains(err.Error(), "newer") {
		t.Errorf("the older program says of newer data: %v", err)
	}
}
