package app_test

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// merchant changes whatever a store shows, and looks at it as its visitors do.
type merchant struct {
	*rand.Rand
	*shop
	place    datadir.Dir
	goods    []string   // the numbers of the items that he changes
	nodes    []*app.App // on a database there are two
	urls     []string   // theirs
	turn     int        // of who is asked next
	deeds    []deed
	visitors []visitor
	done     []string
}

// deed is something that a merchant does.
type deed struct {
	name string
	do   func(m *merchant) error
}

// visitor is somebody who looks at the store.
type visitor struct {
	name string
	head []string
}

// wares are the items that a merchant works with, and what else there is of.
var (
	wares   = strings.Fields("A-1 A-2 A-3 A-4 B-1 B-2 B-3 B-4 C-1 C-2 C-3 C-4 C-1-S C-1-L C-2-S C-2-L")
	aisles  = []string{"TOOLS", "HAMMERS", "PAINT", "ROOT"}
	makers  = []string{"HULT", "BAHCO"}
	shades  = []string{"red", "dark red", "blue, light", "Grün"}
	aspects = []string{"shade", "weight", "sizes"}
	terms   = strings.Fields("claw hammer hammers paint white dark bucket sledge hultafors bahco röd")
)

// newMerchant opens a store with goods, prices and stock, and lets its visitors in.
func newMerchant(t *testing.T, place datadir.Dir, seed uint64) *merchant {
	t.Helper()
	m := &merchant{Rand: rand.New(rand.NewPCG(seed, 0)), place: place, goods: wares, deeds: merchandising()}
	first := m.node(t, 1<<25)
	m.shop, m.nodes = newShopIn(t, first), []*app.App{first}
	m.serve(1 << 25)
	t.Cleanup(m.close)
	if err := m.kontor.InCompany(t.Context(), "acme", m.opens); err != nil {
		t.Fatal(err)
	}
	for _, number := range wares {
		m.must(204, "PUT", "/preview/item-channels/"+number+"/WEB", `{"isPublished": true}`)
	}
	m.enters("a guest", `{}`)
	m.enters("a guest abroad", `{"languageCode": "sv", "countryCode": "DE", "isPriceIncludingTax": false}`)
	m.enters("a customer", `{}`)
	m.signsIn(&m.visitors[2])
	return m
}

// opens fills the company.
func (m *merchant) opens(tx *db.Tx) error {
	ten := dec.Int(10)
	err := []error{reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "TRADE", Name: "Trade", IsActive: true}),
		reference.SaveUnits(tx, reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
		reference.SaveWarehouses(tx, reference.Warehouse{Code: "SOUTH", Name: "South", IsActive: true, CountryCode: "SE"}),
		reference.SaveLocations(tx, reference.Location{Warehouse: "SOUTH", Code: "A-01", Name: "A", IsPickable: true,
			IsActive: true})}
	try := func(e error) { err = append(err, e) }
	for _, code := range aisles {
		_, e := catalog.CreateCategory(tx, catalog.Category{Code: code, Name: code, IsActive: true})
		try(e)
	}
	for _, code := range makers {
		_, e := catalog.CreateBrand(tx, catalog.Brand{Code: code, Name: code, IsActive: true})
		try(e)
	}
	for _, a := range []catalog.Attribute{{Code: "shade", Name: "Shade", DataType: catalog.Text, IsMultiValue: true},
		{Code: "weight", Name: "Weight", Unit: "g", DataType: catalog.DecimalNumber},
		{Code: "sizes", Name: "Sizes", DataType: catalog.WholeNumber, IsMultiValue: true}} {
		a.IsActive, a.IsVisible = true, true
		_, e := catalog.SaveAttribute(tx, a)
		try(e)
	}
	for _, number := range m.goods {
		i := catalog.New()
		i.Number, i.Name, i.BaseUnit, i.SalesPrice, i.TaxCode = number, "Item "+number, "PCS", &ten, "STD"
		if len(number) > 3 {
			i.VariantOf, i.VariantOptions = number[:3], []catalog.Option{{Name: "Size", Value: number[4:]}}
		}
		_, e := catalog.Create(tx, i)
		try(e)
	}
	_, e := channel.Change(tx, "WEB", func(c *channel.Channel) error {
		c.Languages, c.Countries, c.IsPriceIncludingTax = []string{"en", "sv"}, []string{"SE", "DE"}, true
		return nil
	})
	try(e)
	_, e = party.Create(tx, party.Customer{Number: "C-1", Name: "One", IsActive: true, CountryCode: "SE",
		GroupCode: "TRADE"})
	try(e)
	for _, l := range []pricing.List{{Code: "SALE", Type: pricing.Campaign}, {Code: "TRADE", Type: pricing.CustomerGroup,
		CustomerGroupCodes: []string{"TRADE"}}, {Code: "OWN", Type: pricing.Contract, CustomerNumbers: []string{"C-1"}}} {
		l.Name, l.CurrencyCode, l.IsActive = l.Code, "SEK", true
		_, e := pricing.Create(tx, l)
		try(e)
	}
	return errors.Join(err...)
}

