package assortment

import (
	"strconv"
	"strings"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// keeper finds and keeps what a store shows in the cache of db.Tx.CachePut. What it keeps stands while
// nothing of the catalog, the channel or the prices changes, nor the stock of the items on it; whoever reads it again
// sees what he would read from the books.
type keeper struct {
	name  string // of what depends on the viewer
	stock string // the resource of the stock that is shown
	deps  db.Dependencies
	on    bool
}

// sources are the resources whose changes drop whatever is kept.
func sources() [9]string {
	return [9]string{catalog.Items.Name, channel.Publications.Name, catalog.Brands.Name, catalog.Categories.Name,
		catalog.Attributes.Name, pricing.Lists.Name, pricing.Lines.Name, Ratings, channel.Channels.Name}
}

func refsTo(resources ...string) []db.Ref {
	return each.Of(resources, func(r string) db.Ref { return db.Ref{Resource: r} })
}

// keeperOf begins before anything is read that is to be kept: its counters are those that the answer will be kept
// under.
func keeperOf(tx *db.Tx, v Viewer) (keeper, error) {
	k := keeper{deps: DependsOn(tx), stock: shownStock(v.Channel)}
	if k.on = k.deps.IsCacheable() && !tx.Writes(); !k.on {
		return k, nil
	}
	profile, err := pricing.Profile(tx, v.Situation())
	if err != nil {
		return k, err
	}
	k.name = strings.Join([]string{v.Channel.Code, v.Language, v.Country, strconv.FormatBool(v.IncludesTax), profile},
		"\x00")
	return k, nil
}

func generalOf(tx *db.Tx) (at [9]uint64) {
	v := tx.Versions()
	for i, r := range sources() {
		at[i] = v.Of(tx.Company, r)
	}
	return at
}

// keptAtMost bounds how long anything is kept: what time alone moves, such as the window of a variant, shows by then.
const keptAtMost = time.Minute

// nextDay is when prices and taxes may be others: with the next minute that begins a day, wherever the company lives.
func nextDay(tx *db.Tx) db.Time {
	now := tx.Now.Time()
	return min(tx.Now+db.Time(keptAtMost/time.Microsecond), db.TimeOf(now.Truncate(keptAtMost).Add(keptAtMost)))
}

// remember keeps a value that this transaction has read, of articles with what the store shows of their stock. weight
// is about how many bytes it takes.
func remember[T any](tx *db.Tx, k keeper, name string, weight int, value T, articles ...*Article) {
	if !k.on {
		return
	}
	g := also(tx, k.deps, k.stock, articles)
	tx.CachePut("assortment "+name+"\x00"+k.name, g, weight, value)
	tx.AnswerDependsOn(g)
}

// DependsOn is what a store shows depends on, but for stock: see AlsoOn.
func DependsOn(tx *db.Tx) db.Dependencies {
	all := sources()
	return tx.DependsOn(refsTo(all[:]...)...).Within(0, nextDay(tx))
}

// AlsoOn are the dependencies where these articles, with their prices and stock, come to what depends on g.
func AlsoOn(tx *db.Tx, g db.Dependencies, articles []*Article) db.Dependencies {
	return also(tx, g, stock.Resource, articles)
}

// also is AlsoOn by the resource of the stock.
func also(tx *db.Tx, g db.Dependencies, resource string, articles []*Article) db.Dependencies {
	refs := make([]db.Ref, 0, len(articles))
	for _, a := range articles {
		for _, one := range a.parts {
			refs = append(refs, db.Ref{Resource: resource, Key: one.key})
		}
		g = g.Within(a.Opens, a.Closes)
	}
	return g.With(tx, refs...)
}

// below is what the finds of the store index depend on, besides its edition.
func (k keeper) below(tx *db.Tx, w Wish) db.Dependencies {
	refs := refsTo(Synonyms.Name)
	if w.InStock {
		refs = refsTo(Synonyms.Name, stock.StatusResource)
	}
	return k.deps.With(tx, refs...)
}

// recall finds what remember kept. Where it finds nothing, what is read from here on is for that.
func recall[T any](tx *db.Tx, k *keeper, name string) (value T, ok bool) {
	if !k.on {
		return value, false
	}
	value, g, ok := db.CacheGet[T](tx, "assortment "+name+"\x00"+k.name)
	if ok {
		tx.AnswerDependsOn(g)
	} else {
		k.deps = k.deps.From(tx)
	}
	return value, ok
}

// recalled is a list that is remembered, read where it is not.
func recalled[T any](tx *db.Tx, k keeper, name string, read func(*db.Tx) (T, error)) (T, error) {
	if all, ok := recall[T](tx, &k, name); ok {
		return all, nil
	}
	all, err := read(tx)
	if err == nil {
		remember(tx, k, name, listWeight, all)
	}
	return all, err
}

// listWeight is about how many bytes a list of the store takes that is read as a whole.
const listWeight = 32_000

// Of an article without its texts, and of what its stock is counted of, in bytes, about.
const articleWeight, partWeight = 1_200, 120

// articlesKept are articles by id, of which those that are remembered are not read. It serves writers too.
func articlesKept(tx *db.Tx, c channel.Channel, ids []string) (map[string]*Article, error) {
	out := make(map[string]*Article, len(ids))
	var missing []string
	name := "article " + record.Fold(c.Code) + " "
	for _, id := range ids {
		if a, _, ok := db.CacheGet[*Article](tx, name+id); ok {
			out[id] = a
		} else {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	g := tx.DependsOn(refsTo(catalog.Items.Name, channel.Publications.Name, catalog.Brands.Name)...).
		Within(0, nextDay(tx))
	found, err := byID(tx, c, missing)
	if err != nil {
		return nil, err
	}
	for id, a := range found {
		out[id] = a
		tx.CachePut(name+id, g.Within(a.Opens, a.Closes), articleWeight+
			partWeight*len(a.parts)+len(a.Description)+len(a.ShortDescription), a)
	}
	return out, nil
}

// variantsOf are the visible variants of articles, by the parent's id, each by number.
func variantsOf(tx *db.Tx, c channel.Channel, articles ...*Article) (map[string][]*Article, error) {
	var ids []string
	for _, a := range articles {
		for _, one := range a.parts[:a.Variants] {
			ids = append(ids, one.itemID)
		}
	}
	found, err := articlesKept(tx, c, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*Article, len(articles))
	for _, a := range articles {
		for _, one := range a.parts[:a.Variants] {
			if v, ok := found[one.itemID]; ok {
				out[a.Item.ID] = append(out[a.Item.ID], v)
			}
		}
	}
	return out, nil
}

// freeKept is what the channel's warehouses could promise of items that are kept in stock, by id. keeps says whether
// what is read is remembered.
func freeKept(tx *db.Tx, c channel.Channel, items []part, keeps bool) (map[string]dec.Dec, error) {
	name := "free " + record.Fold(c.Code) + " "
	free := make(map[string]dec.Dec, len(items))
	var deps db.Dependencies
	var missing []string
	var dependencies []db.Dependencies
	for _, one := range items {
		if d, _, ok := db.CacheGet[dec.Dec](tx, name+one.itemID); ok {
			free[one.itemID] = d
			continue
		}
		if missing = append(missing, one.itemID); len(missing) == 1 {
			deps = tx.DependsOn()
		}
		dependencies = append(dependencies, deps.With(tx, db.Ref{Resource: stock.Resource, Key: one.key}))
	}
	if len(missing) == 0 {
		return free, nil
	}
	found, err := freeOf(tx, c, missing)
	if err != nil {
		return nil, err
	}
	for i, id := range missing {
		free[id] = found[id]
		if keeps {
			tx.CachePut(name+id, dependencies[i], 8, found[id])
		}
	}
	return free, nil
}
