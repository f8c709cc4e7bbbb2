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
	name string // of what depends on the viewer
	deps db.Dependencies
	on   bool
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
	k := keeper{deps: DependsOn(tx)}
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
		at[i] = v.Of(tx.Company, r, "")
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

// remember keeps a value that this transaction has read. It depends on the stock of the numbered items, and holds only
// between two moments. weight is about how many bytes it takes.
func remember[T any](tx *db.Tx, k keeper, name string, weight int, value T, numbers []string, opens, closes db.Time) {
	if !k.on {
		return
	}
	g := k.deps.With(tx, stockOfAll(numbers)...).Within(opens, closes)
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
	numbers := make([]string, len(articles))
	for i, a := range articles {
		if a.Variants == 0 { // else the stock of all: any of them may be shown
			numbers[i] = record.Fold(a.Item.Number)
		}
		g = g.Within(a.Opens, a.Closes)
	}
	return g.With(tx, stockOfAll(numbers)...)
}

// below is what the finds of an edition of the store index depend on.
func (k keeper) below(tx *db.Tx, e *edition, w Wish) db.Dependencies {
	refs := refsTo(Synonyms.Name)
	if w.InStock {
		refs = refsTo(Synonyms.Name, stock.Resource)
	}
	return k.deps.With(tx, refs...).OnCounter(&e.revision, e.revision.Load()).Within(0, tx.Now+answersLast)
}

func stockOfAll(numbers []string) []db.Ref {
	return each.Of(numbers, func(n string) db.Ref { return db.Ref{Resource: stock.Resource, Key: n} })
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
		remember(tx, k, name, listWeight, all, nil, 0, 0)
	}
	return all, err
}

// listWeight is about how many bytes a list of the store takes that is read as a whole.
const listWeight = 32_000

const articleWeight = 1_200 // bytes, about, without its texts

// articlesKept are articles by id, of which those that are remembered are not read. It serves writers too.
func articlesKept(tx *db.Tx, c channel.Channel, ids []string) (map[string]*Article, error) {
	out := make(map[string]*Article, len(ids))
	var missing []string
	for _, id := range ids {
		if a, _, ok := db.CacheGet[*Article](tx, articleName(c, id)); ok {
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
		tx.CachePut(articleName(c, id), g.Within(a.Opens, a.Closes), articleWeight+len(a.Description)+
			len(a.ShortDescription), a)
	}
	return out, nil
}

func articleName(c channel.Channel, id string) string {
	return "article " + record.Fold(c.Code) + " " + id
}

// freeKept is what the channel's warehouses could promise of articles that are kept in stock and have no variants, by
// id.
func freeKept(tx *db.Tx, c channel.Channel, articles []*Article) (map[string]dec.Dec, error) {
	name := "free " + record.Fold(c.Code) + " "
	free := make(map[string]dec.Dec, len(articles))
	var deps db.Dependencies
	var missing []string
	var grounds []db.Dependencies
	for _, a := range articles {
		if d, _, ok := db.CacheGet[dec.Dec](tx, name+a.Item.ID); ok {
			free[a.Item.ID] = d
			continue
		}
		if missing = append(missing, a.Item.ID); len(missing) == 1 {
			deps = tx.DependsOn()
		}
		grounds = append(grounds, deps.With(tx, db.Ref{Resource: stock.Resource, Key: record.Fold(a.Item.Number)}))
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
		if len(missing) > db.MostCached {
			continue
		}
		tx.CachePut(name+id, grounds[i], 8, found[id])
	}
	return free, nil
}
