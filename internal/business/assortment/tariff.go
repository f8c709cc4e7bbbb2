package assortment

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// tariff is what some viewers pay where it is not what the index says: by item id, nil where they have no price.
type tariff struct {
	mu     sync.Mutex
	prices map[string]*dec.Dec
	all    bool // every product has its own
	stale  map[string]bool
}

// tariffs are the prices of viewers who pay others than a guest, by what their prices depend on. They are made when
// somebody first sorts or filters by price, and mended as products change.
type tariffs struct {
	mu     sync.Mutex
	byName map[string]*tariff
}

// mostTariffs bounds how many are kept.
const mostTariffs = 64

// stale notes that products have changed.
func (t *tariffs) stale(ids []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.byName {
		one.mu.Lock()
		for _, id := range ids {
			one.stale[id] = true
		}
		one.mu.Unlock()
	}
}

// of finds a tariff, or begins one.
func (t *tariffs) of(name string) (one *tariff, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one, known = t.byName[name]; known {
		return one, true
	}
	if len(t.byName) >= mostTariffs || t.byName == nil {
		t.byName = map[string]*tariff{}
	}
	one = &tariff{prices: map[string]*dec.Dec{}, stale: map[string]bool{}}
	t.byName[name] = one
	return one, false
}

func (t *tariffs) drop(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byName, name)
}

// priceFacet is the amount that a viewer sees as the price.
func priceFacet(v Viewer) string {
	if v.IncludesTax {
		return facetGross
	}
	return facetNet
}

// tariffOf is what the viewer pays where it is not what the index says; nil where he pays what a guest does.
func (e *edition) tariffOf(tx *db.Tx, v Viewer) (*tariff, error) {
	guest := v.guest(tx)
	own, err := pricing.Profile(tx, v.Situation())
	if err != nil {
		return nil, err
	}
	theirs, err := pricing.Profile(tx, guest.Situation())
	if err != nil {
		return nil, err
	}
	sameTax := !v.IncludesTax || v.Country == guest.Country
	if own == theirs && sameTax {
		return nil, nil
	}
	name := own + "|" + v.Country + "|" + strconv.FormatBool(v.IncludesTax) + "|" + strconv.FormatInt(tx.Epoch, 36)
	t, known := e.tariffs.of(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !known {
		if err := t.fill(tx, v, guest, sameTax); err != nil {
			e.tariffs.drop(name)
			return nil, err
		}
		return t, nil
	}
	return t, t.mend(tx, v)
}

// fill prices the products that may have another price than a guest's.
func (t *tariff) fill(tx *db.Tx, v, guest Viewer, sameTax bool) error {
	if sameTax {
		ids, all, err := pricing.Apart(tx, v.Situation(), guest.Situation())
		if err != nil {
			return err
		}
		if !all {
			above, err := parentsOf(tx, ids)
			if err != nil {
				return err
			}
			return t.price(tx, v, append(ids, above...))
		}
	}
	t.all = true
	for after := ""; ; {
		articles, err := articlesAfter(tx, v.Channel, after, atOnce)
		if err != nil || len(articles) == 0 {
			return err
		}
		if err := t.put(tx, v, articles); err != nil {
			return err
		}
		after = lastKey(articles)
	}
}

// price prices items anew.
func (t *tariff) price(tx *db.Tx, v Viewer, ids []string) error {
	for part := range slices.Chunk(ids, atOnce) {
		articles, err := articlesWith(tx, v.Channel, part)
		if err != nil {
			return err
		}
		if err := t.put(tx, v, articles); err != nil {
			return err
		}
	}
	return nil
}

func (t *tariff) put(tx *db.Tx, v Viewer, articles []*Article) error {
	numbers := each.Of(articles, func(a *Article) string { return a.Item.Number })
	variants, err := standingVariants(tx, v.Channel, numbers)
	if err != nil {
		return err
	}
	asks := each.Of(articles, func(a *Article) Ask { return Ask{Article: a, Quantity: dec.One} })
	prices, err := pricesWith(tx, v, asks, func(a *Article) []*Article { return variants[record.Fold(a.Item.Number)] })
	for _, p := range prices {
		t.prices[p.ItemID] = p.Shown()
	}
	return err
}

// mend prices what has changed since.
func (t *tariff) mend(tx *db.Tx, v Viewer) error {
	if len(t.stale) == 0 {
		return nil
	}
	ids := slices.Collect(maps.Keys(t.stale))
	if err := t.price(tx, v, ids); err != nil {
		return err
	}
	clear(t.stale)
	return nil
}

// amount is the search's last word on a price. It is asked while the tariff is not being written.
func (t *tariff) amount(name, id string, own dec.Dec, has bool) (dec.Dec, bool) {
	if name != facetNet && name != facetGross {
		return own, has
	}
	if p, ok := t.prices[id]; ok {
		if p == nil {
			return 0, false
		}
		return *p, true
	}
	return own, has && !t.all
}