// enters lets a visitor in, who wishes to be shown the store so.
func (m *merchant) enters(name, wish string) {
	v := visitor{name, []string{"X-Api-Key:", "Idempotency-Key:", "X-Tenant-Id: " + m.company.ID, "X-Channel: WEB"}}
	token := m.one(m.must(200, "GET", "/ecom/session", "", v.head...), "sessionToken")
	v.head = append(v.head, "Authorization: Bearer "+token)
	m.must(200, "PATCH", "/ecom/session", wish, v.head...)
	m.visitors = append(m.visitors, v)
}

// does one thing. What is refused changes nothing.
func (m *merchant) does() {
	d := m.deeds[m.IntN(len(m.deeds))]
	if err := d.do(m); err != nil {
		m.done = append(m.done, d.name+": "+err.Error())
		return
	}
	m.done = append(m.done, d.name)
}

// anew opens the house again, with so much memory for what is kept, and all that was derived is gone.
func (m *merchant) anew(keep app.Bytes) {
	m.Helper()
	m.close()
	for _, dir := range []string{"search", "search-2"} { // each node has its own
		if err := os.RemoveAll(filepath.Join(m.place.Data, dir)); err != nil {
			m.Fatal(err)
		}
	}
	m.nodes = []*app.App{m.node(m, keep)}
	m.serve(keep)
}

