package bench

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/pause"
)

// ShopWorkloads are the names of what can be measured of a store.
func ShopWorkloads() []string {
	return []string{"page", "products", "search", "suggest", "cart", "checkout", "sold", "content", "views",
		"assistant", "edit", "memory", "feed", "index"}
}

// CheckShopWorkloads refuses a name that is none of ShopWorkloads.
func CheckShopWorkloads(names []string) error {
	return checkNames(names, ShopWorkloads(), " of a store")
}

// Shop measures a store with o.Items published products, each with ten properties to be chosen by and two variants with
// a price and stock.
// Of the options it needs no customers, orders or history, and measures no other server.
func Shop(ctx context.Context, o Options) (Report, error) {
	if len(o.Workloads) == 0 {
		o.Workloads = ShopWorkloads()
	}
	s := &selling{measuring: measuring{Options: o, report: Report{Clients: o.Clients, Items: o.Items}}}
	return s.measure(ctx, s.fill, s.reads, s.content, s.writes, s.edits, s.apart)
}

// selling is the measurement of a store on its way.
type selling struct {
	measuring
	firm  firm
	items []string // ids of the variants that are put into carts
}

// fill serves the data, as a server is set up but for its limits, and loads the store.
func (s *selling) fill(ctx context.Context) {
	s.serve(ctx, keepBytes)
	s.report.Engine = s.site.kontor.Store().EngineName()
	start := time.Now()
	s.firm = loadShop(ctx, s.site.kontor, s.Items, s.Tick)
	s.report.LoadedIn = time.Since(start).Seconds()
	s.firm.key = s.site.key(ctx, s.firm.Company)
	s.sellable(ctx)
}

// cartItems is of how many different products a variant is bought.
const cartItems = 2_000

// sellable finds the variants that are bought, spread over all.
func (s *selling) sellable(ctx context.Context) {
	n := min(cartItems, s.Items)
	numbers := listOf(n, func(i int) string { return variantNumber(i*(s.Items/n), i%shopVariants) })
	halt.On(s.site.kontor.Store().Read(ctx, s.firm.request(), func(tx *db.Tx) error {
		s.items = nil
		for part := range slices.Chunk(numbers, perPart) {
			found, err := catalog.FindMany(tx, part)
			if err != nil {
				return err
			}
			for _, i := range found {
				s.items = append(s.items, i.ID)
			}
		}
		return nil
	}))
}

// visitor is a client with a session of its own.
type visitor struct {
	*caller
	company string
}

// visitor opens a connection to the server at url, and a session.
func (s *selling) visitor(url string) *visitor {
	v := &visitor{newTarget(url, "").dial(), s.firm.ID}
	v.enter()
	return v
}

// enter begins another session.
func (v *visitor) enter() { v.as(v.session()) }

// session opens a session and answers its token. The visitor himself stays who he is without it.
func (v *visitor) session() string {
	v.as("")
	a := v.read("/ecom/session")
	const before = `"sessionToken":"`
	_, rest, ok := strings.Cut(string(a.body), before)
	token, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		halt.On(fmt.Errorf("GET /ecom/session answers no sessionToken: %.300s", a.body))
	}
	return token
}

// as makes the next requests those of a session; "" is of none.
func (v *visitor) as(token string) {
	headers := "Host: " + v.to.url.Host + "\r\nX-Tenant-Id: " + v.company + "\r\nX-Channel: " + store + "\r\n"
	if token != "" {
		headers += "Authorization: Bearer " + token + "\r\n"
	}
	v.to = &target{v.to.url, headers}
}

// searchable waits until the server at url can search the store, and answers how long that took. What it is asked
// meanwhile is told to during.
func (s *selling) searchable(ctx context.Context, url string, during func(v *visitor)) time.Duration {
	v := s.visitor(url)
	defer v.close()
	rest := 2 * time.Millisecond
	if during != nil {
		rest = 50 * time.Millisecond // what is asked meanwhile is not to take the processors from what is waited for
	}
	for start := time.Now(); ; {
		const path = "/ecom/catalog/search?q=lamp&pageSize=1"
		a := v.do(v.to.get(path))
		if a.status == http.StatusOK {
			return time.Since(start)
		}
		a.expect(http.StatusServiceUnavailable, http.MethodGet, path)
		if during != nil {
			during(v)
		}
		halt.On(pause.For(ctx, rest))
	}
}
