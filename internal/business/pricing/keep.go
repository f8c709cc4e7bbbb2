package pricing

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// choice are the lists that say something in a situation: id -> whether the list applies, or is but the parent of one.
type choice struct {
	lists    map[string]bool
	name     string // tells choices apart
	applying string // those that apply
}

// choice is remembered as long as the heads of the lists stand: heads is made anew with each of them.
func (s Situation) choice(tx *db.Tx, heads *priceLists, on day.Date) *choice {
	targets := s.targets()
	name := "price lists " + strings.Join(targets, "\x00") + "\x00\x00" + record.Fold(s.channel.PriceListCode) +
		"\x00" + string(on)
	if c, _, ok := db.CacheGet[*choice](tx, name); ok {
		return c
	}
	deps := tx.DependsOn(db.Ref{Resource: Lists.Name})
	c := &choice{lists: heads.applying(targets, s.channel.PriceListCode, on)}
	var applying, parents []string
	for _, id := range slices.Sorted(maps.Keys(c.lists)) {
		if c.lists[id] {
			applying = append(applying, id)
		} else {
			parents = append(parents, id)
		}
	}
	c.applying = wordFor(applying)
	c.name = c.applying + "|" + wordFor(parents)
	tx.CachePut(name, deps, 100*len(c.lists), c)
	return c
}

// wordFor is a word for a list of ids, of which there may be hundreds: it stands in the name of whatever is cached of
// prices.
func wordFor(ids []string) string {
	sum := sha256.Sum256([]byte(strings.Join(ids, " ")))
	return hex.EncodeToString(sum[:16])
}

// offersFor are the offers of the chosen lists for items, by item id. Those that are remembered are not read.
func offersFor(tx *db.Tx, c *choice, asks []Ask) (map[string][]price.Offer, error) {
	out := make(map[string][]price.Offer, len(asks))
	if len(c.lists) == 0 {
		return out, nil
	}
	var missing []string
	var ids []string
	for _, a := range asks {
		if _, met := out[a.Item.ID]; met {
			continue
		}
		list, _, ok := db.CacheGet[[]price.Offer](tx, c.nameOf(a.Item.ID))
		if out[a.Item.ID] = list; !ok {
			missing, ids = append(missing, record.Fold(a.Item.Number)), append(ids, a.Item.ID)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	deps := tx.DependsOn(db.Ref{Resource: Lists.Name}, db.Ref{Resource: Lines.Name})
	s, err := priceListsOf(tx)
	if err != nil {
		return nil, err
	}
	found, err := readOffers(tx, s, c.lists, ids, missing)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		out[id] = found[id]
		if len(ids) > db.MostCached {
			continue
		}
		tx.CachePut(c.nameOf(id), deps, offerWeight*(1+len(found[id])), found[id])
	}
	return out, nil
}

const offerWeight = 300 // bytes, about, of an offer with a line or two

func (c *choice) nameOf(itemID string) string { return "offers " + itemID + " " + c.name }