// node opens the data, with so much memory for what is kept.
func (m *merchant) node(t testing.TB, keep app.Bytes) *app.App {
	kontor, err := app.OpenServing(t.Context(), m.place, app.Serving{KeepBytes: keep,
		PublicURL: "https://erp.example.com"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return kontor
}

// serve lets visitors in, by turns at each of the nodes.
func (m *merchant) serve(keep app.Bytes) {
	if m.place.DatabaseURL != "" {
		m.nodes = append(m.nodes, m.node(m, keep))
	}
	m.kontor, m.urls = m.nodes[0], nil
	for _, n := range m.nodes {
		server := httptest.NewServer(n)
		m.Cleanup(server.Close)
		m.urls = append(m.urls, server.URL)
	}
	m.url = m.urls[0]
}

func (m *merchant) close() {
	for _, n := range m.nodes {
		if err := n.Close(context.Background()); err != nil {
			m.Error(err)
		}
	}
}

// ofOne are addresses of single products, which every node answers from the books as they are; what others find for
// words follows within moments.
var ofOne = regexp.MustCompile("/(products|prices|stock)/")

// asks asks as a visitor, the nodes by turns, and once more where an index is still being made.
func (m *merchant) asks(v visitor, path string) answer {
	m.Helper()
	m.url = m.urls[0]
	if m.turn++; ofOne.MatchString(path) {
		m.url = m.urls[m.turn%len(m.urls)]
	}
	a := m.send("GET", path, "", v.head...)
	if a.lags() {
		m.kontor.Indexes().Round(m.Context(), m.kontor.Files().URL)
		a = m.send("GET", path, "", v.head...)
	}
	m.url = m.urls[0]
	if a.status >= 500 || a.lags() {
		m.Fatalf("%s asks for %s: %v %.200s\n%s", v.name, path, a.header, a, strings.Join(m.done, "\n"))
	}
	return a
}

// looks is what each visitor is shown at some addresses.
func (m *merchant) looks(paths []string) map[string]string {
	seen := map[string]string{}
	for _, v := range m.visitors {
		for _, path := range paths {
			a := m.asks(v, path)
			seen[v.name+" asks for "+path] = cmp.Or(a.code(), settledOf(path, a))
		}
	}
	return seen
}

// settledOf is what of an answer rests on the books. In what order they are found that are as good, and what others
// look for, is learned behind the requests.
func settledOf(path string, a answer) string {
	switch body := a.body.(row); {
	case strings.Contains(path, "/search?"):
		found := body["items"].([]any)
		slices.SortFunc(found, func(x, y any) int { return cmp.Compare(x.(row)["id"].(string), y.(row)["id"].(string)) })
	case strings.Contains(path, "/suggest?"):
		delete(body, "products")
		delete(body, "queries")
	default:
		return string(a.raw)
	}
	return textOf(a.body)[0]
}

// signsIn is how a visitor becomes the customer C-1.
func (m *merchant) signsIn(v *visitor) {
	hash, err := identity.NewHasher().Hash(m.Context(), rightPassword)
	if err == nil {
		err = m.kontor.InCompany(m.Context(), "acme", func(tx *db.Tx) error {
			_, err := party.CreateContact(tx, "C-1", party.Contact{Name: "Ida", Email: "ida@example.com",
				HasPortalAccess: true, IsActive: true, PasswordHash: hash})
			return err
		})
	}
	if err != nil {
		m.Fatal(err)
	}
	m.must(200, "POST", "/ecom/auth/login", `{"email": "ida@example.com", "password": "`+rightPassword+`"}`, v.head...)
}

// ids are the items' ids, by their numbers.
func (m *merchant) ids() (all []string) {
	err := m.kontor.InCompany(m.Context(), "acme", func(tx *db.Tx) error {
		found, err := catalog.FindMany(tx, m.goods)
		for _, key := range slices.Sorted(maps.Keys(found)) {
			all = append(all, found[key].ID)
		}
		return err
	})
	if err != nil {
		m.Fatal(err)
	}
	return all
}

// ways are the addresses at which a store shows its goods.
func (m *merchant) ways() (all []string) {
	lists := []string{"products?", "products?sort=price&", "products?sort=-price&", "products?sort=name&",
		"products?sort=rating&", "products?inStock=true&", "products?priceFrom=9&priceTo=30&", "filters?",
		"filters?inStock=true&", "filters?priceFrom=9&"}
	for _, what := range lists {
		all = append(all, "/ecom/catalog/"+what+"pageSize=20")
	}
	for _, code := range aisles {
		all = append(all, "/ecom/catalog/products?category="+code, "/ecom/catalog/filters?category="+code)
	}
	for _, code := range makers {
		all = append(all, "/ecom/catalog/filters?brand="+code, "/ecom/catalog/products?sort=newest&brand="+code)
	}
	for _, value := range shades {
		all = append(all, "/ecom/catalog/filters?f.shade="+url.QueryEscape(value))
	}
	all = append(all, "/ecom/catalog/filters?f.weight=2..3", "/ecom/catalog/products?f.sizes=2,3", "/ecom/catalog/brands",
		"/ecom/catalog/categories")
	for _, word := range terms {
		all = append(all, "/ecom/catalog/search?q="+url.QueryEscape(word), "/ecom/catalog/suggest?q="+url.QueryEscape(
			word[:3]))
	}
	for _, id := range m.ids() {
		for _, part := range []string{"products/" + id, "products/" + id + "/variants", "products/" + id + "/related",
			"prices/" + id + "?quantity=12", "stock/" + id, "products/" + id + "/documents"} {
			all = append(all, "/ecom/catalog/"+part)
		}
	}
	return all
}

// A store shows what its merchant did last, to everybody: what it kept and what it followed is what it would make of
// the books from nothing.
func TestAStoreShowsWhatItsMerchantDid(t *testing.T) {
	steps, seed := longer(t, 20)
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		m := newMerchant(t, place, seed)
		beside := newMirror(m.client)
		for k := 1; k <= steps && !t.Failed(); k++ {
			m.does()
			if k%5 == 0 {
				beside.follows()
			}
			ways := m.ways()
			if k%10 != 0 {
				m.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
				m.looks(ways[:len(ways)/4])
				continue
			}
			shown := m.looks(ways)
			m.agrees()
			beside.compares()
			m.anew(0)
			is := m.looks(ways)
			for _, what := range slices.Sorted(maps.Keys(is)) {
				if shown[what] != is[what] {
					m.Fatalf("%s: shown\n%s\nis\n%s\nwith seed %d; the latest deeds:\n%s", what, shown[what], is[what], seed,
						strings.Join(m.done[max(0, len(m.done)-12):], "\n"))
				}
			}
			m.anew(1 << 25)
		}
		if t.Failed() {
			t.Fatalf("with seed %d; the latest deeds:\n%s", seed, strings.Join(m.done[max(0, len(m.done)-12):], "\n"))
		}
		refused := slices.DeleteFunc(slices.Clone(m.done), func(d string) bool { return !strings.Contains(d, ":") })
		t.Logf("%d deeds, of which were refused: %v", len(m.done), refused)
		if len(refused) > steps/2 {
			t.Error("the merchant came nowhere")
		}
	})
}
