package pricing

import (
	"maps"
	"slices"

	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
)

func loadPriceLists(tx *db.Tx) (*priceLists, error) {
	s := &priceLists{lists: map[string]price.List{}, byTarget: map[string][]string{}, byCode: map[string]string{}}
	return s, tx.Each(`-- pricing.loadPriceLists
		select p.id, p.code, p.name, p.type, p.currency, p.is_inclusive, p.priority, p.parent_id, p.valid_from, p.valid_to, p.is_active,
			coalesce(t.target, '')
		from price_list p left join price_list_target t on t.company = p.company and t.list_id = p.id
		where p.company = :company`, nil, func(r db.Row) error {
		var l price.List
		var isActive bool
		var target string
		err := r.Scan(&l.ID, &l.Code, &l.Name, &l.Type, &l.Currency, &l.IsPriceIncludingTax, &l.Priority, &l.Parent,
			&l.ValidFrom, &l.ValidTo, &isActive, &target)
		s.put(l, isActive, target)
		return err
	})
}

// manyLists is from how many lists on their lines are looked up by the items: each list beside each item would be a
// look of its own, or all lines of those lists be gone through.
const manyLists = 16

// readOffers reads what lists (id -> whether it applies) say about items, named by their ids and their folded numbers:
// the offers by item id. The rows come as they lie, since an order would lead SQLite to walk all lines of the company.
func readOffers(tx *db.Tx, s *priceLists, lists map[string]bool, itemIDs, itemKeys []string) (
	map[string][]price.Offer, error) {
	type at struct{ item, list string }
	out, places := make(map[string][]price.Offer, len(itemKeys)), map[at]int{}
	if len(lists) == 0 || len(itemKeys) == 0 {
		return out, nil
	}
	which := "list_id in (:lists) and item_key in (:items)"
	if len(lists) >= manyLists {
		which = "item_id in (:ids) and list_id in (:lists)"
	}
	return out, tx.Each(`-- pricing.readOffers
		select item_id, list_id, min_quantity, max_quantity, valid_from, valid_to, strategy, unit_price, percentage, fixed_amount
		from price_list_line where company = :company and `+which,
		db.Args{"lists": slices.Sorted(maps.Keys(lists)), "items": itemKeys, "ids": itemIDs}, func(r db.Row) error {
			var item, list string
			var l price.Line
			err := r.Scan(&item, &list, &l.MinQuantity, &l.MaxQuantity, &l.ValidFrom, &l.ValidTo, &l.Strategy,
				&l.UnitPrice, &l.Percentage, &l.FixedAmount)
			if err != nil {
				return err
			}
			i, met := places[at{item, list}]
			if !met {
				i = len(out[item])
				places[at{item, list}] = i
				out[item] = append(out[item], price.Offer{List: s.lists[list], Applies: lists[list]})
			}
			out[item][i].Lines = append(out[item][i].Lines, l)
			return nil
		})
}
