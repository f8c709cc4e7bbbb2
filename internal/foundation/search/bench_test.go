//go:build unix

package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kontor/internal/foundation/dec"
)

// Benchmarks of a large shop: 100,000 documents of ten facets each.
const large = 100_000

// shop draws documents and queries: words are as unevenly frequent as in a language.
type shop struct {
	random *rand.Rand
	common *rand.Zipf
	words  []string
}

func newShop() *shop {
	r := rand.New(rand.NewPCG(1, 2))
	s := &shop{random: r, common: rand.NewZipf(r, 1.1, 20, 29_999)}
	syllables := []string{"ba", "ke", "lo", "mi", "nu", "ra", "sto", "tra", "vin", "per", "gal", "dor", "fla", "hem",
		"kli", "slang", "lamp", "bord", "skru", "var"}
	seen := map[string]bool{}
	for len(s.words) < 30_000 {
		w := ""
		for range 2 + r.IntN(3) {
			w += syllables[r.IntN(len(syllables))]
		}
		if !seen[w] {
			seen[w] = true
			s.words = append(s.words, w)
		}
	}
	return s
}

func (s *shop) text(words int) string {
	out := make([]string, words)
	for i := range out {
		out[i] = s.words[s.common.Uint64()]
	}
	return strings.Join(out, " ")
}

func (s *shop) brand() int { return min(s.random.IntN(600), s.random.IntN(600)) }

func itemNumber(n int) string { return fmt.Sprintf("%c%c-%05d", 'A'+n%23, 'A'+n%19, n) }

func (s *shop) document(n int) Document {
	brand, category := s.brand(), s.random.IntN(400)
	d := Document{ID: fmt.Sprintf("0197%08x-0000-7000-8000-%012x", n, n*7919), Popularity: s.random.Uint32N(1000),
		InStock: s.random.IntN(4) > 0}
	name := s.text(4 + s.random.IntN(4))
	if n%3 == 0 {
		name += fmt.Sprintf(" %dx%d cm", 10+s.random.IntN(90), 10+s.random.IntN(90))
	}
	d.Texts = []Passage{{Name, name}, {Number, itemNumber(n)}, {Number, fmt.Sprintf("735%010d", n)},
		{Brand, "Brand " + s.words[29_000+brand]}, {Category, s.words[28_000+category]}, {Text, s.text(30)}}
	term := func(facet, value string) {
		d.Terms = append(d.Terms, Term{facet, value, "The " + value})
		d.Texts = append(d.Texts, Passage{Attribute, value})
	}
	d.Terms = []Term{{"brand", fmt.Sprint(brand), s.words[29_000+brand]},
		{"category", fmt.Sprint("c", category), s.words[28_000+category]},
		{"category", fmt.Sprint("p", category%40), s.words[27_000+category%40]},
		{"category", fmt.Sprint("r", category%8), s.words[26_000+category%8]}}
	for i, facet := range []string{"color", "size", "material", "series", "power", "form", "finish"} {
		term(facet, fmt.Sprint(facet, s.random.IntN(5+i*i*3)))
	}
	d.Amounts = []Amount{{"price", dec.Int(int64(1 + s.random.IntN(9999)))},
		{"rating", dec.Int(int64(s.random.IntN(6)))}, {"newest", dec.Int(int64(n))}}
	d.Keys = []Key{{"name", name}}
	return d
}

// fill adds all documents, a batch at a time, as a feeder does.
func (s *shop) fill(x *Index, n int) {
	var docs []Document
	for i := range n {
		if docs = append(docs, s.document(i)); len(docs) == batch || i == n-1 {
			x.Upsert(docs, int64(i))
			docs = docs[:0]
		}
	}
}

var facetsOfShop = []string{"brand", "category", "color", "size", "material", "series", "power", "form", "finish",
	"price"}

// largeIndex is kept between the benchmarks of a run.
var largeIndex = sync.OnceValue(func() *Index {
	x := New("", "sv")
	newShop().fill(x, large)
	x.Compact()
	return x
})

func BenchmarkIndexing(b *testing.B) {
	for b.Loop() {
		runtime.GC()
		debug.FreeOSMemory()
		before := resident()
		var peak atomic.Int64
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(5 * time.Millisecond):
					peak.Store(max(peak.Load(), resident()))
				}
			}
		}()
		start, cpu := time.Now(), computing()
		x := New(b.TempDir(), "sv")
		newShop().fill(x, large)
		x.Compact()
		b.ReportMetric(time.Since(start).Seconds(), "s/100k")
		b.ReportMetric((computing() - cpu).Seconds(), "cpu-s/100k")
		close(done)
		b.ReportMetric(float64(peak.Load()-before)/1e6, "peak-MB")
		if err := x.Save(); err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		debug.FreeOSMemory()
		b.ReportMetric(float64(resident()-before)/1e6, "after-MB")
		b.ReportMetric(float64(folderSize(b, x.folder))/1e6, "kept-MB")
		start = time.Now()
		if _, err := Open(x.folder, "sv"); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds()*1000, "open-ms")
		runtime.KeepAlive(x)
	}
}

// resident is the memory of the process, in bytes; 0 where the system does not tell.
func resident() (bytes int64) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, pages int64
	if _, err := fmt.Sscan(string(text), &total, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

func folderSize(b *testing.B, dir string) (size int64) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	return size
}

