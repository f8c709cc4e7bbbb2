package pricing

import (
	"maps"
	"slices"

	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// priceLists is what prices depend on of all active price lists and of the parents they start from. It is kept in
// memory until a head changes, so that pricing a document reads nothing but lines.
type priceLists struct {
	lists    map[string]price.List // by id, inactive ones too: they may be parents
	byTarget map[string][]string   // the active lists for a target, by its name
	byCode   map[string]string     // the active Standard lists, by folded code: a channel may name one
}

func priceListsOf(tx *db.Tx) (*priceLists, error) {
	return db.FromReference(tx, "pricing", func() (*priceLists, error) { return loadPriceLists(tx) })
}

// put adds a list with one of its targets, "" for none.
func (s *priceLists) put(l price.List, isActive bool, target string) {
	s.lists[l.ID] = l
	if !isActive {
		return
	}
	if target != "" {
		s.byTarget[target] = append(s.byTarget[target], l.ID)
	}
	if l.Type == price.Standard {
		s.byCode[record.Fold(l.Code)] = l.ID
	}
}

// applying are the lists valid on a day for these targets, and the channel's own, each id with true, and the parents
// they may start from with false.
func (s *priceLists) applying(targets []string, channelList string, on day.Date) map[string]bool {
	chosen := map[string]bool{}
	choose := func(id string) {
		if l := s.lists[id]; on.Covers(l.ValidFrom, l.ValidTo) {
			chosen[id] = true
		}
	}
	for _, t := range targets {
		for _, id := range s.byTarget[t] {
			choose(id)
		}
	}
	if id, ok := s.byCode[record.Fold(channelList)]; ok {
		choose(id)
	}
	return s.withParents(chosen)
}

// withParents adds the parents of chosen lists. Each list is met once, so parents in a circle end the walk.
func (s *priceLists) withParents(chosen map[string]bool) map[string]bool {
	pending := slices.Collect(maps.Keys(chosen))
	for len(pending) > 0 {
		id := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		parent := s.lists[id].Parent
		if _, met := chosen[parent]; parent != "" && !met {
			chosen[parent] = false
			pending = append(pending, parent)
		}
	}
	return chosen
}
