package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/halt"
)

// Of the store's reads so many different ones are made, in no order.
const (
	hotProducts = 1_000
	listSize    = 24
	listPages   = 40
)

// The clients who search at once.
const searchers = 8

// reads measures what visitors look at.
func (s *selling) reads(ctx context.Context) {
	if s.wants("products") || s.wants("search") || s.wants("suggest") || s.wants("edit") {
		s.Tick("building the search index", 0, 0)
		s.searchable(ctx, s.site.url, nil)
	}
	s.row("page", "unseen", func() Row { return s.measureUnseen(ctx) })
	for _, r := range []struct {
		workload, name string
		paths          []string
		need           need
	}{{"page", "GET product page", s.pages(), atLeast(0.40)},
		{"products", "GET list page of 24 products with prices and stock", s.lists(), atLeast(0.25)}} {
		s.row(r.workload, "", func() Row { return s.besideHandler(ctx, r.workload, r.name, r.paths, r.need) })
	}
	s.row("search", "", func() Row {
		return limited(s.latency(ctx, "search", "search with facets, p95 of 8 clients", s.query), 8, 30)
	})
	s.row("suggest", "", func() Row {
		return limited(s.latency(ctx, "suggest", "suggestions, p95 of 8 clients", s.typing), 0, 10)
	})
}

// limited is a row of milliseconds, judged by its median and the 95 % that its value is.
func limited(r Row, p50, p95 float64) Row {
	met := r.Value < p95 && (p50 == 0 || r.P50 < p50)
	r.Met, r.Needed = &met, fmt.Sprintf("p95 under %g ms", p95)
	if p50 > 0 {
		r.Needed += fmt.Sprintf(", p50 under %g ms", p50)
	}
	return r
}

// pages are the addresses of products, spread over all.
func (s *selling) pages() []string {
	n := min(hotProducts, s.Items)
	return listOf(n, func(i int) string { return "/ecom/catalog/products/" + productSlug(i*(s.Items/n)) })
}

// lists are the first pages of some categories in several orders.
func (s *selling) lists() []string {
	sorts := []string{"", "&sort=price", "&sort=name", "&sort=newest"}
	return listOf(listPages, func(i int) string {
		return fmt.Sprintf("/ecom/catalog/products?category=%s&page=%d&pageSize=%d%s", categoryCode(i*7),
			1+i%3*min(1, s.Items/5_000), listSize, sorts[i%len(sorts)])
	})
}

// besideHandler compares reading with a bare handler that answers the bytes of the first address. Each client is a
// visitor.
func (s *selling) besideHandler(ctx context.Context, workload, name string, paths []string, n need) Row {
	v := s.visitor(s.site.url)
	defer v.close()
	survey := reading{paths: paths}
	_, body := survey.survey(v.to)
	b := serveBare(http.StatusOK, body, nil)
	defer b.close()
	theirs := *v.to
	theirs.url = halt.Must(url.Parse(b.url))
	ours := s.visitors(func(v *visitor, n int) func() {
		requests := each.Of(paths, v.to.get)
		random := rand.New(rand.NewPCG(uint64(n), 2))
		return func() {
			i := random.IntN(len(requests))
			a := v.do(requests[i])
			a.expect(http.StatusOK, http.MethodGet, paths[i])
			if len(a.body) < len(body)/4 {
				halt.On(fmt.Errorf("GET %s answers %d bytes", paths[i], len(a.body)))
			}
		}
	})
	got := drive(ctx, s.pace(workload), ours, survey.side(&theirs, nil, nil))
	return rated(name, "requests/s", got[0], "bare handler", got[1], n)
}

// measureUnseen measures what a page costs that nobody has looked at: each product's is asked for once.
func (s *selling) measureUnseen(ctx context.Context) Row {
	p := s.pace("unseen")
	p.units = int64(max(1, s.Items/(p.rounds+4))) // with those that warm up, and those of the profile
	p.round = max(p.round, time.Second)
	var at atomic.Int64
	got := drive(ctx, p, s.visitors(func(v *visitor, _ int) func() {
		return func() { v.read("/ecom/catalog/products/" + productSlug(int(at.Add(1)-1)%s.Items)) }
	}))
	return computing("GET product page that nobody has seen", got[0], below(0.25))
}

// latency measures how long searchers wait; hardly two of what they ask are alike. Its value is what 95 of 100 wait at
// most.
func (s *selling) latency(ctx context.Context, workload, name string, path func(*rand.Rand) string) Row {
	p := s.pace(workload)
	p.clients = searchers
	got := drive(ctx, p, s.visitors(func(v *visitor, n int) func() {
		random := drawing(n)
		return func() { v.read(path(random)) }
	}))
	return Row{Work: name, Unit: "ms", Value: quantile(got[0].took, 0.95), P50: quantile(got[0].took, 0.5),
		P99: quantile(got[0].took, 0.99), CPU: median(got[0].cpu),
		Note: fmt.Sprintf("%.0f answers a second", got[0].rate())}
}

// query is a search as visitors make them: mostly two words, at times one, a typing error or an item number, often
// narrowed.
func (s *selling) query(random *rand.Rand) string {
	n := random.IntN(s.Items)
	name := strings.Fields(product(n).Name)
	var words string
	switch k := random.IntN(20); {
	case k < 9:
		words = name[0] + " " + name[1]
	case k < 12:
		words = name[1] + " " + name[2]
	case k < 15:
		words = name[1]
	case k < 17:
		words = name[2][:3] + name[2][4:] + " " + name[1] // a letter is missing
	case k < 19:
		words = itemNumber(n)
	default:
		words = properties()[1].value(n, 1) + " " + name[1]
	}
	q := "/ecom/catalog/search?pageSize=24&q=" + url.QueryEscape(strings.ToLower(words))
	switch random.IntN(4) {
	case 0:
		p := random.IntN(5)
		q += "&f." + properties()[p].code + "=" + url.QueryEscape(properties()[p].value(n, p))
	case 1:
		from := random.IntN(500)
		q += "&priceFrom=" + strconv.Itoa(from) + "&priceTo=" + strconv.Itoa(from+400)
	}
	return q
}

// typing is what somebody has typed of a product's name.
func (s *selling) typing(random *rand.Rand) string {
	name := strings.ToLower(product(random.IntN(s.Items)).Name)
	return "/ecom/catalog/suggest?q=" + url.QueryEscape(name[:2+random.IntN(len(name)-2)])
}