// clients runs work from so many goroutines and reports quantiles.
func clients(b *testing.B, n int, work func(s *shop, i int)) {
	b.Helper()
	largeIndex()
	var took []time.Duration
	var mu sync.Mutex
	var next atomic.Int64
	var all sync.WaitGroup
	shops := make([]*shop, n)
	words := newShop().words
	for c := range shops {
		r := rand.New(rand.NewPCG(7, uint64(c)))
		shops[c] = &shop{r, rand.NewZipf(r, 1.1, 20, 29_999), words}
	}
	b.ReportAllocs()
	b.ResetTimer()
	before := computing()
	for _, s := range shops {
		all.Go(func() {
			var mine []time.Duration
			for {
				i := int(next.Add(1))
				if i > b.N {
					break
				}
				start := time.Now()
				work(s, i)
				mine = append(mine, time.Since(start))
				runtime.Gosched() // a request comes from outside and stands behind those that wait
			}
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
		})
	}
	all.Wait()
	b.ReportMetric((computing()-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
}

// computing is the processor time of the process: what clocks say on a busy machine is of little use.
func computing() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// worst is a query of so many words, as the worst guests ask.
func worst(s *shop, n int, word func(s *shop) string) string {
	words := make([]string, n)
	for i := range words {
		words[i] = word(s)
	}
	return strings.Join(words, " ")
}

func randomLetters(s *shop, n int) string {
	w := make([]byte, n)
	for i := range w {
		w[i] = "aeioubdfghklmnprstv"[s.random.IntN(19)]
	}
	return string(w)
}

func noise(s *shop) string { return randomLetters(s, 4+s.random.IntN(8)) }

func mistyped(s *shop) string {
	w := s.words[s.random.IntN(30_000)]
	return w[:2] + "q" + w[3:]
}

func long(s *shop) string {
	w := ""
	for len(w) < longestWord {
		w += s.words[s.random.IntN(30_000)]
	}
	return w[:longestWord]
}

func beginning(s *shop) string { return s.words[s.random.IntN(30_000)][:3] }

func BenchmarkSearch(b *testing.B) {
	queries := map[string]func(s *shop, i int) Request{
		"one word":  func(s *shop, _ int) Request { return Request{Text: s.text(1)} },
		"two words": func(s *shop, _ int) Request { return Request{Text: s.text(2)} },
		"five words": func(s *shop, _ int) Request {
			return Request{Text: s.text(5) + " "}
		},
		"number": func(s *shop, _ int) Request {
			return Request{Text: strings.ReplaceAll(itemNumber(s.random.IntN(large)), "-", " ")}
		},
		"mistyped": func(s *shop, _ int) Request {
			w := s.words[s.random.IntN(3000)]
			return Request{Text: w[:2] + "q" + w[3:] + " " + s.text(1)}
		},
		"filtered": func(s *shop, _ int) Request {
			return Request{Text: s.text(1), Filters: []Filter{{Facet: "color", Values: []string{"color1", "color2"}},
				{Facet: "category", Values: []string{fmt.Sprint("r", s.random.IntN(8))}}}}
		},
		"category": func(s *shop, _ int) Request {
			return Request{Filters: []Filter{{Facet: "category", Values: []string{fmt.Sprint("p", s.random.IntN(40))}}}}
		},
		"own price": func(s *shop, _ int) Request {
			return Request{Text: s.text(1), Sort: []Order{{Key: "price"}},
				Amount: func(_, _ string, own dec.Dec, has bool) (dec.Dec, bool) { return own, has }}
		},
		"worst, 60 random words":   func(s *shop, _ int) Request { return Request{Text: worst(s, 60, noise)} },
		"worst, 60 mistyped words": func(s *shop, _ int) Request { return Request{Text: worst(s, 60, mistyped)} },
		"worst, 7 long words":      func(s *shop, _ int) Request { return Request{Text: worst(s, 7, long)} },
		"worst, 60 beginnings":     func(s *shop, _ int) Request { return Request{Text: worst(s, 60, beginning)} },
		"worst, 60 frequent words": func(s *shop, _ int) Request {
			return Request{Text: worst(s, 60, func(s *shop) string { return s.words[s.random.IntN(40)] })}
		},
		"everything": func(*shop, int) Request { return Request{} },
	}
	for _, name := range slices.Sorted(maps.Keys(queries)) {
		b.Run(name, func(b *testing.B) {
			clients(b, 8, func(s *shop, i int) {
				r := queries[name](s, i)
				r.Facets, r.Limit = facetsOfShop, 24
				largeIndex().Search(r)
			})
		})
	}
}

func BenchmarkSuggest(b *testing.B) {
	for _, letters := range []int{1, 2, 3, 5, 8} {
		b.Run(fmt.Sprint(letters, " letters"), func(b *testing.B) {
			clients(b, 8, func(s *shop, _ int) {
				w := s.text(1)
				largeIndex().Suggest(Typing{Text: w[:min(letters, len(w))], Products: 5,
					Facets: []string{"category", "brand"}, Values: 3, Phrases: 5})
			})
		})
	}
}

func BenchmarkUpsertOne(b *testing.B) {
	s := newShop()
	clients(b, 1, func(_ *shop, i int) {
		largeIndex().Upsert([]Document{s.document(i * 37 % large)}, 0)
	})
}
