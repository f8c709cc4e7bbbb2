package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/pause"
	"kontor/internal/foundation/record"
)

// edited is how often it is measured when an edited product is found.
const edited = 20

// edits measures when a changed product is found under its new name, where it was changed and on another node.
func (s *selling) edits(ctx context.Context) {
	s.row("edit", "", func() Row {
		return s.measureEdit(ctx, s.site.url, "an edited product is found, the longest of 20", 1_000)
	})
	switch {
	case !s.wants("edit"):
		return
	case s.place.DatabaseURL == "":
		s.omit("an edited product on another node: files have one")
		return
	case s.Program == "":
		s.omit("an edited product on another node: needs a process of its own")
		return
	}
	place := s.place
	dir := halt.Must(os.MkdirTemp("", "kontor-bench-"))
	defer os.RemoveAll(dir)
	place.Data = filepath.Join(dir, "data") // its key lies beside it
	serving(ctx, s.Program, place, func(_ *child, url string) {
		s.searchable(ctx, url, nil)
		s.row("edit", "on another node",
			func() Row { return s.measureEdit(ctx, url, "the same on another node", 2_000) })
	})
}

// measureEdit changes products here and looks for them at url.
func (s *selling) measureEdit(ctx context.Context, url, name string, most float64) Row {
	office := newTarget(s.site.url, s.firm.key).dial()
	defer office.close()
	v := s.visitor(url)
	defer v.close()
	var took []float64
	for n := range edited {
		id := strings.ReplaceAll(record.NewID(), "-", "")
		word := "zz" + id[len(id)-12:]
		item := itemNumber(n * (s.Items / edited))
		office.change("/preview/items/"+item, `{"description":"`+word+`"}`)
		start := time.Now()
		v.find(ctx, word, item)
		took = append(took, time.Since(start).Seconds()*1000)
	}
	return Row{Work: name, Unit: "ms", Value: quantile(took, 1), P50: median(took),
		P99: quantile(took, 0.99)}.judged(below(most))
}

// find searches until an item is found by a word.
func (v *visitor) find(ctx context.Context, word, item string) {
	for start := time.Now(); time.Since(start) < patience; {
		if strings.Contains(string(v.read("/ecom/catalog/search?pageSize=5&q="+word).body), `"`+item+`"`) {
			return
		}
		halt.On(pause.For(ctx, 5*time.Millisecond))
	}
	halt.On(fmt.Errorf("bench: %s was changed, and is not found by %q after %s", item, word, patience))
}

// apart measures what needs a process of its own: memory, the feed, and the making of the index and its opening by
// another.
func (s *selling) apart(ctx context.Context) {
	if !s.wants("memory") && !s.wants("index") && !s.wants("feed") {
		return
	}
	if s.Program == "" {
		s.omit("memory, feed and index: need a process of their own")
		return
	}
	s.leave(ctx)
	s.rows("memory", "", func() []Row { return s.measureMemory(ctx) })
	s.rows("feed", "", func() []Row { return s.measureFeed(ctx) })
	s.rows("index", "from nothing", func() []Row { return s.measureIndex(ctx) })
	s.row("index", "kept", func() Row { return s.measureOpening(ctx) })
}

// measureIndex measures how long a server cannot search that has no index, with its greatest memory until then. What
// else it is asked it must answer, and tell that it is not whole.
func (s *selling) measureIndex(ctx context.Context) []Row {
	halt.On(os.RemoveAll(filepath.Join(s.place.Data, "search")))
	var took time.Duration
	var memory float64
	var pages []float64
	said := 0
	serving(ctx, s.Program, s.place, func(c *child, url string) {
		took = s.searchable(ctx, url, func(v *visitor) {
			start := time.Now()
			v.read("/ecom/catalog/products/" + productSlug(len(pages)*37%s.Items))
			pages = append(pages, time.Since(start).Seconds()*1000)
			if strings.Contains(string(v.read("/readyz").body), "being built") {
				said++
			}
		})
		memory = c.memory("VmHWM")
	})
	made := Row{Work: fmt.Sprintf("index of %d products from nothing", s.Items), Unit: "s", Value: took.Seconds(),
		Note: fmt.Sprintf(
			"meanwhile %d product pages were answered, in %.1f ms at the median and %.1f at most, and /readyz said %d times that an index is built",
			len(pages), median(pages), quantile(pages, 1), said)}.judged(below(20))
	if len(pages) > 0 && said == 0 {
		halt.On(errors.New("bench: /readyz does not say that the index is being built"))
	}
	most := Row{Work: "the server's memory at its peak until then", Unit: "MB", Value: memory}
	if memory > 0 {
		most = most.judged(below(300))
	}
	return []Row{made, most}
}

// measureOpening measures how long a server needs to search that has an index.
func (s *selling) measureOpening(ctx context.Context) Row {
	var took []float64
	for range starts {
		serving(ctx, s.Program, s.place, func(_ *child, url string) {
			took = append(took, s.searchable(ctx, url, nil).Seconds()*1000)
		})
	}
	return timed(fmt.Sprintf("first search in a kept index of %d products", s.Items), took, "", nil, below(1_000))
}
